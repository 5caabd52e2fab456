/// Compares the fluid look with slabs of particles whose surface and thickness are known.

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <random>

#include "core/error.h"
#include "render/fluid/fluid_renderer.h"
#include "render/particles/shared_vertices.h"
#include "support/devices.h"
#include "tests/render/fluid/ways.h"
#include "tests/render/picture.h"

namespace riffle::test {
namespace {

constexpr int kSize = 256;
constexpr float kSpacing = 0.05f;
constexpr float kPlaneDepth = 4;  // [m] from the eye to the plane z = 0

/// Looks along -z at the square of 2 x 2 m around the origin; perspective or not, kSize / 2 pixels are a metre there.
Camera eye(bool orthographic = true) {
  Camera camera;
  camera.position = {0, 0, kPlaneDepth};
  camera.target = {0, 0, 0};
  camera.orthographic = orthographic;
  camera.ortho_height = 2;
  camera.fov_degrees = 28.0724869f;  // 2 atan(1 / 4)
  return camera;
}

/// A jittered lattice that fills a box: as a fluid at rest does, its particles do not line up with the rays.
void fill(Cloud& cloud, Vec3 low, Vec3 high, float value, float jitter = 0.2f) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<float> shift(-jitter * kSpacing, jitter * kSpacing);
  for (float z = low.z + 0.5f * kSpacing; z < high.z; z += kSpacing)
    for (float y = low.y + 0.5f * kSpacing; y < high.y; y += kSpacing)
      for (float x = low.x + 0.5f * kSpacing; x < high.x; x += kSpacing)
        cloud.add({x + shift(generator), y + shift(generator), z + shift(generator)}, value);
}

Cloud slab(float thickness, float value = 0, float half_width = 0.8f) {
  Cloud cloud;
  cloud.radius = 0.5f * kSpacing;
  fill(cloud, {-half_width, -half_width, -thickness}, {half_width, half_width, 0}, value);
  return cloud;
}

render::ColorScale two_colors() {
  render::ColorScale scale;
  scale.palette = {{"red", {0.85f, 0.15f, 0.12f}}, {"blue", {0.12f, 0.25f, 0.85f}}};
  return scale;
}

std::size_t at(int x, int y) { return static_cast<std::size_t>(y * kSize + x); }

double brightness(Rgb c) { return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b; }

render::BoxView domain() { return {{-1, -1, -1}, {1, 1, 1}, false}; }

class Fluid : public GlTest, public ::testing::WithParamInterface<Way> {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (!IsSkipped() && !HasFatalFailure()) skip_without(GetParam().kind);
  }
  Device device() const { return device_of(GetParam().kind); }
  bool by_kernels() const { return GetParam().method == render::SphereMethod::Splat; }

  render::RenderOptions fluid_options() const {
    render::RenderOptions options = bare();
    options.look = render::Look::Fluid;
    options.ground = false;
    options.spheres = GetParam().method;
    return options;
  }

  /// Kept on the device until the test ends.
  render::ParticleView put(const Cloud& cloud) {
    Uploaded& u = uploaded_.emplace_back(
        Uploaded{{device(), cloud.position}, {device(), cloud.velocity}, {device(), cloud.scalar}});
    return {device(),    static_cast<int>(u.position.size()), u.position.data(), u.velocity.data(), u.scalar.data(),
            cloud.radius};
  }

