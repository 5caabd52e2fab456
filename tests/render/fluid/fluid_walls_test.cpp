/// The fluid look where the fluid meets the box, the box's lines and another fluid.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <glm/vec4.hpp>
#include <random>
#include <vector>

#include "render/color_map.h"
#include "tests/render/fluid/fluid_picture.h"

namespace riffle::test {
namespace {

constexpr int kSize = 256;
constexpr float kSpacing = 0.05f;

/// Particles that fill a box: half a spacing from its faces, as at walls, and shifted by up to 0.2 spacings.
void fill(Cloud& cloud, Vec3 low, Vec3 high, float value, bool flat = false) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<float> shift(-0.2f * kSpacing, 0.2f * kSpacing);
  for (float z = flat ? 0 : low.z + 0.5f * kSpacing; z < (flat ? 0.5f * kSpacing : high.z); z += kSpacing)
    for (float y = low.y + 0.5f * kSpacing; y < high.y; y += kSpacing)
      for (float x = low.x + 0.5f * kSpacing; x < high.x; x += kSpacing)
        cloud.add({x + shift(generator), y + shift(generator), flat ? 0 : z + shift(generator)}, value);
}

Cloud none() {
  Cloud cloud;
  cloud.radius = 0.5f * kSpacing;
  return cloud;
}

render::BoxView walled(Vec3 min, Vec3 max, Axis axis = Axis::Walled) { return {min, max, false, {axis, axis, axis}}; }

render::ColorScale water() {
  render::ColorScale scale;
  scale.palette = {{"water", {0.16f, 0.45f, 0.85f}}, {"oil", {0.91f, 0.64f, 0.24f}}};
  return scale;
}

Camera oblique() {
  Camera camera;
  camera.position = {1.6f, 1.2f, 3};
  camera.target = {0, 0, 0};
  camera.fov_degrees = 32;
  return camera;
}

Camera flat_eye() {
  Camera camera;
  camera.position = {0, 0, 4};
  camera.target = {0, 0, 0};
  camera.orthographic = true;
  camera.ortho_height = 2;
  return camera;
}

/// [m] in the plane z = 0 of flat_eye(), of a pixel's middle.
std::array<float, 2> place(int x, int y) {
  constexpr float half = 0.5f * kSize;
  return {(static_cast<float>(x) + 0.5f - half) / half, (half - static_cast<float>(y) - 0.5f) / half};
}

class FluidInItsBox : public GlTest, public ::testing::WithParamInterface<Way> {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (!IsSkipped() && !HasFatalFailure()) skip_without(GetParam().kind);
  }

  FluidPicture picture_of(const Cloud& cloud, const Camera& camera, const render::BoxView& box, bool lines = false,
                          const render::Theme& theme = {}, float absorption_length = 0,
                          const char* name = nullptr) const {
    render::RenderOptions options = fluid_options(GetParam());
    options.box = lines;
    options.theme = theme;
    options.fluid.absorption_length = absorption_length;
    return draw_fluid(GetParam(), cloud, camera, box, water(), options, kSize, name);
  }
};
INSTANTIATE_TEST_SUITE_P(EachWay, FluidInItsBox, ::testing::ValuesIn(ways()),
                         [](const auto& info) { return name_of(info.param); });

TEST_P(FluidInItsBox, InTwoDimensionsFillsItUpToTheWallsAndNotBeyond) {
  for (const Axis axis : {Axis::Walled, Axis::Periodic}) {
    Cloud cloud = none();
    fill(cloud, {-0.6f, -0.6f, 0}, {0.6f, 0.1f, 0}, 0, true);
    render::BoxView box = walled({-0.6f, -0.6f, 0}, {0.6f, 0.6f, 0}, axis);
    box.two_dimensional = true;
    const FluidPicture picture = picture_of(cloud, flat_eye(), box, false, {}, 0, "flat_walls");
    int outside = 0, gaps = 0;
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) {
        const auto [u, v] = place(x, y);
        const float out = std::max({std::abs(u) - 0.6f, -0.6f - v, v - 0.6f});
        if (out > 0.008f) outside += picture.covered(x, y);
        // Half a spacing below the surface: what lies higher is rough.
        if (out < -0.008f && v < 0.1f - 0.5f * kSpacing && v > -0.6f + kSpacing) gaps += !picture.covered(x, y);
      }
    EXPECT_EQ(outside, 0) << "pixels beyond the faces";
    EXPECT_EQ(gaps, 0) << "pixels without fluid";
  }
}

