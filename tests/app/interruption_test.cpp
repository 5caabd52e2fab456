#include <signal.h>

#include <chrono>
#include <thread>

#include "program.h"

namespace riffle {

using Interruption = ProgramTest;

TEST_F(Interruption, KeepsWhatWasDoneSoFar) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const bool movie = can_draw() && has_tool("ffmpeg");
    std::vector<std::string> words = {"run", scene_, "--steps", "1000000000", "--json", "r.json", "--out", "o"};
    if (movie) words.insert(words.end(), {"--video", "m.mp4"});
    Program program(words, folder_);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
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

// Ctrl-C of a terminal reaches the whole process group: an encoder that dies of it would leave no movie.
TEST_F(Interruption, OfTheWholeGroupDoesNotReachTheEncoder) {
  if (!can_draw() || !has_tool("ffprobe")) GTEST_SKIP() << "needs an off-screen OpenGL, ffmpeg and ffprobe";
  write("go.sh", "trap '' INT\nexport ASAN_OPTIONS=detect_leaks=0\nset -m\n" RIFFLE_PROGRAM
                 " run small.yaml --steps 1000000000 --video m.mp4 --quiet &\nsleep 1.5\nkill -INT -$!\nwait $!\necho "
                 "$? > code\n");
  ASSERT_EQ(std::system(("cd " + folder_.string() + " && bash go.sh 2>/dev/null").c_str()), 0);
  EXPECT_EQ(read("code"), "130\n");
  EXPECT_EQ(movie_fault(folder_ / "m.mp4"), "");
}

}  // namespace riffle
