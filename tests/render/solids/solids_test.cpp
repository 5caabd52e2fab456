/// Solids in pictures: seen, hidden and hiding; with both looks and by all methods.

#include <algorithm>
#include <cmath>
#include <ostream>
#include <random>

#include "render/solids/solid_pick.h"
#include "sim/shapes/mesh.h"
#include "support/devices.h"
#include "tests/render/fluid/ways.h"
#include "tests/render/picture.h"

namespace riffle::test {
namespace {

constexpr int kWide = 240, kHigh = 200;
constexpr Vec3 kGreen{0.3f, 0.7f, 0.3f};
constexpr float kFine = 0.05f;  // [m] spacing of particles

Domain unit_domain(int dimension = 3) {
  Domain domain;
  domain.dimension = dimension;
  return domain;
}

Region block(Vec3 min, Vec3 max) {
  Region region;
  region.min = min;
  region.max = max;
  return region;
}

Region ball(Vec3 center, float radius) {
  Region region;
  region.shape = Shape::Sphere;
  region.center = center;
  region.radius = radius;
  return region;
}

render::Solids solids_of(const std::vector<Region>& regions, std::uint64_t version, int dimension = 3) {
  render::Solids solids;
  solids.version = version;
  for (const Region& region : regions) solids.meshes.push_back({mesh_of(region, unit_domain(dimension)), kGreen, {}});
  return solids;
}

Camera from_front() {
  Camera camera;
  camera.position = {0.5f, 0.5f, 4};
  camera.target = {0.5f, 0.5f, 0};
  camera.orthographic = true;
  camera.ortho_height = 1.2f;
  return camera;
}

Camera from_above() {
  Camera camera;
  camera.position = {1.6f, 2.2f, 3.4f};
  camera.target = {0.5f, 0.3f, 0.5f};
  return camera;
}

/// Place of a point at z = 0 in the picture from the front.
int column(float x) { return static_cast<int>(kWide / 2 + (x - 0.5f) * kHigh / 1.2f); }
int row(float y) { return static_cast<int>(kHigh / 2 - (y - 0.5f) * kHigh / 1.2f); }

int largest_difference(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  if (a.size() != b.size()) return 256;
  int largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(int{a[i]} - int{b[i]}));
  return largest;
}

bool green(Rgb c) { return c.g > c.r + 40 && c.g > c.b + 40; }
bool red(Rgb c) { return c.r > c.g + 40 && c.r > c.b + 40; }
double grey(Rgb c) { return (c.r + c.g + c.b) / 3.0; }

render::ColorScale red_water() {
  render::ColorScale scale;
  scale.palette = {{"water", {0.85f, 0.15f, 0.12f}}};
  return scale;
}

void pour(Cloud& cloud, Vec3 low, Vec3 high) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<float> shift(-0.2f * kFine, 0.2f * kFine);
  for (float z = low.z + 0.5f * kFine; z < high.z; z += kFine)
    for (float y = low.y + 0.5f * kFine; y < high.y; y += kFine)
      for (float x = low.x + 0.5f * kFine; x < high.x; x += kFine)
        cloud.add({x + shift(generator), y + shift(generator), z + shift(generator)}, 0);
}

struct SolidsCase {
  Way way;
  render::Look look;
  render::AntiAliasing anti_aliasing;
};

std::string name_of(const SolidsCase& one) {
  const char* smoothing = one.anti_aliasing == render::AntiAliasing::None       ? "none"
                          : one.anti_aliasing == render::AntiAliasing::Analytic ? "analytic"
                                                                                : "supersample";
  return name_of(one.way) + (one.look == render::Look::Fluid ? "_fluid_" : "_spheres_") + smoothing;
}
void PrintTo(const SolidsCase& one, std::ostream* out) { *out << name_of(one); }

std::vector<SolidsCase> solids_cases() {
  std::vector<SolidsCase> all;
  for (const Way& way : ways())
    for (const render::Look look : {render::Look::Spheres, render::Look::Fluid})
      for (const auto smoothing :
           {render::AntiAliasing::None, render::AntiAliasing::Analytic, render::AntiAliasing::Supersample})
        all.push_back({way, look, smoothing});
  return all;
}