// What belongs at a periodic face is drawn at the opposite one, of which a picture from nearby has nothing.
TEST_P(FluidInItsBox, InTwoDimensionsFromNearbyAPeriodicFaceHasTheColorOfTheFluidThere) {
  Cloud cloud = none();
  fill(cloud, {-0.6f, -0.6f, 0}, {-0.3f, 0.6f, 0}, 0, true);
  fill(cloud, {-0.3f, -0.6f, 0}, {0.6f, 0.6f, 0}, 1, true);
  render::BoxView box = walled({-0.6f, -0.6f, 0}, {0.6f, 0.6f, 0}, Axis::Periodic);
  box.two_dimensional = true;
  Camera nearby = flat_eye();
  nearby.position.x = nearby.target.x = -0.45f;
  nearby.ortho_height = 0.6f;  // from x = -0.75 to -0.15
  const FluidPicture picture = picture_of(cloud, nearby, box, false, {}, 0, "flat_nearby");
  for (const int y : {kSize / 3, kSize / 2, 2 * kSize / 3})
    for (int x = static_cast<int>(0.26f * kSize); x < static_cast<int>(0.4f * kSize); ++x) {
      const Rgb color = pixel(picture.image, x, y);
      ASSERT_GT(color.b, color.r) << "water, at pixel " << x << ", " << y;
    }
}

// Nor does the outline depend on where the picture ends: a wall at its edge, just inside or outside, changes nothing in it.
TEST_P(FluidInItsBox, InTwoDimensionsAWallAtThePicturesEdgeLeavesTheOutlineAsItIs) {
  Cloud cloud = none();
  fill(cloud, {-0.6f, -0.6f, 0}, {0.6f, 0.1f, 0}, 0, true);
  for (int k = 0; k < 4; ++k) cloud.add({-0.58f + 0.05f * float(k), 0.12f, 0}, 0);  // water higher at the wall
  render::BoxView box = walled({-0.6f, -0.6f, 0}, {0.6f, 0.6f, 0});
  box.two_dimensional = true;
  // By whole pixels, so that all pictures have the same places in their pixels.
  const auto surface = [&](int shift) {
    Camera camera = flat_eye();
    camera.ortho_height = 1;
    camera.position.x = camera.target.x = float(shift) / kSize;
    const FluidPicture picture = picture_of(cloud, camera, box, false, {}, 0, "flat_edge");
    std::vector<int>
        heights;  // of the topmost covered pixel, in columns from x = -0.1 - 0.5 on, from the wall to the right
    for (int column = 0; column < kSize; ++column) {
      int y = 0;
      while (y < kSize && !picture.covered(column, y)) ++y;
      heights.push_back(y);
    }
    return heights;
  };
  const int half = kSize / 2, wall = static_cast<int>(-0.6f * kSize);  // [pixel] from the middle of the domain
  const int inside = -half / 2;  // a camera that has the wall well inside its picture
  const std::vector<int> whole = surface(inside);
  for (const int beyond : {-6, 0, 6, 15, 22, 40}) {  // [pixels] of the wall, from the edge outwards
    SCOPED_TRACE(beyond);
    const int shift = wall + half + beyond;
    const std::vector<int> part = surface(shift);
    for (int column = std::max(0, -beyond) + 1; column < half; ++column)
      EXPECT_NEAR(part[std::size_t(column)], whole[std::size_t(column + shift - inside)], 1) << "column " << column;
  }
}

