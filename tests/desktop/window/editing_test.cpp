// Editing a scene while it runs: its solver, its parameters, its time, what is saved of it, and which edits it refuses.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "desktop_session.h"
#include "neighbors/method.h"
#include "scenes/load.h"

namespace riffle::test {
namespace {

using nlohmann::json;

class Editing : public InterfaceTest {
 protected:
  /// Finished files: one that is still being written has a hidden name.
  std::vector<std::string> files_ending_with(const std::string& ending) {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() == ending && !name.starts_with('.')) found.push_back(name);
    }
    return found;
  }
};

// Once such a key could only be given in the file.
TEST_F(Editing, AKeyThatIsNoneCanBeGiven) {
  open();
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.scene"));
  ASSERT_TRUE(session().choose("key.body_force", "given"));
  ASSERT_TRUE(session().wait_until("its keys are a section",
                                   [&](const json&) { return session().has_widget("keys.body_force"); }));
  ASSERT_TRUE(session().choose("key.body_force", "none"));
  ASSERT_TRUE(
      session().wait_until("it is gone", [&](const json&) { return !session().has_widget("keys.body_force"); }));
}

// Once the list of such a key offered only "none", and was blank where the file had given it.
TEST_F(Editing, AKeyThatMayBeOneOfSeveralMapsOffersEachAndNamesTheGivenOne) {
  open();
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.bodies[0]"));
  for (const std::string flow : {"standing_wave", "shear"}) {  // one becomes the other directly
    ASSERT_TRUE(session().choose("key.bodies[0].flow", flow));
    ASSERT_TRUE(session().wait_for("shown.bodies[0].flow", flow));
    ASSERT_TRUE(session().wait_until(
        "its keys", [&](const json&) { return session().has_widget("key.bodies[0].flow." + flow + ".center"); }));
  }
  ASSERT_TRUE(session().choose("key.bodies[0].flow", "none"));
  ASSERT_TRUE(session().wait_for("shown.bodies[0].flow", "none"));
  EXPECT_EQ(session().values()["notices"], 0);
}

TEST_F(Editing, ASolverTakesOverTheParticlesOfTheOther) {
  open();
  ASSERT_TRUE(session().wait_for_steps(20));
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.solver"));
  for (const std::string solver : {"pbf", "wcsph"}) {
    const std::uint64_t before = session().step();
    ASSERT_TRUE(session().choose("key.solver.type", solver));
    ASSERT_TRUE(session().wait_for("solver", solver));
    ASSERT_TRUE(session().wait_for_steps(5));
    EXPECT_GT(session().step(), before) << "it goes on from where it was";
    EXPECT_EQ(session().values()["particles"], 1000);
    EXPECT_EQ(session().values()["notices"], 0) << session().values().dump();
  }
}

// The plot stands still while the mouse is over it. Its columns are of a scene that has more stages than the next one.
TEST_F(Editing, TimingsAndPlotsSayWhatTheirNumbersAre) {
  open();
  const auto tip_has = [&](const std::string& widget, const std::string& words) {
    EXPECT_TRUE(session().rest_on(widget)) << widget;
    return session().wait_until("the tip of " + widget,
                                [&](const json& now) { return now.value("tip", "").find(words) != std::string::npos; });
  };
  ASSERT_TRUE(session().wait_until("pairs are counted", [](const json& now) {
    return now["timings"]["neighbors"] > 10 && now["timings"]["wall_neighbors"] >= 0;
  }));
  ASSERT_TRUE(tip_has("gpips", "1e9 pairs within the support radius per second"));
  session().write_picture("gpips");
  ASSERT_TRUE(session().click("section.timings"));
  if (!session().has_widget("plot.energy.title")) {
    ASSERT_TRUE(session().click("section.diagnostics"));
  }
  ASSERT_TRUE(
      tip_has("plot.energy.title", "kinetic (kinetic_energy): Sum of m v^2 / 2 over all particles, not per particle."));
  session().write_picture("plot_tip");
}

TEST_F(Editing, AQuantityIsShownAgainstHeight) {
  open({"scenes/pool.yaml", "--device", "cpu", "--set", "domain.axes=walled"});
  ASSERT_TRUE(session().click("section.timings"));
  if (!session().has_widget("profile.on")) {
    ASSERT_TRUE(session().click("section.diagnostics"));
  }
  ASSERT_TRUE(session().click("profile.on"));
  ASSERT_TRUE(session().wait_until("pressure rises downwards", [](const json& now) {
    if (!now.contains("profile") || now["profile"]["quantity"] != "pressure") return false;
    const json means = now["profile"]["means"];
    return means.size() == 20 && means[0].is_number() && means[4].is_number() && means[0] > means[4];
  }));
  EXPECT_NEAR(session().values()["profile"]["surface"].get<double>(), 0.3, 1e-5);
  EXPECT_TRUE(session().values()["profile"]["means"][15].is_null()) << "above the pool is nothing";
  session().write_picture("profile");
  ASSERT_TRUE(session().choose("profile.quantity", "speed"));
  ASSERT_TRUE(session().wait_until("the speed", [](const json& now) { return now["profile"]["quantity"] == "speed"; }));
  EXPECT_TRUE(session().values()["profile"]["surface"].is_null()) << "only of the pressure";
}

const char* const kDpdBox =
    "domain: {min: [0, 0, 0], max: [5, 5, 5], axes: periodic}\ngravity: [0, 0, 0]\n"
    "particles: {number_density: 3}\nbodies:\n  - {filling: random, box: {min: [0, 0, 0], max: [5, 5, 5]}}\n"
    "solver: {type: dpd}\ntime: {step: 0.01, end: 1000}\n";

TEST_F(Editing, AQuantityAgainstHeightStaysShownInAnotherSceneOrSaysWhyNot) {
  write("scenes/dpd.yaml", kDpdBox);
  open({"scenes/pool.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.timings"));
  if (!session().has_widget("profile.on")) {
    ASSERT_TRUE(session().click("section.diagnostics"));
  }
  ASSERT_TRUE(session().click("profile.on"));
  ASSERT_TRUE(session().wait_until("the plot", [&](const json&) { return session().has_widget("plot.height"); }));
  ASSERT_TRUE(session().choose("scene", "drop"));
  ASSERT_TRUE(session().wait_for("scene", "drop"));
  ASSERT_TRUE(session().wait_until("the plot of the other scene", [&](const json& now) {
    return session().has_widget("plot.height") && now["profile"]["means"].size() == 20;
  }));
  ASSERT_TRUE(session().choose("scene", "dpd"));
  ASSERT_TRUE(session().wait_for("scene", "dpd"));
  ASSERT_TRUE(session().wait_until("the reason", [&](const json& now) {
    return session().has_widget("profile.why_none") && now["profile"]["why_none"] != "";
  }));
  session().write_picture("profile_why_none");
}