  /// Kernels sum in another order when there is one particle more, and on a GPU in every run.
  void expect_same(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b, bool same_order) const {
    if (!by_kernels() || (same_order && GetParam().kind == DeviceKind::Cpu)) {
      EXPECT_EQ(a, b);
      return;
    }
    ASSERT_EQ(a.size(), b.size());
    int most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(int(a[i]) - int(b[i])));
    EXPECT_LE(most, 1) << "levels";
  }

  std::vector<float> depth_of(const Cloud& cloud, const Camera& camera, const render::RenderOptions& options) {
    render::Renderer renderer(kSize, kSize, device(), options);
    renderer.draw(put(cloud), camera, two_colors(), domain());
    EXPECT_EQ(renderer.sphere_method(), GetParam().method);
    return renderer.read_depth();
  }
  render::Image picture_of(const Cloud& cloud, const render::RenderOptions& options,
                           const render::ColorScale& scale = two_colors(), const render::Extras& extras = {}) {
    render::Renderer renderer(kSize, kSize, device(), options);
    renderer.draw(put(cloud), eye(), scale, domain(), {}, extras);
    return renderer.read_image();
  }
  std::vector<double> thickness_in_the_middle(const Cloud& cloud, bool orthographic);
  double measured_thickness(const Cloud& cloud, bool orthographic) {
    const std::vector<double> values = thickness_in_the_middle(cloud, orthographic);
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  }

  /// Depths in the middle of the slab: how far from a plane they are, and how far from each other.
  void expect_plane(bool orthographic, int size) {
    render::Renderer renderer(size, size, device(), fluid_options());
    renderer.draw(put(slab(0.4f)), eye(orthographic), two_colors(), domain());
    const auto depth = renderer.read_depth();
    const int low = size * 3 / 10, high = size * 7 / 10;
    double sum = 0, squares = 0;
    int count = 0;
    for (int y = low; y < high; ++y)
      for (int x = low; x < high; ++x, ++count) {
        const double off = double(depth[static_cast<std::size_t>(y * size + x)]) - kPlaneDepth;
        sum += off;
        squares += off * off;
      }
    const double mean = sum / count, deviation = std::sqrt(std::max(0.0, squares / count - mean * mean));
    EXPECT_LT(std::abs(mean), 0.6 * 0.5 * kSpacing) << "[m], " << size << " pixels";
    EXPECT_LT(deviation, 0.1 * 0.5 * kSpacing) << "[m], " << size << " pixels";
  }

 private:
  struct Uploaded {
    Buffer<Vec4> position, velocity;
    Buffer<float> scalar;
  };
  std::deque<Uploaded> uploaded_;
};
INSTANTIATE_TEST_SUITE_P(EachWay, Fluid, ::testing::ValuesIn(ways()),
                         [](const auto& info) { return name_of(info.param); });

TEST_P(Fluid, SurfaceOfASlabIsItsPlaneAtAnyDistance) {
  expect_plane(true, 256);
  expect_plane(false, 256);
  expect_plane(false, 96);   // a particle is two pixels
  expect_plane(false, 640);  // the filter skips pixels
}

/// From far away its fields have other sizes than from near by.
TEST_P(Fluid, LooksTheSameWhereverThePictureBeforeWasTakenFrom) {
  const Cloud cloud = slab(0.5f);
  Camera far = eye(false);
  far.position.z = 6 * kPlaneDepth;
  render::Renderer moved(kSize, kSize, device(), fluid_options()), still(kSize, kSize, device(), fluid_options());
  const render::ParticleView particles = put(cloud);
  moved.draw(particles, far, two_colors(), domain());
  moved.draw(particles, eye(false), two_colors(), domain());
  still.draw(particles, eye(false), two_colors(), domain());
  expect_same(moved.read_image().rgb, still.read_image().rgb, true);
}

TEST_P(Fluid, FilterSmoothsWhatSpheresShow) {
  render::RenderOptions rough = fluid_options();
  rough.fluid.smoothing = 0;
  const auto bumps = depth_of(slab(0.4f), eye(), rough), smooth = depth_of(slab(0.4f), eye(), fluid_options());
  const auto roughness = [](const std::vector<float>& depth) {
    double sum = 0;
    for (int y = 80; y < 176; ++y)
      for (int x = 80; x < 176; ++x) sum += std::abs(double(depth[at(x + 1, y)]) - depth[at(x, y)]);
    return sum / (96 * 96);
  };
  EXPECT_LT(roughness(smooth), 0.1 * roughness(bumps));
}