TEST_P(FluidInItsBox, InTwoDimensionsOpenFacesAndLostParticlesAreDrawn) {
  Cloud cloud = none();
  fill(cloud, {-0.6f, -0.6f, 0}, {0.6f, 0, 0}, 0, true);
  cloud.add({0.8f, 0.2f, 0}, 0);
  render::BoxView box = walled({-0.4f, -0.6f, 0}, {0.6f, 0.6f, 0});
  box.axis[0] = Axis::Open;
  box.two_dimensional = true;
  const auto covered = [&](const FluidPicture& picture, float u, float v) {
    return picture.covered(static_cast<int>((1 + u) * kSize / 2), static_cast<int>((1 - v) * kSize / 2));
  };
  const FluidPicture open = picture_of(cloud, flat_eye(), box);
  EXPECT_TRUE(covered(open, -0.5f, -0.3f) && covered(open, -0.4f, -0.3f)) << "beyond an open face and at it";
  EXPECT_TRUE(covered(open, 0.8f, 0.2f));
  box.axis[0] = Axis::Walled;
  EXPECT_TRUE(covered(picture_of(cloud, flat_eye(), box), 0.8f, 0.2f)) << "a particle that has left through a wall";
}

TEST_P(FluidInItsBox, EndsAtItsWalls) {
  Cloud cloud = none();
  fill(cloud, {-0.5f, -0.5f, -0.5f}, {0.5f, 0.1f, 0.5f}, 0);
  const render::BoxView box = walled({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f});
  // Straight on, the front wall is a plane.
  const FluidPicture front = picture_of(cloud, flat_eye(), box);
  int outside = 0;
  double nearest = 1, farthest = 0;  // [spacings] behind the front wall
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      const auto [u, v] = place(x, y);
      outside += front.covered(x, y) && (std::abs(u) > 0.508f || v < -0.508f);
      if (std::abs(u) > 0.4f || v < -0.4f || v > 0) continue;
      nearest = std::min(nearest, (front.at(x, y) - 3.5) / kSpacing);
      farthest = std::max(farthest, (front.at(x, y) - 3.5) / kSpacing);
    }
  EXPECT_EQ(outside, 0) << "pixels beyond the walls";
  EXPECT_GT(nearest, -0.01) << "[spacings] nothing reaches through the front wall";
  EXPECT_LT(farthest, 0.4) << "[spacings]";
  // A drop that has left the box is drawn.
  cloud.add({0.75f, 0, 0}, 0);
  EXPECT_TRUE(picture_of(cloud, flat_eye(), box).covered(224, 128));
}

TEST_P(FluidInItsBox, ReachesWallsFromWhichItsParticlesKeepAway) {
  // Particles of some solvers keep more than half a spacing off a wall. Seen along z the box is a rectangle.
  constexpr float away = 0.3f * kSpacing;
  Cloud cloud = none();
  fill(cloud, {-0.6f + away, -0.4f + away, -0.4f}, {0.6f - away, 0.2f, 0.4f}, 0);
  const FluidPicture picture =
      picture_of(cloud, flat_eye(), walled({-0.6f, -0.4f, -0.4f}, {0.6f, 0.4f, 0.4f}), false, {}, 0, "away");
  int outside = 0, inside = 0, gaps = 0;
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      const auto [u, v] = place(x, y);
      const float out = std::max(std::abs(u) - 0.6f, -0.4f - v);
      if (v > 0.2f - 1.5f * kSpacing) continue;  // what lies higher is the free surface
      if (out > 0.5f / kSize) outside += picture.covered(x, y);
      if (out < -0.5f / kSize) ++inside, gaps += !picture.covered(x, y);
    }
  EXPECT_GT(inside, 9000);
  EXPECT_EQ(outside, 0) << "pixels beyond the walls";
  EXPECT_EQ(gaps, 0) << "pixels without fluid";
}

