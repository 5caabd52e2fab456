#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "render/media/process.h"
#include "support/program.h"

namespace riffle {

using Interruption = ProgramTest;

TEST_F(Interruption, KeepsWhatWasDoneSoFar) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const bool movie = can_draw() && has_tool("ffmpeg");
    std::vector<std::string> words = {"run", scene_, "--steps", "256000000", "--json", "r.json", "--out", "o"};
    if (movie) words.insert(words.end(), {"--video", "m.mp4"});
    Program program(words, folder_, true);
    ASSERT_TRUE(program.says("ETA")) << "the first step is done";
    ASSERT_TRUE(program.running());
    EXPECT_FALSE(std::filesystem::exists(folder_ / "r.json"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "m.mp4")) << "a movie appears when it is whole";
    program.send(signal);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.exit_code, 128 + signal) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "interrupted at step"));
    const auto report = json("r.json");
    EXPECT_EQ(report["interrupted"], true);
    EXPECT_GT(report["steps"], 0);
    if (movie) {
      EXPECT_TRUE(std::filesystem::exists(folder_ / "o/final.png"));
      if (has_tool("ffprobe")) {
        EXPECT_EQ(movie_fault(folder_ / "m.mp4"), "");
      }
    }
    EXPECT_EQ(files().size(), movie ? 3u : 1u);
    for (const auto& name : files()) std::filesystem::remove(folder_ / name);
  }
}

TEST_F(Interruption, AfterTheLastStepInterruptsNothing) {
  if (!can_draw() || !has_tool("ffmpeg")) GTEST_SKIP() << "needs an off-screen OpenGL and ffmpeg";
  const std::filesystem::path encoder =
      write("ffmpeg", "#!/bin/sh\ncase \"$*\" in *rawvideo*) while [ ! -e '" + (folder_ / "go").string() +
                          "' ]; do sleep 0.05; done;; esac\nexec " + render::find_program("ffmpeg") + " \"$@\"\n");
  std::filesystem::permissions(encoder, std::filesystem::perms::owner_all);
  Program program({"run", scene_, "--steps", "3", "--json", "r.json", "--out", "o", "--video", "m.mp4"}, folder_, false,
                  {{"PATH", folder_.string() + ":" + std::getenv("PATH")}});
  // The last picture is written before the movie is completed.
  while (program.running() && !std::filesystem::exists(folder_ / "o/final.png"))
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ASSERT_TRUE(program.running());
  program.send(SIGTERM);
  write("go", "");
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_FALSE(contains(outcome.err, "interrupted"));
  EXPECT_EQ(json("r.json")["interrupted"], false);
  EXPECT_EQ(json("r.json")["steps"], 3);
  EXPECT_EQ(movie_fault(folder_ / "m.mp4"), "");
}

