/// The kernels that find and light each pixel's sphere, without OpenGL.

#include <numbers>
#include <numeric>

#include "render/color_map.h"
#include "render/particles/splat_renderer.h"
#include "splat_cloud.h"
#include "support/devices.h"
#include "support/non_finite.h"

namespace riffle::test {
namespace {

/// The sphere found in each pixel, top row first.
struct Found {
  int width, height;
  std::vector<std::uint64_t> keys;

  std::uint64_t key(int x, int y) const {
    return keys[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  }
  int covered() const {
    return static_cast<int>(std::count_if(keys.begin(), keys.end(), [](auto key) { return key != render::kNoSplat; }));
  }
};

class Splat : public OnEachDevice {
 protected:
  struct Uploaded {
    Buffer<Vec4> position, velocity;
    Buffer<float> scalar;
    render::ParticleView view;
  };
  Uploaded upload(const Cloud& cloud) const {
    Uploaded u{{device(), cloud.position}, {device(), cloud.velocity}, {device(), cloud.scalar}, {}};
    u.view = {device(),          static_cast<int>(cloud.position.size()),
              u.position.data(), u.velocity.data(),
              u.scalar.data(),   cloud.radius};
    return u;
  }

  Found find(const Cloud& cloud, const Camera& camera, int width, int height, Vec4 cut = {}) {
    const Uploaded particles = upload(cloud);
    render::Splatter splatter(device());
    render::SplatFrame frame =
        render::make_splat_frame(render::view_transform(camera, static_cast<float>(width) / static_cast<float>(height)),
                                 width, height, cloud.radius);
    frame.cut = cut;
    splatter.splat(particles.view, frame);
    const std::vector<std::uint64_t> padded = splatter.keys().to_host();
    Found found{width, height, {}};
    for (int y = height - 1; y >= 0; --y)
      for (int x = 0; x < width; ++x)
        found.keys.push_back(
            padded[static_cast<std::size_t>(y) * static_cast<std::size_t>(frame.pitch) + static_cast<std::size_t>(x)]);
    return found;
  }

