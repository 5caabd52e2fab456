/// PNG files.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "render/media/png.h"
#include "support/scratch.h"

namespace riffle::test {
namespace {

std::vector<std::uint8_t> pattern(int width, int height) {
  std::vector<std::uint8_t> rgb;
  const auto size = static_cast<unsigned>(width * height * 3);
  for (unsigned i = 0; i < size; ++i) rgb.push_back(static_cast<std::uint8_t>((i * 7919u) >> 3));
  return rgb;
}

TEST(Png, ComesBackAsItWasWritten) {
  const Scratch folder;
  for (const auto& [w, h] : {std::pair{1, 1}, {17, 5}, {640, 360}}) {
    const std::string path = folder / "picture.png";
    const auto rgb = pattern(w, h);
    render::write_png(path, w, h, rgb);
    const render::Image image = render::read_png(path);
    EXPECT_EQ(image.width, w);
    EXPECT_EQ(image.height, h);
    EXPECT_EQ(image.rgb, rgb);
  }
  EXPECT_EQ(folder.files(), 1) << "no temporary is left";
}

TEST(Png, ComesBackWithItsAlpha) {
  const Scratch folder;
  render::Image image{17, 5, pattern(17, 5), {}};
  for (int i = 0; i < 17 * 5; ++i) image.alpha.push_back(static_cast<std::uint8_t>(3 * i));
  render::write_png(folder / "clear.png", image);
  const render::Image back = render::read_png(folder / "clear.png");
  EXPECT_EQ(back.rgb, image.rgb);
  EXPECT_EQ(back.alpha, image.alpha);
  image.alpha.clear();
  render::write_png(folder / "clear.png", image);
  EXPECT_TRUE(render::read_png(folder / "clear.png").alpha.empty());
}

TEST(Png, ThatCannotBeWrittenSaysWhereAndWhy) {
  const Scratch folder;
  const std::string path = folder / "missing" + std::string("/picture.png");
  try {
    render::write_png(path, 2, 2, pattern(2, 2));
    FAIL();
  } catch (const RuntimeFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find(path), std::string::npos);
    EXPECT_NE(std::string(failure.what()).find("No such file or directory"), std::string::npos);
  }
}

TEST(Png, OntoAFolderLeavesNothingBehind) {
  const Scratch folder;
  std::filesystem::create_directory(folder / "picture.png");
  EXPECT_THROW(render::write_png(folder / "picture.png", 2, 2, pattern(2, 2)), RuntimeFailure);
  EXPECT_EQ(folder.files(), 1);
}

TEST(Png, OnAFullDiskKeepsTheOldPicture) {
  const Scratch folder;
  const std::string path = folder / "picture.png";
  const auto old = pattern(4, 4);
  render::write_png(path, 4, 4, old);
  // The limit on a file's size stands in for a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit tight{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &tight);
  EXPECT_THROW(render::write_png(path, 300, 300, pattern(300, 300)), RuntimeFailure);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(render::read_png(path).rgb, old);
  EXPECT_EQ(folder.files(), 1);
}

TEST(Png, WithPixelsThatDoNotFitIsRefused) {
  const Scratch folder;
  EXPECT_THROW(render::write_png(folder / "picture.png", 3, 3, pattern(2, 2)), RuntimeFailure);
  EXPECT_THROW(render::write_png(folder / "picture.png", 0, 3, {}), RuntimeFailure);
}

TEST(Png, ThatIsNotOneIsRefused) {
  const Scratch folder;
  std::ofstream(folder / "text.png") << "no picture";
  EXPECT_THROW(render::read_png(folder / "text.png"), RuntimeFailure);
  EXPECT_THROW(render::read_png(folder / "nowhere.png"), RuntimeFailure);
}

}  // namespace
}  // namespace riffle::test