class SolidsPicture : public GlTest, public ::testing::WithParamInterface<SolidsCase> {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (!IsSkipped() && !HasFatalFailure()) skip_without(GetParam().way.kind);
  }
  Device device() const { return device_of(GetParam().way.kind); }

  render::RenderOptions options() const {
    render::RenderOptions options = bare(GetParam().anti_aliasing);
    options.look = GetParam().look;
    options.ground = false;
    options.spheres = GetParam().way.method;
    options.fluid.opacity = 1.0f;
    return options;
  }

  struct Drawn {
    render::Image image;
    std::vector<float> depth;
    Rgb at(float x, float y) const { return pixel(image, column(x), row(y)); }
    float depth_at(float x, float y) const { return depth[static_cast<std::size_t>(row(y) * kWide + column(x))]; }
  };
  Drawn draw(const Cloud& cloud, const Camera& camera, const render::RenderOptions& options,
             const render::Solids* solids, const render::BoxView& box = unit_box()) const {
    render::Renderer renderer(kWide, kHigh, device(), options);
    render::Extras extras;
    extras.solids = solids;
    const Buffer<Vec4> p(device(), cloud.position);
    const Buffer<std::uint32_t> index(device(), std::vector<std::uint32_t>(cloud.position.size(), 0));
    render::ParticleView view{device(), static_cast<int>(p.size()), p.data(), nullptr, nullptr, cloud.radius};
    view.index = index.data();
    view.spacing = kFine;
    renderer.draw(view, camera, red_water(), box, {}, extras);
    return {renderer.read_image(), renderer.read_depth()};
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, SolidsPicture, ::testing::ValuesIn(solids_cases()),
                         [](const auto& info) { return name_of(info.param); });

TEST_P(SolidsPicture, HidesParticlesBehindAndIsHiddenByThoseInFront) {
  const render::Solids solids = solids_of({block({0.2f, 0.2f, 0.4f}, {0.8f, 0.8f, 0.6f})}, 1);
  Cloud behind, in_front;
  behind.radius = in_front.radius = 0.6f * kFine;
  pour(behind, {0, 0, 0}, {1, 1, 0.3f});
  pour(in_front, {0, 0, 0.7f}, {0.5f, 1, 1});
  const Drawn back = draw(behind, from_front(), options(), &solids);
  EXPECT_TRUE(green(back.at(0.5f, 0.5f)));
  EXPECT_TRUE(green(back.at(0.25f, 0.75f)));
  EXPECT_TRUE(red(back.at(0.1f, 0.5f))) << "beside it the particles are seen";
  EXPECT_NEAR(back.depth_at(0.5f, 0.5f), 4 - 0.6f, 1e-3f);
  const Drawn front = draw(in_front, from_front(), options(), &solids);
  EXPECT_TRUE(red(front.at(0.35f, 0.5f)));
  EXPECT_TRUE(green(front.at(0.65f, 0.5f)));
  EXPECT_LT(front.depth_at(0.35f, 0.5f), 4 - 0.9f);
  const Drawn none = draw({}, from_front(), options(), &solids);
  EXPECT_TRUE(green(none.at(0.5f, 0.5f))) << "also without particles";
}

TEST_P(SolidsPicture, IsNotDrawnWhenTheOptionIsOff) {
  const render::Solids solids = solids_of({block({0.2f, 0.2f, 0.4f}, {0.8f, 0.8f, 0.6f})}, 1);
  Cloud cloud;
  cloud.radius = 0.6f * kFine;
  pour(cloud, {0, 0, 0}, {1, 0.5f, 0.3f});
  render::RenderOptions off = options();
  off.solids = false;
  const Drawn without = draw(cloud, from_front(), off, &solids);
  const Drawn never = draw(cloud, from_front(), options(), nullptr);
  // Kernels on a GPU add up the fluid's thickness and colour in any order.
  const bool any_order = GetParam().way.method == render::SphereMethod::Splat && device().is_cuda() &&
                         GetParam().look == render::Look::Fluid;
  EXPECT_LE(largest_difference(without.image.rgb, never.image.rgb), any_order ? 1 : 0);
  ASSERT_EQ(without.depth.size(), never.depth.size());
  for (std::size_t i = 0; i < never.depth.size(); ++i) {
    if (without.depth[i] == never.depth[i]) continue;
    ASSERT_TRUE(any_order) << i;
    ASSERT_NEAR(without.depth[i], never.depth[i], 1e-4f) << i;
  }
  EXPECT_GT(largest_difference(draw(cloud, from_front(), options(), &solids).image.rgb, never.image.rgb), 50);
}