/// Whether the program notes the signal, instead of being ended by it.
bool notes(const Program& program, int signal) {
  std::ifstream status("/proc/" + std::to_string(program.process()) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
  return false;
}

// Sampling this solid takes minutes: each distance is to the nearest of 256 edges.
TEST_F(Interruption, OfTheSamplingOfSolidsIsReportedAtOnce) {
  std::string corners;
  for (int k = 0; k < 256; ++k) {
    const double angle = 6.28318530717958648 * k / 256;
    corners += (k > 0 ? ", [" : "[") + std::to_string(1 + 0.5 * std::cos(angle)) + ", " +
               std::to_string(1 + 0.5 * std::sin(angle)) + "]";
  }
  write("gear.yaml",
        "domain: {min: [0, 0, 0], max: [2, 2, 2]}\nparticles: {spacing: 0.01}\nbodies:\n"
        "  - box: {min: [0, 0, 0], max: [0.2, 0.2, 0.2]}\nsolids:\n  - polygon: {corners: [" +
            corners + "], axis: z, from: 0.3, to: 1.7}\nsolver: {type: wcsph}\ntime: {end: 1}\n");
  for (const int signal : {SIGINT, SIGTERM}) {
    Program program({"run", "gear.yaml", "--device", "cpu", "--json", "r.json", "--out", "o"}, folder_);
    while (program.running() && !notes(program, signal)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    ASSERT_TRUE(program.running());
    const auto sent = std::chrono::steady_clock::now();
    program.send(signal);
    const Outcome outcome = program.wait();
    EXPECT_LT(std::chrono::steady_clock::now() - sent, std::chrono::seconds(10)) << "the whole takes minutes";
    EXPECT_EQ(outcome.exit_code, 128 + signal);
    EXPECT_TRUE(contains(outcome.err, "interrupted before time 0, while solids were sampled")) << outcome.err;
    EXPECT_EQ(json("r.json")["interrupted"], true);
    EXPECT_EQ(json("r.json")["steps"], 0);
    EXPECT_EQ(files().size(), 2u) << "the scene and the report";
    std::filesystem::remove(folder_ / "r.json");
  }
}

TEST_F(Interruption, OfAnEquilibrationIsReported) {
  write("soup.yaml",
        "domain: {min: [0, 0, 0], max: [4, 4, 4], axes: periodic}\ngravity: [0, 0, 0]\n"
        "particles: {number_density: 3}\nbodies:\n  - box: {min: [0, 0, 0], max: [4, 4, 4]}\n"
        "start: {equilibration: 1.0e+5}\nsolver: {type: dpd}\ntime: {step: 0.01, end: 1}\n");
  Program program({"run", "soup.yaml", "--device", "cpu", "--json", "r.json", "--out", "o"}, folder_);
  ASSERT_TRUE(program.says("equilibrating"));
  program.send(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 128 + SIGINT);
  EXPECT_TRUE(contains(outcome.err, "interrupted before time 0, while the particles were equilibrated")) << outcome.err;
  EXPECT_EQ(json("r.json")["interrupted"], true);
  EXPECT_EQ(json("r.json")["steps"], 0);
  EXPECT_EQ(json("r.json")["solver"], "dpd");
  EXPECT_TRUE(json("r.json")["diagnostics"].is_null());
}

// The shell that ends, and the system after it, send the signal again while the results are written. Standard output and
// error are the terminal that is gone.
TEST_F(Interruption, ATerminalThatClosesKeepsWhatWasDone) {
  int terminal = -1;
  const pid_t process = forkpty(&terminal, nullptr, nullptr, nullptr);
  ASSERT_GE(process, 0);
  if (process == 0) {
    signal(SIGHUP, SIG_DFL);  // the tests may run under nohup
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    if (chdir(folder_.c_str()) != 0) _exit(127);
    execl(RIFFLE_PROGRAM, "riffle", "run", scene_.c_str(), "--steps", "256000000", "--json", "r.json", "--out", "o",
          "--series", "s.csv", static_cast<char*>(nullptr));
    _exit(127);
  }
  char text[4096];
  std::string said;
  while (said.find("ETA") == std::string::npos) {
    const ssize_t got = ::read(terminal, text, sizeof text);
    ASSERT_GT(got, 0) << said;
    said.append(text, static_cast<std::size_t>(got));
  }
  close(terminal);
  for (int again = 0; again < 20; ++again) {
    kill(process, SIGHUP);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  int status = 0;
  ASSERT_EQ(waitpid(process, &status, 0), process);
  ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGHUP);
  EXPECT_EQ(json("r.json")["interrupted"], true);
  EXPECT_TRUE(json("r.json")["failure"].is_null());
  EXPECT_TRUE(contains(read("s.csv"), "kinetic_energy"));
}

TEST_F(Interruption, NohupOutlivesTheTerminal) {
  write("go.sh",
        "export ASAN_OPTIONS=detect_leaks=0\nnohup " RIFFLE_PROGRAM
        " run small.yaml --steps 256000000 --json r.json --out o >out 2>err &\nsleep 1\nkill -HUP $!\nsleep 1\n"
        "kill -0 $! && echo lives > state\nkill -TERM $!\nwait $!\necho $? > code\n");
  ASSERT_EQ(std::system(("cd " + folder_.string() + " && bash go.sh").c_str()), 0);
  EXPECT_EQ(read("state"), "lives\n");
  EXPECT_EQ(read("code"), "143\n");
}

class InterruptedBench : public ProgramTest {
 protected:
  /// Ctrl-C, a moment after `sign` was written.
  Outcome interrupted(const std::vector<std::string>& words, const std::string& sign) {
    Program program(words, folder_);
    EXPECT_TRUE(program.says(sign)) << sign;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_TRUE(program.running()) << "it was over before it was interrupted";
    program.send(SIGINT);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.exit_code, 128 + SIGINT) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "interrupted: what was not measured by then is missing")) << outcome.out;
    return outcome;
  }
};

