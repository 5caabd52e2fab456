/// The extras of a picture: cut, highlights, grid, floor.

#include <cmath>
#include <random>

#include "render/overlay/grid_lines.h"
#include "tests/render/picture.h"

namespace riffle::test {
namespace {

constexpr int kWidth = 240, kHeight = 160;

Camera front() {
  Camera camera;
  camera.position = {0.5f, 0.5f, 4};
  camera.target = {0.5f, 0.5f, 0};
  camera.orthographic = true;
  camera.ortho_height = 1.4f;
  return camera;
}

class ExtrasOf : public GlTest, public ::testing::WithParamInterface<render::Look> {
 protected:
  static render::RenderOptions options(render::Look look) {
    render::RenderOptions options = bare();
    options.look = look;
    options.ground = false;
    return options;
  }
  render::RenderOptions options() const { return options(GetParam()); }

  static Cloud random_cloud(int n) {
    std::mt19937 generator(11);
    std::uniform_real_distribution<float> unit(0, 1);
    Cloud cloud;
    cloud.radius = 0.02f;
    for (int i = 0; i < n; ++i) cloud.add({unit(generator), unit(generator), unit(generator)}, unit(generator));
    return cloud;
  }
};

std::string name_of(const ::testing::TestParamInfo<render::Look>& info) {
  return info.param == render::Look::Spheres ? "spheres" : "fluid";
}
INSTANTIATE_TEST_SUITE_P(Looks, ExtrasOf, ::testing::Values(render::Look::Spheres, render::Look::Fluid), name_of);

/// Element by element; where one is infinite, the other is too.
template <class Values, class Bound>
void expect_near(const Values& a, const Values& b, Bound bound) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) {
      ASSERT_LE(std::abs(a[i] - b[i]), bound) << "element " << i;
    }
}

TEST_P(ExtrasOf, CutRemovesExactlyTheSideBeyondThePlane) {
  const Cloud all = random_cloud(600);
  const render::CutPlane cut{{1, 2, -0.5f}, 1.1f};
  Cloud kept;
  kept.radius = all.radius;
  for (const Vec4& p : all.position)
    if (dot(cut.normal, xyz(p)) <= cut.offset) kept.add(xyz(p), 0.5f);
  ASSERT_GT(kept.position.size(), 100u);
  ASSERT_LT(kept.position.size(), 500u);
  Cloud same_values = all;
  for (float& value : same_values.scalar) value = 0.5f;
  render::Renderer renderer(kWidth, kHeight, Device{}, options());
  render::Extras extras;
  extras.cut = cut;
  renderer.draw(same_values.view(), front(), {}, unit_box(), {}, extras);
  const auto cut_depth = renderer.read_depth();
  const auto cut_pixels = renderer.read_image().rgb;
  renderer.draw(kept.view(), front(), {}, unit_box());
  if (GetParam() == render::Look::Spheres) {
    EXPECT_EQ(renderer.read_depth(), cut_depth);
    EXPECT_EQ(renderer.read_image().rgb, cut_pixels);
  } else {
    // The filter follows a fluid's thickness, which is summed in slices of the particles; with more particles the
    // slices differ.
    expect_near(renderer.read_depth(), cut_depth, 1e-3f * 2 * all.radius);
    expect_near(renderer.read_image().rgb, cut_pixels, 1);
  }
  renderer.draw(same_values.view(), front(), {}, unit_box());
  EXPECT_NE(renderer.read_image().rgb, cut_pixels) << "the next picture is whole again";
}

TEST_P(ExtrasOf, HighlightIsSeenInFrontAndThroughWhenAsked) {
  Cloud wall;
  wall.radius = 0.075f;  // no gap between them
  for (int i = 0; i <= 10; ++i)
    for (int j = 0; j <= 10; ++j) wall.add({0.1f * static_cast<float>(i), 0.1f * static_cast<float>(j), 0.5f}, 0);
  render::RenderOptions paint = options();
  paint.fluid.opacity = 1.0f;
  render::Renderer renderer(kWidth, kHeight, Device{}, paint);
  const auto orange_pixels = [&](float z, bool through) {
    const render::Highlight picked{{0.5f, 0.5f, z}, 1.2f, {1.0f, 0.45f, 0.0f}};
    render::Extras extras;
    extras.highlights = {&picked, 1};
    extras.highlights_through = through;
    renderer.draw(wall.view(), front(), {}, unit_box(), {}, extras);
    const render::Image image = renderer.read_image();
    int count = 0;
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const Rgb c = pixel(image, x, y);
        count += c.r > 120 && c.r > c.b + 70 && c.r > c.g + 30;
      }
    return count;
  };
  const double radius = 1.2 * 0.075 * kHeight / 1.4, area = 3.14159 * radius * radius;
  EXPECT_NEAR(orange_pixels(0.8f, false), area, 0.2 * area);
  EXPECT_EQ(orange_pixels(0.2f, false), 0);
  EXPECT_NEAR(orange_pixels(0.2f, true), area, 0.2 * area);
}