TEST_P(Fluid, TwoSurfacesKeepTheEdgeBetweenThem) {
  // The left half is 0.8 m nearer: many times the filter's range. No pixel may lie between the two.
  Cloud cloud;
  cloud.radius = 0.5f * kSpacing;
  fill(cloud, {-0.8f, -0.8f, 0.6f}, {0, 0.8f, 0.8f}, 0);
  fill(cloud, {-0.8f, -0.8f, -0.2f}, {0.8f, 0.8f, 0}, 1);
  const auto depth = depth_of(cloud, eye(), fluid_options());
  int between = 0, near = 0, far = 0;
  for (int y = 60; y < 196; ++y)
    for (int x = 60; x < 196; ++x) {
      const float d = depth[at(x, y)];
      near += d < kPlaneDepth - 0.6f;  // the back of the nearer slab, which may show at its edge
      far += d > kPlaneDepth - 2 * kSpacing;
      between += d >= kPlaneDepth - 0.6f && d <= kPlaneDepth - 2 * kSpacing;
    }
  EXPECT_EQ(between, 0);
  EXPECT_NEAR(near, far, 0.15 * (near + far)) << "the edge stays in the middle";
}

TEST_P(Fluid, DropsStaySpheres) {
  // Beside each other, and one behind another: within the filter's width and range.
  Cloud drops;
  drops.radius = 0.5f * kSpacing;
  drops.add({0, 0, 0}, 0);
  drops.add({1.2f * kSpacing, 0, -2 * kSpacing}, 0);
  drops.add({0.5f, 0.5f, 0}, 0);
  drops.add({0.5f + 0.1f * kSpacing, 0.5f, -3 * kSpacing}, 0);
  render::RenderOptions rough = fluid_options();
  rough.fluid.smoothing = 0;
  const auto spheres = depth_of(drops, eye(), rough), filtered = depth_of(drops, eye(), fluid_options());
  EXPECT_EQ(spheres, filtered);
}

TEST_P(Fluid, FullQualityHasGroundWhoeverDraws) {
  render::RenderOptions options;
  options.legend = options.box = false;
  options.spheres = GetParam().method;
  Camera above = eye(false);
  above.position = {0, 2, 4};
  const render::ParticleView particles = put(slab(0.4f));
  const auto drawn = [&](render::Quality quality, render::Look look) {
    options.quality = quality;
    options.look = look;
    render::Renderer renderer(kSize, kSize, device(), options);
    renderer.draw(particles, above, two_colors(), domain());
    return renderer.read_image();
  };
  const Rgb lower_corner = pixel(drawn(render::Quality::Quick, render::Look::Spheres), 10, kSize - 3);
  EXPECT_FALSE(pixel(drawn(render::Quality::Full, render::Look::Spheres), 10, kSize - 3) == lower_corner)
      << "the floor";
  EXPECT_NE(drawn(render::Quality::Full, render::Look::Fluid).rgb,
            drawn(render::Quality::Quick, render::Look::Fluid).rgb);
}

TEST_P(Fluid, OutlineStaysWhereTheSpheresAre) {
  render::RenderOptions rough = fluid_options();
  rough.fluid.smoothing = 0;
  const auto bumps = depth_of(slab(0.2f), eye(), rough), smooth = depth_of(slab(0.2f), eye(), fluid_options());
  for (std::size_t i = 0; i < bumps.size(); ++i) ASSERT_EQ(std::isfinite(bumps[i]), std::isfinite(smooth[i])) << i;
}