  /// Every pixel against every sphere.
  void check(const Cloud& cloud, const Camera& camera, int width, int height) {
    const Found found = find(cloud, camera, width, height);
    const ExactView exact(camera, width, height);
    int wrong = 0, ties = 0;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        double nearest = kInfinity, facing = 1;
        std::size_t expected = 0;
        bool tie = false;
        for (std::size_t i = 0; i < cloud.position.size(); ++i) {
          const ExactHit hit = exact.hit(xyz(cloud.position[i]), cloud.radius, x, y);
          tie |= std::abs(hit.to_outline) < 0.01;
          if (!(hit.depth < nearest)) continue;
          nearest = hit.depth, facing = hit.facing, expected = i;
        }
        ties += tie;
        if (tie) continue;  // rounding may decide within a hundredth of a pixel of an outline
        const std::uint64_t key = found.key(x, y);
        if ((key == render::kNoSplat) != std::isinf(nearest)) {
          ++wrong;
          continue;
        }
        if (key == render::kNoSplat) continue;
        const double depth = render::eye_depth(exact.transform(), render::splat_depth(key));
        // A ray is exact to 1e-6 of the picture's width; the steeper the surface, the more depth that error makes. A
        // flat view's window depths are numbers up to 1 for the whole range of depths.
        const float range = camera.orthographic ? -1 / exact.transform().depth_transform.y : 0.0f;
        const double bound = 4e-6 * (std::abs(nearest) + 1) / std::max(facing, 0.01) + 1.2e-7 * range;
        if (std::abs(depth - nearest) > bound) ++wrong;
        const ExactHit own = exact.hit(xyz(cloud.position[render::splat_index(key)]), cloud.radius, x, y);
        if (render::splat_index(key) != expected && !(std::abs(own.depth - nearest) <= 2 * bound)) ++wrong;
      }
    EXPECT_EQ(wrong, 0) << "of " << width * height << " pixels";
    EXPECT_LT(ties, width * height / 5 + 1) << "so few pixels say little";
  }
};
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Splat);

TEST_P(Splat, FindsTheNearestSphereOfEveryPixel) {
  check(random_spheres(150, 0.15f, {-2, -2, -2}, {2, 2, 2}), looking_down_z(), 151, 97);
}

TEST_P(Splat, FindsTheNearestSphereOfEveryPixelOfAFlatView) {
  check(random_spheres(150, 0.15f, {-2, -2, -2}, {2, 2, 2}), flat_view(), 131, 101);
}

TEST_P(Splat, FindsSpheresAroundBesideAndBehindTheEye) {
  // Spheres of all sizes: some fill the picture, some are cut by the near plane or by the eye's own plane.
  for (unsigned seed = 1; seed <= 6; ++seed)
    check(random_spheres(30, 0.4f, {-1.5f, -1.5f, 2.5f}, {1.5f, 1.5f, 5.5f}, seed), looking_down_z(), 90, 60);
}

TEST_P(Splat, FindsSpheresOfAWideView) {
  Camera camera = looking_down_z();
  camera.fov_degrees = 150;
  check(random_spheres(60, 0.5f, {-6, -6, 0}, {6, 6, 3.8f}), camera, 120, 80);
}

TEST_P(Splat, FillsThePictureWithOneSphere) {
  // More pixels than one thread takes: bands of it go to several.
  Cloud cloud;
  cloud.radius = 3.5f;
  cloud.add({0, 0, 0}, 1);
  const Found found = find(cloud, looking_down_z(), 301, 211);
  EXPECT_EQ(found.covered(), 301 * 211);
  check(cloud, looking_down_z(), 301, 211);
}

TEST_P(Splat, DrawsEverySphereOfManyPixels) {
  // More spheres than blocks, all different: if one were dropped, another would show.
  Cloud cloud = random_spheres(400, 0.9f, {-2, -2, -3}, {2, 2, 1});
  check(cloud, looking_down_z(), 180, 140);
}

TEST_P(Splat, KeepsTheFirstOfCoincidentSpheres) {
  Cloud cloud;
  cloud.radius = 0.5f;
  for (int i = 0; i < 5000; ++i) cloud.add({0.1f, 0.2f, 0.3f}, static_cast<float>(i));
  const Found found = find(cloud, looking_down_z(), 64, 64);
  ASSERT_GT(found.covered(), 50);
  for (const std::uint64_t key : found.keys) ASSERT_TRUE(key == render::kNoSplat || render::splat_index(key) == 0);
}

TEST_P(Splat, KeepsTheNearestOfManyOnOnePixel) {
  constexpr int n = 50000;
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  Cloud cloud;
  cloud.radius = 1e-4f;
  for (const int i : order) cloud.add({0, 0, -static_cast<float>(i) / n}, 1);
  const Found found = find(cloud, looking_down_z(), 63, 63);
  const auto nearest = static_cast<std::uint32_t>(std::find(order.begin(), order.end(), 0) - order.begin());
  EXPECT_EQ(render::splat_index(found.key(31, 31)), nearest);
  EXPECT_LE(found.covered(), 9);
}

TEST_P(Splat, DrawsSpheresBelowAPixelAsLargeAsOne) {
  const Cloud cloud = random_spheres(200, 1e-7f, {-1, -1, -2}, {1, 1, 2});
  int seen = 0;
  for (std::size_t i = 0; i < cloud.position.size(); ++i) {
    Cloud one;
    one.radius = cloud.radius;
    one.position = {cloud.position[i]}, one.velocity = {{}}, one.scalar = {0};
    const int covered = find(one, looking_down_z(), 80, 80).covered();
    EXPECT_LE(covered, 4);
    seen += covered > 0;
  }
  // 0.7 pixels reach the middle of some pixel from 99.9 % of places.
  EXPECT_GE(seen, 195);
}

TEST_P(Splat, LeavesOutWhatTheEyeIsInsideOf) {
  Cloud cloud;
  cloud.radius = 1;
  cloud.add({0, 0, 4.5f}, 1);
  EXPECT_EQ(find(cloud, looking_down_z(), 50, 50).covered(), 0);
  cloud.add({0, 0, -1}, 1);
  const Found found = find(cloud, looking_down_z(), 50, 50);
  EXPECT_GT(found.covered(), 100);
  for (const std::uint64_t key : found.keys) EXPECT_TRUE(key == render::kNoSplat || render::splat_index(key) == 1);
}

TEST_P(Splat, LeavesOutWhatIsBehindTheEye) {
  EXPECT_EQ(find(random_spheres(500, 0.2f, {-3, -3, 4.3f}, {3, 3, 9}), looking_down_z(), 70, 50).covered(), 0);
}

TEST_P(Splat, OutlivesPositionsThatAreNotNumbersOrVast) {
  const Cloud good = random_spheres(100, 0.2f, {-2, -2, -2}, {2, 2, 2});
  Cloud bad = good;
  for (const float x : {kNaN, kInfinity, -kInfinity, 1e38f, -1e38f, 1e30f, 1e29f, -3e20f})
    for (const Vec3 at : {Vec3{x, 0, 0}, Vec3{0, x, 0.5f}, Vec3{0, 0, std::abs(x)}, Vec3{x, x, x}, Vec3{x, -x, 1}})
      bad.add(at, 0.5f);
  for (const Camera& camera : {looking_down_z(), flat_view()})
    EXPECT_EQ(find(bad, camera, 80, 60).keys, find(good, camera, 80, 60).keys);
}

TEST_P(Splat, OfNoRadiusOrNoParticlesIsEmpty) {
  Cloud cloud = random_spheres(100, 0.2f, {-2, -2, -2}, {2, 2, 2});
  for (const float radius : {0.0f, -1.0f, kNaN, kInfinity}) {
    cloud.radius = radius;
    for (const Camera& camera : {looking_down_z(), flat_view()}) EXPECT_EQ(find(cloud, camera, 40, 30).covered(), 0);
  }
  EXPECT_EQ(find(Cloud{}, looking_down_z(), 40, 30).covered(), 0);
}

TEST_P(Splat, WorksForPicturesOfAnySize) {
  const Cloud cloud = random_spheres(40, 0.4f, {-2, -2, -2}, {2, 2, 2});
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 40}, {40, 1}, {33, 17}, {31, 64}, {257, 3}})
    for (const Camera& camera : {looking_down_z(), flat_view()}) check(cloud, camera, width, height);
}