/// The runs of a row take minutes. After an interruption the row has the runs that were finished, and it is the last
/// row.
constexpr const char* kForever = "256000";

TEST_F(InterruptedBench, OfSearchesHasTheRowsThereAre) {
  const Outcome outcome =
      interrupted({"bench", "neighbors", "fenns2", "--device", "cpu", "--methods", "green", "--runs", kForever,
                   "--row-seconds", "256000", "--json", "r.json", "--csv", "r.csv"},
                  "1,024 particles");
  const auto report = json("r.json");
  EXPECT_EQ(report["interrupted"], true);
  int measured = 0;
  for (const auto& row : report["rows"]) {
    if (row["state"] == "published") continue;
    ++measured;
    EXPECT_EQ(row["state"], "ok");
    EXPECT_GE(row["runs"], 1);
    EXPECT_TRUE(contains(row["note"], "interrupted")) << row["note"];
    EXPECT_TRUE(contains(outcome.out, row["method"]));
  }
  EXPECT_EQ(measured, 1);
  EXPECT_TRUE(contains(read("r.csv"), "green"));
  const Outcome again = riffle({"bench", "neighbors", "--from", "r.json"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_TRUE(contains(again.out, "interrupted: what was not measured by then is missing")) << "it still is";
}

TEST_F(InterruptedBench, OfPointCloudsHasTheRowsThereAre) {
  const Outcome outcome =
      interrupted({"bench", "rtnn", "--device", "cpu", "--cloud", "lidar", "--cloud", "galaxies", "--count", "2000",
                   "--runs", kForever, "--row-seconds", "256000", "--json", "r.json", "--csv", "r.csv"},
                  "lidar, shuffled");
  const auto report = json("r.json");
  EXPECT_EQ(report["interrupted"], true);
  ASSERT_EQ(report["clouds"].size(), 1u) << "the other one was not begun";
  ASSERT_EQ(report["rows"].size(), 1u);
  EXPECT_EQ(report["rows"][0]["state"], "ok");
  EXPECT_TRUE(contains(report["rows"][0]["note"], "interrupted"));
  EXPECT_TRUE(contains(outcome.out, "NoOpt"));
  EXPECT_TRUE(contains(read("r.csv"), "NoOpt"));
}

TEST_F(InterruptedBench, OfRandomNumbersHasTheRowsThereAre) {
  interrupted({"bench", "rng", "--device", "cpu", "--count", "5000000", "--json", "r.json", "--csv", "r.csv"},
              "info: karpinski");
  const auto report = json("r.json");
  EXPECT_EQ(report["interrupted"], true);
  EXPECT_GE(report["rows"].size(), 3u) << "those of philox at least";
  EXPECT_LT(report["generators"].size(), 3u);
  EXPECT_EQ(report["generators"][0]["generator"], "philox");
  EXPECT_TRUE(contains(read("r.csv"), "philox,steps"));
}

TEST_F(InterruptedBench, OfStepsIsOverTheStepsThatWereDone) {
  const Outcome outcome =
      interrupted({"bench", "step", scene_, "--device", "cpu", "--count", "256000000", "--json", "r.json"},
                  "measuring 256000000 steps");
  const auto report = json("r.json");
  EXPECT_EQ(report["interrupted"], true);
  EXPECT_GT(report["steps"], 0);
  EXPECT_LT(report["steps"], 256000000);
  for (const auto& [name, stage] : report["stages"].items()) EXPECT_EQ(stage["count"], report["steps"]) << name;
  EXPECT_NEAR(report["particle_steps_per_second"].get<double>() * report["ms_per_step"].get<double>(), 125e3, 1);
  EXPECT_TRUE(contains(outcome.out, "ms per step"));
}

TEST_F(InterruptedBench, OfStepsBeforeTheFirstHasNothingToSay) {
  Program program({"bench", "step", scene_, "--device", "cpu", "--from-time", "1e9", "--json", "r.json"}, folder_);
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  ASSERT_TRUE(program.running());
  program.send(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 128 + SIGINT);
  EXPECT_TRUE(contains(outcome.err, "interrupted before the first measurement")) << outcome.err;
  EXPECT_TRUE(files().empty());
}

TEST_F(InterruptedBench, OfPicturesIsOverThePicturesThatWereDrawn) {
  if (!can_draw()) GTEST_SKIP() << "needs an off-screen OpenGL";
  interrupted({"bench", "draw", scene_, "--device", "cpu", "--count", "256000000", "--json", "r.json"},
              "measuring 256000000 pictures");
  const auto report = json("r.json");
  EXPECT_EQ(report["interrupted"], true);
  EXPECT_GT(report["plain"]["pictures"], 0);
  EXPECT_GT(report["plain"]["ms_per_picture"], 0.0);
}

TEST_F(InterruptedBench, OfSearchesAlongARunKeepsWhatWasCompared) {
  interrupted({"audit", scene_, "--device", "cpu", "--steps", "25600000", "--every", "1", "--json", "r.json"},
              "step 3,");
  const auto report = json("r.json");
  EXPECT_EQ(report["interrupted"], true);
  EXPECT_EQ(report["right"], true);
  EXPECT_GE(report["states"], 4);
}

TEST_F(InterruptedBench, OfPhysicsKeepsTheCasesThatWereDone) {
  interrupted(
      {"validate", "rayleigh_taylor_theory", "tank_at_rest", "--size", "full", "--device", "cpu", "--json", "r.json"},
      "rayleigh_taylor_theory:");
  const auto report = json("r.json");
  EXPECT_EQ(report["interrupted"], true);
  ASSERT_EQ(report["cases"].size(), 1u);
  EXPECT_EQ(report["cases"][0]["name"], "rayleigh_taylor_theory");
  EXPECT_EQ(report["cases"][0]["passed"], true);
}

// Ctrl-C in a terminal reaches the whole process group: if the encoder ended by it, there would be no movie.
TEST_F(Interruption, OfTheWholeGroupDoesNotReachTheEncoder) {
  if (!can_draw() || !has_tool("ffprobe")) GTEST_SKIP() << "needs an off-screen OpenGL, ffmpeg and ffprobe";
  write("go.sh", "trap '' INT\nexport ASAN_OPTIONS=detect_leaks=0\nset -m\n" RIFFLE_PROGRAM
                 " run small.yaml --steps 256000000 --video m.mp4 --quiet &\nsleep 1.5\nkill -INT -$!\nwait $!\necho "
                 "$? > code\n");
  ASSERT_EQ(std::system(("cd " + folder_.string() + " && bash go.sh 2>/dev/null").c_str()), 0);
  EXPECT_EQ(read("code"), "130\n");
  EXPECT_EQ(movie_fault(folder_ / "m.mp4"), "");
}

TEST_F(Interruption, SaysWhatIsNotKeptAndHowToKeepIt) {
  const auto interrupted = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"run", scene_, "--steps", "256000000", "--no-picture", "--device", "cpu"};
    words.insert(words.end(), more.begin(), more.end());
    Program program(words, folder_, true);
    EXPECT_TRUE(program.says("ETA"));
    program.send(SIGINT);
    return program.wait().err;
  };
  const std::string lost = "but no state: the particles are not kept, and no run can go on from here";
  const std::string without = interrupted({});
  EXPECT_TRUE(contains(without, lost));
  EXPECT_TRUE(contains(without, "--checkpoint-every TIME keeps states"));
  const std::string with = interrupted({"--checkpoint-every", "1000000", "--checkpoint", "a.h5"});
  EXPECT_FALSE(contains(with, lost));
  EXPECT_TRUE(contains(with, "what was done so far is written; `riffle resume a.h5` goes on"));
}

}  // namespace riffle