/// Results of the passes in the slab's middle [m].
std::vector<double> Fluid::thickness_in_the_middle(const Cloud& cloud, bool orthographic) {
  const Camera camera = eye(orthographic);
  render::Surface target(kSize, kSize, render::AntiAliasing::None);
  const render::ParticleView particles = put(cloud);
  const render::ViewTransform view = render::view_transform(camera, 1);
  render::SharedVertices vertices{device()};
  vertices.update(particles);
  render::ColorMapTexture map;
  map.select("viridis");
  const render::ColorScale scale = two_colors();
  render::FrameCost cost;
  cost.begin_frame();
  render::FluidSplatRenderer splats(device(), vertices.path());
  if (by_kernels()) splats.render(particles, view, scale, {}, domain(), render::FluidStyle{}, {kSize, kSize});
  render::FluidRenderer fluid;
  target.begin_scene();
  const render::ParticlePass pass{
      vertices.buffer(), vertices.count(), {}, cloud.radius, kSpacing, view, camera.up, scale, map, {}};
  fluid.draw(pass, domain(), render::FluidStyle{}, render::Theme{}, target, cost, by_kernels() ? &splats : nullptr,
             [](const render::FluidFront&) {});
  const int width = fluid.coarse().width, height = fluid.coarse().height;
  std::vector<float> rgba(static_cast<std::size_t>(width * height * 4));
  glGetTextureImage(fluid.thickness(), 0, GL_RGBA, GL_FLOAT, static_cast<GLsizei>(rgba.size() * sizeof(float)),
                    rgba.data());
  glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
  std::vector<double> values;
  for (int y = height / 3; y < 2 * height / 3; ++y)
    for (int x = width / 3; x < 2 * width / 3; ++x)
      values.push_back(static_cast<double>(rgba[static_cast<std::size_t>((y * width + x) * 4 + 3)]) * kSpacing);
  return values;
}

TEST_P(Fluid, ThicknessOfASlabIsItsOwn) {
  for (const float thickness : {0.1f, 0.4f, 0.8f}) {
    EXPECT_NEAR(measured_thickness(slab(thickness), true), thickness, 0.02 * thickness);
    // Rays are longer in it where they are oblique: 0.4% in the mean here. And what is near the eye seems wider.
    EXPECT_NEAR(measured_thickness(slab(thickness), false), thickness, 0.04 * thickness);
  }
}

/// Before a dark background a deviation of a hundredth is seen as stripes.
TEST_P(Fluid, ThicknessOfALatticeDoesNotShowItsRows) {
  Cloud cloud;
  cloud.radius = 0.5f * kSpacing;
  // Shifted so that some rays run through the particles' middles, and others between them.
  const float shift = 0.25f * kSpacing;
  fill(cloud, {-0.5f + shift, -0.5f + shift, -60 * kSpacing}, {0.5f + shift, 0.5f + shift, 0}, 0, 0);
  const std::vector<double> values = thickness_in_the_middle(cloud, true);
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(values.size())));
  ASSERT_EQ(side * side, values.size());
  for (const auto& [along, across] : {std::pair{std::size_t{1}, side}, {side, std::size_t{1}}}) {
    double least = 1e9, most = 0;  // [m] of the means of rows or columns
    for (std::size_t i = 0; i < side; ++i) {
      double mean = 0;
      for (std::size_t k = 0; k < side; ++k) mean += values[i * across + k * along] / static_cast<double>(side);
      least = std::min(least, mean);
      most = std::max(most, mean);
    }
    EXPECT_LT(most - least, 0.004 * least) << "[m]";
  }
}

TEST_P(Fluid, DarkensWithItsThickness) {
  double before = 1e9;
  for (const float thickness : {0.1f, 0.2f, 0.4f, 0.8f}) {
    render::RenderOptions options = fluid_options();
    options.fluid.absorption_length = 0.3f;
    const double now = brightness(pixel(picture_of(slab(thickness, 1), options), kSize / 2, kSize / 2));
    EXPECT_LT(now, before) << thickness;
    before = now;
  }
}