TEST_F(Editing, PairDistancesStayShownInAnotherSceneAndTheSpanOfMeansDoesNot) {
  write("scenes/dpd.yaml", kDpdBox);
  open({"scenes/pool.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.timings"));
  if (!session().has_widget("distribution.on")) {
    ASSERT_TRUE(session().click("section.diagnostics"));
  }
  ASSERT_TRUE(session().click("distribution.on"));
  const auto counted = [](const json& now) {
    return now.contains("distribution") && now["distribution"]["states"] >= 1;
  };
  ASSERT_TRUE(session().wait_until("states are counted", counted));
  ASSERT_TRUE(session().click("means.on"));
  ASSERT_TRUE(session().type("means.from", "1000000"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_for("means_rows", 0));
  ASSERT_TRUE(session().click("means.on"));
  ASSERT_TRUE(session().choose("scene", "dpd"));
  ASSERT_TRUE(session().wait_for("scene", "dpd"));
  ASSERT_TRUE(session().wait_until("states of the other scene", [&](const json& now) {
    return session().has_widget("plot.distribution") && counted(now) && now["distribution"]["highest"] > 1.05;
  }));
  ASSERT_TRUE(session().click("means.on"));
  ASSERT_TRUE(session().wait_until(
      "all rows", [](const json& now) { return now.contains("means_rows") && now["means_rows"] > 0; }));
}

TEST_F(Editing, PairDistancesAndMeansAreReadWhileItRunsAndAnEarlierRunIsBesideThePlots) {
  write("dpd.yaml", kDpdBox);
  open({"dpd.yaml", "--device", "cpu", "--set", "movie.time_scale=1"});
  ASSERT_TRUE(session().click("section.timings"));
  if (!session().has_widget("distribution.on")) {
    ASSERT_TRUE(session().click("section.diagnostics"));
  }
  ASSERT_TRUE(session().click("distribution.on"));
  ASSERT_TRUE(session().wait_until("states are counted", [](const json& now) {
    return now.contains("distribution") && now["distribution"]["states"] >= 2;
  }));
  EXPECT_GT(session().values()["distribution"]["highest"], 1.05) << "the first shell of neighbours";
  EXPECT_NEAR(session().values()["distribution"]["last"].get<double>(), 1, 0.1);
  EXPECT_FALSE(session().has_widget("distribution.caution")) << "the box is full";
  session().write_picture("distribution");
  ASSERT_TRUE(session().click("means.on"));
  ASSERT_TRUE(session().wait_until("means", [](const json& now) {
    return now.contains("means") && now["means"].is_object() &&
           now["means"].value("pressure", "").find("\u00b1") != std::string::npos;
  }));
  session().write_picture("means");
  ASSERT_TRUE(session().type("means.from", "1000000"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_for("means_rows", 0)) << "the run is not so far";
  // The table of the span before stays until that of the new one is there: nothing below it moves.
  ASSERT_TRUE(session().click("means.all"));
  ASSERT_TRUE(session().wait_until("all rows", [](const json& now) { return now["means_rows"] > 3; }));
  const json gaps = session().values()["means_gaps"];
  ASSERT_TRUE(session().type("means.from", "0.01"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_for_pictures(10));
  ASSERT_TRUE(session().wait_for("means_taken", true));
  EXPECT_EQ(session().values()["means_gaps"], gaps);
  ASSERT_TRUE(session().click("means.all"));
  ASSERT_TRUE(session().wait_until("all rows", [](const json& now) { return now["means_rows"] > 3; }));
  EXPECT_EQ(session().values()["runs_beside"], 0);
  ASSERT_TRUE(session().press("r"));
  ASSERT_TRUE(session().wait_for("runs_beside", 1));
  ASSERT_TRUE(session().choose("diagnostics.beside", "1"));
  ASSERT_TRUE(session().wait_until("it is beside", [](const json& now) {
    return now.value("plot.temperature.beside", "").starts_with("dpd up to t = ");
  }));
  ASSERT_TRUE(session().wait_until("its name says what led from it", [](const json& now) {
    return now["run_beside"].get<std::string>().ends_with(", before the new start");
  }));
  ASSERT_TRUE(session().wait_for_pictures(2));
  session().write_picture("beside");
  ASSERT_TRUE(session().choose("diagnostics.beside", "none"));
  ASSERT_TRUE(session().wait_for("plot.temperature.beside", ""));
}

TEST_F(Editing, TheFirstProfileIsOfAQuantityThatTheParticlesHave) {
  write("dpd.yaml", kDpdBox);
  open({"dpd.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.timings"));
  if (!session().has_widget("profile.on")) {
    ASSERT_TRUE(session().click("section.diagnostics"));
  }
  ASSERT_TRUE(session().click("profile.on"));
  ASSERT_TRUE(session().wait_until("a profile", [](const json& now) { return now.contains("profile"); }));
  EXPECT_EQ(session().values()["profile"]["quantity"], "speed");
  EXPECT_EQ(session().values()["profile"]["why_none"], "");
}

TEST_F(Editing, ALongTitleOfAnEntryEndsBeforeItsButtonsAndItsTipHasTheRest) {
  const std::string name = "water of the \u00f6resund in early spring";
  write("long.yaml",
        "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\n"
        "fluids: [{name: " +
            name +
            "}, {name: oil}]\n"
            "bodies:\n  - {fluid: oil, box: {min: [0, 0], max: [1, 0.3]}}\n");
  open({"long.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().wait_for("title.fluids[1]", "fluids[1]: oil"));
  const std::string shown = session().values()["title.fluids[0]"];
  EXPECT_TRUE(shown.starts_with("fluids[0]: wa") && shown.ends_with("...")) << shown;
  EXPECT_LT(shown.size(), name.size());
  ASSERT_TRUE(session().rest_on("keys.fluids[0]"));
  ASSERT_TRUE(session().wait_until("the tip has the whole name", [&](const json& now) {
    return now.value("tip", "").find("\n\nfluids[0]: " + name + "\n") != std::string::npos;  // below its warning
  }));
  session().write_picture("long_title");
}

TEST_F(Editing, AnotherSceneIsOpenedWhileTheMouseRestsOnThePlotOfStages) {
  open();
  const auto held = [](const json& now) { return now["timings"]["plot_is_held"] == true; };
  const auto file = write("few.yaml",
                          "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\nsolver: {type: pbf}\n"
                          "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n");
  for (int time = 0; time < 3; ++time) {
    ASSERT_TRUE(session().wait_until("columns", [](const json& now) { return now["timings"]["steps"] > 20; }));
    ASSERT_TRUE(session().rest_on("stage_plot"));
    ASSERT_TRUE(session().wait_until("the plot is held", held));
    ASSERT_EQ(screen().drop_files(session().window(), {file}), "");
    ASSERT_TRUE(session().wait_for("scene", "few"));
    ASSERT_TRUE(session().wait_until("the plot is of the other scene", held));
    ASSERT_TRUE(session().choose("scene", "drop"));
    ASSERT_TRUE(session().wait_for("scene", "drop"));
  }
  EXPECT_EQ(session().values()["notices"], 0) << session().values().dump();
}

TEST_F(Editing, ThePlotOfStagesTellsTheRunsApart) {
  open();
  const auto all = [](const json& now) { return now["timings"]["columns"].get<int>(); };
  const auto earlier = [](const json& now) { return now["timings"]["earlier_columns"].get<int>(); };
  ASSERT_TRUE(session().wait_until("columns", [&](const json& now) { return all(now) > 3; }));
  EXPECT_EQ(earlier(session().values()), 0);
  ASSERT_TRUE(session().press("r"));
  ASSERT_TRUE(session().wait_until("columns of both runs",
                                   [&](const json& now) { return earlier(now) > 3 && all(now) > earlier(now) + 3; }));
  ASSERT_TRUE(session().wait_for_pictures(3));
  session().write_picture("runs_in_the_plot");
}

TEST_F(Editing, ATipIsOfWhatTheMouseRestsOnAndNotOfWhatAClickLeftUnderIt) {
  open();
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().rest_on("remove.bodies[0]"));  // it lies on the line of its body
  ASSERT_TRUE(session().wait_until(
      "its tip", [](const json& now) { return now["tip"].get<std::string>().starts_with("Removes it."); }));
  ASSERT_TRUE(session().rest_on("keys.bodies[0]"));
  ASSERT_TRUE(session().wait_until("the body's tip", [](const json& now) {
    return now["tip"] != "" && !now["tip"].get<std::string>().starts_with("Removes");
  }));
  ASSERT_TRUE(session().click("keys.bodies[0]"));
  ASSERT_TRUE(session().wait_for("tip", ""));
  ASSERT_TRUE(session().wait_for_pictures(30));  // longer than a mouse has to rest
  EXPECT_EQ(session().values()["tip"], "");
  ASSERT_TRUE(session().rest_on("undo"));
  ASSERT_TRUE(session().wait_for("tip", "Ctrl+Z"));
}

TEST_F(Editing, TheHandsStrengthSaysWhatItsNumberMeans) {
  open();
  ASSERT_TRUE(session().click("section.particle"));
  ASSERT_TRUE(session().rest_on("hand.strength"));
  ASSERT_TRUE(session().wait_until(
      "its tip", [](const json& now) { return now["tip"].get<std::string>().starts_with("At 1 a particle"); }));
}

TEST_F(Editing, AKnobThatIsTurnedChangesTheRunAndCanBeUndone) {
  open();
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.scene"));
  const std::uint64_t before = session().step();
  ASSERT_TRUE(session().slide("key.gravity", 60));
  ASSERT_TRUE(session().wait_until("it is carried out", [](const json& now) { return now["edits"] > 0; }));
  ASSERT_TRUE(session().wait_for_steps(3));
  EXPECT_GT(session().step(), before) << "gravity needs no new start";
  ASSERT_TRUE(session().wait_until("it can be put back",
                                   [&](const json&) { return session().has_widget("reset_key.gravity"); }));
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_until("it is as in the scene again",
                                   [&](const json&) { return !session().has_widget("reset_key.gravity"); }));
}

// Events are in no other list of the window. One that is to come is removed while the run goes on.
TEST_F(Editing, EventsOfTheSceneAreListedAndThoseToComeCanBeRemoved) {
  const std::string scene =
      write("two.yaml",
            "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\nbodies:\n"
            "  - {box: {min: [0, 0], max: [0.4, 0.7]}}\nevents:\n  - {step: 2, set: {gravity: [0, -5]}}\n"
            "  - {step: 900000, set: {gravity: [0, -3]}}\n")
          .string();
  open({scene, "--device", "cpu"});
  ASSERT_TRUE(session().wait_for_steps(4));
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().wait_for("title.events", "Events (2, 1 to come)"));
  ASSERT_TRUE(session().click("keys.events"));
  ASSERT_TRUE(session().wait_for("events[0]", "step 2: gravity from [0, -9.81] to [0, -5]"));
  ASSERT_TRUE(session().wait_for("events[1]", "step 900000: gravity from [0, -5] to [0, -3]"));
  EXPECT_FALSE(session().has_widget("remove.events[0]")) << "it has acted";
  const std::uint64_t before = session().step();
  ASSERT_TRUE(session().click("remove.events[1]"));
  ASSERT_TRUE(session().wait_for("title.events", "Events (1, 0 to come)"));
  ASSERT_TRUE(session().wait_for_steps(3));
  EXPECT_GT(session().step(), before) << "the run goes on";
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_for("title.events", "Events (2, 1 to come)"));
  EXPECT_EQ(session().values()["notices"], 0);
}

// An item that a user is about to click must not move away: when times are counted again, the table keeps its height.
TEST_F(Editing, PanelsBelowTheTimingsStayWhereTheyAre) {
  open();
  std::vector<float> heights;  // each once, in the order in which they were seen
  const auto watch = [&](const json& now) {
    const float height = session().distance("section.timings", "section.diagnostics");
    if (heights.empty() || std::fabs(height - heights.back()) > 1.5f) heights.push_back(height);
    return now["timings"]["outdated"] == false && now["timings"]["steps"] > 20;
  };
  ASSERT_TRUE(
      session().wait_until("times of the first search", [](const json& now) { return now["timings"]["steps"] > 20; }));
  for (const std::string method : {"fenns", "bucket", "brute_force"}) {
    ASSERT_TRUE(session().choose("method", method));
    ASSERT_TRUE(session().wait_until("times with " + method,
                                     [&](const json& now) { return watch(now) && now["method"] == method; }));
  }
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.scene"));
  ASSERT_TRUE(session().slide("key.gravity", 60));
  ASSERT_TRUE(session().wait_until("times with another gravity", watch));
  EXPECT_EQ(heights.size(), 1u) << ::testing::PrintToString(heights);

  ASSERT_TRUE(session().click("keys.solver"));
  ASSERT_TRUE(session().choose("key.solver.type", "pbf"));
  ASSERT_TRUE(session().wait_until("times of the other solver",
                                   [&](const json& now) { return watch(now) && now["solver"] == "pbf"; }));
  EXPECT_LE(heights.size(), 2u) << "its stages are others, and come all at once: " << ::testing::PrintToString(heights);
}

// Otherwise the second of two quick clicks would hit what has moved under the mouse.
TEST_F(Editing, PanelsBelowTheSceneStayWhereTheyAreWhenARunIsKept) {
  open();
  ASSERT_TRUE(session().wait_until("some steps", [](const json& now) { return now["step"] > 20; }));
  ASSERT_EQ(session().values()["kept_runs"], 0);
  const float before = session().distance("open_scene", "section.timings");
  ASSERT_TRUE(session().press("r"));
  ASSERT_TRUE(session().wait_until("the run is kept", [](const json& now) { return now["kept_runs"] > 0; }));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_EQ(session().distance("open_scene", "section.timings"), before);
}

// Users judge a switch by these numbers: all are of the same steps, and none is of earlier steps.
TEST_F(Editing, TimingsAreOfTheStepsSinceTheSwitch) {
  open();
  ASSERT_TRUE(session().choose("speed", "fastest"));
  const auto medians_fit = [](const json& timings) {
    for (const auto& [stage, median] : timings["medians"].items())
      EXPECT_LE(median.get<double>(), timings["step_p95_ms"].get<double>()) << stage << ": " << timings.dump();
    EXPECT_LE(timings["stages_ms"].get<double>(), 1.0001 * timings["step_ms"].get<double>()) << timings.dump();
    const double stepping = timings["steps_per_second"].get<double>() * timings["step_ms"].get<double>();
    EXPECT_LE(stepping, 1050) << "of one second, over the same steps: " << timings.dump();
    EXPECT_GT(stepping, 1) << timings.dump();
  };
  json before;
  for (const std::string method : {"hoetzlein", "fenns", "bucket"}) {
    ASSERT_TRUE(session().choose("method", method));
    json timings;
    ASSERT_TRUE(session().wait_until("times with " + method, [&](const json& now) {
      timings = now["timings"];
      return now["method"] == method && timings["with"] == method && timings["outdated"] == false &&
             timings["steps"] > 20;
    }));
    medians_fit(timings);
    ASSERT_TRUE(timings["medians"].contains("build"));
    if (!before.is_null()) {
      EXPECT_EQ(timings["before"], before["with"]);
      EXPECT_GT(timings["medians_before"]["step"].get<double>(), 0);
      EXPECT_NE(timings["against_before"], "") << timings.dump();
      EXPECT_NE(timings["medians"]["build"], before["medians"]["build"]);
      EXPECT_NE(timings["medians"]["build"], timings["medians_before"]["build"]);
    }
    EXPECT_EQ(timings["lists"], "none, every pass searches") << "WCSPH on the CPU";
    before = timings;
  }
  ASSERT_TRUE(session().choose("method", "thrust_pairs"));
  ASSERT_TRUE(session().wait_until("the lists of thrust_pairs",
                                   [](const json& now) { return now["timings"]["lists"] == "the method's own"; }));
}

const char* const kSoup =
    "domain: {min: [0, 0, 0], max: [4, 4, 4], axes: periodic}\n"
    "gravity: [0, 0, 0]\n"
    "particles: {number_density: 3}\n"
    "bodies:\n  - box: {min: [0, 0, 0], max: [4, 4, 4]}\n"
    "solver: {type: dpd}\n"
    "time: {step: 0.01, end: 1e5}\n";

TEST_F(Editing, ATypedNumberCountsWhenItIsFinishedAndAWrongOneIsRefused) {
  write("scenes/soup.yaml", kSoup);
  open({"scenes/soup.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.solver"));
  ASSERT_TRUE(session().type("key.solver.temperature", "0.5"));
  EXPECT_EQ(session().values()["edits"], 0) << "half a number is no number";
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_for("edits", 1));
  EXPECT_EQ(session().values()["edit_error"], "");
  ASSERT_TRUE(session().type("key.solver.temperature", "-5"));
  EXPECT_EQ(session().values()["edit_error"], "") << "nor is a minus";
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_until("it is refused with the range", [](const json& now) {
    const std::string error = now["edit_error"];
    return error.find("-5") != std::string::npos && error.find("above 0") != std::string::npos;
  }));
  ASSERT_TRUE(session().wait_for_steps(3));
  EXPECT_EQ(session().values()["edits"], 1);
  EXPECT_EQ(session().values()["ended"], false);
  ASSERT_TRUE(session().click("save_scene"));
  ASSERT_TRUE(session().click("save_scene.do"));
  ASSERT_TRUE(session().wait_until("the file has the number that was typed", [&](const json&) {
    return read("scenes/soup-edited.yaml").find("solver.temperature: 0.5") != std::string::npos;
  }));
}

