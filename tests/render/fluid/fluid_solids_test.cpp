/// Solids beside, in and behind what the fluid look draws.

#include <algorithm>
#include <cmath>
#include <glm/vec4.hpp>
#include <random>

#include "render/media/png.h"
#include "sim/shapes/mesh.h"
#include "support/devices.h"
#include "tests/render/fluid/ways.h"
#include "tests/render/picture.h"

namespace riffle::test {
namespace {

constexpr int kAcross = 320;
constexpr float kApart = 0.05f;  // [m] spacing of particles
constexpr Vec3 kOchre{0.78f, 0.5f, 0.25f};

Region block_of(Vec3 min, Vec3 max) {
  Region region;
  region.min = min;
  region.max = max;
  return region;
}

Region disc_of(Vec3 center, float radius) {
  Region region;
  region.shape = Shape::Sphere;
  region.center = center;
  region.radius = radius;
  return region;
}

render::Solids solid_of(const Region& region, int dimension) {
  Domain domain;
  domain.dimension = dimension;
  render::Solids solids;
  solids.version = 1;
  solids.meshes.push_back({mesh_of(region, domain), kOchre, {}});
  return solids;
}

bool ochre(Rgb c) { return c.r > c.g + 25 && c.g > c.b + 25; }
bool blue(Rgb c) { return c.b > c.r + 25; }

class FluidAtSolids : public GlTest, public ::testing::WithParamInterface<Way> {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (!IsSkipped() && !HasFatalFailure()) skip_without(GetParam().kind);
  }

  /// Of the unit box, seen along -z: one metre is 0.9 of the picture.
  static Camera eye() {
    Camera camera;
    camera.position = {0.5f, 0.5f, 4};
    camera.target = {0.5f, 0.5f, 0};
    camera.orthographic = true;
    camera.ortho_height = 1 / 0.9f;
    return camera;
  }
  static float place(int at) { return 0.5f + (static_cast<float>(at) + 0.5f - 0.5f * kAcross) / (0.9f * kAcross); }