TEST_P(Fluid, TwoFluidsKeepTheirColors) {
  Cloud cloud;
  cloud.radius = 0.5f * kSpacing;
  fill(cloud, {-0.8f, -0.8f, -0.4f}, {0, 0.8f, 0}, 0);
  fill(cloud, {0, -0.8f, -0.4f}, {0.8f, 0.8f, 0}, 1);
  for (const float opacity : {0.0f, 1.0f}) {
    render::RenderOptions options = fluid_options();
    options.fluid.opacity = opacity;
    const render::Image image = picture_of(cloud, options);
    const Rgb red = pixel(image, 70, kSize / 2), blue = pixel(image, 186, kSize / 2);
    EXPECT_GT(red.r, red.b + 30) << opacity;
    EXPECT_GT(blue.b, blue.r + 30) << opacity;
    // The colour changes over a few particles where they meet, not within a pixel.
    int steps = 0;
    for (int x = 110; x < 146; ++x)
      steps += std::abs(pixel(image, x + 1, kSize / 2).r - pixel(image, x, kSize / 2).r) > 60;
    EXPECT_EQ(steps, 0) << opacity;
  }
}

TEST_P(Fluid, ShowsTheLegendsColorsOfAQuantity) {
  // Values along x: the colours must run through the map in its order, in which viridis has more and more green.
  Cloud cloud = slab(0.4f);
  for (std::size_t i = 0; i < cloud.position.size(); ++i) cloud.scalar[i] = 0.5f + cloud.position[i].x / 1.6f;
  const render::Image image = picture_of(cloud, fluid_options(), render::ColorScale{});
  double before = -1e9;
  for (int x = 50; x <= 206; x += 26) {
    const Rgb c = pixel(image, x, kSize / 2);
    EXPECT_GT(c.g, before) << x;
    before = c.g;
  }
}

TEST_P(Fluid, PaintIsOpaque) {
  render::RenderOptions options = fluid_options();
  options.fluid.opacity = 1.0f;
  options.box = true;
  const auto middle_of = [&](render::Theme theme) {
    options.theme = theme;
    return pixel(picture_of(slab(0.1f), options), kSize / 2 + 9, kSize / 2 + 5);
  };
  const Rgb on_light = middle_of(render::Theme::light()), on_dark = middle_of(render::Theme::dark());
  EXPECT_NEAR(on_light.r, on_dark.r, 25) << "only the reflection differs";
  EXPECT_NEAR(on_light.g, on_dark.g, 25);
}

TEST_P(Fluid, WhitensWhereItIsFast) {
  Cloud cloud = slab(0.4f, 1);
  for (std::size_t i = 0; i < cloud.velocity.size(); ++i)
    cloud.velocity[i] = {cloud.position[i].x > 0 ? 5.0f : 0.1f, 0, 0, 0};
  render::RenderOptions options = fluid_options();
  options.fluid.foam_speed = 2;
  const render::Image image = picture_of(cloud, options);
  const Rgb slow = pixel(image, 70, kSize / 2), fast = pixel(image, 186, kSize / 2);
  EXPECT_GT(brightness(fast), brightness(slow) + 60);
  options.fluid.foam_speed = 0;
  const render::Image calm = picture_of(cloud, options);
  EXPECT_NEAR(brightness(pixel(calm, 186, kSize / 2)), brightness(pixel(calm, 70, kSize / 2)), 25);
}

// One alpha stands for three: over white it is right.
TEST_P(Fluid, WithoutABackgroundIsItselfOverWhite) {
  render::RenderOptions options = fluid_options();
  options.theme = render::Theme::on({1, 1, 1});
  Cloud cloud = slab(0.3f, 1);
  const render::Image wanted = picture_of(cloud, options);
  options.theme = render::Theme::clear();
  options.theme.ink = render::Theme::on({1, 1, 1}).ink;
  const render::Image clear = picture_of(cloud, options);
  ASSERT_EQ(clear.alpha.size(), static_cast<std::size_t>(kSize * kSize));
  int coloured = 0, most = 0;
  for (std::size_t i = 0; i < clear.alpha.size(); ++i) {
    const int alpha = clear.alpha[i];
    coloured += alpha > 20 && clear.rgb[3 * i + 2] > clear.rgb[3 * i] + 20;
    for (std::size_t c = 0; c < 3; ++c) {
      const int over = (clear.rgb[3 * i + c] * alpha + 255 * (255 - alpha) + 127) / 255;
      most = std::max(most, std::abs(over - int{wanted.rgb[3 * i + c]}));
    }
  }
  EXPECT_GT(coloured, 1000);
  EXPECT_LE(most, 4) << "levels";
}

