/// `riffle run --checkpoint-every` and `riffle resume`.

#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <sstream>
#include <thread>

#include "support/devices.h"
#include "support/program.h"

namespace riffle {

using Words = std::vector<std::string>;

class Resume : public ProgramTest {
 protected:
  Outcome ran(Words words, const Words& more = {}) {
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--no-picture", "--quiet", "--device", device_});
    return riffle(words);
  }
  std::string device_ = "cpu";

  nlohmann::json report_of(const Words& words, const Words& more = {}) {
    const Outcome outcome = ran(words, more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.exit_code == 0 ? json("r.json") : nlohmann::json();
  }

  /// A run without states, one that writes some, and one that goes on from one of these end in the same state.
  void expect_same_end(const std::string& scene, const Words& options) {
    Words plain = {"run", scene, "--steps", "120", "--json", "r.json"};
    plain.insert(plain.end(), options.begin(), options.end());
    const auto without = report_of(plain);
    const auto with = report_of(plain, {"--checkpoint", "whole.h5", "--checkpoint-every", "0.01"});
    plain[3] = "67";
    report_of(plain, {"--checkpoint", "part.h5"});
    const auto after = report_of({"resume", "part.h5", "--steps", "53", "--json", "r.json"});
    ASSERT_TRUE(without.is_object() && with.is_object() && after.is_object());
    const std::string hash = without["diagnostics"]["state_hash"];
    EXPECT_EQ(with["diagnostics"]["state_hash"], hash);
    EXPECT_GE(with["state"]["written"], 2) << "or this shows nothing";
    EXPECT_EQ(after["diagnostics"]["state_hash"], hash);
    EXPECT_EQ(after["steps"], 120);
    EXPECT_EQ(after["simulated_time"], without["simulated_time"]);
    EXPECT_EQ(after["resumed_from"]["step"], 67);
  }
};

const char* const kColumn =
    "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\nbodies:\n"
    "  - {box: {min: [0, 0], max: [0.4, 0.7]}, velocity: [2, 0]}\n";
const char* const kDrops =
    "domain: {min: [0, 0, 0], max: [6, 6, 6], axes: periodic}\ngravity: [0, 0, 0]\n"
    "particles: {number_density: 3}\nfluids: [{name: a}, {name: b}]\nbodies:\n"
    "  - {box: {min: [0, 0, 0], max: [3, 6, 6]}, fluid: a}\n  - {box: {min: [3, 0, 0], max: [6, 6, 6]}, fluid: b}\n"
    "solver: {type: dpd}\n";

// The number of particles changes all the time, and rows of files say whose they are.
TEST_F(Resume, ARunWithInletsAndOutletsEndsInTheSameState) {
  const std::string flow = write(
      "flow.yaml",
      "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.04}\ndeterministic: true\nbodies:\n"
      "  - {box: {min: [0, 0], max: [1, 0.3]}}\ninlets:\n  - {disc: {center: [0.5, 1], radius: 0.08}, speed: 2}\n"
      "outlets:\n  - {box: {min: [0, 0], max: [0.3, 0.1]}}\n");
  for (const char* solver : {"wcsph", "pbf", "dfsph"}) {
    SCOPED_TRACE(solver);
    expect_same_end(flow, {"--set", std::string("solver.type=") + solver});
  }
  ASSERT_EQ(ran({"run", flow, "--steps", "300", "--particles", "p.csv", "--series", "s.csv"}).exit_code, 0);
  std::istringstream rows(read("p.csv"));
  std::string row;
  std::vector<long> ids;
  while (std::getline(rows, row))
    if (!row.empty() && (std::isdigit(static_cast<unsigned char>(row[0])) != 0 || row[0] == '-')) {
      const std::size_t end = row.rfind(','), begin = row.rfind(',', end - 1) + 1;
      ids.push_back(std::stol(row.substr(begin, end - begin)));
    }
  ASSERT_GT(ids.size(), 100u);
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  EXPECT_GT(static_cast<std::size_t>(ids.back()), ids.size()) << "or nobody left";
  EXPECT_NE(read("s.csv").find("entered_inlet_1 [m^2],left_outlet_1 [m^2],particles"), std::string::npos);
}

/// LongState has every search of every solver on each device, without files.
class ResumedRuns : public Resume, public ::testing::WithParamInterface<DeviceKind> {};

TEST_P(ResumedRuns, OfEverySolverEndInTheSameState) {
  test::skip_without(GetParam());
  if (IsSkipped()) return;
  device_ = to_string(GetParam());
  const std::string repeats = GetParam() == DeviceKind::Cuda ? "deterministic: true\n" : "";
  const std::string column = write("column.yaml", kColumn + repeats), drops = write("drops.yaml", kDrops + repeats);
  for (const Words& options : std::vector<Words>{{"--set", "solver.density=continuity"},
                                                 {"--set", "solver.density=summation"},
                                                 {"--set", "solver.type=pbf"},
                                                 {"--set", "solver.type=dfsph"}}) {
    SCOPED_TRACE(options.back());
    expect_same_end(column, options);
  }
  for (const char* integrator : {"velocity_verlet", "leap_frog"}) {
    SCOPED_TRACE(integrator);
    expect_same_end(drops, {"--set", std::string("solver.integrator=") + integrator});
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(ResumedRuns);

TEST_F(Resume, EverySearchEndsInTheSameState) {
  const std::string column = write("column.yaml", kColumn);
  for (const char* method : {"green", "hoetzlein", "fenns", "bucket", "thrust_pairs", "rtnn", "brute_force"})
    for (const char* skin : {"0", "0.1"}) {
      SCOPED_TRACE(std::string(method) + ", skin " + skin);
      expect_same_end(column, {"--neighbors", method, "--set", std::string("neighbors.skin=") + skin});
    }
}

TEST_F(Resume, GoesOnToWhereTheRunWasToEnd) {
  const std::string column = write("column.yaml", kColumn);
  const Words run = {"run", column, "--json", "r.json"};
  const auto whole = report_of(run, {"--time", "0.02"});
  // A state in the midst of that run, which a run that ends there would not have: its last step is shorter.
  const auto part = report_of(run, {"--steps", "5", "--checkpoint", "a.h5"});
  const auto after = report_of({"resume", "a.h5", "--json", "r.json", "--time", "0.02"}, {"--checkpoint", "b.h5"});
  EXPECT_EQ(after["diagnostics"]["state_hash"], whole["diagnostics"]["state_hash"]);
  EXPECT_EQ(after["simulated_time"], 0.02);
  EXPECT_EQ(after["resumed_from"]["time"], part["simulated_time"]);
  EXPECT_EQ(after["resumed_from"]["file"], "a.h5");

  Outcome over = ran({"resume", "b.h5"});
  EXPECT_EQ(over.exit_code, 2);
  EXPECT_TRUE(contains(over.err, "b.h5: its run is over, at step"));
  EXPECT_TRUE(contains(over.err, "0.02 s; --time or --steps say how far it goes on"));
  over = ran({"resume", "b.h5", "--time", "0.01"});
  EXPECT_EQ(over.exit_code, 2);
  EXPECT_TRUE(contains(over.err, "--time: found 0.01 s; allowed: after the state's time, which is 0.02"));
  EXPECT_EQ(report_of({"resume", "b.h5", "--steps", "3", "--json", "r.json"})["steps"], after["steps"].get<int>() + 3);
  EXPECT_EQ(report_of({"resume", "b.h5", "--set", "time.end=0.03", "--json", "r.json"})["simulated_time"], 0.03);
}

TEST_F(Resume, OfARunThatASignalEndedGoesOnToWhereItWasToEnd) {
  const std::string column = write("column.yaml", kColumn);
  const Words words = {"run",          column, "--steps",      "3000000", "--checkpoint-every", "0.004",
                       "--checkpoint", "s.h5", "--no-picture", "--quiet", "--device",           "cpu"};
  Program program(words, folder_);
  while (program.running() && !std::filesystem::exists(folder_ / "s.h5"))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  program.send(SIGTERM);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 128 + SIGTERM) << outcome.err;
  const Outcome again = ran({"resume", "s.h5", "--steps", "0", "--json", "r.json"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  const int stopped = json("r.json")["steps"];
  EXPECT_TRUE(contains(outcome.err, "interrupted at step " + std::to_string(stopped) + ";"))
      << "the last state is of the last step";
  Program goes_on({"resume", "s.h5", "--no-picture", "--json", "t.json", "--device", "cpu"}, folder_, true);
  ASSERT_TRUE(goes_on.says("ETA"));
  goes_on.send(SIGTERM);
  EXPECT_EQ(goes_on.wait().exit_code, 128 + SIGTERM) << "it goes on to step 3000000";
}

/// @return how many states of them were complete
int kill_runs(const std::filesystem::path& folder, const std::string& scene, int runs, const Words& options,
              const std::function<Outcome(const Words&)>& riffle, const std::function<nlohmann::json()>& report) {
  std::mt19937 random(20261127);
  int complete = 0, last = 0;
  for (int k = 0; k < runs; ++k) {
    Words words = {"run",          scene,  "--steps",      "100000000", "--checkpoint-every", "1e-5",
                   "--checkpoint", "s.h5", "--no-picture", "--quiet",   "--device",           "cpu"};
    if (complete > 0) words[0] = "resume", words[1] = "s.h5";
    words.insert(words.end(), options.begin(), options.end());
    {
      Program program(words, folder);
      std::this_thread::sleep_for(std::chrono::milliseconds(80 + random() % 400));
      program.send(SIGKILL);
      EXPECT_EQ(program.wait().exit_code, 128 + SIGKILL);
    }
    if (!std::filesystem::exists(folder / "s.h5")) continue;
    const Outcome outcome = riffle({"resume", "s.h5", "--steps", "0", "--no-picture", "--quiet", "--json", "r.json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    if (outcome.exit_code != 0) return -1;
    const int step = report()["steps"];
    EXPECT_GE(step, last) << "no later state was replaced by an earlier one";
    last = step;
    ++complete;
  }
  return complete;
}

TEST_F(Resume, TheLastCompleteStateOpensWheneverARunIsKilled) {
  const std::string column = write("column.yaml", kColumn);
  EXPECT_GE(
      kill_runs(
          folder_, column, 20, {}, [&](const Words& words) { return riffle(words); }, [&] { return json("r.json"); }),
      15);
  ASSERT_EQ(ran({"resume", "s.h5", "--steps", "1", "--checkpoint", "s.h5"}).exit_code, 0);
  for (const std::string& name : files())
    EXPECT_FALSE(contains(name, "partial")) << "the next run removes what killed ones have left";
}

class LongResume : public Resume {};

TEST_F(LongResume, TheLastCompleteStateOpensWheneverARunOfAnySolverIsKilled) {
  const std::string column = write("column.yaml", kColumn), drops = write("drops.yaml", kDrops);
  const auto start = [&](const Words& words) { return riffle(words); };
  const auto report = [&] { return json("r.json"); };
  for (const char* solver :
       {"solver.density=continuity", "solver.density=summation", "solver.type=pbf", "solver.type=dfsph"}) {
    std::filesystem::remove(folder_ / "s.h5");
    EXPECT_GE(kill_runs(folder_, column, 40, {"--set", solver}, start, report), 30) << solver;
  }
  std::filesystem::remove(folder_ / "s.h5");
  EXPECT_GE(kill_runs(folder_, drops, 40, {}, start, report), 30);
}

TEST_F(Resume, OpensElsewhereWithTheFilesThatTheSceneIsMadeFrom) {
  std::filesystem::create_directories(folder_ / "home/meshes");
  std::filesystem::copy_file(std::string(RIFFLE_SOURCE_DIR) + "/scenes/library/meshes/knot.obj",
                             folder_ / "home/meshes/knot.obj");
  std::filesystem::copy_file(std::string(RIFFLE_SOURCE_DIR) + "/scenes/library/meshes/tap.obj",
                             folder_ / "home/meshes/tap.obj");
  write("home/flow.csv", "t,speed\n0,0\n0.5,0.5\n1,1\n");
  write("home/turn.csv", "t,x\n0,0\n1,0.1\n2,0\n");
  const std::string scene =
      write("home/knot.yaml",
            "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.05}\n"
            "bodies:\n  - box: {min: [0, 0, 0], max: [1, 0.3, 1]}\n"
            "solids:\n  - sphere: {center: [0.5, 0.7, 0.5], radius: 0.12}\n"
            "    motion: {table: turn.csv}\n"
            "  - mesh: {file: meshes/knot.obj, scale: 0.4, at: [0.5, 0.02, 0.3]}\n"
            "inlets:\n  - mesh: {file: meshes/tap.obj, scale: 2, at: [0.1, 0.05, 0.8], near: [0.42, 0.8, 0.8]}\n"
            "    table: flow.csv\n");
  const Words run = {"run", scene, "--json", "r.json", "--steps"};
  const Outcome check = riffle({"check", scene});
  ASSERT_EQ(check.exit_code, 0) << check.err;
  const auto whole = report_of(run, {"10"});
  report_of(run, {"4", "--checkpoint", "a.h5"});
  std::filesystem::remove_all(folder_ / "home");
  std::filesystem::create_directory(folder_ / "elsewhere");
  std::filesystem::rename(folder_ / "a.h5", folder_ / "elsewhere/b.h5");
  const auto after =
      report_of({"resume", "elsewhere/b.h5", "--steps", "6", "--json", "r.json"}, {"--checkpoint", "c.h5"});
  EXPECT_EQ(after["diagnostics"]["state_hash"], whole["diagnostics"]["state_hash"]);
  EXPECT_EQ(report_of({"resume", "c.h5", "--steps", "0", "--json", "r.json"})["diagnostics"]["state_hash"],
            whole["diagnostics"]["state_hash"])
      << "its states have the files again";
}

TEST_F(Resume, AStateGoesOnWhereASceneIsNamedWithoutACommand) {
  const std::string column = write("column.yaml", kColumn);
  report_of({"run", column, "--steps", "5", "--json", "r.json", "--checkpoint", "a.h5"});
  const auto whole = report_of({"run", column, "--steps", "10", "--json", "r.json"});
  const auto after = report_of({"a.h5", "--steps", "5", "--json", "r.json"});
  EXPECT_EQ(after["diagnostics"]["state_hash"], whole["diagnostics"]["state_hash"]);
  const auto by_run = report_of({"run", "a.h5", "--steps", "5", "--json", "r.json"});
  EXPECT_EQ(by_run["diagnostics"]["state_hash"], whole["diagnostics"]["state_hash"]);
  const Outcome wrong = riffle({"check", "a.h5"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("`riffle resume a.h5` goes on from one"), std::string::npos) << wrong.err;
}

TEST_F(Resume, ChangesWhatActsDuringARunAndRefusesTheRest) {
  const std::string column = write("column.yaml", kColumn);
  report_of({"run", column, "--steps", "5", "--json", "r.json", "--checkpoint", "a.h5"});
  const auto down = report_of({"resume", "a.h5", "--steps", "5", "--json", "r.json"});
  const auto side = report_of({"resume", "a.h5", "--steps", "5", "--json", "r.json", "--set", "gravity=[9, 0]"},
                              {"--checkpoint", "b.h5"});
  EXPECT_EQ(side["parameters"]["gravity"], nlohmann::json::parse("[9, 0]"));
  EXPECT_NE(side["diagnostics"]["state_hash"], down["diagnostics"]["state_hash"]);
  const auto still = report_of({"resume", "b.h5", "--steps", "0", "--json", "r.json"});
  EXPECT_EQ(still["parameters"]["gravity"], nlohmann::json::parse("[9, 0]")) << "the state has it";
  const auto other = report_of({"resume", "a.h5", "--steps", "5", "--json", "r.json", "--set", "solver.type=pbf"});
  EXPECT_EQ(other["solver"], "pbf");

  const Outcome spacing = ran({"resume", "a.h5", "--steps", "5", "--set", "particles.spacing=0.04"});
  EXPECT_EQ(spacing.exit_code, 2);
  EXPECT_TRUE(contains(spacing.err, "particles.spacing"));
  EXPECT_TRUE(contains(spacing.err, "a.h5"));
  const Outcome typo = ran({"resume", "a.h5", "--steps", "5", "--set", "gravty=1"});
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_TRUE(contains(typo.err, "gravity"));
}

TEST_F(Resume, FilesThatAreNoStatesAreRefusedByName) {
  write("a.h5", "no state");
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  for (const char* file : {"a.h5", "none.h5", ".", "pipe"}) {
    const Outcome outcome = ran({"resume", file});
    EXPECT_EQ(outcome.exit_code, 2) << file;
    EXPECT_TRUE(contains(outcome.err, std::string("riffle: ") + file + ": ")) << file;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(Resume, StatesHaveANameOfTheirOwnAndAreAnnounced) {
  const std::string column = write("column.yaml", kColumn);
  const auto refused = [&](const Words& more, const std::string& why) {
    const Outcome outcome = ran({"run", column, "--steps", "1"}, more);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, why));
  };
  refused({"--checkpoint", "a.txt"}, "--checkpoint: found 'a.txt'; allowed: a name that ends in .h5");
  refused({"--checkpoint", "a.h5", "--json", "a.h5"}, "are the same file");
  refused({"--checkpoint", "a.h5", "--json", "a.xmf"}, "are the same file");
  ASSERT_EQ(mkfifo((folder_ / "pipe.h5").c_str(), 0600), 0);
  refused({"--checkpoint", "pipe.h5"}, "no regular file");
  EXPECT_EQ(riffle({"run", column, "--steps", "1", "--no-picture", "--checkpoint-every", "0"}).exit_code, 2);

  const Outcome outcome =
      riffle({"run", column, "--steps", "3", "--no-picture", "--device", "cpu", "--checkpoint-every", "1"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "states: output/column/state.h5, about "));
  EXPECT_TRUE(contains(outcome.err, " are free"));
  EXPECT_TRUE(contains(outcome.out, "state:   output/column/state.h5"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "output/column/state.xmf"));
  const Outcome same =
      ran({"resume", "output/column/state.h5", "--steps", "1", "--no-checkpoint", "--json", "output/column/state.h5"});
  EXPECT_EQ(same.exit_code, 2);
  EXPECT_TRUE(contains(same.err, "is a file that the scene is made from")) << same.err;
  EXPECT_EQ(
      ran({"resume", "output/column/state.h5", "--steps", "1", "--checkpoint", "output/column/state.h5"}).exit_code, 0);
}

TEST_F(Resume, TablesAndSeriesOfParticlesGoOn) {
  const std::string column = write("column.yaml", kColumn);
  const Words outputs = {"--series",          "s.csv", "--series-every", "0.004", "--particles", "p.vtp",
                         "--particles-every", "0.004", "--json",         "r.json"};
  const auto run = [&](Words words) {
    words.insert(words.end(), outputs.begin(), outputs.end());
    return report_of(words);
  };
  run({"run", column, "--time", "0.04"});
  const std::string whole = read("s.csv"), list = read("p.pvd");
  const auto times_of = [](const std::string& table) {
    std::vector<std::string> times;
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) times.push_back(line.substr(0, line.find(',')));
    return times;
  };
  for (const std::string& name : files())
    if (name != "column.yaml" && std::filesystem::path(name) != std::filesystem::path(scene_).filename())
      std::filesystem::remove(folder_ / name);
  Words first = {"run", column, "--time", "0.04", "--checkpoint", "a.h5"};
  first[2] = "--steps", first[3] = "12";
  run(first);
  run({"resume", "a.h5", "--time", "0.04"});
  std::vector<std::string> expected = times_of(whole), found = times_of(read("s.csv"));
  EXPECT_TRUE(std::is_sorted(found.begin() + 1, found.end(),
                             [](const std::string& a, const std::string& b) { return std::stod(a) < std::stod(b); }));
  for (const std::string& time : expected) EXPECT_NE(std::find(found.begin(), found.end(), time), found.end()) << time;
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) EXPECT_TRUE(contains(read("p.pvd"), line));
}

// The quantity is the same, whatever kT its unit is a multiple of. What was changed is beside the table.
TEST_F(Resume, ATableGoesOnWithAnotherTemperature) {
  const std::string drops = write("drops.yaml", kDrops);
  const Words series = {"--series", "t.csv", "--series-every", "0.1", "--json", "r.json"};
  const auto before = report_of({"run", drops, "--time", "0.3", "--checkpoint", "s.h5"}, series);
  EXPECT_TRUE(before["changes_file"].is_null());
  const std::string rows = read("t.csv");
  const auto after = report_of(
      {"resume", "s.h5", "--set", "solver.temperature=1.5", "--set", "picture.legend=false", "--time", "0.5"}, series);
  const std::string whole = read("t.csv");
  EXPECT_EQ(whole.substr(0, rows.rfind("\n", rows.size() - 2) + 1),
            rows.substr(0, rows.rfind("\n", rows.size() - 2) + 1));
  EXPECT_TRUE(contains(whole, "temperature [eps]")) << whole;
  EXPECT_GT(whole.size(), rows.size());
  EXPECT_EQ(after["changes_file"], "t-changes.csv");
  EXPECT_EQ(after["resumed_from"]["changes"],
            nlohmann::json::parse(R"([{"key": "solver.temperature", "from": "1", "to": "1.5"}])"))
      << "pictures are no part of it";
  EXPECT_TRUE(contains(read("t-changes.csv"), "time [tau],until [tau],key,from,to\n0.3")) << read("t-changes.csv");
  EXPECT_TRUE(contains(read("t-changes.csv"), ",solver.temperature,1,1.5\n")) << read("t-changes.csv");
}

// What was there before would be lost, or be mixed with what is not alike.
TEST_F(Resume, RefusesTablesAndSeriesThatAreNotThoseOfTheRun) {
  const std::string scene = write("column.yaml", kColumn);
  ASSERT_EQ(ran({"run", scene, "--time", "0.02", "--checkpoint", "s.h5", "--series", "s.csv", "--series-every", "0.004",
                 "--particles", "p.vtp", "--particles-every", "0.004"})
                .exit_code,
            0);
  const std::string rows = read("s.csv"), list = read("p.pvd");
  const Outcome other = ran({"resume", "s.h5", "--time", "0.03", "--series", "s.csv", "--series-every", "0.004",
                             "--set", "domain.face_forces=true"});
  EXPECT_EQ(other.exit_code, 2) << "before the run starts";
  EXPECT_TRUE(contains(other.err, "s.csv: has other columns than this run; only the run has force_x_face_"))
      << other.err;
  EXPECT_EQ(read("s.csv"), rows);
  const Outcome rarer = ran({"resume", "s.h5", "--time", "0.03", "--particles", "p.vtp", "--particles-every", "0.01"});
  EXPECT_EQ(rarer.exit_code, 2);
  EXPECT_TRUE(contains(rarer.err, "allowed: the interval of the run that goes on, or a new name")) << rarer.err;
  EXPECT_EQ(read("p.pvd"), list);
  const Outcome means = ran({"resume", "s.h5", "--time", "0.03", "--means-from", "0.01"});
  EXPECT_EQ(means.exit_code, 2);
  EXPECT_TRUE(contains(means.err,
                       "--means-from: found 0.01 s, the state is of 0.02: means are over the rows that this "
                       "call measures, not over those that a file has from before"))
      << means.err;
}

TEST_F(Resume, AMovieFollowsTheOneBeforeWithoutAFrameTwice) {
  if (!can_draw() || !has_tool("ffmpeg")) GTEST_SKIP() << "no off-screen OpenGL, or no ffmpeg";
  const std::string column = write("column.yaml", std::string(kColumn) +
                                                      "movie: {frames_per_second: 50, time_scale: 0.1}\n"
                                                      "picture: {size: [64, 64]}\n");
  const auto frames = [&](const Words& words) {
    const auto report = report_of(words);
    return report["movie"].is_null() ? 0 : report["movie"]["frames"].get<int>();
  };
  const int whole = frames({"run", column, "--time", "0.04", "--json", "r.json", "--video", "whole.mp4"});
  ASSERT_GT(whole, 10);
  const int first =
      frames({"run", column, "--time", "0.02", "--json", "r.json", "--video", "first.mp4", "--checkpoint", "a.h5"});
  const int second = frames({"resume", "a.h5", "--time", "0.04", "--json", "r.json", "--video", "second.mp4"});
  EXPECT_EQ(first + second, whole);
  const std::string before = read("first.mp4");
  const Outcome again = ran({"resume", "a.h5", "--time", "0.04", "--video", "first.mp4"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_TRUE(contains(again.err,
                       "--video (first.mp4) is there, and the movie of a run that goes on has only the frames after"))
      << again.err;
  EXPECT_EQ(read("first.mp4"), before);
  const Outcome none = ran({"resume", "a.h5", "--time", "0.0205", "--video", "third.mp4"});
  EXPECT_EQ(none.exit_code, 0) << none.err;
  EXPECT_TRUE(contains(none.err, "no movie: the run ended before the next frame was due")) << none.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "third.mp4"));
}

TEST_F(Resume, PicturesGoOnWithTheirNumbersAndNoneIsLost) {
  if (!can_draw()) GTEST_SKIP() << "no off-screen OpenGL";
  const std::string column = write("column.yaml", std::string(kColumn) + "picture: {size: [64, 64]}\n");
  const auto run = [&](Words words) {
    words.insert(words.end(), {"--image-every", "4", "--out", "o", "--no-picture", "--device", "cpu"});
    return riffle(words).exit_code;
  };
  ASSERT_EQ(run({"run", column, "--steps", "8", "--checkpoint", "a.h5"}), 0);
  const auto first = files();
  ASSERT_EQ(run({"resume", "a.h5", "--steps", "8"}), 0);
  std::vector<std::string> pictures;
  for (const std::string& file : files())
    if (file.ends_with(".png")) pictures.push_back(file);
  std::sort(pictures.begin(), pictures.end());
  ASSERT_EQ(pictures.size(), 4u) << "of the steps 4, 8, 12 and 16";
  EXPECT_TRUE(contains(pictures.front(), "4.png"));
  EXPECT_TRUE(contains(pictures.back(), "16.png"));
}

TEST_F(Resume, ASeriesOfWhichEachStepHasAFileGoesOn) {
  const std::string scene = write("column.yaml", std::string(kColumn) + "time: {step: 0.001}\n");
  for (const std::string ending : {".vtp", ".csv"}) {
    const Words outputs = {"--particles", "p" + ending, "--particles-every", "0.0004", "--json", "r.json"};
    Words first = {"run", scene, "--steps", "6", "--checkpoint", "a.h5"}, second = {"resume", "a.h5", "--steps", "4"};
    first.insert(first.end(), outputs.begin(), outputs.end());
    second.insert(second.end(), outputs.begin(), outputs.end());
    report_of(first);
    const std::string sixth = read("p_000006" + ending);
    report_of(second);
    EXPECT_EQ(read("p_000006" + ending), sixth);
    EXPECT_TRUE(std::filesystem::exists(folder_ / ("p_000010" + ending)));
    EXPECT_FALSE(std::filesystem::exists(folder_ / ("p_000011" + ending)));
  }
}

TEST_F(Resume, ATimeThatIsSetIsWhereItEnds) {
  const std::string scene = write("column.yaml", kColumn);
  ASSERT_EQ(ran({"run", scene, "--steps", "20", "--checkpoint", "s.h5"}).exit_code, 0);
  const auto after = report_of({"resume", "s.h5", "--set", "time={end: 0.05}", "--json", "r.json"});
  ASSERT_TRUE(after.is_object());
  EXPECT_NEAR(after["simulated_time"], 0.05, 1e-6);
}

TEST_F(Resume, AStateThatBlewUpReplacesNone) {
  const std::string column = write("column.yaml", kColumn);
  report_of({"run", column, "--steps", "5", "--json", "r.json", "--checkpoint", "a.h5"});
  const std::string good = read("a.h5");
  const Words words = {"resume", "a.h5", "--steps", "100", "--checkpoint", "a.h5", "--set", "time.step=0.5"};
  Outcome outcome = ran(words);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "unstable"));
  EXPECT_TRUE(read("a.h5") == good) << "it was found at the end";
  outcome = ran(words, {"--checkpoint-every", "0.5", "--json", "r.json"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const int failed = json("r.json")["steps"];
  EXPECT_LT(failed, 100) << "it was found on the way";
  EXPECT_LT(report_of({"resume", "a.h5", "--steps", "0", "--json", "r.json"})["steps"], failed);
}

// HDF5 1.10 crashes at the program's end after a write of its own has failed.
TEST_F(Resume, AStateThatCannotBeWrittenLeavesTheOldOneAndTheRunGoesOn) {
  const std::string column = write("column.yaml", kColumn);
  report_of({"run", column, "--steps", "5", "--json", "r.json", "--checkpoint", "a.h5"});
  const std::string good = read("a.h5");
  for (const char* blocks : {"1", "5", "12"}) {
    const std::string line = "cd " + folder_.string() + " && ulimit -f " + blocks +
                             "; " RIFFLE_PROGRAM
                             " run column.yaml --steps 30 --checkpoint-every 0.002 --checkpoint a.h5 --no-picture "
                             "--quiet --device cpu --series s.csv 2>err; echo $? >code";
    ASSERT_EQ(std::system(("bash -c '" + line + "'").c_str()), 0);
    EXPECT_EQ(read("code"), "1\n") << blocks;
    EXPECT_TRUE(contains(read("err"), "riffle: error: a state is missing: a.h5: cannot be written: File too large"));
    EXPECT_TRUE(contains(read("err"), "more states are missing"));
    EXPECT_TRUE(read("a.h5") == good) << blocks;
  }
  for (const std::string& name : files()) EXPECT_FALSE(contains(name, "partial"));
}

TEST_F(Resume, TellsWhatThisRunHasDoneApartFromTheWhole) {
  const std::string column = write("column.yaml", kColumn);
  report_of({"run", column, "--steps", "50", "--json", "r.json", "--checkpoint", "a.h5"});
  const double before = json("r.json")["simulated_time"];
  const Outcome outcome =
      riffle({"resume", "a.h5", "--steps", "20", "--device", "cpu", "--no-picture", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, " particles, 20 steps, "));
  EXPECT_TRUE(contains(outcome.out, "went on from a.h5: step 50, "));
  EXPECT_TRUE(contains(outcome.out, "; since time 0 70 steps, "));
  const auto report = json("r.json");
  EXPECT_EQ(report["steps"], 70);
  EXPECT_EQ(report["steps_of_this_run"], 20);
  EXPECT_DOUBLE_EQ(report["simulated_time_of_this_run"], report["simulated_time"].get<double>() - before);
}

TEST_F(Resume, GoesOnKeepingStatesAsTheRunBefore) {
  const std::string column = write("column.yaml", kColumn);
  std::filesystem::create_directory(folder_ / "kept");
  report_of(
      {"run", column, "--time", "0.05", "--json", "r.json", "--checkpoint", "kept/a.h5", "--checkpoint-every", "0.01"});
  EXPECT_GE(json("r.json")["state"]["written"], 5);
  std::filesystem::copy_file(folder_ / "kept/a.h5", folder_ / "first.h5");
  const auto goes_on = [&](const Words& more) {
    Words words = {"resume", "kept/a.h5", "--time", "0.1", "--no-picture", "--device", "cpu", "--json", "r.json"};
    words.insert(words.end(), more.begin(), more.end());
    std::filesystem::copy_file(folder_ / "first.h5", folder_ / "kept/a.h5",
                               std::filesystem::copy_options::overwrite_existing);
    const Outcome outcome = riffle(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_TRUE(contains(goes_on({}),
                       "keeps a state every 0.01 s in kept/a.h5, as the run before did; --no-checkpoint keeps none"));
  const auto kept = json("r.json");
  EXPECT_EQ(kept["state"]["file"], "kept/a.h5");
  EXPECT_GE(kept["state"]["written"], 5);
  const std::string bytes = read("kept/a.h5");
  report_of({"resume", "kept/a.h5", "--steps", "0", "--json", "r.json"});
  EXPECT_EQ(json("r.json")["steps"], kept["steps"]) << "the file has the last state";
  EXPECT_TRUE(read("kept/a.h5") == bytes) << "without a step the file stays, with its goal";

  EXPECT_TRUE(contains(goes_on({"--no-checkpoint"}), "keeps no states; --checkpoint-every TIME keeps some"));
  EXPECT_TRUE(json("r.json")["state"].is_null());
  goes_on({"--checkpoint", "b.h5"});
  EXPECT_EQ(json("r.json")["state"]["file"], "b.h5");
  EXPECT_GE(json("r.json")["state"]["written"], 5) << "the interval is that of before";
  goes_on({"--checkpoint-every", "0.05"});
  EXPECT_EQ(json("r.json")["state"]["file"], "kept/a.h5");
  EXPECT_LE(json("r.json")["state"]["written"], 2);
  goes_on({"--out", "o"});
  EXPECT_EQ(json("r.json")["state"]["file"], "o/state.h5");
  const Outcome both = riffle({"resume", "kept/a.h5", "--no-checkpoint", "--checkpoint", "b.h5"});
  EXPECT_EQ(both.exit_code, 2);
  // A state that was written once, at the end, is left alone.
  report_of({"run", column, "--steps", "5", "--json", "r.json", "--checkpoint", "once.h5"});
  EXPECT_TRUE(contains(riffle({"resume", "once.h5", "--steps", "5", "--no-picture", "--device", "cpu"}).err,
                       "keeps no states; --checkpoint-every TIME keeps some"));
  report_of({"resume", "once.h5", "--steps", "0", "--json", "r.json"});
  EXPECT_EQ(json("r.json")["steps"], 5);
}

// What was computed after the state would be lost.
TEST_F(Resume, ALaterStateThatNoOptionNamesIsNotReplaced) {
  const std::string column = write("column.yaml", kColumn);
  const Words keeps = {"--json", "r.json", "--checkpoint", "z/state.h5", "--checkpoint-every", "0.01"};
  report_of({"run", column, "--steps", "10"}, keeps);
  std::filesystem::copy_file(folder_ / "z/state.h5", folder_ / "z/day1.h5");
  std::filesystem::copy_file(folder_ / "z/state.h5", folder_ / "z/good_state.h5");
  report_of({"resume", "z/state.h5", "--steps", "10", "--json", "r.json"});
  const std::string later = read("z/state.h5"), day = read("z/day1.h5");
  const auto refused = [&](const Words& words, const char* target, const char* why) {
    const std::string before = read(target);
    const Outcome outcome = ran(words, {"--steps", "3"});
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, std::string(target) + ": found " + why));
    EXPECT_TRUE(contains(outcome.err, "would replace it; allowed: --checkpoint with another name, or --no-checkpoint"));
    EXPECT_TRUE(read(target) == before);
  };
  const auto with_table = [&](const std::string& rows) {
    write("turn.csv", "t,x\n" + rows);
    const std::string moved = write(
        "moved.yaml", std::string(kColumn) +
                          "solids:\n  - sphere: {center: [0.5, 0.8], radius: 0.1}\n    motion: {table: turn.csv}\n");
    report_of({"run", moved, "--steps", "5"}, keeps);
  };
  const char* const why = "a state of step 20, which is later than step 10";
  refused({"resume", "z/day1.h5"}, "z/state.h5", why);
  refused({"resume", "z/good_state.h5"}, "z/state.h5", why);
  refused({"resume", "z/day1.h5", "--checkpoint-every", "1"}, "z/state.h5", why);
  std::filesystem::create_directory(folder_ / "o");
  std::filesystem::copy_file(folder_ / "z/state.h5", folder_ / "o/state.h5");
  refused({"resume", "z/day1.h5", "--out", "o"}, "o/state.h5", why);
  EXPECT_EQ(ran({"resume", "z/day1.h5", "--steps", "0"}).exit_code, 0) << "it keeps none";
  EXPECT_EQ(ran({"resume", "z/day1.h5", "--steps", "3", "--no-checkpoint"}).exit_code, 0);
  EXPECT_TRUE(read("z/state.h5") == later);
  // One that is of the same scene and no later is: the run goes through it again.
  std::filesystem::copy_file(folder_ / "z/day1.h5", folder_ / "z/state.h5",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(report_of({"resume", "z/good_state.h5", "--steps", "3", "--json", "r.json"})["state"]["file"],
            "z/state.h5");
  EXPECT_TRUE(read("z/day1.h5") == day);
  EXPECT_TRUE(read("z/good_state.h5") == day);
  report_of({"run", column, "--steps", "5", "--set", "gravity=[9, 0]"}, keeps);
  refused({"resume", "z/day1.h5"}, "z/state.h5", "a state of another scene, or of other values");
  report_of({"run", column, "--steps", "5", "--set", "picture.legend=false"}, keeps);
  EXPECT_EQ(ran({"resume", "z/day1.h5", "--steps", "3"}).exit_code, 0)
      << "only the picture is another; so may be the end, probes and names";
  ASSERT_NO_FATAL_FAILURE(with_table("0,0\n1,0.1\n"));
  std::filesystem::copy_file(folder_ / "z/state.h5", folder_ / "z/moved.h5");
  ASSERT_NO_FATAL_FAILURE(with_table("0,0\n1,0.2\n"));
  refused({"resume", "z/moved.h5"}, "z/state.h5", "a state whose scene has other files");
  ASSERT_NO_FATAL_FAILURE(with_table("0,0\n1,0.1\n"));
  EXPECT_EQ(ran({"resume", "z/moved.h5", "--steps", "3"}).exit_code, 0) << "the same files";
  write("z/state.h5", "notes");
  refused({"resume", "z/day1.h5"}, "z/state.h5", "a file that is no complete state");
  std::filesystem::remove(folder_ / "z/state.h5");
  EXPECT_EQ(report_of({"resume", "z/day1.h5", "--steps", "3", "--json", "r.json"})["state"]["file"], "z/state.h5");
}

// What was deleted or cut off would otherwise be missing in silence.
TEST_F(Resume, FilesAndFramesOfBeforeThatAreMissingAreSaid) {
  const std::string column = write("column.yaml", kColumn);
  const auto go_on = [&](const std::string& name, const std::function<void()>& damage) {
    const Words outputs = {"--particles", name, "--particles-every", "0.004", "--json", "r.json"};
    report_of({"run", column, "--time", "0.02", "--checkpoint", "s.h5"}, outputs);
    EXPECT_EQ(json("r.json")["warnings"], nlohmann::json::array());
    damage();
    const Outcome outcome = ran({"resume", "s.h5", "--time", "0.03"}, outputs);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    for (const auto& file : files())
      if (file.starts_with("p")) std::filesystem::remove(folder_ / file);
    std::string warnings;
    const nlohmann::json report = json("r.json");
    for (const auto& warning : report["warnings"]) {
      warnings += warning.get<std::string>() + "\n";
      EXPECT_TRUE(contains(outcome.err, warning));
    }
    return warnings;
  };
  const auto remove = [&](const std::string& file) { std::filesystem::remove(folder_ / file); };
  for (const std::string ending : {".csv", ".vtp", ".ply"}) {
    const auto file = [&](int k) { return "p_00000" + std::to_string(k) + ending; };
    EXPECT_EQ(go_on("p" + ending, [] {}), "");
    EXPECT_EQ(go_on("p" + ending, [&] { remove(file(1)), remove(file(3)), remove(file(4)), remove(file(5)); }),
              "p_*" + ending + ": of the 6 files of before the state 4 are missing: " + file(1) + ", " + file(3) +
                  " to " + file(5) + "\n");
    EXPECT_EQ(go_on("p" + ending, [&] { remove(file(2)); }),
              "p_*" + ending + ": of the 6 files of before the state one is missing: " + file(2) + "\n");
  }
  EXPECT_EQ(go_on("p.vtp", [&] { remove("p.pvd"); }),
            "p.pvd does not have 6 files of before the state that are there\n");
  for (const std::string name : {"p.gsd", "p.h5", "p.lammpstrj"}) {
    EXPECT_EQ(go_on(name, [] {}), "");
    EXPECT_EQ(go_on(name, [&] { remove(name); }), name + ": none of the 6 frames of before the state is there\n");
  }
  const auto cut = [&] {
    const auto file = folder_ / "p.lammpstrj";
    std::filesystem::resize_file(file, std::filesystem::file_size(file) * 6 / 10);
  };
  EXPECT_EQ(go_on("p.lammpstrj", cut),
            "p.lammpstrj: of the 6 frames of before the state 3 are missing: that of 0.012 to that of 0.02\n");
}

// A disk with room for a state may not be refused.
TEST_F(Resume, TheFirstLinesSayHowManyBytesAStateHas) {
  const std::string column = write("column.yaml", kColumn);
  for (const Words& search : {Words{}, Words{"--neighbors", "fenns"}, Words{"--neighbors", "bucket"},
                              Words{"--neighbors", "rtnn", "--set", "neighbors.skin=0.1"}}) {
    Words words = {"run", column, "--steps", "30", "--checkpoint", "s.h5", "--no-picture", "--device", "cpu"};
    words.insert(words.end(), search.begin(), search.end());
    const Outcome outcome = riffle(words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string before = "states: s.h5, about ";
    const std::size_t at = outcome.err.find(before);
    ASSERT_NE(at, std::string::npos) << outcome.err;
    char* unit = nullptr;
    const double said = std::strtod(outcome.err.c_str() + at + before.size(), &unit);
    ASSERT_TRUE(std::string(unit).starts_with(" KiB each")) << outcome.err;
    const double bytes = static_cast<double>(std::filesystem::file_size(folder_ / "s.h5")) / 1024;
    EXPECT_GE(said, 0.99 * bytes) << outcome.err;
    EXPECT_LE(said, 1.1 * bytes) << outcome.err;
  }
}

// The same command again, after a crash say, would soon leave a state of its first moments in place of one of hours.
TEST_F(Resume, ARunFromTheStartKeepsTheStateThatItFinds) {
  const std::string column = write("column.yaml", kColumn);
  const auto run = [&](const std::string& steps, const Words& more = {}) {
    Words words = {"run",    column,   "--steps", steps, "--no-picture",       "--device", "cpu",
                   "--json", "r.json", "--out",   "o",   "--checkpoint-every", "0.01"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = riffle(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_FALSE(contains(run("20"), "earlier run"));
  const std::string first = read("o/state.h5");
  EXPECT_TRUE(contains(run("5"),
                       "o/state.h5 is of an earlier run and is o/state_before.h5 from the first state of this run on"));
  EXPECT_TRUE(read("o/state_before.h5") == first);
  EXPECT_TRUE(contains(run("6"), "will be replaced; o/state_before.h5, which is later, stays"));
  EXPECT_TRUE(read("o/state_before.h5") == first) << "not the one of step 5";
  EXPECT_EQ(json("r.json")["steps"], 6);
  run("3", {"--set", "gravity=[0, -9]"});
  EXPECT_TRUE(read("o/state_before.h5") == first) << "the two are still of one scene";
  const std::string third = read("o/state.h5");
  run("2");
  EXPECT_TRUE(read("o/state_before.h5") == third)
      << "the two are of different scenes: the one that is replaced is kept";
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o/state_before.xmf"));
  write("o/state.h5", "notes");
  run("2");
  EXPECT_TRUE(read("o/state_before.h5") == third) << "what is no state does not replace one";
  // One that goes on from the kept state leaves it.
  EXPECT_EQ(ran({"resume", "o/state_before.h5", "--steps", "3", "--checkpoint", "o/state.h5"}).exit_code, 0);
  EXPECT_TRUE(read("o/state_before.h5") == third);
  for (const std::string& file : files()) EXPECT_EQ(file.find("riffle-partial"), std::string::npos) << file;
}

// A state that is named is one that may be replaced, but not for good.
TEST_F(Resume, ANamedFileOfAnotherRunIsKeptToo) {
  const std::string column = write("column.yaml", kColumn);
  report_of({"run", column, "--steps", "9", "--checkpoint", "b.h5", "--json", "r.json"});
  report_of({"run", column, "--steps", "4", "--checkpoint", "a.h5", "--json", "r.json"});
  const std::string ninth = read("b.h5"), fourth = read("a.h5");
  report_of({"resume", "a.h5", "--steps", "1", "--checkpoint", "b.h5", "--json", "r.json"});
  EXPECT_TRUE(read("b_before.h5") == ninth);
  report_of({"resume", "a.h5", "--steps", "1", "--checkpoint", "a.h5", "--json", "r.json"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a_before.h5")) << "the run goes on with it";
  EXPECT_FALSE(read("a.h5") == fourth);
  const Outcome both = ran({"run", column, "--steps", "1", "--checkpoint", "a.h5", "--particles", "a_before.h5"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_TRUE(contains(both.err, "are the same file"));
}

TEST_F(Resume, ANamedFileGetsAStateWithoutAStepToo) {
  const std::string column = write("column.yaml", kColumn);
  report_of(
      {"run", column, "--time", "0.02", "--json", "r.json", "--checkpoint", "a.h5", "--checkpoint-every", "0.01"});
  const std::string before = read("a.h5");
  const auto report = report_of({"resume", "a.h5", "--steps", "0", "--json", "r.json", "--checkpoint", "new.h5"});
  ASSERT_TRUE(report["state"].is_object());
  EXPECT_EQ(report["state"]["file"], "new.h5");
  ASSERT_TRUE(std::filesystem::exists(folder_ / "new.h5"));
  EXPECT_TRUE(read("a.h5") == before);
  const auto again = report_of({"resume", "new.h5", "--steps", "0", "--json", "r.json", "--no-checkpoint"});
  EXPECT_EQ(again["diagnostics"]["state_hash"], report["diagnostics"]["state_hash"]);
}

TEST_F(Resume, SaysOfTheStatesWhatIsAsTheRunBeforeDid) {
  const std::string column = write("column.yaml", kColumn);
  report_of(
      {"run", column, "--steps", "2", "--json", "r.json", "--checkpoint", "k/a.h5", "--checkpoint-every", "0.01"});
  const auto said = [&](const Words& more) {
    Words words = {"resume", "k/a.h5", "--steps", "1", "--no-picture", "--device", "cpu"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = riffle(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::size_t at = outcome.err.find("keeps a state");
    return at == std::string::npos ? outcome.err : outcome.err.substr(at, outcome.err.find('\n', at) - at);
  };
  EXPECT_EQ(said({}), "keeps a state every 0.01 s in k/a.h5, as the run before did; --no-checkpoint keeps none");
  EXPECT_EQ(said({"--checkpoint", "b.h5"}), "keeps a state every 0.01 s, as the run before did, in b.h5");
  EXPECT_EQ(said({"--out", "o"}),
            "keeps a state every 0.01 s, as the run before did, in o/state.h5; --no-checkpoint keeps none");
  EXPECT_EQ(said({"--checkpoint-every", "0.5"}),
            "keeps a state every 0.5 s in k/a.h5, beside the state that it goes on from");
}

// As in a folder of somebody else.
TEST_F(Resume, APlaceThatIsInheritedAloneAndCannotBeWrittenKeepsNoStates) {
  const std::string column = write("column.yaml", kColumn);
  report_of(
      {"run", column, "--steps", "2", "--json", "r.json", "--checkpoint", "k/a.h5", "--checkpoint-every", "0.01"});
  std::filesystem::remove(folder_ / "k/a.xmf");
  std::filesystem::create_directory(folder_ / "k/a.xmf");  // the state's companion
  const std::string before = read("k/a.h5");
  const auto report = report_of({"resume", "k/a.h5", "--steps", "3", "--json", "r.json"});
  EXPECT_EQ(report["steps"], 5);
  EXPECT_TRUE(report["state"].is_null());
  EXPECT_TRUE(read("k/a.h5") == before);
  const Outcome outcome = ran({"resume", "k/a.h5", "--steps", "3"});
  EXPECT_TRUE(contains(outcome.err,
                       "k/a.xmf: is a folder; give the name of a file; no states are kept, though the run before kept "
                       "some; --checkpoint FILE.h5 keeps them elsewhere"));
  // Who asks for states must get them.
  const Outcome wanted = ran({"resume", "k/a.h5", "--steps", "3", "--checkpoint-every", "0.5"});
  EXPECT_EQ(wanted.exit_code, 1);
  EXPECT_TRUE(contains(wanted.err, "give the name of a file; --checkpoint FILE.h5 keeps states elsewhere"));
  EXPECT_EQ(ran({"resume", "k/a.h5", "--steps", "3", "--checkpoint", "k/a.h5"}).exit_code, 1);
  EXPECT_EQ(ran({"resume", "k/a.h5", "--steps", "3", "--checkpoint", "b.h5"}).exit_code, 0);
}

}  // namespace riffle
