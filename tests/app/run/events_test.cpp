/// Runs of scenes with events.

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/program.h"

namespace riffle {

class Events : public ProgramTest {
 protected:
  Outcome ran(std::vector<std::string> words) {
    words.insert(words.end(), {"--no-picture", "--quiet", "--device", "cpu", "--json", "r.json"});
    return riffle(words);
  }
  nlohmann::json report_of(const std::vector<std::string>& words) {
    const Outcome outcome = ran(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.exit_code == 0 ? json("r.json") : nlohmann::json();
  }
  std::string hash_of(const std::vector<std::string>& words) {
    const nlohmann::json report = report_of(words);
    return report.is_object() ? std::string(report["diagnostics"]["state_hash"]) : "";
  }

  /// An event, then one of two keys, then a change of the search.
  std::string with_events(const std::string& scene, const std::string& first, const std::string& second) {
    return scene + "events:\n  - {step: 40, set: {" + first + "}}\n  - {step: 55, set: {" + second +
           "}}\n  - {step: 70, set: {neighbors.skin: 0.15}}\n";
  }

  /// The events do what a run does that goes on from a state of their step with other values; a state before them plays them
  /// later, and one after them has them.
  void expect_played(const std::string& scene, const std::string& first, const std::string& second,
                     const std::string& first_set, const std::string& second_set) {
    const std::string plain = write("plain.yaml", scene);
    const std::string events = write("events.yaml", with_events(scene, first, second));
    const std::string whole = hash_of({"run", events, "--steps", "90"});
    ASSERT_NE(whole, "");
    EXPECT_NE(hash_of({"run", plain, "--steps", "90"}), whole) << "or the events do nothing";

    report_of({"run", plain, "--steps", "40", "--checkpoint", "a.h5"});
    report_of({"resume", "a.h5", "--steps", "15", "--set", first_set, "--checkpoint", "b.h5"});
    report_of({"resume", "b.h5", "--steps", "15", "--set", second_set, "--checkpoint", "c.h5"});
    EXPECT_EQ(hash_of({"resume", "c.h5", "--steps", "20", "--set", "neighbors.skin=0.15"}), whole);

    for (const char* steps : {"25", "40", "41", "60", "80"}) {
      SCOPED_TRACE(steps);
      report_of({"run", events, "--steps", steps, "--checkpoint", "part.h5"});
      EXPECT_EQ(hash_of({"resume", "part.h5", "--steps", std::to_string(90 - std::stoi(steps))}), whole);
    }
  }

  const std::string fall_ =
      "dimension: 2\ndeterministic: true\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\nbodies:\n"
      "  - {box: {min: [0, 0], max: [0.4, 0.7]}, velocity: [2, 0]}\n";
  const std::string thermal_ =
      "deterministic: true\ndomain: {min: [0, 0, 0], max: [6, 6, 6], axes: periodic}\ngravity: [0, 0, 0]\n"
      "particles: {number_density: 3}\nbodies:\n  - {box: {min: [0, 0, 0], max: [6, 6, 6]}}\nsolver: {type: dpd}\n";
};

TEST_F(Events, ArePlayedWithWcsph) {
  expect_played(fall_, "fluids.0.viscosity: 0.05", "gravity: [3, -4]", "fluids[0].viscosity=0.05", "gravity=[3, -4]");
}

TEST_F(Events, ArePlayedWithDfsph) {
  expect_played(fall_ + "solver: {type: dfsph}\n", "fluids.0.viscosity: 0.05", "gravity: [3, -4]",
                "fluids[0].viscosity=0.05", "gravity=[3, -4]");
}

TEST_F(Events, ArePlayedWithPbf) {
  expect_played(fall_ + "solver: {type: pbf}\n", "solver.xsph: 0.2", "gravity: [3, -4]", "solver.xsph=0.2",
                "gravity=[3, -4]");
}

TEST_F(Events, ArePlayedWithDpd) {
  expect_played(thermal_, "solver.temperature: 0.5", "solver.friction: 9", "solver.temperature=0.5",
                "solver.friction=9");
}

TEST_F(Events, AChangeOfTheSolverIsPlayed) {
  expect_played(fall_, "solver.type: dfsph", "solver.type: wcsph", "solver.type=dfsph", "solver.type=wcsph");
}

TEST_F(Events, TheReportAndTheTableOfChangesHaveThem) {
  const std::string scene =
      write("events.yaml", fall_ +
                               "events:\n  - {step: 9, set: {gravity: [0, -5]}}\n  - {step: 500, set: {gravity: "
                               "[0, 5]}}\n");
  const nlohmann::json report = report_of({"run", scene, "--steps", "30", "--series", "s.csv"});
  ASSERT_TRUE(report.is_object());
  ASSERT_EQ(report["events"].size(), 1u) << "the other one comes later";
  EXPECT_EQ(report["events"][0]["step"], 9);
  EXPECT_GT(report["events"][0]["time"], 0);
  EXPECT_EQ(report["events"][0]["changes"][0]["key"], "gravity");
  EXPECT_EQ(report["events"][0]["changes"][0]["to"], "[0, -5]");
  EXPECT_TRUE(contains(read("s-changes.csv"), "gravity"));
  EXPECT_EQ(report["steps"], 30);
  EXPECT_GT(report["simulated_time"], report["events"][0]["time"]);
  EXPECT_EQ(report["stages"]["build"]["count"], 30) << "stages before the event count, too";
}

TEST_F(Events, AnInterruptedRunEndsInTime) {
  const std::string scene = write("events.yaml", fall_ + "events:\n  - {step: 9, set: {gravity: [0, -5]}}\n");
  EXPECT_EQ(report_of({"run", scene, "--time", "0.05"})["simulated_time"], 0.05)
      << "the end still holds after an event";
}

// Whoever goes back to before an event plays it again.
TEST_F(Events, ARecoveryPlaysThemAgain) {
  const std::string steps =
      "time: {step: 0.002}\nevents:\n  - {step: 510, set: {gravity: [0, -8]}}\n  - {step: 520, set: {time.step: "
      "0.008}}\n";
  const std::string scene = write("events.yaml", fall_ + steps);
  const nlohmann::json report = report_of({"run", scene, "--steps", "600", "--recover", "--out", "o"});
  ASSERT_TRUE(report.is_object());
  ASSERT_GE(report["recoveries"].size(), 1u) << "or this shows nothing";
  EXPECT_LE(report["recoveries"][0]["step"], 510);
  EXPECT_TRUE(contains(std::string(report["recoveries"][0]["fault"]), "the likely cause: "));
  ASSERT_EQ(report["events"].size(), 2u);
  EXPECT_EQ(report["events"][0]["step"], 510);
  EXPECT_EQ(report["events"][1]["step"], 520);
  // They act at other times than before, and the warning has both.
  ASSERT_EQ(report["recoveries"].size(), 1u) << "or the times are others";
  ASSERT_EQ(report["recoveries"][0]["step"], 500);
  std::string warnings;
  for (const auto& warning : report["warnings"]) warnings += warning.get<std::string>() + "\n";
  EXPECT_TRUE(contains(warnings,
                       "; events are of steps: that of step 510 acts at 1.01 s, not at 1.02 s, that of step 520 acts "
                       "at 1.02 s, not at 1.04 s\n"));
  EXPECT_NEAR(report["events"][0]["time"].get<double>(), 1.01, 1e-6);
  EXPECT_NEAR(report["events"][1]["time"].get<double>(), 1.02, 1e-6);
}

// The values at the state are those of the events, and the options change these.
TEST_F(Events, WhoGoesOnFromAStateMayChangeWhatAnEventHasSet) {
  const std::string events =
      "events:\n  - {step: 9, set: {gravity: [0, -5]}}\n  - {step: 30, set: {gravity: [1, -5]}}\n";
  const std::string scene = write("events.yaml", fall_ + events);
  report_of({"run", scene, "--steps", "20", "--checkpoint", "a.h5"});
  const nlohmann::json went_on =
      report_of({"resume", "a.h5", "--steps", "20", "--set", "gravity=[0, -2]", "--checkpoint", "b.h5"});
  ASSERT_TRUE(went_on.is_object());
  EXPECT_EQ(went_on["resumed_from"]["changes"][0]["from"], "[0, -5]");
  EXPECT_EQ(went_on["events"].size(), 1u);
  const std::string all = fall_ +
                          "events:\n  - {step: 9, set: {gravity: [0, -5]}}\n  - {step: 20, set: {gravity: [0, -2]}}\n"
                          "  - {step: 30, set: {gravity: [1, -5]}}\n";
  EXPECT_EQ(hash_of({"run", write("all.yaml", all), "--steps", "40"}), went_on["diagnostics"]["state_hash"]);
  const Outcome other = ran({"resume", "a.h5", "--steps", "1", "--set", "events=[]"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(contains(other.err, "--set events: found other events than those of the run that wrote a.h5"))
      << other.err;
}

TEST_F(Events, AreCheckedAndListed) {
  const std::string scene = write("events.yaml", fall_ + "events:\n  - {step: 9, set: {gravity: [0, -5]}}\n");
  const Outcome listed = riffle({"check", scene});
  EXPECT_EQ(listed.exit_code, 0);
  EXPECT_TRUE(contains(listed.out, "step 9: gravity from [0, -9.81] to [0, -5]")) << listed.out;
  const Outcome wrong =
      riffle({"check", write("w.yaml", fall_ + "events:\n  - {step: 9, set: {particles.spacing: 1}}\n")});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(contains(wrong.err, "w.yaml:8:")) << wrong.err;
  EXPECT_TRUE(contains(riffle({"audit", scene, "--steps", "1"}).err, "its events are not played here"));
}

TEST_F(Events, ThatARunDoesNotComeToAreNamed) {
  const std::string events =
      "events:\n  - {step: 4, set: {gravity: [0, -5]}}\n  - {step: 4000, set: {gravity: [0, -6]}}\n"
      "  - {step: 5000, set: {gravity: [0, -4]}}\n";
  const std::string fixed = write("fixed.yaml", fall_ + "time: {step: 0.0005, end: 0.01}\n" + events);
  const std::string adaptive = write("adaptive.yaml", fall_ + "time: {end: 0.01}\n" + events);
  const std::string known = "before the events of the steps 4000, 5000, so they do not act";
  EXPECT_TRUE(contains(riffle({"check", fixed}).err, known));
  EXPECT_FALSE(contains(riffle({"check", adaptive}).err, "steps 4000, 5000"));
  for (const std::string& scene : {fixed, adaptive}) {
    SCOPED_TRACE(scene);
    const Outcome ended = riffle({"run", scene, "--no-picture", "--device", "cpu", "--json", "r.json"});
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    const std::string step = std::to_string(json("r.json")["steps"].get<int>());
    EXPECT_TRUE(contains(ended.out, "\nnot reached at step " + step + ": the events of the steps 4000, 5000\n"))
        << ended.out;
    EXPECT_EQ(json("r.json")["events_to_come"], (nlohmann::json{4000, 5000}));
    EXPECT_EQ(json("r.json")["events"].size(), 1u);
    EXPECT_EQ(json("r.json")["warnings"].size(), 1u) << json("r.json")["warnings"];
    EXPECT_TRUE(contains(ended.err, scene == fixed ? known
                                                   : "the run ended at 0.01 s (time.end) and step " + step +
                                                         ", before the events of the steps 4000, 5000: --time "
                                                         "goes further"))
        << ended.err;
  }
  const Outcome asked =
      riffle({"run", adaptive, "--no-picture", "--device", "cpu", "--steps", "8", "--json", "r.json"});
  EXPECT_TRUE(contains(asked.out, "not reached at step 8")) << asked.out;
  EXPECT_FALSE(contains(asked.err, "steps 4000, 5000")) << "who asks for 8 steps knows";
}

// Of a state, or of a run that ends where an option says, too.
TEST_F(Events, OnlyWhatIsAheadIsWarnedOf) {
  const std::string events =
      "events:\n  - {step: 4, set: {gravity: [0, -5]}}\n  - {step: 30, set: {gravity: [0, -6]}}\n";
  const std::string scene = write("two.yaml", fall_ + "time: {step: 0.0005, end: 0.01}\n" + events);
  const std::string not_act = "before the event of step 30, so it does not act";
  EXPECT_TRUE(
      contains(riffle({"check", scene}).err, "two.yaml:10:5: events: a run ends at 0.01 s (time.end), " + not_act));
  const Outcome further = ran({"run", scene, "--steps", "40", "--checkpoint", "late.h5"});
  EXPECT_FALSE(contains(further.err, "not act")) << further.err;
  EXPECT_EQ(json("r.json")["events"].size(), 2u);
  EXPECT_FALSE(contains(ran({"run", scene, "--time", "0.02"}).err, "not act"));
  const Outcome after = ran({"resume", "late.h5", "--time", "0.03"});
  EXPECT_EQ(after.exit_code, 0) << after.err;
  EXPECT_FALSE(contains(after.err, "not act")) << after.err;
  report_of({"run", scene, "--steps", "10", "--checkpoint", "early.h5"});
  const Outcome to_end = ran({"resume", "early.h5", "--set", "time.end=0.012"});
  EXPECT_TRUE(contains(to_end.err, "early.h5: events: a run ends at 0.012 s (time.end), " + not_act)) << to_end.err;
  EXPECT_FALSE(contains(to_end.err, "step 4")) << to_end.err;
}

// Steps that are too long until an event makes them shorter. A state has no file with lines.
TEST_F(Events, ThatEndAWarningEndItForAState) {
  const std::string scene =
      write("long.yaml", thermal_ +
                             "time: {step: 0.03, end: 4}\nevents:\n  - {step: 5, set: {solver.integrator: leap_frog}}\n"
                             "  - {step: 12, set: {time.step: 0.01}}\n");
  const std::string is_long = "time.step: 0.03 is above the largest advisable step";
  EXPECT_TRUE(contains(riffle({"check", scene}).err, "long.yaml:8:14: " + is_long));
  report_of({"run", scene, "--steps", "8", "--checkpoint", "part.h5"});
  const Outcome before = ran({"resume", "part.h5", "--steps", "1"});
  EXPECT_TRUE(contains(before.err, "part.h5: " + is_long)) << before.err;
  EXPECT_FALSE(contains(before.err, "long.yaml:")) << before.err;
  report_of({"run", scene, "--steps", "20", "--checkpoint", "all.h5"});
  const Outcome after = ran({"resume", "all.h5", "--steps", "1"});
  EXPECT_FALSE(contains(after.err, is_long)) << after.err;
}

// As the window has it: a row at the moment of a change has the parameters with which the run goes on.
TEST_F(Events, ARowAtTheMomentOfOneHasTheNewParameters) {
  const std::string steps = "time: {step: 0.02, end: 0.4}\n",
                    ten = "events: [{step: 10, set: {solver.repulsion: 50}}]\n";
  const auto lines = [&](const std::string& file) {
    std::istringstream in(read(file));
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  };
  const std::string plain = write("plain.yaml", thermal_ + steps);
  report_of({"run", plain, "--series", "plain.csv", "--series-every", "0.02"});
  report_of({"run", write("events.yaml", thermal_ + steps + ten), "--series", "events.csv", "--series-every", "0.02"});
  report_of({"run", plain, "--steps", "10", "--checkpoint", "a.h5"});
  report_of({"resume", "a.h5", "--time", "0.4", "--set", "solver.repulsion=50", "--series", "after.csv",
             "--series-every", "0.02"});
  const auto before = lines("plain.csv"), all = lines("events.csv"), after = lines("after.csv");
  ASSERT_EQ(all.size(), before.size());
  ASSERT_EQ(after.size(), 12u);
  for (std::size_t row = 0; row <= 10; ++row) EXPECT_EQ(all[row], before[row]) << row;
  EXPECT_NE(all[11], before[11]) << "the row at t = 0.2";
  for (std::size_t row = 11; row < all.size(); ++row) EXPECT_EQ(all[row], after[row - 10]) << row;
}

TEST_F(Events, ARowOfProbesAtTheMomentOfOneHasTheNewParameters) {
  const std::string rest = "probes:\n  - {point: [0.2, 0.2]}\ntime: {step: 0.0005, end: 0.01}\n",
                    ten = "events: [{step: 10, set: {solver.speed_of_sound: 60}}]\n";
  const auto lines = [&](const std::string& file) {
    std::istringstream in(read(file));
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  };
  const std::string plain = write("plain.yaml", fall_ + rest);
  const std::vector<std::string> each = {"--probes-every", "0.0005"};
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.end(), each.begin(), each.end());
    report_of(words);
  };
  run({"run", plain, "--probes", "plain.csv"});
  run({"run", write("events.yaml", fall_ + rest + ten), "--probes", "events.csv"});
  report_of({"run", plain, "--steps", "10", "--checkpoint", "a.h5"});
  run({"resume", "a.h5", "--time", "0.01", "--set", "solver.speed_of_sound=60", "--probes", "after.csv"});
  const auto before = lines("plain.csv"), all = lines("events.csv"), after = lines("after.csv");
  ASSERT_EQ(before.size(), 22u);
  ASSERT_EQ(all.size(), before.size());
  ASSERT_EQ(after.size(), 12u);
  for (std::size_t row = 0; row <= 10; ++row) EXPECT_EQ(all[row], before[row]) << row;
  EXPECT_NE(all[11], before[11]) << "the row at t = 0.005";
  for (std::size_t row = 11; row < all.size(); ++row) EXPECT_EQ(all[row], after[row - 10]) << row;
}

TEST_F(Events, AmongTheRowsOfAMeanAreNamed) {
  const std::string scene =
      write("events.yaml", thermal_ +
                               "time: {step: 0.02, end: 2}\nevents:\n  - {step: 50, set: {solver.temperature: 2}}\n"
                               "  - {step: 60, set: {neighbors.method: green}}\n");
  const auto means = [&](const char* from) {
    const Outcome ended = riffle({"run", scene, "--no-picture", "--device", "cpu", "--json", "r.json", "--means-from",
                                  from, "--series-every", "0.02", "--series", "s.csv"});
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    return ended.out;
  };
  const std::string mixed = means("0.5");
  EXPECT_TRUE(
      contains(mixed,
               "\nparameters were changed in this span, so each mean is over different fluids: solver.temperature "
               "from 1 to 2 at t = 1. Begin the means at t = 1 "))
      << mixed;
  EXPECT_FALSE(contains(mixed, "enough at about")) << "longer is no better";
  const nlohmann::json changes = json("r.json")["means"]["changes"];
  ASSERT_EQ(changes.size(), 1u) << "the search changes no mean";
  EXPECT_EQ(changes[0]["key"], "solver.temperature");
  EXPECT_NEAR(changes[0]["time"].get<double>(), 1, 1e-9);
  EXPECT_FALSE(contains(means("1"), "parameters were changed")) << "the row there has the new temperature";
  EXPECT_TRUE(json("r.json")["means"]["changes"].empty());
}

}  // namespace riffle
