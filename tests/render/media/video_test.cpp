/// Movies through ffmpeg.

#include "render/media/video.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "core/error.h"
#include "render/media/process.h"
#include "support/scratch.h"

namespace riffle::test {
namespace {

std::vector<std::uint8_t> frame(int width, int height, int i) {
  return std::vector<std::uint8_t>(static_cast<std::size_t>(width * height * 3), static_cast<std::uint8_t>(20 * i));
}

class Video : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why_not;
    if (!render::VideoWriter::available(&why_not)) GTEST_SKIP() << "NO MOVIE IS TESTED: " << why_not;
  }
};

std::string probe(const std::string& path, const std::string& entries) {
  const std::string ffprobe = render::find_program("ffprobe");
  if (ffprobe.empty()) return "";
  return render::output_of({ffprobe, "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
                            "stream=" + entries, "-of", "default=noprint_wrappers=1", path})
      .value_or("");
}

TEST_F(Video, HasItsFramesSizeAndRate) {
  const Scratch folder;
  const std::string path = folder / "movie.mp4";
  render::VideoWriter video(path, 64, 48, 25);
  for (int i = 0; i < 12; ++i) video.write(frame(64, 48, i));
  EXPECT_FALSE(std::filesystem::exists(path)) << "not before it is whole";
  video.finish();
  EXPECT_EQ(video.frames(), 12);
  const std::string text = probe(path, "width,height,pix_fmt,r_frame_rate,nb_read_frames");
  for (const char* expected : {"width=64", "height=48", "pix_fmt=yuv420p", "r_frame_rate=25/1", "nb_read_frames=12"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << " in\n" << text;
  EXPECT_EQ(folder.files(), 1);
}

TEST_F(Video, OfOddSizeIsPadded) {
  const Scratch folder;
  render::VideoWriter video(folder / "movie.mp4", 33, 21, 10);
  for (int i = 0; i < 3; ++i) video.write(frame(33, 21, i));
  video.finish();
  const std::string text = probe(folder / "movie.mp4", "width,height");
  EXPECT_NE(text.find("width=34"), std::string::npos) << text;
  EXPECT_NE(text.find("height=22"), std::string::npos) << text;
}

TEST_F(Video, AbandonedLeavesNothing) {
  const Scratch folder;
  {
    render::VideoWriter video(folder / "movie.mp4", 640, 480, 25);
    for (int i = 0; i < 20; ++i) video.write(frame(640, 480, i));
  }
  EXPECT_EQ(folder.files(), 0);
}

TEST_F(Video, WithoutFramesIsAnErrorAndLeavesNothing) {
  const Scratch folder;
  {
    render::VideoWriter video(folder / "movie.mp4", 64, 48, 25);
    EXPECT_THROW(video.finish(), RuntimeFailure);
  }
  EXPECT_EQ(folder.files(), 0);
}

TEST_F(Video, InAMissingFolderIsRefusedAtOnce) {
  const Scratch folder;
  try {
    render::VideoWriter video(folder / "missing/movie.mp4", 64, 48, 25);
    FAIL();
  } catch (const RuntimeFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("No such file or directory"), std::string::npos) << failure.what();
  }
}

TEST_F(Video, WithAnotherEndingIsAnInputError) {
  EXPECT_THROW(render::VideoWriter("movie.txt", 64, 48, 25), InputError);
  EXPECT_THROW(render::VideoWriter("movie.mp4", 0, 48, 25), InputError);
  EXPECT_THROW(render::VideoWriter("movie.mp4", 64, 48, 0), InputError);
}

/// A stand-in for ffmpeg on the PATH.
void install(const std::string& path, const std::string& script) {
  std::ofstream(path) << "#!/bin/sh\n" << script;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

TEST(VideoProcess, ThatDiesIsReportedWithItsLastLines) {
  // Without care the first write to the dead pipe would end this program by SIGPIPE.
  const Scratch tools, folder;
  install(tools / "ffmpeg",
          "case \"$*\" in *-encoders*) echo ' V libx264 x'; exit 0;; esac\necho 'the disk is on fire' >&2\nexit 3\n");
  const Environment path("PATH", tools / "");
  render::VideoWriter video(folder / "movie.mp4", 640, 480, 25);
  try {
    for (int i = 0; i < 1000; ++i) video.write(frame(640, 480, i));
    video.finish();
    FAIL();
  } catch (const RuntimeFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("the disk is on fire"), std::string::npos) << failure.what();
  }
}

int open_descriptors() {
  const std::filesystem::directory_iterator open("/proc/self/fd");
  return static_cast<int>(std::distance(begin(open), end(open)));
}

TEST(VideoProcess, ThatCannotBeStartedLeavesNoDescriptorOpen) {
  const Scratch tools, folder;
  const Environment path("PATH", tools / "");
  const int before = open_descriptors();
  for (int again = 0; again < 3; ++again) {
    // It says what it can do, and is gone when it shall encode.
    install(tools / "ffmpeg", "echo ' V..... libx264 x'\nexec /bin/rm \"$0\"\n");
    EXPECT_THROW(render::VideoWriter(folder / "movie.mp4", 64, 48, 25), RuntimeFailure);
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(folder.files(), 0);
}

TEST(VideoProcess, MissingIsAStateWithAReason) {
  const Scratch empty;
  const Environment path("PATH", empty / "");
  std::string why_not;
  EXPECT_FALSE(render::VideoWriter::available(&why_not));
  EXPECT_NE(why_not.find("PATH"), std::string::npos);
  EXPECT_THROW(render::VideoWriter(empty / "movie.mp4", 64, 48, 25), Unavailable);
  EXPECT_EQ(empty.files(), 0);
}

TEST(VideoProcess, WithoutX264FallsBack) {
  const Scratch tools, folder;
  install(tools / "ffmpeg",
          "case \"$*\" in *-encoders*) echo ' V..... mpeg4 MPEG-4'; exit 0;; esac\n/bin/cat >/dev/null\n");
  const Environment path("PATH", tools / "");
  render::VideoWriter video(folder / "movie.mp4", 64, 48, 25);
  EXPECT_EQ(video.encoder(), "mpeg4");
}

TEST(VideoProcess, IsOutOfReachOfTheTerminalsInterrupt) {
  const Scratch folder;
  const int out = 1;
  const pid_t child = render::start_process({"/bin/sleep", "30"}, -1, out, out);
  EXPECT_EQ(getpgid(child), child) << "a process group of its own";
  kill(child, SIGKILL);
  EXPECT_EQ(render::wait_process(child), 128 + SIGKILL);
}

}  // namespace
}  // namespace riffle::test
