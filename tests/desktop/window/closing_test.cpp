// The window is closed, or a signal arrives, while files are being written. The encoder in these tests waits for a file.

#include <signal.h>

#include <fstream>

#include "desktop_session.h"
#include "render/media/process.h"

namespace riffle::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

class Closing : public InterfaceTest {
 protected:
  void SetUp() override {
    InterfaceTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    if (!has_tool("ffmpeg") || !has_tool("ffprobe")) GTEST_SKIP() << "needs ffmpeg and ffprobe";
    const fs::path encoder = write("bin/ffmpeg", "#!/bin/sh\ncase \"$*\" in *rawvideo*) while [ ! -e '" +
                                                     (folder_ / "go").string() + "' ]; do sleep 0.05; done;; esac\n" +
                                                     "exec " + render::find_program("ffmpeg") + " \"$@\"\n");
    fs::permissions(encoder, fs::perms::owner_all);
  }
  std::map<std::string, std::string> more_environment() override {
    return {{"PATH", (folder_ / "bin").string() + ":" + std::getenv("PATH")}};
  }

  /// Records until the encoder's queue has frames that must wait.
  void record() {
    open();
    ASSERT_TRUE(session().click("record"));
    ASSERT_TRUE(session().wait_until("some are recorded", [](const json& now) { return now["recorded_frames"] >= 5; }));
  }
  ::testing::AssertionResult says(const std::string& words) {
    return session().wait_until("it says: " + words, [&](const json& now) {
      return now.value("leaving", "").find(words) != std::string::npos;
    });
  }
  void press_control_q() {
    ASSERT_TRUE(session().press("Shift_L"));  // waits until the window has the keyboard
    constexpr int kLabelledQ = 24;
    screen().press_with_control(kLabelledQ);
  }
  void let_the_encoder_go() { write("go", ""); }

  fs::path movie() {
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().extension() == ".mp4" && !entry.path().filename().string().starts_with('.')) return entry.path();
    return {};
  }
  int frames_of_the_movie() {
    const std::string text =
        render::output_of({render::find_program("ffprobe"), "-v", "error", "-count_frames", "-select_streams", "v:0",
                           "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", movie().string()})
            .value_or("");
    return text.empty() ? 0 : std::stoi(text);
  }
};

TEST_F(Closing, TheWindowLivesAndSaysHowFarItIsUntilTheMovieIsWhole) {
  record();
  screen().close(session().window());
  ASSERT_TRUE(says("Finishing the movie riffle-drop"));
  ASSERT_TRUE(says(" pictures are written."));
  ASSERT_TRUE(says("Close again to end it here"));
  ASSERT_TRUE(session().wait_for_pictures(3)) << "it goes on drawing";
  session().write_picture("closing");
  const int frames = session().values()["recorded_frames"];
  EXPECT_EQ(movie(), "") << "not before it is whole";
  let_the_encoder_go();
  expect_end(0);
  EXPECT_EQ(frames_of_the_movie(), frames);
}

TEST_F(Closing, ClosedAgainTheMovieHasWhatWasEncoded) {
  record();
  press_control_q();
  ASSERT_TRUE(says("Finishing the movie"));
  const int frames = session().values()["recorded_frames"];
  press_control_q();
  ASSERT_TRUE(says("Ending the movie"));
  let_the_encoder_go();
  expect_end(0);
  EXPECT_EQ(movie_fault(movie()), "");
  EXPECT_GE(frames_of_the_movie(), 1);
  EXPECT_LT(frames_of_the_movie(), frames);
}

TEST_F(Closing, TheUserMayStayAndTheMovieIsFinished) {
  record();
  screen().close(session().window());
  ASSERT_TRUE(session().click("leaving.stay"));
  ASSERT_TRUE(session().wait_for("leaving", ""));
  let_the_encoder_go();
  ASSERT_TRUE(session().wait_until("it is saved", [](const json& now) { return now["last_saved"] != ""; }));
  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for_steps(2));
  close();
  EXPECT_EQ(movie_fault(movie()), "");
}

TEST_F(Closing, ParticlesThatAreSavedOverTimeAreAllListed) {
  open();
  ASSERT_TRUE(session().click("export_menu"));
  ASSERT_TRUE(session().click("menu.export.particles"));
  ASSERT_TRUE(session().wait_until("files", [](const json& now) { return now["particle_files"] >= 3; }));
  close();
  std::string list;
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    if (entry.path().extension() == ".pvd") list = read(fs::relative(entry.path(), folder_).string());
    if (entry.path().extension() == ".vtp") files.push_back(entry.path().filename().string());
  }
  EXPECT_GE(files.size(), 3u);
  for (const std::string& file : files) EXPECT_NE(list.find(file), std::string::npos) << file << " is not in\n" << list;
}

class ClosingBySignal : public Closing, public ::testing::WithParamInterface<int> {};

TEST_P(ClosingBySignal, FinishesTheMovie) {
  record();
  session().send(GetParam());
  ASSERT_TRUE(says("Finishing the movie"));
  const int frames = session().values()["recorded_frames"];
  let_the_encoder_go();
  expect_end(128 + GetParam());
  EXPECT_EQ(frames_of_the_movie(), frames);
}

TEST_P(ClosingBySignal, AfterTheWindowIsClosedStillLeavesAMovieThatPlays) {
  record();
  screen().close(session().window());
  ASSERT_TRUE(says("Finishing the movie"));
  session().send(GetParam());
  ASSERT_TRUE(says("Ending the movie"));
  let_the_encoder_go();
  expect_end(128 + GetParam());
  EXPECT_EQ(movie_fault(movie()), "");
}

TEST_P(ClosingBySignal, TwiceEndsEarlyWithAMovieThatPlays) {
  if (GetParam() == SIGHUP) GTEST_SKIP() << "a terminal that closes may send it several times";
  record();
  session().send(GetParam());
  ASSERT_TRUE(says("Finishing the movie"));
  session().send(GetParam());
  ASSERT_TRUE(says("Ending the movie"));
  let_the_encoder_go();
  expect_end(128 + GetParam());
  EXPECT_EQ(movie_fault(movie()), "");
}

INSTANTIATE_TEST_SUITE_P(Signals, ClosingBySignal, ::testing::Values(SIGINT, SIGTERM, SIGHUP),
                         [](const auto& info) { return "Signal" + std::to_string(info.param); });

}  // namespace
}  // namespace riffle::test
