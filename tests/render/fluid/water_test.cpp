/// Measures in pictures what spoils the fluid look: drops like marbles, speckles, dark fringes.

#include <algorithm>
#include <deque>
#include <random>

#include "tests/render/fluid/fluid_picture.h"

namespace riffle::test {
namespace {

Camera looking_from(Vec3 place, Vec3 target = {0, 0, 0}) {
  Camera camera;
  camera.position = place;
  camera.target = target;
  camera.fov_degrees = 30;
  return camera;
}

class Water : public GlTest, public ::testing::WithParamInterface<Way> {
 protected:
  static constexpr int kSize = 320;
  static constexpr float kSpacing = 0.05f;

  void SetUp() override {
    GlTest::SetUp();
    if (!IsSkipped() && !HasFatalFailure()) skip_without(GetParam().kind);
  }

  FluidPicture picture_of(const Cloud& cloud, const Camera& camera, const char* name = nullptr) {
    return draw_fluid(GetParam(), cloud, camera, {{-1, -1, -1}, {1, 1, 1}, false}, water_alone(),
                      fluid_options(GetParam()), kSize, name);
  }

  static Cloud empty() {
    Cloud cloud;
    cloud.radius = 0.5f * kSpacing;
    return cloud;
  }

  /// A jittered lattice: as in a fluid at rest, particles do not line up with rays.
  static void fill(Cloud& cloud, Vec3 low, Vec3 high) {
    std::mt19937 generator(3);
    std::uniform_real_distribution<float> shift(-0.2f * kSpacing, 0.2f * kSpacing);
    for (float z = low.z + 0.5f * kSpacing; z < high.z; z += kSpacing)
      for (float y = low.y + 0.5f * kSpacing; y < high.y; y += kSpacing)
        for (float x = low.x + 0.5f * kSpacing; x < high.x; x += kSpacing)
          cloud.add({x + shift(generator), y + shift(generator), z + shift(generator)}, 0);
  }

  static Cloud water(float depth) {
    Cloud cloud = empty();
    fill(cloud, {-0.8f, -depth, -0.8f}, {0.8f, 0, 0.8f});
    return cloud;
  }

