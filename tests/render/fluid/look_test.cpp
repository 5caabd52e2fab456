/// Measures in pictures what one sees at a glance: glows on the floor, hard edges of mirrored lamps, scalloped outlines.

#include <algorithm>
#include <array>
#include <random>

#include "tests/render/fluid/fluid_picture.h"

namespace riffle::test {
namespace {

class FluidLook : public GlTest, public ::testing::WithParamInterface<Way> {
 protected:
  static constexpr int kSize = 320;
  static constexpr float kSpacing = 0.05f;

  void SetUp() override {
    GlTest::SetUp();
    if (!IsSkipped() && !HasFatalFailure()) skip_without(GetParam().kind);
  }

  FluidPicture picture_of(const Cloud& cloud, const Camera& camera, const render::BoxView& box, bool ground,
                          const char* name) const {
    render::RenderOptions options = fluid_options(GetParam());
    options.ground = ground;
    return draw_fluid(GetParam(), cloud, camera, box, water_alone(), options, kSize, name);
  }

  /// A lattice whose particles are up to `shift` spacings off their places.
  static Cloud block(Vec3 low, Vec3 high, float shift, bool flat = false) {
    Cloud cloud;
    cloud.radius = 0.5f * kSpacing;
    std::mt19937 generator(3);
    std::uniform_real_distribution<float> off(-shift * kSpacing, shift * kSpacing);
    for (float z = flat ? 0 : low.z + 0.5f * kSpacing; z < (flat ? 0.5f * kSpacing : high.z); z += kSpacing)
      for (float y = low.y + 0.5f * kSpacing; y < high.y; y += kSpacing)
        for (float x = low.x + 0.5f * kSpacing; x < high.x; x += kSpacing)
          cloud.add({x + off(generator), y + off(generator), flat ? 0 : z + off(generator)}, 0);
    return cloud;
  }

  static Camera looking_from(Vec3 place, Vec3 target) {
    Camera camera;
    camera.position = place;
    camera.target = target;
    camera.fov_degrees = 30;
    return camera;
  }

