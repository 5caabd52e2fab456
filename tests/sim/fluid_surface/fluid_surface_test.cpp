/// The surfaces of particles: closed, in the right place, and of the volume that the particles have.

#include "sim/fluid_surface/fluid_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/error.h"
#include "support/clouds.h"
#include "support/devices.h"
#include "support/non_finite.h"
#include "tests/sim/fluid_surface/closed_mesh.h"

namespace riffle::test {
namespace {

class FluidSurfaceOnEachDevice : public OnEachDevice {
 protected:
  SurfaceMesh surface_of(const std::vector<Vec4>& particles, const Domain& domain, float spacing = 1,
                         const SurfaceView& solids = {}) {
    const Buffer<Vec4> position(device(), particles);
    FluidSurface surface(device(), domain, spacing);
    report_ = surface.find(position.data(), nullptr, static_cast<int>(particles.size()), kAllFluids, solids);
    return surface.to_host();
  }
  SurfaceReport report_;
};

/// Sites at i + 1/2 for which `inside` is true.
std::vector<Vec4> filled(int per_axis, const std::function<bool(Vec3)>& inside, Vec3 shift = {0, 0, 0}) {
  std::vector<Vec4> particles;
  for (const Vec4& site : lattice(3, {0.5f, 0.5f, 0.5f}, 1, per_axis))
    if (inside(xyz(site))) particles.push_back(make_vec4(xyz(site) + shift, std::numeric_limits<float>::quiet_NaN()));
  return particles;
}

/// A ball of this radius at the middle of a box of `side`.
std::vector<Vec4> ball(int side, float radius, Vec3 shift = {0, 0, 0}) {
  const float middle = 0.5f * static_cast<float>(side);
  return filled(
      side,
      [&](Vec3 x) {
        return length2(x - Vec3{middle, middle, middle}) <= radius * radius;
      },
      shift);
}

double four_thirds_pi(double radius) { return 4.0 / 3 * 3.141592653589793 * radius * radius * radius; }

TEST_P(FluidSurfaceOnEachDevice, OfABallHasItsVolume) {
  for (const float radius : {20.0f, 20.3f}) {
    const std::vector<Vec4> particles = ball(48, radius, {0.1f, 0.27f, 0.4f});
    const SurfaceMesh mesh = surface_of(particles, box(3, 0, 48));
    expect_closed_and_manifold(mesh);
    EXPECT_EQ(pieces(mesh), 1);
    std::printf("ball %g: volume %g, particles %zu, exact %g, triangles %zu\n", radius, mesh.volume(), particles.size(),
                four_thirds_pi(radius), mesh.triangles.size());
    EXPECT_NEAR(mesh.volume(), static_cast<double>(particles.size()), 0.01 * static_cast<double>(particles.size()));
    EXPECT_NEAR(mesh.volume(), four_thirds_pi(radius), 0.01 * four_thirds_pi(radius));
    float nearest = 1000, farthest = 0;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      const Vec3 r = mesh.vertices[v] - Vec3{24.1f, 24.27f, 24.4f};
      const float distance = std::sqrt(length2(r));
      nearest = std::min(nearest, distance), farthest = std::max(farthest, distance);
    }
    std::printf("nearest %g farthest %g\n", nearest, farthest);
  }
}

TEST_P(FluidSurfaceOnEachDevice, OfABlockHasItsVolume) {
  for (const int side : {20, 40}) {
    const std::vector<Vec4> particles = filled(side, [](Vec3) { return true; }, {3.3f, 3.2f, 3.1f});
    const SurfaceMesh mesh = surface_of(particles, box(3, 0, 50));
    expect_closed_and_manifold(mesh);
    std::printf("block %d: volume %g of %zu, triangles %zu\n", side, mesh.volume(), particles.size(),
                mesh.triangles.size());
    EXPECT_NEAR(mesh.volume(), static_cast<double>(particles.size()), 0.01 * static_cast<double>(particles.size()));
  }
}

TEST_P(FluidSurfaceOnEachDevice, OfATankIsAsFlatAsItsWalls) {
  Domain tank = box(3, {0, 0, 0}, {24, 30, 16}, Axis::Walled);
  const std::vector<Vec4> particles = filled(24, [](Vec3 x) { return x.z < 16; });
  const SurfaceMesh mesh = surface_of(particles, tank);
  expect_closed_and_manifold(mesh);
  const double volume = 24.0 * 24 * 16;
  std::printf("tank: volume %g of %g\n", mesh.volume(), volume);
  EXPECT_NEAR(mesh.volume(), volume, 0.01 * volume);
}

TEST_P(FluidSurfaceOnEachDevice, SmallThings) {
  const Domain open = box(3, 0, 20);
  const auto show = [&](const char* what, const std::vector<Vec4>& p) {
    const SurfaceMesh mesh = surface_of(p, open);
    expect_closed_and_manifold(mesh);
    std::printf("%s: volume %g of %zu, %zu triangles, %d pieces\n", what, mesh.volume(), p.size(),
                mesh.triangles.size(), pieces(mesh));
  };
  show("one", {particle(3, {5.1f, 5.2f, 5.3f})});
  show("two", {particle(3, {5.1f, 5.2f, 5.3f}), particle(3, {6.1f, 5.2f, 5.3f})});
  show("line", filled(20, [](Vec3 x) { return x.y > 9 && x.y < 10 && x.z > 9 && x.z < 10; }));
  show("sheet", filled(20, [](Vec3 x) { return x.z > 9 && x.z < 10; }));
  show("sheet of two", filled(20, [](Vec3 x) { return x.z > 9 && x.z < 11; }));
  show("cube of 8",
       filled(20, [](Vec3 x) { return x.z > 9 && x.z < 11 && x.y > 9 && x.y < 11 && x.x > 9 && x.x < 11; }));
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(FluidSurfaceOnEachDevice);

}  // namespace
}  // namespace riffle::test
