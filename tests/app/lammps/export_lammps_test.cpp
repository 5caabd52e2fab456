// `riffle export lammps` as users start it, and runs that begin with LAMMPS's files.

#include <signal.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "support/program.h"

namespace riffle {
namespace {

class ExportLammps : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("box.yaml", box("box: {min: [0, 0, 0], max: [3, 3, 3]}"));
  }
  static std::string box(const std::string& body) {
    return "domain: {min: [0, 0, 0], max: [3, 3, 3], axes: periodic}\nparticles: {number_density: 3}\n"
           "gravity: [0, 0, 0]\nsolver: {type: dpd}\ntime: {step: 0.02, end: 0.2}\nbodies:\n  - " +
           body + "\n";
  }
  /// The coordinates and velocities of a CSV file of particles.
  std::string rows(const std::string& file) const {
    const std::string text = read(file);
    return text.substr(text.find("\nx,"));
  }
};

TEST_F(ExportLammps, OfASceneAndOfAStateARunBeginsWithTheSameParticles) {
  const Outcome outcome = riffle({"export", "lammps", "box.yaml", "--device", "cpu", "--out", "o", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(files(), (std::vector<std::string>{"box.yaml", "o/box.data", "o/box.in", "r.json"}));
  EXPECT_TRUE(contains(outcome.out, "data:    o/box.data with 64 particles at time 0"));
  EXPECT_TRUE(contains(outcome.out, "cd o && mpiexec -n 2 lmp -in box.in"));
  EXPECT_TRUE(contains(outcome.err, "LAMMPS has random numbers of its own"));
  EXPECT_TRUE(contains(read("o/box.in"), "# LAMMPS has random numbers of its own"));
  EXPECT_EQ(json("r.json")["steps"], 10);
  const std::vector<std::string> fields = {"--device",           "cpu",      "--no-picture", "--steps", "0",
                                           "--particles-fields", "velocity", "--particles"};
  const auto particles = [&](const std::string& scene, const std::string& file) {
    std::vector<std::string> words = {"run", scene};
    words.insert(words.end(), fields.begin(), fields.end());
    words.push_back(file);
    const Outcome ran = riffle(words);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return rows(file);
  };
  write("again.yaml", box("particles: {file: o/box.data}"));
  EXPECT_EQ(particles("again.yaml", "again.csv"), particles("box.yaml", "box.csv"));

  ASSERT_EQ(riffle({"run", "box.yaml", "--device", "cpu", "--no-picture", "--steps", "7", "--checkpoint", "s.h5",
                    "--particles", "s.lammpstrj", "--out", "p"})
                .exit_code,
            0);
  ASSERT_EQ(riffle({"export", "lammps", "s.h5", "--out", "t", "--json", "t.json"}).exit_code, 0);
  EXPECT_EQ(json("t.json")["step"], 7);
  EXPECT_EQ(json("t.json")["steps"], 3);
  write("data.yaml", box("particles: {file: t/box.data}"));
  write("dump.yaml", box("particles: {file: s.lammpstrj}"));
  const std::string from_data = particles("data.yaml", "data.csv");
  EXPECT_EQ(from_data, particles("dump.yaml", "dump.csv"));
  EXPECT_NE(from_data, particles("again.yaml", "again.csv")) << "the fluid has moved";
  EXPECT_TRUE(contains(read("data.csv"), "# time 0.14")) << "the run goes on from the state's time";
}

TEST_F(ExportLammps, AStateAfterTheLastEventHasItsValues) {
  write("events.yaml",
        box("box: {min: [0, 0, 0], max: [3, 3, 3]}") +
            "events:\n  - {step: 3, set: {solver.repulsion: 37}}\n  - {step: 5, set: {solver.temperature: 2}}\n");
  for (const char* steps : {"4", "7"})
    ASSERT_EQ(riffle({"run", "events.yaml", "--device", "cpu", "--no-picture", "--steps", steps, "--checkpoint",
                      std::string("s") + steps + ".h5"})
                  .exit_code,
              0);
  const Outcome early = riffle({"export", "lammps", "s4.h5", "--out", "e"});
  EXPECT_EQ(early.exit_code, 2);
  EXPECT_TRUE(contains(early.err, "events: found the event of step 5; allowed for LAMMPS: none to come")) << early.err;
  const Outcome late = riffle({"export", "lammps", "s7.h5", "--out", "t", "--json", "t.json"});
  ASSERT_EQ(late.exit_code, 0) << late.err;
  EXPECT_TRUE(contains(read("t/events.in"), "\npair_coeff 1 1 37 4.5\n")) << read("t/events.in");
  EXPECT_TRUE(contains(read("t/events.in"), "pair_style dpd 2 ")) << "its temperature";
}

TEST_F(ExportLammps, ProbesAreLeftOutWithANote) {
  write("probed.yaml", box("box: {min: [0, 0, 0], max: [3, 3, 3]}") + "probes: [{point: [1, 1, 1]}]\n");
  const Outcome outcome = riffle({"export", "lammps", "probed.yaml", "--device", "cpu", "--out", "o"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "the scene's probe is left out: LAMMPS measures by its own computes"));
  EXPECT_TRUE(contains(read("o/probed.in"), "# the scene's probe is left out"));
}

TEST_F(ExportLammps, WhatCannotBeExpressedLeavesNoFile) {
  const auto before = files();
  const Outcome refused = riffle({"export", "lammps", scene_, "--device", "cpu", "--out", "o"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.err, "solver.type: found wcsph; allowed for LAMMPS: dpd"));
  EXPECT_EQ(files(), before);
  ASSERT_EQ(riffle({"export", "lammps", "box.yaml", "--device", "cpu", "--out", "o"}).exit_code, 0);
  write("o/box.yaml", box("particles: {file: box.data}"));
  const std::string kept = read("o/box.data");
  const Outcome own = riffle({"export", "lammps", "o/box.yaml", "--device", "cpu", "--out", "o"});
  EXPECT_EQ(own.exit_code, 2);
  EXPECT_TRUE(
      contains(own.err, "o/box.data would replace a file that the scene is made from; allowed: another folder"));
  EXPECT_EQ(read("o/box.data"), kept);
}

// The goal of the run that wrote a state counts more than the scene's time.end, which is 0.2.
TEST_F(ExportLammps, OfAStateGoesOnToWhereItsRunWasToEnd) {
  const std::vector<std::string> run = {"run", "box.yaml", "--device", "cpu", "--no-picture", "--out", "p"};
  const auto state = [&](std::vector<std::string> more) {
    std::vector<std::string> words = run;
    words.insert(words.end(), more.begin(), more.end());
    ASSERT_EQ(riffle(words).exit_code, 0);
  };
  const auto steps = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"export", "lammps", "s.h5", "--out", "t", "--json", "t.json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = riffle(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(contains(outcome.err, "the run is over at step"), json("t.json")["steps"] == 0) << outcome.err;
    return json("t.json")["steps"].get<int>();
  };
  state({"--steps", "30", "--checkpoint", "s.h5"});  // 0.6, three times the scene's end
  EXPECT_EQ(steps({}), 0);
  EXPECT_EQ(steps({"--set", "time.end=1"}), 20);
  // The last state of a run to 0.6 that was killed, as its file would be at the time.
  std::filesystem::copy_file(folder_ / "s.h5", folder_ / "whole.h5");
  Program killed({"run", "box.yaml", "--device", "cpu", "--no-picture", "--quiet", "--time", "4000",
                  "--checkpoint-every", "0.02", "--checkpoint", "k.h5", "--out", "p"},
                 folder_);
  while (killed.running() && !std::filesystem::exists(folder_ / "k.h5"))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  killed.send(SIGTERM);
  EXPECT_EQ(killed.wait().exit_code, 128 + SIGTERM);
  std::filesystem::rename(folder_ / "k.h5", folder_ / "s.h5");
  const int left = steps({});
  EXPECT_EQ(left + json("t.json")["step"].get<int>(), 200000) << "4000 units of time in steps of 0.02";
}

TEST_F(ExportLammps, ALongRunsDumpHasAboutAHundredFramesAndItsSizeIsTold) {
  const auto exported = [&](const char* end) {
    const Outcome outcome = riffle({"export", "lammps", "box.yaml", "--device", "cpu", "--out", "o", "--json", "r.json",
                                    "--set", std::string("time.end=") + end});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome;
  };
  exported("0.2");
  const auto small = json("r.json");
  const int row = small["frame_steps"];
  EXPECT_TRUE(contains(read("o/box.in"), "variable frame_every index " + std::to_string(row) + "\n"));
  EXPECT_TRUE(contains(read("o/box.in"), "variable every index " + std::to_string(row) + "\n"));
  exported("4000");
  const auto large = json("r.json");
  EXPECT_TRUE(contains(read("o/box.in"), "variable every index " + std::to_string(row) + "\n")) << "rows stay";
  EXPECT_EQ(large["frame_steps"].get<int>() % row, 0) << "frames are at rows";
  EXPECT_GT(large["frames"], 90);
  EXPECT_LE(large["frames"], 100);
  const int steps = large["steps"], between = large["frame_steps"];
  EXPECT_EQ(large["frames"], 1 + steps / between) << "the first state and the multiples";
  EXPECT_GT(1 + steps / (between - row), 100) << "no shorter interval would do";
  EXPECT_TRUE(contains(read("o/box.in"), "dump frames all custom ${frame_every} box.lammpstrj"));
  EXPECT_TRUE(contains(read("o/box.in"), "-var frame_every N (steps between frames of the dump)"));
  EXPECT_DOUBLE_EQ(large["dump_bytes"], 80.0 * 64 * large["frames"].get<double>());
}

}  // namespace
}  // namespace riffle