TEST_P(ExtrasOf, NearerHighlightHidesAFartherOneAlsoThroughOthers) {
  const render::Highlight two[] = {{{0.5f, 0.5f, 0.8f}, 1, {1, 0, 0}}, {{0.5f, 0.5f, 0.2f}, 1, {0, 0, 1}}};
  Cloud cloud;
  cloud.radius = 0.2f;
  cloud.add({0.5f, 0.5f, 1.5f}, 0);
  render::Extras extras;
  extras.highlights = two;
  extras.highlights_through = true;
  render::Renderer renderer(kWidth, kHeight, Device{}, options());
  renderer.draw(cloud.view(), front(), {}, unit_box(), {}, extras);
  const Rgb c = pixel(renderer.read_image(), kWidth / 2, kHeight / 2);
  EXPECT_GT(c.r, c.b + 80);
}

// From the nearest corner to the farthest, however far away the camera is.
TEST_P(ExtrasOf, EdgesOfTheBoxFadeOverItsDepth) {
  render::RenderOptions options = this->options();
  render::Renderer without(kWidth, kHeight, Device{}, options);
  options.box = true;
  render::Renderer renderer(kWidth, kHeight, Device{}, options);
  const auto draw = [&](float distance) {
    Camera camera = front();
    camera.target = {0.5f, 0.5f, 0.5f};
    camera.position = camera.target + distance * Vec3{0.25f, 0.15f, 1};
    without.draw(Cloud{}.view(), camera, {}, unit_box());
    renderer.draw(Cloud{}.view(), camera, {}, unit_box());
    return renderer.read_image();
  };
  const render::Image near = draw(3), far = draw(40), empty = without.read_image();
  int differ = 0, most = 0, least = 255;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const int here = pixel(empty, x, y).g - pixel(near, x, y).g;
      differ += std::abs(pixel(near, x, y).g - pixel(far, x, y).g) > 6;
      most = std::max(most, here);
    }
  EXPECT_LE(differ, 4) << "of parallel rays, so that the distance changes nothing else";
  EXPECT_GT(most, 50) << "the edges are not to be seen";
  // Rows in the middle cross the four upright edges, the nearest and the farthest among them.
  for (int x = 0; x < kWidth; ++x) {
    int here = 0;
    for (int y = kHeight / 2 - 5; y < kHeight / 2 + 5; ++y)
      here = std::max(here, pixel(empty, x, y).g - pixel(far, x, y).g);
    if (here > 10) least = std::min(least, here);
  }
  EXPECT_LT(least, 0.6 * most) << "a far edge is as dark as a near one";
}

TEST_P(ExtrasOf, BoxesAreDrawnWhereTheyAre) {
  render::Renderer renderer(kWidth, kHeight, Device{}, options());
  renderer.draw(Cloud{}.view(), front(), {}, unit_box());
  const render::Image empty = renderer.read_image();
  const render::BoxView boxes[] = {{{0.2f, 0.3f, 0}, {0.4f, 0.6f, 0.5f}, false},
                                   {{0.7f, 0.1f, 0}, {0.9f, 0.2f, 0}, false}};
  render::Extras extras;
  extras.boxes = boxes;
  renderer.draw(Cloud{}.view(), front(), {}, unit_box(), {}, extras);
  const render::Image image = renderer.read_image();
  int edges = 0;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const float scale = 1.4f / kHeight;  // [m] of a pixel
      const float at_x = 0.5f + (static_cast<float>(x) + 0.5f - kWidth / 2) * scale;
      const float at_y = 0.5f - (static_cast<float>(y) + 0.5f - kHeight / 2) * scale;
      bool near = false;
      for (const render::BoxView& box : boxes) {
        const float out = std::max({box.min.x - at_x, at_x - box.max.x, box.min.y - at_y, at_y - box.max.y});
        near |= std::abs(out) < 2 * scale;
      }
      const bool changed = pixel(image, x, y) != pixel(empty, x, y);
      EXPECT_TRUE(near || !changed) << x << ", " << y;
      edges += changed;
    }
  EXPECT_GT(edges, 150);
}