  render::Image picture_of(const Cloud& cloud, const render::Solids& solids, bool flat, const char* name,
                           const Camera& camera = eye()) const {
    const Device device = device_of(GetParam().kind);
    const Buffer<Vec4> position(device, cloud.position);
    const Buffer<std::uint32_t> index(device, std::vector<std::uint32_t>(cloud.position.size(), 0));
    render::RenderOptions options = bare();
    options.look = render::Look::Fluid;
    options.spheres = GetParam().method;
    options.ground = false;
    render::Renderer renderer(kAcross, kAcross, device, options);
    render::ParticleView view{device,      static_cast<int>(position.size()), position.data(), nullptr, nullptr,
                              cloud.radius};
    view.index = index.data();
    view.spacing = kApart;
    render::ColorScale water;
    water.palette = {{"water", {0.16f, 0.45f, 0.85f}}};
    render::Extras extras;
    extras.solids = &solids;
    renderer.draw(view, camera, water, {{0, 0, 0}, {1, 1, flat ? 0.0f : 1.0f}, flat}, {}, extras);
    const render::Image image = renderer.read_image();
    if (const char* folder = std::getenv("RIFFLE_WRITE_PICTURES"))
      render::write_png(std::string(folder) + "/" + name + "_" + name_of(GetParam()) + ".png", image.width,
                        image.height, image.rgb);
    return image;
  }
};
INSTANTIATE_TEST_SUITE_P(EachWay, FluidAtSolids, ::testing::ValuesIn(ways()),
                         [](const auto& info) { return name_of(info.param); });

TEST_P(FluidAtSolids, InTwoDimensionsNoneIsPaintedOverThem) {
  constexpr float radius = 0.15f;
  const Vec3 middles[2] = {{0.3f, 0.5f, 0}, {0.7f, 0.45f, 0}};
  render::Solids solids = solid_of(disc_of(middles[0], radius), 2);
  solids.meshes.push_back(solid_of(disc_of(middles[1], radius), 2).meshes.front());
  // [m] to the nearer solid's outline, negative inside
  const auto away = [&](float x, float y) {
    return std::min(std::hypot(x - middles[0].x, y - middles[0].y), std::hypot(x - middles[1].x, y - middles[1].y)) -
           radius;
  };
  // Fluid all around, whose particles come as near as a quarter of a spacing, as those of a jet that hits do.
  Cloud cloud;
  cloud.radius = 0.5f * kApart;
  for (float y = 0.5f * kApart; y < 1; y += kApart)
    for (float x = 0.5f * kApart; x < 1; x += kApart)
      if (away(x, y) > 0.25f * kApart) cloud.add({x, y, 0}, 0);
  const render::Image image = picture_of(cloud, solids, true, "flat");
  constexpr float line = 2 / (0.9f * kAcross);  // [m] of the outline, to either side
  int inside = 0, painted = 0, wet = 0;
  for (int y = 0; y < kAcross; ++y)
    for (int x = 0; x < kAcross; ++x) {
      const float beyond = away(place(x), place(kAcross - 1 - y));
      const Rgb c = pixel(image, x, y);
      if (beyond < -line) ++inside, painted += !ochre(c);
      if (beyond > line && beyond < kApart) wet += blue(c);
    }
  EXPECT_GT(inside, 9000);
  EXPECT_EQ(painted, 0);
  EXPECT_GT(wet, 1000);
}

TEST_P(FluidAtSolids, InTwoDimensionsThereAreNoGapsBesideThem) {
  // A lattice does not fit a disc: between its particles and the disc are wedges in which there is none.
  constexpr float radius = 0.2f;
  const render::Solids solids = solid_of(disc_of({0.5f, 0.5f, 0}, radius), 2);
  const auto away = [&](float x, float y) { return std::hypot(x - 0.5f, y - 0.5f) - radius; };
  Cloud cloud;
  cloud.radius = 0.5f * kApart;
  for (float y = 0.5f * kApart; y < 0.55f; y += kApart)
    for (float x = 0.5f * kApart; x < 1; x += kApart)
      if (away(x, y) > 0.45f * kApart) cloud.add({x, y, 0}, 0);
  const render::Image image = picture_of(cloud, solids, true, "gaps");
  constexpr float line = 2.5f / (0.9f * kAcross);  // [m] of the outline, to either side
  int wet = 0, gaps = 0, dry = 0, crept = 0;
  for (int y = 0; y < kAcross; ++y)
    for (int x = 0; x < kAcross; ++x) {
      const float up = place(kAcross - 1 - y), beyond = away(place(x), up);
      if (beyond < line || beyond > 2 * kApart) continue;
      const bool is_blue = blue(pixel(image, x, y));
      if (up < 0.5f) wet += is_blue, gaps += !is_blue;
      if (up > 0.55f + kApart) dry += !is_blue, crept += is_blue;
    }
  EXPECT_GT(wet, 4000);
  EXPECT_GT(dry, 2000);
  EXPECT_EQ(gaps, 0);
  EXPECT_EQ(crept, 0) << "pixels above the fluid";
}

/// Water at random places, as dense as at rest.
void pour_randomly(Cloud& cloud, Vec3 low, Vec3 high) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> shift(-0.2f * kApart, 0.2f * kApart);
  for (float z = low.z + 0.5f * kApart; z < high.z; z += kApart)
    for (float y = low.y + 0.5f * kApart; y < high.y; y += kApart)
      for (float x = low.x + 0.5f * kApart; x < high.x; x += kApart)
        cloud.add({x + shift(generator), y + shift(generator), z + shift(generator)}, 0);
}

TEST_P(FluidAtSolids, ADropBeforeASolidIsSeenWhateverIsBehindTheSolid) {
  // In front of the solid's middle, and half in front of its right edge.
  for (const float x : {0.5f, 0.7f}) {
    const render::Solids solids = solid_of(block_of({0.3f, 0.3f, 0.5f}, {0.7f, 0.7f, 0.6f}), 3);
    Cloud drop, with_water;
    drop.radius = with_water.radius = 0.5f * kApart;
    for (Cloud* cloud : {&drop, &with_water}) cloud->add({x, 0.5f, 0.8f}, 0);
    pour_randomly(with_water, {0, 0, 0}, {1, 1, 0.3f});
    const render::Image alone = picture_of(drop, solids, false, "drop"),
                        before = picture_of(with_water, solids, false, "drop_and_water"),
                        none = picture_of(Cloud{}, solids, false, "solid");
    int seen = 0, lost = 0, darkest = 0;
    for (int b = 0; b < kAcross; ++b)
      for (int a = 0; a < kAcross; ++a) {
        // Two pixels within the solid's outline.
        if (std::max(std::abs(place(a) - 0.5f), std::abs(place(b) - 0.5f)) > 0.2f - 2 / (0.9f * kAcross)) continue;
        const auto levels = [solid = pixel(none, a, b)](Rgb c) {
          return std::max({std::abs(c.r - solid.r), std::abs(c.g - solid.g), std::abs(c.b - solid.b)});
        };
        const int own = levels(pixel(alone, a, b)), with = levels(pixel(before, a, b));
        seen += own > 8;
        lost += own > 8 && with <= own / 2;
        darkest = std::max(darkest, with - own);
      }
    EXPECT_GT(seen, x < 0.6f ? 80 : 40) << x;
    EXPECT_EQ(lost, 0) << x;
    EXPECT_LT(darkest, 60) << "levels: water behind the solid does not colour it";
  }
}