TEST_F(Editing, WhatWasSavedIsThereWhenItIsOpenedAgain) {
  open();
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.solver"));
  ASSERT_TRUE(session().choose("key.solver.type", "pbf"));
  ASSERT_TRUE(session().wait_for("solver", "pbf"));
  // Its stages differ from the other's: the panels below their table move once it has them.
  ASSERT_TRUE(
      session().wait_until("the new stages", [](const json& now) { return now["timings"]["outdated"] == false; }));
  ASSERT_TRUE(session().click("save_scene"));
  ASSERT_TRUE(session().click("save_scene.do"));
  ASSERT_TRUE(session().wait_until(
      "the file", [&](const json&) { return read("scenes/drop-edited.yaml").find("pbf") != std::string::npos; }));
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(
      session().wait_until("it is put away", [&](const json&) { return !session().has_widget("save_scene.do"); }));
  ASSERT_EQ(screen().drop_files(session().window(), {folder_ / "scenes/drop-edited.yaml"}), "");
  ASSERT_TRUE(session().wait_for("scene", "drop-edited"));
  ASSERT_TRUE(session().wait_for("solver", "pbf")) << "an event of the step at which it was chosen";
  ASSERT_TRUE(session().wait_for_steps(3));
}

// Their buttons do not fit into one line of the panel.
TEST_F(Editing, BodiesOfEveryShapeAreAdded) {
  open();
  ASSERT_TRUE(session().click("section.physics"));
  for (const std::string shape : {"box", "cylinder", "capsule", "polygon"}) {
    const int before = session().values()["particles"];
    ASSERT_TRUE(session().click("add.bodies." + shape)) << shape;
    ASSERT_TRUE(session().wait_until("more particles", [&](const json& now) { return now["particles"] > before; }))
        << shape;
    ASSERT_TRUE(session().click("undo"));
    ASSERT_TRUE(session().wait_for("particles", before));
  }
  ASSERT_TRUE(session().click("add.bodies.fill"));
  ASSERT_TRUE(session().wait_until("the reason", [](const json& now) {
    return now["edit_error"].get<std::string>().find("found no room to fill the domain") != std::string::npos;
  }));
}