TEST_P(ExtrasOf, FloorShowsAShadowUnderTheParticlesAndNoDepth) {
  render::RenderOptions with = options();
  with.ground = true;
  const Camera camera = render::frame_domain(unit_box(), {0, 1, 0}, float(kWidth) / kHeight, false);
  Cloud ball;
  ball.radius = 0.02f;
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 9; ++k)
        ball.add({0.3f + 0.04f * static_cast<float>(i), 0.02f + 0.04f * static_cast<float>(j),
                  0.3f + 0.04f * static_cast<float>(k)},
                 0);
  render::Renderer renderer(kWidth, kHeight, Device{}, with);
  renderer.draw(Cloud{}.view(), camera, {}, unit_box());
  const render::Image empty = renderer.read_image();
  for (const float depth : renderer.read_depth()) ASSERT_TRUE(std::isinf(depth));
  renderer.draw(ball.view(), camera, {}, unit_box());
  const render::Image shaded = renderer.read_image();
  const auto depth = renderer.read_depth();
  int darker = 0, brighter = 0;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      if (std::isfinite(depth[static_cast<std::size_t>(y * kWidth + x)])) continue;
      const int change = pixel(shaded, x, y).g - pixel(empty, x, y).g;
      darker += change < -10;
      brighter += change > 3;
    }
  EXPECT_GT(darker, 60);
  EXPECT_EQ(brighter, 0);
}

render::ViewTransform from(Vec3 eye) {
  Camera camera;
  camera.position = eye;
  camera.target = {0.5f, 0.5f, 0.5f};
  return render::view_transform(camera, 1);
}

render::GridOverlay unit_grid(int n) {
  const float cell = 1 / static_cast<float>(n);
  return {{0, 0, 0}, {cell, cell, cell}, {n, n, n}, {}};
}

TEST(GridLines, AreOnTheFacesBehindTheDomain) {
  const auto lines = render::grid_segments(unit_grid(4), from({3, 4, 5}), false);
  EXPECT_EQ(lines.size(), 3u * 2 * 5);
  for (const render::Segment& s : lines)
    EXPECT_TRUE((s.a.x == 0 && s.b.x == 0) || (s.a.y == 0 && s.b.y == 0) || (s.a.z == 0 && s.b.z == 0));
  for (const render::Segment& s : render::grid_segments(unit_grid(4), from({-3, -4, -5}), false))
    EXPECT_TRUE((s.a.x == 1 && s.b.x == 1) || (s.a.y == 1 && s.b.y == 1) || (s.a.z == 1 && s.b.z == 1));
}

TEST(GridLines, OfASliceLieInItsPlane) {
  render::GridOverlay grid = unit_grid(3);
  grid.slice = render::GridOverlay::Slice{1, 0.25f};
  const auto lines = render::grid_segments(grid, from({3, 4, 5}), false);
  EXPECT_EQ(lines.size(), 8u);
  for (const render::Segment& s : lines) EXPECT_TRUE(s.a.y == 0.25f && s.b.y == 0.25f);
  grid.slice = render::GridOverlay::Slice{7, 0};
  EXPECT_TRUE(render::grid_segments(grid, from({3, 4, 5}), false).empty());
}

TEST(GridLines, AreTheWholeGridInTwoDimensions) {
  render::GridOverlay grid{{-1, 2, 0}, {0.5f, 0.25f, 0}, {4, 8, 0}, {}};
  const auto lines = render::grid_segments(grid, from({0, 0, 5}), true);
  ASSERT_EQ(lines.size(), 5u + 9u);
  float low = 9, high = -9;
  for (const render::Segment& s : lines) {
    EXPECT_EQ(s.a.z, 0);
    low = std::min({low, s.a.y, s.b.y});
    high = std::max({high, s.a.y, s.b.y});
  }
  EXPECT_EQ(low, 2);
  EXPECT_EQ(high, 4);
}

TEST(GridLines, OfManyCellsAreThinnedOutButKeepTheirFrame) {
  for (const int n : {1000, 99999, 2000000000}) {
    const auto lines = render::grid_segments(unit_grid(n), from({3, 4, 5}), false);
    EXPECT_LE(static_cast<int>(lines.size()), render::kMostGridLines);
    EXPECT_GT(static_cast<int>(lines.size()), render::kMostGridLines / 4);
    float highest = 0;
    for (const render::Segment& s : lines) highest = std::max({highest, s.a.x, s.a.y, s.a.z});
    EXPECT_NEAR(highest, 1, 1e-4);
  }
}

TEST(GridLines, OfNoGridAreNone) {
  EXPECT_TRUE(render::grid_segments({}, from({3, 4, 5}), false).empty());
  render::GridOverlay grid = unit_grid(4);
  grid.cell.y = 0;
  EXPECT_TRUE(render::grid_segments(grid, from({3, 4, 5}), false).empty());
  grid.cell.y = std::nanf("");
  EXPECT_TRUE(render::grid_segments(grid, from({3, 4, 5}), false).empty());
}

}  // namespace
}  // namespace riffle::test