TEST_P(FluidAtSolids, AThinSheetBeforeASolidIsAsClearAsBeforeNoOtherWater) {
  const render::Solids solids = solid_of(block_of({0.2f, 0.2f, 0.4f}, {0.8f, 0.8f, 0.5f}), 3);
  for (const float air : {0.1f, 0.3f}) {
    Cloud sheet, with_water;
    sheet.radius = with_water.radius = 0.5f * kApart;
    for (Cloud* cloud : {&sheet, &with_water}) pour_randomly(*cloud, {0, 0, 0.5f + air}, {1, 1, 0.6f + air});
    pour_randomly(with_water, {0, 0, 0}, {1, 1, 0.35f});
    const render::Image alone = picture_of(sheet, solids, false, "sheet"),
                        both = picture_of(with_water, solids, false, "sheet_and_water");
    double most = 0;
    for (int y = 0; y < kAcross; ++y)
      for (int x = 0; x < kAcross; ++x) {
        if (std::max(std::abs(place(x) - 0.5f), std::abs(place(y) - 0.5f)) > 0.2f) continue;
        const Rgb a = pixel(alone, x, y), b = pixel(both, x, y);
        most = std::max<double>(most, std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)}));
      }
    EXPECT_LT(most, 20) << "levels, " << air << " m before the solid";
  }
}

/// A wavy sheet of water before the upper edge of a solid. The waves bend the edge.
Cloud sheet_before_an_edge() {
  Cloud cloud;
  cloud.radius = 0.5f * kApart;
  pour_randomly(cloud, {0, 0, 0.6f}, {1, 1, 0.8f});
  for (Vec4& p : cloud.position) p.z += 0.05f * std::sin(12 * p.x) * std::cos(9 * p.y);
  return cloud;
}

int levels_apart(Rgb a, Rgb b) { return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)}); }

TEST_P(FluidAtSolids, ASilhouetteInWaterIsSoft) {
  const render::Solids solids = solid_of(block_of({-0.5f, -0.5f, 0.1f}, {1.5f, 0.5f, 0.2f}), 3);
  const render::Image image = picture_of(sheet_before_an_edge(), solids, false, "silhouette");
  const auto share_of = [&](int step) {  // of pixels from which the next one differs by more
    int all = 0, jumps = 0;
    for (int y = kAcross / 4; y < 3 * kAcross / 4; ++y)
      for (int x = kAcross / 4; x < 3 * kAcross / 4; ++x) {
        ++all;
        const Rgb own = pixel(image, x, y);
        jumps += std::max(levels_apart(own, pixel(image, x, y + 1)), levels_apart(own, pixel(image, x + 1, y))) > step;
      }
    return static_cast<double>(jumps) / all;
  };
  // It is there: the water above it is lighter.
  EXPECT_GT(levels_apart(pixel(image, kAcross / 2, kAcross / 4), pixel(image, kAcross / 2, 3 * kAcross / 4)), 20);
  EXPECT_EQ(share_of(32), 0);
  EXPECT_LT(share_of(16), 0.002);
}

TEST_P(FluidAtSolids, ASilhouetteInWaterDoesNotFlicker) {
  const render::Solids solids = solid_of(block_of({-0.5f, -0.5f, 0.1f}, {1.5f, 0.5f, 0.2f}), 3);
  Camera moved = eye();
  constexpr float step = 1 / (0.9f * kAcross);  // [m] of a pixel
  for (Vec3* at : {&moved.position, &moved.target}) at->x += step, at->y += step;
  const Cloud cloud = sheet_before_an_edge();
  const render::Image a = picture_of(cloud, solids, false, "still"),
                      b = picture_of(cloud, solids, false, "moved", moved);
  int all = 0, jumps = 0;
  for (int y = kAcross / 4; y < 3 * kAcross / 4; ++y)
    for (int x = kAcross / 4; x < 3 * kAcross / 4; ++x)
      ++all, jumps += levels_apart(pixel(a, x, y), pixel(b, x, y)) > 16;
  EXPECT_GT(all, 20000);
  EXPECT_LT(jumps, 0.002 * all) << "pixels that change";
}