TEST_F(Editing, SolidsAreAddedCopiedAndRemoved) {
  open();
  ASSERT_TRUE(session().click("section.physics"));
  const auto titled = [](const std::string& entry, const std::string& title) {
    return [entry, title](const json& now) { return now.value("title." + entry, "") == title; };
  };
  ASSERT_TRUE(session().click("add.solids.sphere"));
  ASSERT_TRUE(session().wait_until("the solid", titled("solids[0]", "solids[0]: sphere")));
  ASSERT_TRUE(session().wait_for("kept_runs", 1));  // the run with the solid has begun
  ASSERT_TRUE(session().click("copy.solids[0]"));
  ASSERT_TRUE(session().wait_until("its copy", titled("solids[1]", "solids[1]: sphere")));
  ASSERT_TRUE(session().click("remove.solids[1]"));
  ASSERT_TRUE(session().wait_for("edits", 3));
  ASSERT_TRUE(session().click("remove.solids[0]"));
  ASSERT_TRUE(session().wait_for("edits", 4));
  ASSERT_TRUE(session().click("add.solids.box"));  // there are none now
  ASSERT_TRUE(session().wait_until("another first solid", titled("solids[0]", "solids[0]: box")));
}

TEST_F(Editing, AMeshFileDroppedOnTheWindowBecomesASolid) {
  open();
  const auto file =
      write("tetrahedron.obj", "v 0 0 0\nv 400 0 0\nv 0 400 0\nv 0 0 400\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  EXPECT_EQ(screen().drop_files(session().window(), {file}), "");
  ASSERT_TRUE(session().wait_for("edits", 1));
  EXPECT_EQ(session().values()["scene"], "drop") << "the scene stays";
  ASSERT_TRUE(session().wait_until("that it was scaled, and why", [](const json& now) {
    const std::string note = now["messages"].value("mesh_scaled", "");
    return note.find("tetrahedron.obj has the scale 0.001 here: 400 x 400 x 400 m does not fit the domain of") == 0 &&
           note.find("so the file is taken to be in millimetres") != std::string::npos;
  }));
  ASSERT_TRUE(session().wait_for("kept_runs", 1));  // the run with the solid has begun
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_for("can_redo", true));
  const auto bad = write("bad.stl", "nonsense");
  EXPECT_EQ(screen().drop_files(session().window(), {bad}), "");
  ASSERT_TRUE(session().wait_until("the reader's words", [](const json& now) {
    return now["edit_error"].get<std::string>().find("bad.stl: ") != std::string::npos;
  }));
}