TEST_P(FluidInItsBox, ABodyHasNoSliversBesideIt) {
  Cloud cloud = none();
  fill(cloud, {-0.3f, -0.3f, -0.1f}, {0.3f, 0.3f, 0.1f}, 0);
  Camera near = flat_eye();
  near.ortho_height = 0.8f;
  for (Vec4& p : cloud.position) p.z += 0.05f * std::sin(12 * p.x) * std::cos(9 * p.y);
  const FluidPicture picture =
      picture_of(cloud, near, walled({-0.9f, -0.9f, -0.9f}, {0.9f, 0.9f, 0.9f}), false, {}, 0, "slivers");
  std::vector<char> joined(kSize * kSize, 0);
  std::deque<std::array<int, 2>> next{{kSize / 2, kSize / 2}};
  while (!next.empty()) {
    const auto [x, y] = next.front();
    next.pop_front();
    if (x < 0 || y < 0 || x >= kSize || y >= kSize || !picture.covered(x, y)) continue;
    char& here = joined[static_cast<std::size_t>(y * kSize + x)];
    if (here) continue;
    here = 1;
    for (int b = -1; b <= 1; ++b)
      for (int a = -1; a <= 1; ++a) next.push_back({x + a, y + b});
  }
  int body = 0, slivers = 0;
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      const bool in_body = joined[static_cast<std::size_t>(y * kSize + x)];
      body += in_body, slivers += picture.covered(x, y) && !in_body;
    }
  EXPECT_GT(body, 30000);
  EXPECT_EQ(slivers, 0) << "pixels";
}

TEST_P(FluidInItsBox, AWallSeenAlongHasNoFlakes) {
  Cloud cloud = none();
  fill(cloud, {-0.6f, -0.4f, -0.6f}, {0.6f, 0.2f, 0.6f}, 0);
  Camera camera;
  camera.position = {0.85f, 0.5f, 2.6f};
  camera.target = {0.45f, -0.1f, 0};
  camera.fov_degrees = 24;
  const FluidPicture picture =
      picture_of(cloud, camera, walled({-0.6f, -0.4f, -0.6f}, {0.6f, 0.4f, 0.6f}), false, {}, 0, "along");
  const render::ViewTransform view = render::view_transform(camera, 1);
  const auto light_at = [&](float y, float z) {
    const glm::vec4 clip = view.projection * (view.view * glm::vec4(0.6f, y, z, 1));
    const auto pixel_of = [](float at) { return static_cast<int>(0.5f * kSize * (1 + at)); };
    return picture.light(pixel_of(clip.x / clip.w), pixel_of(-clip.y / clip.w));
  };
  // Along a row of places at one depth below the surface the light changes slowly.
  int places = 0, flakes = 0;
  for (float y = -0.33f; y < 0.06f; y += 0.01f)
    for (float z = -0.4f; z < 0.4f; z += 0.01f) {
      const double own = light_at(y, z), around = 0.5 * (light_at(y, z - 0.08f) + light_at(y, z + 0.08f));
      ++places;
      flakes += std::abs(own - around) > 10;
    }
  EXPECT_GT(places, 3000);
  EXPECT_LT(flakes, 0.01 * places) << "places of the wall";
}