TEST_P(SolidsPicture, ThrowsAShadowOnTheFloor) {
  const render::Solids solids = solids_of({block({0.3f, 0.1f, 0.3f}, {0.7f, 0.3f, 0.7f})}, 1);
  render::RenderOptions on_floor = options();
  on_floor.ground = true;
  Cloud drop;  // far from the shadow
  drop.radius = 0.02f;
  drop.add({0.05f, 0.95f, 0.05f}, 0);
  const render::Image with = draw(drop, from_above(), on_floor, &solids).image;
  const render::Image without = draw(drop, from_above(), on_floor, nullptr).image;
  const Drawn no_floor = draw(drop, from_above(), options(), &solids);
  int darker = 0, brighter = 0;
  for (int y = 0; y < kHigh; ++y)
    for (int x = 0; x < kWide; ++x) {
      // On the floor, which has no depth.
      if (std::isfinite(no_floor.depth[static_cast<std::size_t>(y * kWide + x)])) continue;
      const double difference = grey(pixel(with, x, y)) - grey(pixel(without, x, y));
      darker += difference < -25;
      brighter += difference > 8;
    }
  EXPECT_GT(darker, 200);
  EXPECT_EQ(brighter, 0);
}

TEST_P(SolidsPicture, InTwoDimensionsLiesUnderSpheresAndOverFluid) {
  const render::BoxView flat{{0, 0, 0}, {1, 1, 0}, true};
  const render::Solids solids = solids_of({block({0.2f, 0.2f, 0}, {0.8f, 0.8f, 0})}, 1, 2);
  Cloud cloud;
  cloud.radius = 0.6f * kFine;
  for (float y = 0.5f * kFine; y < 1; y += kFine)
    for (float x = 0.5f * kFine; x < 0.5f; x += kFine) cloud.add({x, y, 0}, 0);
  const Drawn drawn = draw(cloud, from_front(), options(), &solids, flat);
  EXPECT_TRUE(red(drawn.at(0.1f, 0.525f)));
  if (GetParam().look == render::Look::Spheres)
    EXPECT_TRUE(red(drawn.at(0.325f, 0.525f)));
  else
    EXPECT_TRUE(green(drawn.at(0.325f, 0.525f)));
  const Rgb area = drawn.at(0.65f, 0.5f);
  for (const auto& [value, wanted] : {std::pair(area.r, kGreen.x), {area.g, kGreen.y}, {area.b, kGreen.z}})
    EXPECT_NEAR(value, 255 * wanted, 1.5);
  EXPECT_LT(drawn.at(0.8f, 0.5f).g, area.g - 25) << "its outline is dark";
  EXPECT_FALSE(green(drawn.at(0.85f, 0.5f)));
}

TEST_P(SolidsPicture, OtherSolidsReplaceThoseBefore) {
  render::Renderer renderer(kWide, kHigh, device(), options());
  const auto shown = [&](const render::Solids& solids) {
    render::Extras extras;
    extras.solids = &solids;
    renderer.draw({device()}, from_front(), {}, unit_box(), {}, extras);
    const render::Image image = renderer.read_image();
    return std::pair(green(pixel(image, column(0.2f), row(0.5f))), green(pixel(image, column(0.8f), row(0.5f))));
  };
  const render::Solids left = solids_of({ball({0.2f, 0.5f, 0.5f}, 0.1f)}, 7);
  const render::Solids right = solids_of({ball({0.8f, 0.5f, 0.5f}, 0.1f)}, 8);
  EXPECT_EQ(shown(left), std::pair(true, false));
  EXPECT_EQ(shown(right), std::pair(false, true));
  EXPECT_EQ(shown(left), std::pair(true, false));
  EXPECT_EQ(shown(render::Solids{}), std::pair(false, false));
}

TEST_P(SolidsPicture, IsOpaqueInAPictureWithoutABackground) {
  const render::Solids solids = solids_of({block({0.2f, 0.2f, 0.4f}, {0.8f, 0.8f, 0.6f})}, 1);
  render::RenderOptions clear = options();
  clear.theme = render::Theme::clear();
  const Drawn drawn = draw({}, from_front(), clear, &solids);
  const auto alpha = [&](float x, float y) {
    return int{drawn.image.alpha[static_cast<std::size_t>(row(y) * kWide + column(x))]};
  };
  EXPECT_EQ(alpha(0.5f, 0.5f), 255);
  EXPECT_TRUE(green(drawn.at(0.5f, 0.5f)));
  EXPECT_EQ(alpha(0.1f, 0.5f), 0);
}