TEST_F(Editing, AMeshFileChosenByTheButtonBecomesASolid) {
  open();
  write("shapes/tetrahedron.obj", "v 0 0 0\nv 400 0 0\nv 0 400 0\nv 0 0 400\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  write("shapes/BAD.STL", "nonsense");
  write("shapes/note.txt", "no mesh");
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("add.solids.mesh"));
  ASSERT_TRUE(session().wait_for("add_mesh.folder", folder_.string()));
  ASSERT_TRUE(session().click("add_mesh.entry.shapes"));
  ASSERT_TRUE(session().wait_until("the meshes", [&](const json&) {
    return session().has_widget("add_mesh.entry.tetrahedron.obj") && session().has_widget("add_mesh.entry.BAD.STL");
  }));
  EXPECT_FALSE(session().has_widget("add_mesh.entry.note.txt"));
  session().write_picture("add_mesh");
  ASSERT_TRUE(session().click("add_mesh.entry.BAD.STL"));
  ASSERT_TRUE(session().click("add_mesh.do"));
  ASSERT_TRUE(session().wait_until("the reader's words in the question", [](const json& now) {
    return now.value("add_mesh.mistake", "").find("BAD.STL: ") != std::string::npos;
  }));
  EXPECT_EQ(session().values()["edits"], 0);
  EXPECT_EQ(session().values()["edit_error"], "") << "the question says it, and not a message that it covers partly";
  EXPECT_FALSE(session().has_widget("add_mesh.scale")) << "there is no size";
  ASSERT_TRUE(session().click("add_mesh.entry.tetrahedron.obj"));
  ASSERT_TRUE(session().wait_until("its size", [](const json& now) {
    const std::string size = now.value("add_mesh.size", "");
    return size.find("In the file it is 400 x 400 x 400. The solid is 0.4 x 0.4 x 0.4 m.") == 0 &&
           size.find("does not fit the domain") != std::string::npos;
  }));
  session().write_picture("mesh_size");
  ASSERT_TRUE(session().type("add_mesh.scale", "0.0008"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_until("the size with that scale", [](const json& now) {
    return now.value("add_mesh.size", "") == "In the file it is 400 x 400 x 400. The solid is 0.32 x 0.32 x 0.32 m.";
  }));
  ASSERT_TRUE(session().click("add_mesh.do"));
  ASSERT_TRUE(session().wait_for("edits", 1));
  ASSERT_TRUE(session().wait_for("kept_runs", 1));  // the run with the solid has begun
  ASSERT_TRUE(session().wait_until("its keys", [&](const json&) { return session().has_widget("keys.solids[0]"); }));
  EXPECT_FALSE(session().has_widget("add_mesh.do")) << "the question is over";
  EXPECT_FALSE(session().values()["messages"].contains("mesh_scaled")) << "the user has chosen the scale";
  ASSERT_TRUE(session().click("save_scene"));
  ASSERT_TRUE(session().click("save_scene.do"));
  const auto saved = folder_ / "scenes/drop-edited.yaml";
  ASSERT_TRUE(session().wait_until("the file", [&](const json&) { return std::filesystem::exists(saved); }));
  EXPECT_FLOAT_EQ(scenes::load_scene(saved).simulation.solid_regions.at(0).placement.scale.x, 0.0008f);
}

TEST_F(Editing, WhatARefusedMeshSaysGoesWithTheQuestion) {
  open();
  write("large.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("add.solids.mesh"));
  ASSERT_TRUE(session().click("add_mesh.entry.large.obj"));
  ASSERT_TRUE(session().type("add_mesh.scale", "90"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().click("add_mesh.do"));
  ASSERT_TRUE(session().wait_until("why not", [](const json& now) {
    return now.value("add_mesh.mistake", "").find("allowed: a scale up to") != std::string::npos;
  }));
  EXPECT_EQ(session().values()["edit_error"], "");
  session().write_picture("mesh_refused");
  ASSERT_TRUE(session().click("add_mesh.cancel"));
  ASSERT_TRUE(session().wait_until("closed", [&](const json&) { return !session().has_widget("add_mesh.do"); }));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_EQ(session().values()["messages"], json::object());
}

TEST_F(Editing, ABodyIsAddedTakenBackAndSaved) {
  open();
  ASSERT_TRUE(session().click("section.physics"));
  EXPECT_EQ(session().values()["particles"], 1000);
  ASSERT_TRUE(session().click("add.bodies.sphere"));
  ASSERT_TRUE(
      session().wait_until("the scene has more particles", [](const json& now) { return now["particles"] > 1000; }));
  const json with_sphere = session().values()["particles"];
  ASSERT_TRUE(session().click("copy.bodies[0]"));
  ASSERT_TRUE(session().wait_for("particles", with_sphere.get<int>() + 1000));
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_for("particles", with_sphere));
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_for("particles", 1000));
  ASSERT_TRUE(session().click("redo"));
  ASSERT_TRUE(session().wait_for("particles", with_sphere));
  ASSERT_TRUE(session().click("remove.bodies[0]"));
  ASSERT_TRUE(session().wait_for("particles", with_sphere.get<int>() - 1000));
  ASSERT_TRUE(session().click("remove.bodies[0]"));  // refused: a scene needs a body
  ASSERT_TRUE(session().wait_until("the loader's words", [](const json& now) {
    return now["edit_error"].get<std::string>().find("bodies[0]: is the only body, and there is no inlet") !=
           std::string::npos;
  }));
  EXPECT_EQ(session().values()["particles"], with_sphere.get<int>() - 1000);
  ASSERT_TRUE(session().click("undo"));  // takes back the refusal alone
  ASSERT_TRUE(session().wait_for("edit_error", ""));
  EXPECT_EQ(session().values()["particles"], with_sphere.get<int>() - 1000);
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_for("particles", with_sphere));
  ASSERT_TRUE(session().click("save_scene"));
  ASSERT_TRUE(session().click("save_scene.do"));
  ASSERT_TRUE(session().wait_until(
      "the file", [&](const json&) { return read("scenes/drop-edited.yaml").find("sphere") != std::string::npos; }));
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_EQ(screen().drop_files(session().window(), {folder_ / "scenes/drop-edited.yaml"}), "");
  ASSERT_TRUE(session().wait_for("scene", "drop-edited"));
  EXPECT_EQ(session().values()["particles"], with_sphere);
  EXPECT_EQ(session().values()["notices"], 0);
  close();
}

TEST_F(Editing, AFileIsOpenedByItsPathAndIsInTheListLater) {
  open();
  write("elsewhere/pond.yaml",
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
        "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n");
  ASSERT_TRUE(session().click("open_scene"));
  ASSERT_TRUE(session().type("open_scene.file", "elsewhere/pon.yaml"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_until("it says what is wrong", [](const json& now) {
    return now.value("open_scene.mistake", "").find("elsewhere/pon.yaml") != std::string::npos;
  }));
  EXPECT_EQ(session().values()["scene"], "drop");
  // The typed text is selected: typing again replaces it without a click.
  ASSERT_TRUE(session().wait_for_pictures(5));
  for (const char letter : std::string("elsewhere/pond.yaml")) {
    ASSERT_TRUE(session().press(letter == '/' ? "slash" : letter == '.' ? "period" : std::string(1, letter)));
    ASSERT_TRUE(session().wait_for_pictures(2));
  }
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_for("scene", "pond"));
  ASSERT_TRUE(session().choose("scene", "drop"));
  ASSERT_TRUE(session().wait_for("scene", "drop"));
  ASSERT_TRUE(session().click("scene"));
  ASSERT_TRUE(session().click("recent.pond"));
  ASSERT_TRUE(session().wait_for("scene", "pond"));
}

