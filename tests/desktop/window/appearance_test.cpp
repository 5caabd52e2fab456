// The look of the window, compared with golden pictures and known colours.

#include <cmath>
#include <cstdlib>

#include "desktop_session.h"
#include "picture_difference.h"

namespace riffle::test {
namespace {

using nlohmann::json;

/// Pictures are compared at a quarter of their size, where another driver's outlines of letters and spheres are evened
/// out. Between Mesa's versions that leaves well below 1 of 255; the smallest thing that must not go missing, the
/// legend, is measured by the test itself and must be worth more than this.
constexpr double kSameLook = 1.0;
constexpr int kShrink = 4;

class Appearances : public InterfaceTest, public ::testing::WithParamInterface<std::string> {
 protected:
  /// The picture; the panels show values that depend on the machine.
  render::Image look() {
    const json area = session().values()["viewport"];
    return shrink(
        crop(session().picture(), area[0].get<int>(), area[1].get<int>(), area[2].get<int>(), area[3].get<int>()),
        kShrink);
  }
};

bool near(std::array<int, 3> color, std::array<int, 3> wanted, int tolerance = 3) {
  for (std::size_t c = 0; c < 3; ++c)
    if (std::abs(color[c] - wanted[c]) > tolerance) return false;
  return true;
}

double brightness(std::array<int, 3> color) { return 0.3 * color[0] + 0.59 * color[1] + 0.11 * color[2]; }

TEST_P(Appearances, APausedSceneLooksAsItDid) {
  const bool light = GetParam() == "light";
  write("config/riffle/settings.json",
        R"({"x": 40, "y": 60, "width": 900, "height": 640, "appearance": ")" + GetParam() + "\"}");
  open();
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for("playing", false));
  ASSERT_TRUE(session().press("r"));
  ASSERT_TRUE(session().wait_for("drawn_step", 0));
  // Otherwise the mouse could rest on an item that then shows a tip.
  const WindowArea area = screen().area(session().window());
  screen().move_mouse({area.corner.x + area.width - 20, area.corner.y + 20});
  ASSERT_TRUE(session().wait_for_pictures(5));

  const render::Image all = session().picture();
  ASSERT_EQ(all.width, 900);
  ASSERT_EQ(all.height, 640);
  const json viewport = session().values()["viewport"];
  const int left = viewport[0].get<int>(), bottom = viewport[3].get<int>();

  // The side panel's background, and letters on it that can be read.
  EXPECT_TRUE(near(pixel(all, 4, 300), light ? std::array{0xf3, 0xf5, 0xf8} : std::array{0x1b, 0x20, 0x28}));
  double least = 255, most = 0;
  for (int x = 12; x < left - 20; ++x)
    for (int y = 8; y < 40; ++y) {
      least = std::min(least, brightness(pixel(all, x, y)));
      most = std::max(most, brightness(pixel(all, x, y)));
    }
  EXPECT_GT(most - least, 100) << "the scene's name has no contrast";

  // Particles at rest have the colour map's first colour, viridis' violet; nothing else in the picture has.
  int violet = 0, background = 0;
  const std::array<int, 3> corner = pixel(all, all.width - 4, 4);
  for (int y = 0; y < bottom; ++y)
    for (int x = left; x < all.width; ++x) {
      const auto [r, g, b] = pixel(all, x, y);
      if (b > 1.2 * r && r > 1.4 * g) ++violet;
      if (near({r, g, b}, pixel(all, all.width - 4, y))) ++background;  // it darkens downwards
    }
  const int pixels = (all.width - left) * bottom;
  EXPECT_GT(violet, pixels / 40) << "the particles are not to be seen";
  EXPECT_GT(background, pixels / 4);
  EXPECT_EQ(brightness(corner) > 128, light);

  // The play button's triangle, in the colour of text, in the middle of the lower bar.
  ASSERT_TRUE(session().has_widget("play"));
  const json play = session().widget("play");
  const auto middle = pixel(all, static_cast<int>(play["x"].get<float>() + 0.5f * play["width"].get<float>()),
                            static_cast<int>(play["y"].get<float>() + 0.5f * play["height"].get<float>()));
  EXPECT_TRUE(near(middle, light ? std::array{0x1c, 0x23, 0x2d} : std::array{0xe8, 0xed, 0xf2}, 8));

  const std::filesystem::path golden =
      std::filesystem::path(RIFFLE_SOURCE_DIR) / "tests/desktop/window/golden" / ("step0_" + GetParam() + ".png");
  const render::Image now = look();
  if (const char* folder = std::getenv("RIFFLE_WRITE_PICTURES")) {
    write_png(std::filesystem::path(folder) / golden.filename(), now);
    write_png(std::filesystem::path(folder) / ("window_" + GetParam() + ".png"), all);
  }
  const render::Image wanted = read_png(golden);
  EXPECT_LT(difference(now, wanted), kSameLook) << "RIFFLE_WRITE_PICTURES=FOLDER writes what is there now";
  // The legend is too small a part of the whole picture to be missed there.
  const auto right_quarter = [](const render::Image& image) {
    return crop(image, 3 * image.width / 4, 0, image.width / 4, image.height);
  };
  EXPECT_LT(difference(right_quarter(now), right_quarter(wanted)), kSameLook);

  ASSERT_TRUE(session().press("l"));
  ASSERT_TRUE(session().wait_for("legend", false));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_GT(difference(right_quarter(look()), right_quarter(wanted)), kSameLook)
      << "a missing legend would go unnoticed";
}

INSTANTIATE_TEST_SUITE_P(Window, Appearances, ::testing::Values("dark", "light"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace riffle::test