  /// [pixel] between the highest and the lowest place of the upper outline, over columns of the picture. A column's place
  /// is the sum of what is blue in the rows around the outline.
  static double roughness(const FluidPicture& picture, int first_column, int last_column, int first_row, int last_row) {
    double least = 1e9, most = -1e9;
    for (int x = first_column; x < last_column; ++x) {
      const double above = picture.blueness(x, first_row), below = picture.blueness(x, last_row);
      EXPECT_GT(below, above + 60) << "the outline is between the rows, column " << x;
      double filled = 0;
      for (int y = first_row; y <= last_row; ++y) filled += (picture.blueness(x, y) - above) / (below - above);
      least = std::min(least, filled);
      most = std::max(most, filled);
    }
    return most - least;
  }
};
INSTANTIATE_TEST_SUITE_P(EachWay, FluidLook, ::testing::ValuesIn(ways()),
                         [](const auto& info) { return name_of(info.param); });

TEST_P(FluidLook, TheFloorBesideABlockIsDarkerAndNotBluer) {
  const render::BoxView box{{-0.8f, 0, -0.8f}, {0.8f, 0.8f, 0.8f}, false};
  const Camera camera = looking_from({1, 2, 3.5f}, {0, 0.2f, 0});
  Cloud nothing;
  nothing.radius = 0.5f * kSpacing;
  const FluidPicture wet =
      picture_of(block({-0.4f, 0, -0.4f}, {0.4f, 0.6f, 0.4f}, 0.1f), camera, box, true, "on_floor");
  const FluidPicture dry = picture_of(nothing, camera, box, true, "floor");
  int darker = 0, bluer = 0;
  for (int y = 6; y < kSize - 6; ++y)
    for (int x = 6; x < kSize - 6; ++x) {
      bool beside = true;
      for (int b = -6; b <= 6 && beside; b += 3)
        for (int a = -6; a <= 6; a += 3) beside = beside && !wet.covered(x + a, y + b);
      if (!beside) continue;
      darker += wet.light(x, y) < dry.light(x, y) - 6;
      bluer += wet.blueness(x, y) > dry.blueness(x, y) + 1;
    }
  EXPECT_GT(darker, 300) << "pixels of the shadow";
  EXPECT_EQ(bluer, 0);
}

TEST_P(FluidLook, LampsOnCalmWaterHaveSoftImagesWithoutSquiggles) {
  // The particles of a fluid at rest make ripples that are hardly seen but where a lamp's image ends.
  const Cloud pool = block({-0.9f, -0.3f, -0.9f}, {0.9f, 0, 0.9f}, 0.2f);
  const render::BoxView box{{-0.9f, -0.3f, -0.9f}, {0.9f, 0.3f, 0.9f}, false};
  const struct {
    const char* name;
    Vec3 place;
  } lamps[] = {{"lamp_above", {0.85f, 1.5f, -1.3f}}, {"lamp_behind", {0, 1, 2.6f}}};
  for (const auto& [name, place] : lamps) {
    const FluidPicture picture = picture_of(pool, looking_from(place, {0, 0, 0}), box, false, name);
    double steepest = 0;
    for (int y = 140; y < 230; ++y)  // within the water
      for (int x = kSize / 4; x < 3 * kSize / 4; ++x)
        steepest = std::max({steepest, std::abs(picture.light(x + 4, y) - picture.light(x - 4, y)),
                             std::abs(picture.light(x, y + 4) - picture.light(x, y - 4))});
    EXPECT_LT(steepest, 8) << "levels over 8 pixels, " << name;
  }
}

TEST_P(FluidLook, TheOutlineOfABlockShowsNoSpheres) {
  const render::BoxView box{{-2, -2, -2}, {2, 2, 2}, false};
  const Cloud cloud = block({-0.6f, -0.4f, -0.3f}, {0.6f, 0.4f, 0.3f}, 0);
  Camera camera = looking_from({0, 0, 4}, {0, 0, 0});
  camera.orthographic = true;
  camera.ortho_height = 1.6f;
  const FluidPicture picture = picture_of(cloud, camera, box, false, "block");
  EXPECT_LT(roughness(picture, 80, 240, 60, 110), 0.5) << "pixels, of which a spacing has 10";
}

TEST_P(FluidLook, TheOutlineOfAnAreaShowsNoDiscs) {
  const render::BoxView box{{-0.8f, -0.8f, 0}, {0.8f, 0.8f, 0}, true};
  Camera camera = looking_from({0, 0, 4}, {0, 0, 0});
  camera.orthographic = true;
  camera.ortho_height = 1.6f;
  const FluidPicture picture =
      picture_of(block({-0.6f, -0.4f, 0}, {0.6f, 0.4f, 0}, 0, true), camera, box, false, "area");
  EXPECT_LT(roughness(picture, 80, 240, 60, 110), 0.85) << "pixels, of which a spacing has 10";
}

TEST_P(FluidLook, ADropHasARimAndAHighlightBeforeLightAndDark) {
  const render::BoxView box{{-0.4f, -0.4f, -0.4f}, {0.4f, 0.4f, 0.4f}, false};
  Camera camera = looking_from({0, 0, 4}, {0, 0, 0});
  camera.orthographic = true;
  camera.ortho_height = 0.8f;  // the drop's radius is 9 pixels
  Cloud drop;
  drop.radius = 0.5f * kSpacing;
  drop.add({0, 0, 0}, 0);
  for (const bool dark : {false, true}) {
    render::RenderOptions options = fluid_options(GetParam());
    options.theme = render::Theme::on(dark ? Vec3{0.1f, 0.1f, 0.12f} : Vec3{0.9f, 0.9f, 0.92f});
    const FluidPicture picture =
        draw_fluid(GetParam(), drop, camera, box, water_alone(), options, kSize, dark ? "drop_dark" : "drop_light");
    const double ground = picture.light(10, 10);
    double brightest = 0, rim = 0;
    int count = 0;
    std::vector<double> middle;
    for (int y = kSize / 2 - 12; y < kSize / 2 + 12; ++y)
      for (int x = kSize / 2 - 12; x < kSize / 2 + 12; ++x) {
        const double away = std::hypot(x + 0.5 - kSize / 2, y + 0.5 - kSize / 2);
        if (away < 7) brightest = std::max(brightest, picture.light(x, y)), middle.push_back(picture.light(x, y));
        if (away > 7 && away < 8) rim += picture.light(x, y), ++count;
      }
    std::nth_element(middle.begin(), middle.begin() + static_cast<int>(middle.size() / 2), middle.end());
    const double body = middle[middle.size() / 2];
    EXPECT_GT(brightest, body + 12) << "levels, the highlight, dark: " << dark;
    if (dark)
      EXPECT_GT(rim / count, ground + 20) << "levels";
    else
      EXPECT_LT(rim / count, ground - 20) << "levels";
  }
}

}  // namespace
}  // namespace riffle::test