TEST_F(Editing, RewoundToAMomentItPlaysOnFromThere) {
  open();
  ASSERT_TRUE(session().choose("speed", "fastest"));
  ASSERT_TRUE(session().wait_until("some time has passed", [](const json& now) { return now["time"] > 0.3; }));
  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for("playing", false));
  const double late = session().values()["time"];
  ASSERT_TRUE(session().click("scrub", 0.5f));
  ASSERT_TRUE(
      session().wait_until("it is an earlier moment", [&](const json& now) { return now["time"] < 0.6 * late; }));
  EXPECT_EQ(session().values()["playing"], false);
  const std::uint64_t then = session().step();
  ASSERT_TRUE(session().wait_for("drawn_step", then));
  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_until("it plays on", [&](const json& now) { return now["step"] > then; }));
}

// Below the line stands the time that was chosen: the tip of the line covered it.
TEST_F(Editing, NoTipCoversTheTimeThatWasChosenOnTheLine) {
  open();
  ASSERT_TRUE(session().wait_until("some time has passed", [](const json& now) { return now["last_moment"] > 0.3; }));
  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for("playing", false));
  ASSERT_TRUE(session().rest_on("scrub"));
  ASSERT_TRUE(session().wait_until("its tip", [](const json& now) {
    return now.value("tip", "").find("moments are saved in") != std::string::npos;
  }));
  ASSERT_TRUE(session().wait_until("it stands above the line", [&](const json& now) {  // a picture later
    const json box = now["tip_box"];
    return box[1].get<float>() + box[3].get<float>() <= session().widget("scrub")["y"].get<float>();
  }));
  const json box = session().values()["tip_box"];
  EXPECT_GE(box[0].get<float>(), 0);
  ASSERT_TRUE(session().slide("scrub", 40));
  ASSERT_TRUE(session().slide("scrub", -30));
  const json line = session().widget("scrub");
  const Point corner = screen().area(session().window()).corner;
  // Over the line, further from the last press than a hand trembles, and for longer than a tip waits.
  screen().move_mouse({corner.x + static_cast<int>(line["x"].get<float>() + 0.4f * line["width"].get<float>()),
                       corner.y + static_cast<int>(line["y"].get<float>() + 0.5f * line["height"].get<float>())});
  ASSERT_TRUE(session().wait_for_pictures(20));
  EXPECT_EQ(session().values()["tip"], "");
  ASSERT_TRUE(session().rest_on("help"));
  ASSERT_TRUE(session().rest_on("scrub"));
  ASSERT_TRUE(session().wait_until("its tip once the mouse comes back", [](const json& now) {
    return now.value("tip", "").find("moments are saved in") != std::string::npos;
  }));
}

TEST_F(Editing, TwoSecondsAreRecorded) {
  if (!has_tool("ffmpeg") || !has_tool("ffprobe")) GTEST_SKIP() << "needs ffmpeg and ffprobe";
  open();
  ASSERT_TRUE(session().click("record"));
  ASSERT_TRUE(session().wait_for("recording", true));
  ASSERT_TRUE(
      session().wait_until("60 frames at 30 per second", [](const json& now) { return now["recorded_frames"] >= 60; }));
  ASSERT_TRUE(session().click("record"));
  ASSERT_TRUE(session().wait_for("recording", false));
  ASSERT_TRUE(session().wait_until("it is whole", [&](const json&) { return files_ending_with(".mp4").size() == 1; }));
  EXPECT_EQ(movie_fault((folder_ / files_ending_with(".mp4")[0]).string(), -1), "");
  ASSERT_TRUE(session().wait_until("it says where", [&](const json& now) {
    return now["last_saved"].get<std::string>().find(folder_ / files_ending_with(".mp4")[0]) == 0;
  }));
  ASSERT_TRUE(session().click("recording.hide"));
  ASSERT_TRUE(session().wait_for("last_saved", ""));
  EXPECT_EQ(session().values()["notices"], 0);
}

// At a sixteenth of its speed, two seconds of the movie's own time would be half a minute on the screen.
TEST_F(Editing, ASlowSceneIsRecordedAsItIsSeen) {
  if (!has_tool("ffmpeg") || !has_tool("ffprobe")) GTEST_SKIP() << "needs ffmpeg and ffprobe";
  open();
  ASSERT_TRUE(session().choose("speed", "1/16 x"));
  ASSERT_TRUE(session().wait_until("it is slow", [](const json& now) {
    const double speed = now["speed"];
    return speed > 0 && speed < 0.2;
  }));
  ASSERT_TRUE(session().click("export_menu"));
  ASSERT_TRUE(session().click("menu.export.record"));
  ASSERT_TRUE(session().wait_for("recording", true));
  EXPECT_EQ(session().values()["recorded_as_seen"], true);
  ASSERT_TRUE(session().click("record"));
  ASSERT_TRUE(session().wait_for("recording", false));

  ASSERT_TRUE(session().click("export_menu"));
  ASSERT_TRUE(session().click("menu.export.settings"));
  ASSERT_TRUE(session().wait_until("the section is open and in sight", [&](const json&) {
    return session().has_widget("export.simulated") && session().widget("section.export")["visible"];
  }));
  ASSERT_TRUE(session().click("export.simulated"));
  ASSERT_TRUE(session().click("record"));
  ASSERT_TRUE(session().wait_for("recording", true));
  EXPECT_EQ(session().values()["recorded_as_seen"], false);
  ASSERT_TRUE(session().click("record"));
  ASSERT_TRUE(session().wait_for("recording", false));
  EXPECT_TRUE(session().wait_until("the section names the file that was saved",
                                   [&](const json&) { return session().has_widget("export.saved"); }));
}

TEST_F(Editing, AParticleIsLookedAt) {
  open();
  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for("playing", false));
  // The block lies in some part of the picture: a click that hits nothing follows nothing.
  for (const float y : {0.55f, 0.65f, 0.75f})
    for (const float x : {0.3f, 0.4f, 0.5f}) {
      if (!session().values()["picked"].is_null()) continue;
      ASSERT_TRUE(session().drag(x, y, x, y));
      ASSERT_TRUE(session().wait_for_pictures(5));
    }
  ASSERT_TRUE(session().wait_until("one is looked at", [](const json& now) { return !now["picked"].is_null(); }));
  ASSERT_TRUE(session().wait_until("its numbers stand beside it", [](const json& now) {
    const json box = now["particle_box"], view = now["viewport"];
    return box.is_array() && box[0] >= view[0] && box[1] >= view[1] &&
           box[0].get<float>() + box[2].get<float>() <= view[0].get<float>() + view[2].get<float>() + 1 &&
           box[1].get<float>() + box[3].get<float>() <= view[1].get<float>() + view[3].get<float>() + 1;
  }));
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().wait_until("none is", [](const json& now) { return now["picked"].is_null(); }));
}