// Clear water in front of black would be black. It gathers light from the studio around it.
TEST_P(Fluid, IsSeenInItsColourInFrontOfBlack) {
  render::RenderOptions options = fluid_options();
  options.theme = render::Theme::on({0, 0, 0});
  const Rgb deep = pixel(picture_of(slab(0.6f, 1), options), kSize / 2, kSize / 2);
  EXPECT_GT(deep.b, 90);
  EXPECT_GT(deep.b, deep.r + 40) << "blue";
  const Rgb thin = pixel(picture_of(slab(kSpacing, 1), options), kSize / 2, kSize / 2);
  EXPECT_LT(thin.b, deep.b - 30) << "a film shows what is behind it";
}

// A wall of water hides the lamp that the pool before it would mirror: a bright spot there would look like a pearl.
TEST_P(Fluid, MirrorsNoLampThroughOtherFluid) {
  Camera camera;
  camera.position = {0, 0.3f * kPlaneDepth, 0.954f * kPlaneDepth};
  camera.target = {0, 0, 0};
  camera.fov_degrees = 28;
  render::RenderOptions options = fluid_options();
  options.theme = render::Theme::on({0, 0, 0});
  Cloud pool;
  pool.radius = 0.5f * kSpacing;
  fill(pool, {-0.8f, -0.3f, -0.8f}, {0.8f, 0, 0.8f}, 1, 0.05f);
  Cloud jet = pool;
  fill(jet, {-0.8f, 0, -0.8f}, {0.8f, 0.8f, -0.4f}, 1, 0.05f);
  const auto in_front = [&](const Cloud& cloud) {
    render::Renderer renderer(kSize, kSize, device(), options);
    renderer.draw(put(cloud), camera, two_colors(), domain());
    const render::Image image = renderer.read_image();
    double sum = 0;
    for (int x = kSize / 2 - 20; x < kSize / 2 + 20; ++x) sum += brightness(pixel(image, x, kSize / 2)) / 40;
    return sum;
  };
  EXPECT_LT(in_front(jet), in_front(pool) - 12);
}

// Foam covers by its thickness, and is lit softly: drops of spray, which have few pixels, are even.
TEST_P(Fluid, OfFastDropsIsEvenlyWhite) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<float> place(-0.8f, 0.8f);
  Cloud cloud;
  cloud.radius = 0.5f * kSpacing;
  for (int i = 0; i < 60; ++i) cloud.add({place(generator), place(generator), place(generator)}, 1);
  for (Vec4& v : cloud.velocity) v = {5, 0, 0, 0};
  render::RenderOptions options = fluid_options();
  options.fluid.foam_speed = 1;
  options.theme = render::Theme::on({0, 0, 0});
  const render::Image image = picture_of(cloud, options);
  std::vector<double> middles;
  for (const Vec4& p : cloud.position) {
    const int x = static_cast<int>((0.5f + 0.5f * p.x) * kSize), y = static_cast<int>((0.5f - 0.5f * p.y) * kSize);
    middles.push_back(brightness(pixel(image, x, y)));
  }
  std::sort(middles.begin(), middles.end());
  EXPECT_GT(middles[6], 170);
  EXPECT_LT(middles[54] - middles[6], 45) << "levels between drops";
}