TEST_P(Splat, LeavesOutWhatThePlaneCutsOff) {
  const Cloud all = random_spheres(300, 0.2f, {-2, -2, -2}, {2, 2, 2});
  const Found found = find(all, looking_down_z(), 80, 60, {2, 0, 1, 0.5f});
  int left = 0;
  for (const std::uint64_t key : found.keys)
    if (key != render::kNoSplat) {
      const Vec3 p = xyz(all.position[render::splat_index(key)]);
      EXPECT_LE(2 * p.x + p.z, 0.5f);
      ++left;
    }
  EXPECT_GT(left, 200);
}

TEST_P(Splat, IsTheSameTwiceToTheLastBit) {
  // Many spheres one behind another, so that the order of threads differs from run to run.
  const Cloud cloud = random_spheres(20000, 0.1f, {-2, -2, -2}, {2, 2, 2});
  const Uploaded particles = upload(cloud);
  const render::ViewTransform view = render::view_transform(looking_down_z(), 1.5f);
  const render::SplatFrame frame = render::make_splat_frame(view, 240, 160, cloud.radius);
  std::vector<Vec4> grey(render::kColorMapSize);
  for (std::size_t i = 0; i < grey.size(); ++i) grey[i].x = grey[i].y = grey[i].z = static_cast<float>(i) / 255;
  const Buffer<Vec4> table(device(), grey);
  render::SplatLook look = render::make_splat_look(view, {0, 1, 0}, {});
  look.color_map = table.data();
  render::Splatter splatter(device());
  Buffer<render::SplatPixel> pixels(device(), static_cast<std::size_t>(frame.pitch) * 160);
  const auto draw = [&] {
    splatter.splat(particles.view, frame);
    splatter.shade(particles.view, frame, look, pixels.data());
    std::vector<std::uint64_t> bits;
    for (const render::SplatPixel& pixel : pixels.to_host())
      bits.push_back(std::uint64_t{pixel.rgba} << 32 | float_bits(pixel.depth));
    return bits;
  };
  const auto first = draw();
  EXPECT_GT(std::count_if(first.begin(), first.end(), [](auto p) { return (p & 0xffffffff) != 0; }), 20000);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(draw(), first);
}

}  // namespace
}  // namespace riffle::test
