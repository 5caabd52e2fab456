/// Events of scenes: changes of keys while the scene runs.

#include <fmt/format.h>

#include "scenes/document/written_scene.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/scene_events.h"
#include "tests/scenes/document/same_scene.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

std::string with_events(const std::string& events) { return good_scene_with("events:\n" + events); }

scenes::Scene scene_with(const std::string& events) { return scenes::parse_scene(with_events(events), "s.yaml"); }

std::string event_complaint(const std::string& events) { return complaint(with_events(events)); }

}  // namespace

TEST(EventScenes, EachEventLeavesASetupOfItsOwn) {
  const scenes::Scene scene = scene_with(
      "  - {step: 20, set: {gravity: [0, -5, 0], fluids.0.viscosity: 0.01}}\n"
      "  - step: 7\n    set:\n      neighbors.skin: 0.2\n"
      "  - {step: 20, set: {gravity.1: -3}}\n");
  ASSERT_EQ(scene.events.size(), 3u);
  EXPECT_EQ(scene.events[0].step, 7u) << "events are in the order of their steps";
  EXPECT_TRUE(scene.events[0].search && !scene.events[0].live);
  EXPECT_TRUE(scene.events[1].live && !scene.events[1].search);
  EXPECT_EQ(scene.events[0].changes, (std::vector<scenes::KeyChange>{{"neighbors.skin", "0", "0.2"}}));
  EXPECT_EQ(scenes::setup_after(scene, 0).gravity.y, -9.81f);
  EXPECT_EQ(scenes::setup_after(scene, 1).gravity.y, -9.81f);
  EXPECT_EQ(scenes::setup_after(scene, 2).gravity.y, -5.0f);
  EXPECT_EQ(scenes::setup_after(scene, 2).fluids[0].viscosity, 0.01f);
  EXPECT_EQ(scenes::setup_after(scene, 2).neighbors.skin, 0.2f);
  EXPECT_EQ(scenes::setup_after(scene, 3).gravity.y, -3.0f) << "those of one step are in the order of the list";
  EXPECT_EQ(scenes::setup_after(scene, 3).fluids[0].viscosity, 0.01f);
  EXPECT_EQ(scenes::events_before(scene, 7), 0u) << "an event of step 7 acts with the next one";
  EXPECT_EQ(scenes::events_before(scene, 8), 1u);
  EXPECT_EQ(scenes::events_before(scene, 21), 3u);
}

TEST(EventScenes, AKeyOfTheStartIsRefusedWithWhatIsAllowed) {
  const std::string said = event_complaint("  - {step: 3, set: {particles.spacing: 0.05}}\n");
  EXPECT_TRUE(
      contains(said, "s.yaml:8:21: events[0].set: found 'particles.spacing', which decides the start of a run"));
  for (const char* key : {"gravity,", "fluids[].viscosity", "outlets", "damping", "solver", "neighbors", "time.step"})
    EXPECT_TRUE(contains(said.substr(said.find("allowed:")), key));
  for (const char* key : {"bodies", "time.end", "solids", "events"})
    EXPECT_FALSE(contains(said.substr(said.find("allowed:")), key)) << key;
  EXPECT_TRUE(contains(event_complaint("  - {step: 3, set: {picture.legend: false}}\n"),
                       "found 'picture.legend', which no simulation takes notice of; allowed: "));
  EXPECT_TRUE(contains(event_complaint("  - {step: 3, set: {events: []}}\n"),
                       "found 'events', which no event sets; allowed: "));
}