TEST_P(FluidInItsBox, LinesAtItsWallsAreWhole) {
  Cloud cloud = none();
  fill(cloud, {-0.5f, -0.5f, -0.5f}, {0.5f, 0.2f, 0.5f}, 0);
  const render::BoxView box = walled({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f});
  const Camera camera = oblique();
  const render::Theme white = render::Theme::on({1, 1, 1});
  const FluidPicture with = picture_of(cloud, camera, box, true, white, 0, "lines"),
                     without = picture_of(cloud, camera, box, false, white),
                     empty = picture_of(none(), camera, box, true, white);
  const render::ViewTransform view = render::view_transform(camera, 1);
  const double ink = 255 * (0.2126 * white.ink.x + 0.7152 * white.ink.y + 0.0722 * white.ink.z);
  const auto strengths = [&](const FluidPicture& lines, const FluidPicture* bare, Vec3 from, Vec3 to) {
    std::vector<double> values;
    for (int k = 8; k <= 92; ++k) {
      const Vec3 p = from + (0.01f * static_cast<float>(k)) * (to - from);
      const glm::vec4 clip = view.projection * (view.view * glm::vec4(p.x, p.y, p.z, 1));
      const int x = static_cast<int>((0.5f + 0.5f * clip.x / clip.w) * kSize);
      const int y = static_cast<int>((0.5f - 0.5f * clip.y / clip.w) * kSize);
      double sum = 0;  // across the line, as shares of the way from the light behind it to the ink
      for (int b = -3; b <= 3; ++b) {
        const bool steep = std::abs(to.y - from.y) > 0.1f;
        const int px = steep ? x + b : x, py = steep ? y : y + b;
        const double ground = bare ? bare->light(px, py) : 255;
        sum += (ground - lines.light(px, py)) / (ground - ink);
      }
      values.push_back(sum);
    }
    std::sort(values.begin(), values.end());
    return values;
  };
  for (const auto& [from, to] : {std::pair{Vec3{-0.5f, -0.5f, 0.5f}, Vec3{0.5f, -0.5f, 0.5f}},
                                 {Vec3{0.5f, -0.5f, 0.5f}, Vec3{0.5f, 0.15f, 0.5f}},
                                 {Vec3{0.5f, -0.5f, 0.5f}, Vec3{0.5f, -0.5f, -0.5f}}}) {
    const std::vector<double> alone = strengths(empty, nullptr, from, to), wet = strengths(with, &without, from, to);
    EXPECT_GT(wet[4], 0.75 * alone.front()) << "no gaps, to " << to.x << " " << to.y << " " << to.z;
    EXPECT_LT(wet[wet.size() - 5], 1.15 * alone.back()) << "nor drawn twice";
  }
}

TEST_P(FluidInItsBox, DeepWaterKeepsTheHueOfItsFluid) {
  Cloud cloud = none();
  fill(cloud, {-0.6f, -0.6f, -0.6f}, {0.6f, 0.6f, 0.6f}, 0);
  // From above, where it mirrors the sky.
  Camera camera;
  camera.position = {0, 2.6f, 2.6f};
  camera.fov_degrees = 40;
  for (const render::Theme& theme : {render::Theme::light(), render::Theme::dark()})
    for (const float length : {0.3f, 0.1f}) {
      const FluidPicture picture =
          picture_of(cloud, camera, walled({-0.6f, -0.6f, -0.6f}, {0.6f, 0.8f, 0.6f}), false, theme, length, "deep");
      int lilac = 0, seen = 0;
      for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x) {
          const Rgb c = pixel(picture.image, x, y);
          if (!picture.covered(x, y) || c.b - std::min(c.r, c.g) < 40) continue;
          ++seen;
          // The fluid's green lies 0.42 of the way from its red to its blue.
          lilac += c.g - c.r < 0.32 * (c.b - c.r);
        }
      EXPECT_GT(seen, 5000);
      EXPECT_LT(lilac, 0.01 * seen) << "pixels of " << seen << ", absorption length " << length;
    }
}

TEST_P(FluidInItsBox, WhereTwoFluidsMeetNothingIsLilac) {
  Cloud cloud = none();
  fill(cloud, {-0.6f, -0.6f, -0.6f}, {0, 0.6f, 0.6f}, 0);
  fill(cloud, {0, -0.6f, -0.6f}, {0.6f, 0.6f, 0.6f}, 1);
  render::BoxView flat = walled({-0.6f, -0.6f, 0}, {0.6f, 0.6f, 0});
  flat.two_dimensional = true;
  Cloud area = none();
  fill(area, {-0.6f, -0.6f, 0}, {0, 0.6f, 0}, 0, true);
  fill(area, {0, -0.6f, 0}, {0.6f, 0.6f, 0}, 1, true);
  for (const bool two_dimensional : {false, true})
    for (const render::Theme& theme : {render::Theme::light(), render::Theme::dark()}) {
      const FluidPicture picture =
          two_dimensional ? picture_of(area, flat_eye(), flat, false, theme)
                          : picture_of(cloud, flat_eye(), walled({-0.6f, -0.6f, -0.6f}, {0.6f, 0.6f, 0.6f}), false,
                                       theme, 0, "two_fluids");
      int lilac = 0, between = 0;
      for (int y = kSize / 4; y < 3 * kSize / 4; ++y)
        for (int x = 0; x < kSize; ++x) {
          if (std::abs(place(x, y)[0]) > 2 * kSpacing) continue;
          const Rgb c = pixel(picture.image, x, y);
          ++between;
          lilac += std::min(c.r, c.b) > c.g + 2;
        }
      EXPECT_GT(between, 1000);
      EXPECT_EQ(lilac, 0) << "pixels with less green than red and blue, " << (two_dimensional ? "2-D" : "3-D");
    }
}