TEST_F(Editing, SearchesAreComparedAndAudited) {
  open();
  ASSERT_TRUE(session().choose("speed", "fastest"));
  ASSERT_TRUE(session().click("compare"));
  ASSERT_TRUE(session().wait_until("every search has a row", [](const json& now) {
    return now.contains("comparison") && now["comparison"]["running"] == false &&
           now["comparison"]["rows"].size() >= neighbor_methods().size();  // rtnn may have two
  }));
  const json rows = session().values()["comparison"]["rows"];
  int fastest = 0, level = 0;
  for (const json& row : rows) {
    fastest += row["badge"] == "fastest";
    level += row["badge"] == "may be fastest";
    if (!row["measured"]) continue;
    EXPECT_GT(row["runs"], 0) << row;
    EXPECT_LE(row["range_ms"][0], row["range_ms"][1]) << row;
    EXPECT_GT(row["range_ms"][0], 0) << row;
    EXPECT_GE(row["total_ms"], row["range_ms"][0]) << row;
    EXPECT_LE(row["total_ms"], row["range_ms"][1]) << row;
  }
  EXPECT_TRUE((fastest == 1 && level == 0) || (fastest == 0 && level >= 2)) << rows;
  EXPECT_GE(session().values()["comparison"]["rounds"], 1);
  EXPECT_NE(session().values()["comparison"]["load"].get<std::string>().find(" processors busy"), std::string::npos)
      << "times under another load cannot be compared";
  session().write_picture("comparison");
  ASSERT_TRUE(session().click("audit"));
  ASSERT_TRUE(
      session().wait_until("it was checked twice", [](const json& now) { return now["audit"]["checks"] >= 2; }));
  const json audit = session().values()["audit"];
  EXPECT_EQ(audit["wrong"], 0);
  EXPECT_GT(audit["pairs"], 1000);
  EXPECT_TRUE(session().has_widget("audit.tick"));
  EXPECT_FALSE(session().has_widget("audit.cross"));
  ASSERT_TRUE(session().choose("method", "brute_force"));
  ASSERT_TRUE(session().wait_until("there is nothing to compare with", [](const json& now) {
    return now["audit"]["refused"].get<std::string>().find("is the reference itself") != std::string::npos;
  }));
  session().write_picture("audit_of_itself");
}

TEST_F(Editing, DiagnosticsOfTwoFluidsHaveTheirUnlikePairs) {
  write("scenes/two.yaml", std::string("fluids: [{name: a}, {name: b}]\nstart: {mixed: true}\n") + kSoup);
  open({"scenes/two.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.diagnostics"));
  ASSERT_TRUE(session().wait_until("their plot", [](const json& now) {
    if (!now.contains("diagnostics") || now["diagnostics"]["samples"] < 3) return false;
    const json plots = now["diagnostics"]["plots"];
    return std::find(plots.begin(), plots.end(), json("plot.pairs")) != plots.end();
  }));
  EXPECT_TRUE(session().has_widget("plot.pairs"));
  ASSERT_TRUE(session().rest_on("plot.pairs"));
  session().write_picture("unlike_pairs");
}

TEST_F(Editing, TheForceOnAChosenSolidIsPlotted) {
  const std::string solids =
      "solids:\n  - {name: post, box: {min: [0.6, 0, 0], max: [0.8, 1, 1]}}\n"
      "  - {name: ball, sphere: {center: [0.3, 0.2, 0.3], radius: 0.15}}\n"
      "  - {name: cork, motion: free, density: 500, box: {min: [0.1, 0.6, 0.1], max: [0.3, 0.8, 0.3]}}\n";
  write("scenes/solids.yaml", solids +
                                  "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
                                  "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\ntime: {end: 100}\n");
  open({"scenes/solids.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.timings"));
  if (!session().has_widget("plot.energy.title")) {
    ASSERT_TRUE(session().click("section.diagnostics"));
  }
  const auto shows = [](const std::string& solid) {
    return [solid](const json& now) { return now.contains("diagnostics") && now["diagnostics"]["solid"] == solid; };
  };
  ASSERT_TRUE(session().wait_until("the first solid", shows("post")));
  ASSERT_TRUE(session().choose("force.solid", "ball"));
  ASSERT_TRUE(session().wait_until("the other", shows("ball")));
  EXPECT_TRUE(session().values()["plot.force.title"].get<std::string>().starts_with("Force on ball [N]"));
  ASSERT_TRUE(session().wait_until("its mean force", [](const json& now) {
    return now["solid_load"].value("y", "").find("\u00b1") != std::string::npos;
  }));
  EXPECT_EQ(session().values()["solid_load"]["weight"], "none") << "it stands still";
  ASSERT_TRUE(session().rest_on("plot.force"));
  session().write_picture("force_on_a_solid");

  // 500 kg/m^3 times 0.008 m^3 times 9.81 m/s^2, then with another density.
  const auto weighs = [](const std::string& weight) {
    return [weight](const json& now) { return now.contains("solid_load") && now["solid_load"]["weight"] == weight; };
  };
  ASSERT_TRUE(session().choose("force.solid", "cork"));
  ASSERT_TRUE(session().wait_until("the free one", shows("cork")));
  ASSERT_TRUE(session().wait_until("its weight", weighs("39.24 N")));
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().type("keys.search", "density"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_for("typing", false));
  ASSERT_TRUE(session().type("key.solids[2].density", "250"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_until("half of it", weighs("19.62 N")));
}

TEST_F(Editing, ASolidThatBecomesFreeShowsItsDensityAndEachRefusalTheLimits) {
  write("scenes/crate.yaml",
        "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\n"
        "bodies:\n  - box: {min: [0, 0], max: [1, 0.3]}\n"
        "solids:\n  - box: {min: [0.4, 0.5], max: [0.6, 0.7]}\ntime: {end: 100}\n");
  open({"scenes/crate.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.solids[0]"));
  const auto shown = [&](const std::string& text) { return session().wait_for("number.solids[0].density", text); };
  ASSERT_TRUE(shown("none"));
  ASSERT_TRUE(session().rest_on("key.solids[0].density"));
  ASSERT_TRUE(session().wait_until("its tip, without a value", [](const json& now) {
    return now["tip"].get<std::string>().starts_with("solids[0].density\n");
  })) << session().values()["tip"];
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(session().choose("key.solids[0].motion", "free"));
    ASSERT_TRUE(shown("")) << "a number of its own";
    ASSERT_TRUE(session().wait_for("number.solids[0].mass", "= 40"));
    ASSERT_TRUE(session().choose("key.solids[0].motion", "none"));
    ASSERT_TRUE(shown("none"));
  }
  ASSERT_TRUE(session().choose("key.solids[0].motion", "free"));
  for (const char* density : {"-5", "0", "5"}) {
    ASSERT_TRUE(session().type("key.solids[0].density", density));
    ASSERT_TRUE(session().press("Return"));
    ASSERT_TRUE(session().wait_until(std::string("the limit for ") + density, [](const json& now) {
      return now["messages"].contains("refusal") &&
             now["messages"]["refusal"].get<std::string>().find("20 kg/m") != std::string::npos;
    })) << session().values()["messages"].dump();
    // Esc would close the note above it first, and does nothing just after a key was typed.
    ASSERT_TRUE(session().click("message.refusal.close"));
    ASSERT_TRUE(
        session().wait_until("it is closed", [](const json& now) { return !now["messages"].contains("refusal"); }));
  }
}