/// Both methods draw the same, but for single pixels at outlines of spheres.
class SolidsByKernels : public GlTest, public ::testing::WithParamInterface<DeviceKind> {};
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(SolidsByKernels);

TEST_P(SolidsByKernels, LookAsWithOpenGl) {
  skip_without(GetParam());
  const Device device = device_of(GetParam());
  const render::Solids solids =
      solids_of({ball({0.5f, 0.4f, 0.5f}, 0.3f), block({0.7f, 0, 0.6f}, {0.95f, 0.6f, 0.9f})}, 1);
  Cloud cloud;
  cloud.radius = 0.5f * kFine;
  pour(cloud, {0, 0, 0}, {1, 0.4f, 1});
  const Buffer<Vec4> p(device, cloud.position);
  const Buffer<std::uint32_t> index(device, std::vector<std::uint32_t>(cloud.position.size(), 0));
  for (const render::Look look : {render::Look::Spheres, render::Look::Fluid}) {
    std::vector<render::Image> images;
    for (const auto method : {render::SphereMethod::Raster, render::SphereMethod::Splat}) {
      render::RenderOptions options = bare(render::AntiAliasing::Analytic);
      options.ground = look == render::Look::Fluid;
      options.look = look;
      options.spheres = method;
      render::Renderer renderer(kWide, kHigh, device, options);
      render::ParticleView view{device, static_cast<int>(p.size()), p.data(), nullptr, nullptr, cloud.radius};
      view.index = index.data();
      view.spacing = kFine;
      render::Extras extras;
      extras.solids = &solids;
      renderer.draw(view, from_above(), red_water(), unit_box(), {}, extras);
      EXPECT_EQ(renderer.sphere_method(), method);
      images.push_back(renderer.read_image());
    }
    int different = 0, greens = 0;
    for (int y = 0; y < kHigh; ++y)
      for (int x = 0; x < kWide; ++x) {
        const Rgb a = pixel(images[0], x, y), b = pixel(images[1], x, y);
        different += std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)}) > 12;
        greens += green(a) && green(b);
      }
    EXPECT_LT(different, kWide * kHigh / 200);
    EXPECT_GT(greens, 1000);
  }
}

class SolidsLook : public GlTest {
 protected:
  static render::Image picture(render::AntiAliasing anti_aliasing, const render::Solids& solids, int scale = 1) {
    render::Renderer renderer(scale * kWide, scale * kHigh, Device{}, bare(anti_aliasing));
    render::Extras extras;
    extras.solids = &solids;
    renderer.draw({}, from_above(), {}, unit_box(), {}, extras);
    return renderer.read_image();
  }
};

TEST_F(SolidsLook, OutlinesAreAsSmoothWithOneSampleAsWithFour) {
  const render::Solids solids =
      solids_of({ball({0.5f, 0.4f, 0.5f}, 0.35f), block({0.7f, 0, 0.6f}, {0.95f, 0.6f, 0.9f})}, 1);
  constexpr int fine = 8;
  const render::Image exact = picture(render::AntiAliasing::None, solids, fine);
  const auto error = [&](render::AntiAliasing anti_aliasing) {
    const render::Image image = picture(anti_aliasing, solids);
    double sum = 0;
    for (int y = 0; y < kHigh; ++y)
      for (int x = 0; x < kWide; ++x) {
        double mean = 0;
        for (int b = 0; b < fine; ++b)
          for (int a = 0; a < fine; ++a) mean += grey(pixel(exact, fine * x + a, fine * y + b)) / (fine * fine);
        sum += std::pow(grey(pixel(image, x, y)) - mean, 2);
      }
    return std::sqrt(sum / (kWide * kHigh));
  };
  const double none = error(render::AntiAliasing::None), analytic = error(render::AntiAliasing::Analytic),
               four = error(render::AntiAliasing::Supersample);
  EXPECT_LT(four, 0.6 * none);
  EXPECT_LT(analytic, 0.6 * none);
}