TEST_P(Fluid, RefractsAndKeepsLinesInOrder) {
  // A line of a grid crosses in front of the slab, another one behind it. The slab's paint hides the second alone.
  render::RenderOptions options = fluid_options();
  options.fluid.opacity = 1.0f;
  const Cloud cloud = slab(0.2f);
  const auto lines_at = [&](float z) {
    render::Extras extras;
    extras.grid = render::GridOverlay{{-1, -1, -1}, {0.5f, 0.5f, 0.5f}, {4, 4, 4}, render::GridOverlay::Slice{2, z}};
    return picture_of(cloud, options, two_colors(), extras);
  };
  const render::Image none = picture_of(cloud, options), in_front = lines_at(0.5f), behind = lines_at(-0.6f);
  // On a GPU thicknesses are sums of atomic additions, whose order changes the last bit, and with it a level of a colour.
  const auto apart = [](const Rgb& a, const Rgb& b) {
    return std::abs(a.r - b.r) > 1 || std::abs(a.g - b.g) > 1 || std::abs(a.b - b.b) > 1;
  };
  const auto differ = [&](const render::Image& image, int low, int high) {
    int count = 0;
    for (int y = low; y < high; ++y)
      for (int x = low; x < high; ++x) count += apart(pixel(image, x, y), pixel(none, x, y));
    return count;
  };
  EXPECT_GT(differ(in_front, 60, 196), 300);
  EXPECT_EQ(differ(behind, 60, 196), 0);
  EXPECT_GT(differ(behind, 0, kSize), 100) << "beside the slab it is there";
  options.fluid.opacity = 0.0f;
  const render::Image clear = picture_of(cloud, options), through = lines_at(-0.6f);
  int seen = 0;
  for (int y = 60; y < 196; ++y)
    for (int x = 60; x < 196; ++x) seen += apart(pixel(clear, x, y), pixel(through, x, y));
  EXPECT_GT(seen, 100) << "through clear fluid it is seen";
}

TEST_P(Fluid, OfAFewParticlesOrNoneIsDrawn) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const render::Image empty = picture_of(Cloud{}, fluid_options());
  render::Renderer bare_background(kSize, kSize, device(), bare());
  bare_background.draw(put(Cloud{}), eye(), two_colors(), domain());
  EXPECT_EQ(empty.rgb, bare_background.read_image().rgb);

  Cloud one;
  one.radius = 0.1f;
  one.add({0, 0, 0}, 0);
  const auto depth = depth_of(one, eye(), fluid_options());
  EXPECT_NEAR(depth[at(kSize / 2, kSize / 2)], kPlaneDepth - 0.09f, 0.1f)
      << "of a drop of about its own volume, within half a spacing";
  EXPECT_TRUE(std::isinf(depth[at(5, 5)]));

  Cloud unseen;
  unseen.radius = 0.1f;
  unseen.add({0, 0, 9}, 0);
  unseen.add({nan, 0, 0}, 1);
  unseen.add({0, std::numeric_limits<float>::infinity(), 0}, 1);
  for (const float d : depth_of(unseen, eye(false), fluid_options())) ASSERT_TRUE(std::isinf(d));
  EXPECT_EQ(picture_of(unseen, fluid_options()).rgb.size(), empty.rgb.size());

  Cloud with_nan = slab(0.2f, 1);
  const render::Image good = picture_of(with_nan, fluid_options());
  with_nan.add({nan, 0, 0}, 1);
  with_nan.velocity.back() = {nan, nan, nan, 0};
  expect_same(picture_of(with_nan, fluid_options()).rgb, good.rgb, false);
}

TEST_P(Fluid, OfAValueThatIsNoNumberIsGrey) {
  const render::Image image = picture_of(slab(0.4f, std::numeric_limits<float>::quiet_NaN()), fluid_options());
  const Rgb c = pixel(image, kSize / 2, kSize / 2);
  EXPECT_NEAR(c.r, c.g, 12);
  EXPECT_NEAR(c.g, c.b, 16);
}