/// Looks down at what stands in the box, along -z.
Camera over_the_edge() {
  Camera camera;
  camera.position = {0.5f, 1.4f, 2.6f};
  camera.target = {0.5f, 0.4f, 0.6f};
  camera.fov_degrees = 22;
  return camera;
}

TEST_P(FluidAtSolids, TheWaterlineHasNoTeeth) {
  // A pool around a box, whose front face is seen square on. Particles come as near to it as half a spacing.
  const Vec3 low{0.3f, 0.2f, 0.3f}, high{0.7f, 0.7f, 0.7f};
  const render::Solids solids = solid_of(block_of(low, high), 3);
  Cloud cloud, pool;
  cloud.radius = 0.5f * kApart;
  pour_randomly(pool, {0, 0, 0}, {1, 0.4f, 1});
  for (const Vec4& p : pool.position) {
    const float x = std::max(low.x - p.x, p.x - high.x), y = low.y - p.y, z = std::max(low.z - p.z, p.z - high.z);
    if (std::max({x, y, z}) > 0.45f * kApart) cloud.add({p.x, p.y, p.z}, 0);
  }
  const render::Image wet = picture_of(cloud, solids, false, "waterline", over_the_edge()),
                      dry = picture_of(Cloud{}, solids, false, "waterline_dry", over_the_edge());
  // Rows of the front face from its upper edge down to the water, in the columns of its middle.
  std::vector<double> rows;
  for (int x = kAcross / 2 - 45; x <= kAcross / 2 + 45; ++x) {
    int face = kAcross - 1;
    while (face > 0 && !ochre(pixel(dry, x, face))) --face;
    int row = face;
    // Upwards from the foot of the face: the first pixel that the water leaves as it is.
    const auto apart = [&](int y) {
      const Rgb a = pixel(wet, x, y), b = pixel(dry, x, y);
      return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
    };
    while (row > 0 && apart(row) > 12) --row;
    rows.push_back(row);
  }
  // Teeth are as wide as a spacing, 15 pixels. What is wider are waves.
  constexpr int beside = 10;
  double squares = 0;
  int count = 0;
  for (std::size_t k = beside; k + beside < rows.size(); ++k, ++count) {
    double mean = 0;
    for (std::size_t i = k - beside; i <= k + beside; ++i) mean += rows[i] / (2 * beside + 1);
    squares += (rows[k] - mean) * (rows[k] - mean);
  }
  EXPECT_LT(std::sqrt(squares / count), 0.75) << "pixels";
}

TEST_P(FluidAtSolids, WaterBehindASolidIsNotMirroredBeforeIt) {
  // A wall between a shallow pool before it and a deep one behind it, which it hides. The pool is seen at a grazing angle.
  const render::Solids solids = solid_of(block_of({0, 0, 0.4f}, {1, 0.8f, 0.45f}), 3);
  Cloud pool, both;
  pool.radius = both.radius = 0.5f * kApart;
  for (Cloud* cloud : {&pool, &both}) pour_randomly(*cloud, {0, 0, 0.475f}, {1, 0.3f, 1});
  pour_randomly(both, {0, 0, 0}, {1, 0.7f, 0.375f});
  Camera low = over_the_edge();
  low.position.y = 0.75f;
  low.target.y = 0.3f;
  const render::Image alone = picture_of(pool, solids, false, "pool_before", low),
                      with = picture_of(both, solids, false, "pools", low);
  const render::ViewTransform view = render::view_transform(low, 1);
  const auto row_of = [&](float z) {  // of a place on the pool
    const glm::vec4 clip = view.projection * (view.view * glm::vec4(0.5f, 0.3f, z, 1));
    return static_cast<int>((0.5f - 0.5f * clip.y / clip.w) * kAcross);
  };
  int wet = 0, changed = 0;
  for (int y = row_of(0.58f); y < row_of(0.72f); ++y)  // rays that the water bends end at the wall
    for (int x = kAcross / 4; x < 3 * kAcross / 4; ++x) {
      const Rgb a = pixel(alone, x, y), b = pixel(with, x, y);
      ++wet;
      changed += std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)}) > 8;
    }
  EXPECT_GT(wet, 1500);
  EXPECT_LT(changed, 0.01 * wet) << "pixels of the pool before the wall";
}

}  // namespace
}  // namespace riffle::test