TEST_F(SolidsLook, FacesHaveTheLightOfTheirDirection) {
  const render::Solids solids = solids_of({block({0.2f, 0.2f, 0.2f}, {0.8f, 0.8f, 0.8f})}, 1);
  const render::Image image = picture(render::AntiAliasing::None, solids);
  const auto seen = [&](Vec3 at) {
    const render::ViewTransform view = render::view_transform(from_above(), static_cast<float>(kWide) / kHigh);
    const glm::vec4 clip = view.projection * view.view * glm::vec4(at.x, at.y, at.z, 1);
    return grey(pixel(image, static_cast<int>(kWide * (0.5f + 0.5f * clip.x / clip.w)),
                      static_cast<int>(kHigh * (0.5f - 0.5f * clip.y / clip.w))));
  };
  const double top = seen({0.5f, 0.8f, 0.5f}), front = seen({0.5f, 0.5f, 0.8f}), side = seen({0.8f, 0.5f, 0.5f});
  EXPECT_GT(top, front + 5);
  EXPECT_GT(front, side + 20) << "the light comes from the left";
  EXPECT_GT(side, 40) << "no side is black";
  for (const Vec3 at : {Vec3{0.3f, 0.8f, 0.3f}, {0.7f, 0.8f, 0.3f}, {0.3f, 0.8f, 0.7f}})
    EXPECT_NEAR(seen(at), top, 1.5) << "a flat face has one colour";
}

TEST_F(SolidsLook, WaterInFrontTintsASolidOnlyByWhatIsBeforeIt) {
  // The same solid behind a thin sheet of water, without and with deep water behind the solid.
  const render::Solids solids = solids_of({block({0.1f, 0.1f, 0.6f}, {0.9f, 0.9f, 0.7f})}, 1);
  render::RenderOptions options = bare();
  options.look = render::Look::Fluid;
  options.ground = false;
  const auto middle = [&](bool deep, bool with_solid) {
    Cloud cloud;
    cloud.radius = 0.5f * kFine;
    pour(cloud, {0, 0, 0.75f}, {1, 1, 0.95f});
    if (deep) pour(cloud, {0, 0, 0}, {1, 1, 0.55f});
    render::Renderer renderer(kWide, kHigh, Device{}, options);
    const std::vector<std::uint32_t> index(cloud.position.size(), 0);
    render::ParticleView view = cloud.view();
    view.scalar = nullptr;
    view.index = index.data();
    view.spacing = kFine;
    render::Extras extras;
    if (with_solid) extras.solids = &solids;
    renderer.draw(view, from_front(), red_water(), unit_box(), {}, extras);
    return pixel(renderer.read_image(), kWide / 2, kHigh / 2);
  };
  const Rgb thin = middle(false, true), deep = middle(true, true);
  EXPECT_NEAR(thin.r, deep.r, 6);
  EXPECT_NEAR(thin.g, deep.g, 6);
  EXPECT_NEAR(thin.b, deep.b, 6);
  EXPECT_GT(middle(false, false).g, middle(true, false).g + 15) << "without the solid the deep water is darker";
  EXPECT_GT(thin.g, thin.b) << "the solid's colour shows through";
}

TEST(SolidPick, FindsTheFirstSurfaceOnARay) {
  const render::Solids solids =
      solids_of({ball({0.5f, 0.5f, 0.5f}, 0.25f), block({0.1f, 0.1f, 0.1f}, {0.9f, 0.9f, 0.2f})}, 1);
  const auto straight = render::solid_on_ray(solids, {0.5f, 0.5f, 3}, {0, 0, -2});
  ASSERT_TRUE(straight);
  EXPECT_NEAR(*straight, 2.25f, 1e-3f);
  const auto beside = render::solid_on_ray(solids, {0.85f, 0.5f, 3}, {0, 0, -1});
  ASSERT_TRUE(beside);
  EXPECT_NEAR(*beside, 2.8f, 1e-5f);
  const auto from_inside = render::solid_on_ray(solids, {0.5f, 0.5f, 0.5f}, {1, 0, 0});
  ASSERT_TRUE(from_inside);
  EXPECT_NEAR(*from_inside, 0.25f, 1e-3f);
  EXPECT_FALSE(render::solid_on_ray(solids, {0.5f, 0.5f, 3}, {0, 0, 1})) << "it is behind the origin";
  EXPECT_FALSE(render::solid_on_ray(solids, {0.95f, 0.95f, 3}, {0, 0, -1}));
}

}  // namespace
}  // namespace riffle::test