// A mean of colours from both ends of a map is none of its colours: pixels have the colour of the mean value.
TEST_P(FluidInItsBox, WhereTwoValuesMeetTheColorsAreThoseOfTheMap) {
  for (const std::string_view name : render::color_map_names()) {
    Cloud area = none();
    fill(area, {-0.6f, -0.6f, 0}, {0, 0.6f, 0}, -1, true);
    fill(area, {0, -0.6f, 0}, {0.6f, 0.6f, 0}, 1, true);
    render::BoxView box = walled({-0.6f, -0.6f, 0}, {0.6f, 0.6f, 0});
    box.two_dimensional = true;
    render::ColorScale scale;
    scale.colormap = name;
    scale.min = -1;
    scale.max = 1;
    const FluidPicture picture =
        draw_fluid(GetParam(), area, flat_eye(), box, scale, fluid_options(GetParam()), kSize, "two_values");
    const auto map = render::color_map(name);
    const auto off = [&](const Rgb& c) {
      int least = 255;
      for (const auto& m : map)
        least = std::min(least, std::max({std::abs(m[0] - c.r), std::abs(m[1] - c.g), std::abs(m[2] - c.b)}));
      return least;
    };
    int most = 0, ends = 0, between = 0;
    for (int y = kSize / 4; y < 3 * kSize / 4; ++y)
      for (int x = 0; x < kSize; ++x) {
        if (std::abs(place(x, y)[0]) > 0.5f) continue;
        const Rgb c = pixel(picture.image, x, y);
        most = std::max(most, off(c));
        const auto near = [&](const std::array<std::uint8_t, 3>& m) {
          return std::max({std::abs(m[0] - c.r), std::abs(m[1] - c.g), std::abs(m[2] - c.b)}) < 4;
        };
        ++(near(map.front()) || near(map.back()) ? ends : between);
      }
    EXPECT_LE(most, 3) << name << ": of 255, from the map's nearest colour";
    EXPECT_GT(ends, 1000);
    EXPECT_GT(between, 100) << "or nothing is shown";
  }
}

// Values that are no numbers have a grey of their own beside those that are.
TEST_P(FluidInItsBox, AFluidWithoutValuesIsGrey) {
  Cloud area = none();
  fill(area, {-0.6f, -0.6f, 0}, {0, 0.6f, 0}, NAN, true);
  fill(area, {0, -0.6f, 0}, {0.6f, 0.6f, 0}, 1, true);
  render::BoxView box = walled({-0.6f, -0.6f, 0}, {0.6f, 0.6f, 0});
  box.two_dimensional = true;
  const FluidPicture picture =
      draw_fluid(GetParam(), area, flat_eye(), box, render::ColorScale{}, fluid_options(GetParam()), kSize, nullptr);
  const Rgb grey = pixel(picture.image, kSize / 4, kSize / 2);
  for (const int channel : {grey.r, grey.g, grey.b}) EXPECT_NEAR(channel, 0.45 * 255, 2);
  const Rgb yellow = pixel(picture.image, 3 * kSize / 4, kSize / 2);
  const auto last = render::color_map("viridis").back();
  EXPECT_NEAR(yellow.r, last[0], 2);
  EXPECT_NEAR(yellow.b, last[2], 2);
}

}  // namespace
}  // namespace riffle::test