TEST_P(Fluid, IsTheSameTwiceAndAfterAnotherSizeAndLook) {
  const Cloud cloud = slab(0.3f, 1);
  render::RenderOptions options = fluid_options();
  options.ground = true;
  options.fluid.foam_speed = 1;
  render::Renderer renderer(kSize, kSize, device(), options);
  const render::ParticleView particles = put(cloud);
  const auto draw = [&] {
    renderer.draw(particles, eye(false), two_colors(), domain());
    return renderer.read_image().rgb;
  };
  const auto first = draw();
  expect_same(draw(), first, true);
  renderer.resize(133, 77);
  draw();
  renderer.resize(1, 1);
  draw();
  renderer.resize(kSize, kSize);
  expect_same(draw(), first, true);

  render::RenderOptions spheres = bare();
  renderer.set_options(spheres);
  const auto as_spheres = draw();
  render::Renderer fresh(kSize, kSize, device(), spheres);
  fresh.draw(put(cloud), eye(false), two_colors(), domain());
  EXPECT_EQ(as_spheres, fresh.read_image().rgb) << "the fluid look leaves OpenGL's state as it was";
  renderer.set_options(options);
  expect_same(draw(), first, true);
  options.anti_aliasing = render::AntiAliasing::Supersample;
  options.ambient_occlusion = 0.8f;
  renderer.set_options(options);
  EXPECT_EQ(draw().size(), first.size());
}

TEST_P(Fluid, InTwoDimensionsIsAnAreaWithASmoothOutline) {
  Cloud disc;
  disc.radius = 0.5f * kSpacing;
  for (float y = -0.6f; y <= 0.6f; y += kSpacing)
    for (float x = -0.6f; x <= 0.6f; x += kSpacing)
      if (x * x + y * y < 0.5f * 0.5f) disc.add({x, y, 0}, 1);
  render::BoxView box = domain();
  box.two_dimensional = true;
  render::Renderer renderer(kSize, kSize, device(), fluid_options());
  renderer.draw(put(disc), eye(), two_colors(), box);
  const auto depth = renderer.read_depth();
  int covered = 0;
  double farthest = 0, nearest_gap = 1e9;
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      const double r = std::hypot((x + 0.5 - kSize / 2) / (kSize / 2), (y + 0.5 - kSize / 2) / (kSize / 2));
      const bool inside = std::isfinite(depth[at(x, y)]);
      covered += inside;
      if (inside) {
        farthest = std::max(farthest, r);
        EXPECT_NEAR(depth[at(x, y)], kPlaneDepth, 1e-3);
      } else {
        nearest_gap = std::min(nearest_gap, r);
      }
    }
  const double area = covered * 4.0 / (kSize * kSize), expected = disc.position.size() * double(kSpacing) * kSpacing;
  EXPECT_NEAR(area, expected, 0.05 * expected) << "[m^2]: as many cells as particles";
  EXPECT_LT(farthest - nearest_gap, 2 * kSpacing) << "no holes, no teeth";
  const Rgb c = pixel(renderer.read_image(), kSize / 2, kSize / 2);
  EXPECT_GT(c.b, c.r + 60);

  Cloud alone;
  alone.radius = 0.5f * kSpacing;
  alone.add({0.7f, 0.7f, 0}, 0);
  renderer.draw(put(alone), eye(), two_colors(), box);
  EXPECT_TRUE(std::isfinite(renderer.read_depth()[at(kSize * 17 / 20, kSize * 3 / 20)])) << "a particle alone";
}

TEST_P(Fluid, CostsAreNamedByPass) {
  render::Renderer renderer(kSize, kSize, device(), fluid_options());
  for (int i = 0; i < 6; ++i) {
    renderer.draw(put(slab(0.1f)), eye(), two_colors(), domain());
    renderer.read_image();
  }
  std::vector<std::string> names;
  for (const StageStats& stage : renderer.costs()) names.push_back(stage.name);
  for (const char* name : {by_kernels() ? "fluid transfer" : "gather", "fluid depth", "fluid filter", "fluid thickness",
                           "fluid color", "fluid shading", "box", "resolve", "legend"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
}

}  // namespace
}  // namespace riffle::test