TEST(EventScenes, MistakesAreReportedWhereTheyStandAndSayWhen) {
  EXPECT_TRUE(contains(event_complaint("  - {step: 3, set: {gravity: down}}\n"),
                       "s.yaml:8:30: gravity: found 'down', allowed: a list of 3 numbers"));
  EXPECT_TRUE(contains(event_complaint("  - {step: 3, set: {gravity: down}}\n"), "(after the event of step 3)"));
  EXPECT_TRUE(contains(event_complaint("  - {step: 3, set: {solver.viscositi: 1}}\n"),
                       "s.yaml:8:21: solver.viscositi: unknown key 'viscositi'"));
  EXPECT_TRUE(contains(event_complaint("  - {step: 3, set: {fluids.3.viscosity: 1}}\n"),
                       "found '3' as an index into the list fluids; allowed: 0 to 0"));
  EXPECT_TRUE(contains(event_complaint("  - {set: {gravity: [0, 0, 0]}}\n"), "events[0].step: is missing"));
  EXPECT_TRUE(contains(event_complaint("  - {step: -1, set: {gravity: [0, 0, 0]}}\n"),
                       "s.yaml:8:12: events[0].step: found '-1', allowed: a whole number from 0"));
  EXPECT_TRUE(contains(event_complaint("  - {step: 3}\n"), "events[0].set: is missing"));
  EXPECT_TRUE(contains(event_complaint("  - {step: 3, set: {}}\n"),
                       "events[0].set: found an empty map, allowed: a map of paths of keys"));
  EXPECT_TRUE(contains(event_complaint("  - {step: 3, set: 4}\n"), "found '4', allowed: a map of paths of keys"));
  EXPECT_TRUE(contains(event_complaint("  - {step: 3, set: {solver.type: dpd}}\n"), "dpd"));
}

// An event that is right by itself may be wrong after another one.
TEST(EventScenes, ASceneIsReviewedAfterEachEvent) {
  const std::string continuity = "  - {step: 9, set: {solver.density: continuity}}\n";
  EXPECT_EQ(event_complaint(continuity), "");
  const std::string said = event_complaint("  - {step: 3, set: {solver.type: pbf}}\n" + continuity);
  EXPECT_TRUE(contains(said, "s.yaml:9:"));
  EXPECT_TRUE(contains(said, "solver.density"));
  EXPECT_TRUE(contains(said, "(after the event of step 9)"));
}

TEST(EventScenes, KeysOfTheSolverBeforeAreLeftOutAndComeBackWithIt) {
  const std::string given = "solver: {density: continuity}\nevents:\n";
  const scenes::Scene scene = scenes::parse_scene(good_scene_with(given + "  - {step: 3, set: {solver.type: dfsph}}\n"
                                                                          "  - {step: 9, set: {solver.type: wcsph}}\n"),
                                                  "s.yaml");
  EXPECT_EQ(scenes::setup_after(scene, 1).solver, SolverKind::Dfsph);
  expect_same_setup(scenes::setup_after(scene, 2), scene.simulation);
}

TEST(EventScenes, AWarningSaysAfterWhichEvent) {
  const std::string warned = warnings_of(with_events("  - {step: 3, set: {gravity: [0, 9.81, 0]}}\n"));
  EXPECT_TRUE(contains(warned, "(after the event of step 3)"));
  EXPECT_EQ(warnings_of(with_events("  - {step: 3, set: {gravity: [0, -5, 0]}}\n")), warnings_of(kGoodScene));
}

TEST(EventScenes, AreWrittenAndReadBack) {
  const scenes::Scene scene = scenes::parse_scene(
      good_scene_with(
          "fluids: [{name: water}]\nevents:\n"
          "  - {step: 20, set: {gravity: [0, -5, 0], \"fluids[0].viscosity\": 0.01}}\n"
          "  - {step: 30, set: {damping: [{box: {min: [0, 0, 0], max: [1, 1, 1]}, strength: 2}], solver.type: pbf}}\n"),
      "s.yaml");
  const std::string text = scenes::to_yaml(scenes::document_of(scene), "s.yaml");
  SCOPED_TRACE(text);
  expect_same_scene(scenes::parse_scene(text, "s.yaml"), scene);
}