TEST_F(Editing, AnInletChangesFromSpeedToRateAndBack) {
  // Four particles in a row: an area of 0.2 m in 2-D.
  write("scenes/tap.yaml",
        "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\n"
        "bodies:\n  - box: {min: [0, 0], max: [1, 0.2]}\n"
        "inlets:\n  - {rectangle: {center: [0.5, 1], width: 0.2}, speed: 1.5}\ntime: {end: 1000}\n");
  open({"scenes/tap.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.inlets[0]"));
  const auto shown = [&](const std::string& key, const std::string& text) {
    return session().wait_for("number.inlets[0]." + key, text);
  };
  ASSERT_TRUE(shown("speed", ""));
  ASSERT_TRUE(shown("rate", "= 0.3"));
  ASSERT_TRUE(session().rest_on("key.inlets[0].rate"));
  ASSERT_TRUE(session().wait_until("its tip, without a value", [](const json& now) {
    return now["tip"].get<std::string>().starts_with("inlets[0].rate\n");
  }));
  session().write_picture("inlet_flow");
  ASSERT_TRUE(session().choose("flow.inlets[0]", "rate"));
  ASSERT_TRUE(shown("speed", "= 1.5"));
  ASSERT_TRUE(shown("rate", ""));
  EXPECT_EQ(session().values()["shown.flow.inlets[0]"], "rate");
  EXPECT_EQ(session().values()["undo_takes"], "inlets[0].speed from 1.5 to none, inlets[0].rate from none to 0.3");
  ASSERT_TRUE(session().wait_for_steps(3));
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(shown("speed", ""));
  EXPECT_FALSE(session().values()["can_undo"]);
  // A number in the other field does the same.
  ASSERT_TRUE(session().type("key.inlets[0].rate", "0.4"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(shown("speed", "= 2"));
  EXPECT_FALSE(session().values()["messages"].contains("refusal"));
  ASSERT_TRUE(session().choose("flow.inlets[0]", "speed"));
  ASSERT_TRUE(shown("rate", "= 0.4"));
  ASSERT_TRUE(session().wait_for_steps(3));
}

TEST_F(Editing, WithoutForcesOnSolidsThePanelSaysWhy) {
  write("scenes/post.yaml",
        "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.1}\nfluids: [{name: water, "
        "viscosity: 0.01}]\n"
        "bodies:\n  - box: {min: [0, 0], max: [0.5, 0.5]}\nsolids:\n  - box: {min: [0.7, 0], max: [1, 0.3]}\n"
        "solver: {type: dfsph, viscosity: implicit}\ntime: {end: 1000}\n");
  open({"scenes/post.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.timings"));
  if (!session().has_widget("plot.energy.title")) {
    ASSERT_TRUE(session().click("section.diagnostics"));
  }
  EXPECT_TRUE(session().wait_until("the reason", [](const json& now) { return now.contains("diagnostics"); }));
  EXPECT_TRUE(session().has_widget("no_solid_forces"));
  EXPECT_FALSE(session().has_widget("plot.force"));
}

// Its table lies within the window, whatever size that has, and Esc closes it.
TEST_F(Editing, TheComparisonStaysWithinTheWindowAndEscClosesIt) {
  open();
  ASSERT_TRUE(session().choose("speed", "fastest"));
  ASSERT_TRUE(session().click("compare"));
  ASSERT_TRUE(session().wait_until("there are times", [](const json& now) {
    return now.contains("comparison") && now["comparison"]["running"] == false && !now["comparison"]["rows"].empty();
  }));
  const json rows = session().values()["comparison"]["rows"];
  const auto measured = std::find_if(rows.begin(), rows.end(), [](const json& row) { return row["measured"] == true; });
  ASSERT_NE(measured, rows.end());
  const std::string total = "compare.total." + (*measured)["method"].get<std::string>(),
                    bar = "compare.bar." + (*measured)["method"].get<std::string>();
  for (const auto& [width, height] : {std::pair{1280, 720}, {640, 400}, {1280, 720}}) {
    screen().resize(session().window(), width, height);
    ASSERT_TRUE(session().wait_until("the table lies within the window", [=](const json& now) {
      const json& at = now["comparison_place"];
      return now["framebuffer"] == json{width, height} && at[0] >= 0 && at[1] >= 0 &&
             at[0].get<float>() + at[2].get<float>() <= width && at[1].get<float>() + at[3].get<float>() <= height;
    })) << session().values()["comparison_place"];
    ASSERT_TRUE(session().wait_for_pictures(3));
    session().write_picture("comparison_" + std::to_string(width));
    const json place = session().values()["comparison_place"];
    const float end = place[0].get<float>() + place[2].get<float>();
    const json number = session().widget(total);
    ASSERT_TRUE(number.is_object());
    EXPECT_LE(number["x"].get<float>() + number["width"].get<float>(), end) << "the total can be read at " << width;
    if (width < 1000) continue;
    const json last = session().widget(bar);
    ASSERT_TRUE(last.is_object());
    EXPECT_LE(last["x"].get<float>() + last["width"].get<float>(), end) << "bars and badges are whole";
  }
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_FALSE(session().has_widget(total)) << "Esc closes the table";
}

// Where a list opens it may not cover the control, whose next click closes it, nor be cut off.
TEST_F(Editing, ListsLieWithinTheWindowAndNotOverTheirControls) {
  open();
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for("playing", false));
  for (const auto& [width, height] : {std::pair{1280, 720}, {640, 400}}) {
    screen().resize(session().window(), width, height);
    ASSERT_TRUE(session().wait_for("framebuffer", json{width, height}));
    for (const std::string control : {"scene", "new_scene", "method", "export_menu"}) {
      SCOPED_TRACE(control + " at " + std::to_string(width));
      ASSERT_TRUE(session().rest_on(control));
      const json at = session().widget(control);
      ASSERT_TRUE(session().click(control));
      ASSERT_TRUE(session().wait_until("the list", [](const json& now) { return now["list_box"].is_array(); }));
      ASSERT_TRUE(session().wait_for_pictures(3));
      const json list = session().values()["list_box"];
      session().write_picture("list_" + control + "_" + std::to_string(width));
      const float left = list[0], top = list[1], right = left + list[2].get<float>(),
                  bottom = top + list[3].get<float>();
      EXPECT_GE(left, 0) << list;
      EXPECT_GE(top, 0) << list;
      EXPECT_LE(right, width) << list;
      EXPECT_LE(bottom, height) << list;
      EXPECT_GT(bottom - top, 50) << "there are entries to be seen " << list;
      const float upper = at["y"], lower = upper + at["height"].get<float>();
      EXPECT_TRUE(bottom <= upper + 1 || top >= lower - 1) << list << " over " << at;
      ASSERT_TRUE(session().press("Escape"));
      ASSERT_TRUE(session().wait_for("list_box", nullptr));
    }
  }
}

// The lists of the plot against height lie within their panel.
TEST_F(Editing, TheListsOfThePlotAgainstHeightAreWhole) {
  open();
  screen().resize(session().window(), 1280, 720);
  if (!session().has_widget("profile.on")) {
    ASSERT_TRUE(session().click("section.diagnostics"));
  }
  ASSERT_TRUE(session().click("profile.on"));
  ASSERT_TRUE(session().wait_until("it is there", [](const json& now) {
    return now.contains("profile") && now["framebuffer"] == json{1280, 720};
  }));
  ASSERT_TRUE(session().wait_for_pictures(3));
  for (const char* list : {"profile.quantity", "profile.axis"}) {
    const json at = session().widget(list);
    ASSERT_TRUE(at.is_object()) << list;
    EXPECT_LE(at["x"].get<float>() + at["width"].get<float>(), at["room"][2].get<float>())
        << list << " is cut at the panel's edge";
  }
  session().write_picture("profile_lists");
}

}  // namespace
}  // namespace riffle::test