  static double largest_difference(const FluidPicture& a, const FluidPicture& b) {
    double most = 0;
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) most = std::max(most, std::abs(a.light(x, y) - b.light(x, y)));
    return most;
  }
};
INSTANTIATE_TEST_SUITE_P(EachWay, Water, ::testing::ValuesIn(ways()),
                         [](const auto& info) { return name_of(info.param); });

TEST_P(Water, ADropOnItMergesWithIt) {
  for (const float depth : {0.1f, 0.4f})
    for (const float above : {0.25f, 0.6f}) {
      Cloud cloud = water(depth);
      const Camera camera = looking_from({0, 0.8f, 3});
      const FluidPicture calm = picture_of(cloud, camera, "calm");
      cloud.add({0.11f * kSpacing, above * kSpacing, 0.07f * kSpacing}, 0);
      EXPECT_LT(largest_difference(calm, picture_of(cloud, camera, "drop")), 12)
          << "levels, " << above << " spacings above water of " << depth << " m";
    }
}

TEST_P(Water, ADropInFrontOfItIsNoMarble) {
  for (const float above : {2.0f, 10.0f}) {
    Cloud cloud = water(0.4f);
    const Camera camera = looking_from({0, 2, 2.5f});
    const FluidPicture calm = picture_of(cloud, camera, "calm");
    cloud.add({0, above * kSpacing, 0.3f}, 0);
    EXPECT_LT(largest_difference(calm, picture_of(cloud, camera, "flying")), 8)
        << "levels, " << above << " spacings up";
  }
}

TEST_P(Water, SplashesInFrontOfItHaveNoHoles) {
  // Drops at random places before water that is seen at a grazing angle, some close together.
  Cloud cloud = water(0.4f);
  const Camera camera = looking_from({0, 1.2f, 3});
  const FluidPicture calm = picture_of(cloud, camera, "calm");
  std::mt19937 generator(11);
  std::uniform_real_distribution<float> unit(-1, 1);
  for (int i = 0; i < 60; ++i)
    cloud.add({0.5f * unit(generator), 0.25f + 0.2f * unit(generator), 0.3f + 0.3f * unit(generator)}, 0);
  const FluidPicture splash = picture_of(cloud, camera, "splash");
  int speckles = 0, changed = 0, places = 0;
  for (int y = 2; y < kSize - 2; ++y)
    for (int x = 2; x < kSize - 2; ++x) {
      if (!calm.covered(x, y)) continue;
      ++places;
      std::vector<double> around;
      for (int b = -2; b <= 2; ++b)
        for (int a = -2; a <= 2; ++a) around.push_back(splash.light(x + a, y + b) - calm.light(x + a, y + b));
      std::nth_element(around.begin(), around.begin() + 12, around.end());
      speckles += std::abs(splash.light(x, y) - calm.light(x, y) - around[12]) > 8;
      changed += std::abs(splash.light(x, y) - calm.light(x, y)) > 2;
    }
  EXPECT_GT(changed, 500) << "the drops are seen";
  EXPECT_LT(speckles, 0.002 * places) << "pixels that stand out";
}

TEST_P(Water, JetsHaveNoSpeckles) {
  for (const float share : {1.0f, 0.5f, 0.25f, 0.1f}) {
    // A jet that has torn: particles at random places in a cylinder.
    std::mt19937 generator(5);
    std::uniform_real_distribution<float> unit(-1, 1);
    Cloud cloud = empty();
    const float radius = 3 * kSpacing, height = 1.6f;
    const int count = static_cast<int>(share * 3.14159f * radius * radius * height / (kSpacing * kSpacing * kSpacing));
    while (static_cast<int>(cloud.position.size()) < count) {
      const float x = unit(generator), y = unit(generator), z = unit(generator);
      if (x * x + z * z < 1) cloud.add({radius * x, 0.5f * height * y, radius * z}, 0);
    }
    const FluidPicture picture = picture_of(cloud, looking_from({0, 0.6f, 3.5f}), "jet");
    int speckles = 0, covered = 0;
    for (int y = 2; y < kSize - 2; ++y)
      for (int x = 2; x < kSize - 2; ++x) {
        if (!picture.covered(x, y)) continue;
        ++covered;
        std::vector<double> around;
        for (int b = -2; b <= 2; ++b)
          for (int a = -2; a <= 2; ++a) around.push_back(picture.light(x + a, y + b));
        std::nth_element(around.begin(), around.begin() + 12, around.end());
        speckles += std::abs(picture.light(x, y) - around[12]) > 16;
      }
    EXPECT_GT(covered, 3000);
    EXPECT_LT(speckles, 0.005 * covered) << "pixels that stand out, " << share << " of the density";
  }
}

TEST_P(Water, EdgesHaveNoDarkFringes) {
  Cloud cloud = empty();
  fill(cloud, {-0.7f, -0.4f, -0.4f}, {0.7f, 0.2f, 0.4f});
  for (const Vec3 place : {Vec3{1.5f, 1.2f, 3}, Vec3{-2, 0.6f, 2.5f}, Vec3{0.5f, 2.5f, 2}}) {
    const FluidPicture picture = picture_of(cloud, looking_from(place), "edges");
    int fringe = 0, outline = 0;
    for (int y = 12; y < kSize - 12; ++y)
      for (int x = 12; x < kSize - 12; ++x) {
        if (!picture.covered(x, y)) continue;
        // Within 3 pixels of the outline along an axis: compares with the background beyond and the fluid within.
        for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
          if (picture.covered(x + 4 * dx, y + 4 * dy) || !picture.covered(x - 8 * dx, y - 8 * dy)) continue;
          ++outline;
          const double beyond = picture.light(x + 5 * dx, y + 5 * dy), within = picture.light(x - 8 * dx, y - 8 * dy);
          fringe += picture.light(x, y) < std::min(beyond, within) - 8;
        }
      }
    EXPECT_GT(outline, 2000);
    EXPECT_LT(fringe, 0.02 * outline) << "dark pixels, from " << place.x << ", " << place.y;
  }
}

}  // namespace
}  // namespace riffle::test