TEST(EventScenes, WhatARunHasChangedBecomesEvents) {
  const scenes::SceneSource start = scenes::parse_source(
      good_scene_with("fluids: [{name: water, viscosity: 0.001}]\nsolver: {density: continuity}\n"), "s.yaml");
  const auto now = [](const std::string& more) { return scenes::parse_source(good_scene_with(more), "s.yaml"); };
  const auto expect_replayed = [&](const scenes::SceneSource& then) {
    const scenes::KeyValues set = scenes::changed_values(start, then);
    const scenes::SceneSource scene = scenes::with_changes(start, then, {{12, set}}, 0);
    const std::string text = scenes::to_yaml(scene.root, "s.yaml");
    SCOPED_TRACE(text);
    const scenes::Scene again = scenes::parse_scene(text, "s.yaml");
    expect_same_setup(again.simulation, scenes::build_scene(start).simulation);
    expect_same_setup(scenes::setup_after(again, again.events.size()), scenes::build_scene(then).simulation);
    EXPECT_EQ(again.picture.legend, scenes::build_scene(then).picture.legend);
  };
  expect_replayed(now("fluids: [{name: water, viscosity: 0.02}]\nsolver: {density: continuity}\n"));
  expect_replayed(now("fluids: [{name: water}]\nsolver: {density: summation}\n"));
  expect_replayed(now("fluids: [{name: water}]\nsolver: {type: pbf, xsph: 0.3}\nneighbors: {skin: 0.2}\n"));
  expect_replayed(
      now("fluids: [{name: water}]\noutlets: [{box: {min: [0, 0, 0], max: [0.1, 0.1, 0.1]}}]\n"
          "damping: [{box: {min: [0, 0, 0], max: [1, 1, 1]}, strength: 1}]\n"));
  expect_replayed(now("fluids: [{name: water}]\ngravity_change: {amplitude: [1, 0, 0], period: 2}\n"));
  expect_replayed(now("fluids: [{name: water}]\ntime: {step: 0.001, end: 7}\npicture: {legend: false}\n"));
}

TEST(EventScenes, AnEditTakesOverTheKeysOfEventsThatHaveActed) {
  const scenes::SceneSource source = scenes::parse_source(
      with_events("  - {step: 5, set: {gravity: [0, -5, 0], neighbors.skin: 0.2}}\n"
                  "  - {step: 9, set: {gravity: [0, -3, 0]}}\n  - {step: 12, set: {gravity: [0, -1, 0]}}\n"),
      "s.yaml");
  const scenes::TakenOver taken = scenes::take_over(source, 2, {"gravity[1]"});
  EXPECT_EQ(taken.values, (scenes::KeyValues{{"gravity", "[0, -3, 0]"}}));
  EXPECT_EQ(taken.events, "[{step: 5, set: {neighbors.skin: 0.2}}, {step: 12, set: {gravity: [0, -1, 0]}}]");
  EXPECT_TRUE(scenes::take_over(source, 2, {"solver.type"}).values.empty());
  EXPECT_TRUE(scenes::take_over(source, 0, {"gravity"}).values.empty());
}

namespace {

/// What a scene says of events that its run does not come to.
std::string beyond_end(const std::string& time, const std::string& events) {
  std::string said;
  for (const scenes::Warning& warning : scene_with(events + "time: {" + time + "}\n").warnings)
    if (warning.kind == scenes::WarningKind::EventsBeyondEnd) said += warning.message();
  return said;
}

}  // namespace

TEST(EventScenes, OnesThatARunDoesNotComeToAreWarnedOf) {
  const auto at = [](int step, const char* set = "gravity: [0, -5, 0]") {
    return fmt::format("  - {{step: {}, set: {{{}}}}}\n", step, set);
  };
  EXPECT_EQ(beyond_end("step: 0.001, end: 0.04", at(39)), "") << "it acts with the last step";
  EXPECT_EQ(
      beyond_end("step: 0.001, end: 0.04", at(40)),
      "s.yaml:8:5: events: a run ends at 0.04 s (time.end), before the event of step 40, so it does not act: it is of "
      "t = 0.04. A larger time.end reaches it; so do --time and --steps of riffle run");
  EXPECT_EQ(beyond_end("step: 0.001, end: 0.0405", at(40)), "");
  EXPECT_TRUE(contains(beyond_end("step: 0.001, end: 0.0405", at(41)), "step 41"));
  EXPECT_TRUE(
      contains(beyond_end("step: 0.001, end: 0.03", at(10) + at(60) + at(50)),
               "s.yaml:10:5: events: a run ends at 0.03 s (time.end), before the events of the steps 50, 60, so they "
               "do not act: they are of t = 0.05 to 0.06. "));
  EXPECT_EQ(beyond_end("end: 0.001", at(1000000)), "") << "nobody knows how long its steps will be";
  const std::string shorter = at(20, "time.step: 0.0005") + at(40);
  EXPECT_EQ(beyond_end("step: 0.001, end: 0.0301", shorter), "");
  EXPECT_TRUE(contains(beyond_end("step: 0.001, end: 0.03", shorter), "step 40"));
  EXPECT_EQ(beyond_end("step: 0.001, end: 0.0005", at(0)), "") << "the first step is always made";
}

}  // namespace riffle
