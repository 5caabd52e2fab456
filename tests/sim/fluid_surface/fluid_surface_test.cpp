/// The surfaces of particles: closed, in the right place, and of the volume that the particles have.

#include "sim/fluid_surface/fluid_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "core/error.h"
#include "support/clouds.h"
#include "support/devices.h"
#include "support/random.h"
#include "tests/sim/fluid_surface/closed_mesh.h"

namespace riffle::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class FluidSurfaces : public OnEachDevice {
 protected:
  /// Particles have a spacing of 1.
  SurfaceMesh surface_of(const std::vector<Vec4>& particles, const Domain& domain, const SurfaceView& solids = {}) {
    const Buffer<Vec4> position(device(), particles);
    FluidSurface surface(device(), domain, 1);
    report_ = surface.find(position.data(), nullptr, static_cast<int>(particles.size()), kAllFluids, solids);
    bytes_ = surface.memory_bytes();
    EXPECT_EQ(report_.particles + report_.non_finite + report_.too_far, particles.size());
    SurfaceMesh mesh = surface.to_host();
    expect_closed_and_manifold(mesh);
    return mesh;
  }
  SurfaceReport report_;
  std::size_t bytes_ = 0;
};

/// Sites at i + 1/2, i from 0 to per_axis - 1, for which `inside` is true.
std::vector<Vec4> filled(int per_axis, const std::function<bool(Vec3)>& inside, Vec3 shift = {0, 0, 0}) {
  std::vector<Vec4> particles;
  for (const Vec4& site : lattice(3, {0.5f, 0.5f, 0.5f}, 1, per_axis))
    if (inside(xyz(site))) particles.push_back(make_vec4(xyz(site) + shift, kNan));
  return particles;
}

std::vector<Vec4> jittered(std::vector<Vec4> particles, float by) {
  Random random(5);
  for (Vec4& x : particles) {
    x.x += random.uniform(-by, by);
    x.y += random.uniform(-by, by);
    x.z += random.uniform(-by, by);
  }
  return particles;
}

std::vector<Vec4> ball(Vec3 center, float radius) {
  const auto side = static_cast<int>(std::ceil(std::max({center.x, center.y, center.z}) + radius));
  return filled(side, [&](Vec3 x) { return length2(x - center) <= radius * radius; });
}

double volume_of_ball(double radius) { return 4.0 / 3 * 3.141592653589793 * radius * radius * radius; }

void expect_within_a_hundredth(const SurfaceMesh& mesh, double volume) {
  EXPECT_NEAR(mesh.volume(), volume, 0.01 * volume);
}

TEST_P(FluidSurfaces, OfABallHasItsVolumeAndItsNormals) {
  const Vec3 center{24.1f, 24.27f, 24.4f};
  for (const float radius : {20.0f, 20.3f})
    for (const float jitter : {0.0f, 0.1f, 0.2f, 0.3f}) {
      SCOPED_TRACE(testing::Message() << radius << " " << jitter);
      const std::vector<Vec4> particles = jittered(ball(center, radius), jitter);
      const SurfaceMesh mesh = surface_of(particles, box(3, 0, 48));
      if (jitter < 0.3f) {  // more leaves holes of a spacing and a half
        EXPECT_EQ(pieces(mesh), 1);
      }
      expect_within_a_hundredth(mesh, static_cast<double>(particles.size()));
      expect_within_a_hundredth(mesh, volume_of_ball(radius));
      double along = 0, farthest = 0;
      for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const Vec3 r = mesh.vertices[v] - center;
        const float distance = std::sqrt(length2(r));
        along += dot(r, mesh.normals[v]) / distance;
        farthest = std::max(farthest, std::fabs(double{distance} - radius));
      }
      EXPECT_GT(along / static_cast<double>(mesh.vertices.size()), jitter < 0.2f ? 0.97 : 0.9);
      if (jitter < 0.3f) {
        EXPECT_LT(farthest, 0.8);
      }
    }
}

TEST_P(FluidSurfaces, OfABlockHasItsVolume) {
  for (const int side : {20, 40})
    for (const float jitter : {0.0f, 0.1f, 0.2f, 0.3f}) {
      const std::vector<Vec4> particles = jittered(filled(side, [](Vec3) { return true; }, {3.3f, 3.2f, 3.1f}), jitter);
      const SurfaceMesh mesh = surface_of(particles, box(3, 0, 50));
      SCOPED_TRACE(testing::Message() << side << " " << jitter);
      if (jitter < 0.3f) {
        EXPECT_EQ(pieces(mesh), 1);
      }
      expect_within_a_hundredth(mesh, static_cast<double>(particles.size()));
    }
}

/// Vertices nearer than that to the plane of that coordinate, and whether their normals point along the axis.
struct OnPlane {
  int vertices = 0, aslant = 0;
};
OnPlane on_plane(const SurfaceMesh& mesh, int axis, float at) {
  OnPlane found;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (std::fabs(component(mesh.vertices[v], axis) - at) > 2e-3f) continue;
    ++found.vertices;
    if (std::fabs(component(mesh.normals[v], axis)) < 0.9f) ++found.aslant;
  }
  return found;
}

// The tank is no whole number of cells wide, so that walls run anywhere between nodes.
TEST_P(FluidSurfaces, OfATankIsAsFlatAsItsWalls) {
  for (const float width : {24.0f, 24.3f})
    for (const float jitter : {0.0f, 0.1f}) {
      SCOPED_TRACE(testing::Message() << width << " " << jitter);
      Domain tank = box(3, {0, 0, 0}, {width, 30, 16}, Axis::Walled);
      tank.axis[1] = Axis::Open;
      std::vector<Vec4> particles = filled(24, [](Vec3 x) { return x.z < 16; });
      for (Vec4& x : particles) x.x *= width / 24;
      const SurfaceMesh mesh = surface_of(jittered(particles, jitter), tank);
      EXPECT_EQ(pieces(mesh), 1);
      expect_within_a_hundredth(mesh, double{width} * 24 * 16);
      for (const Vec3& v : mesh.vertices) {
        EXPECT_GT(v.x, -1e-3f);
        EXPECT_LT(v.x, width + 1e-3f);
        EXPECT_GT(v.z, -1e-3f);
        EXPECT_LT(v.z, 16 + 1e-3f);
        EXPECT_LT(v.y, 24.5f);
      }
      // A wall of 24 x 24 has about 48 x 48 nodes.
      for (const auto& [axis, at] : {std::pair{0, 0.0f}, {0, width}, {2, 0.0f}, {2, 16.0f}}) {
        const OnPlane wall = on_plane(mesh, axis, at);
        EXPECT_GT(wall.vertices, axis == 0 ? 30 * 46 : 46 * 46) << axis << " " << at;
        EXPECT_LT(wall.aslant, wall.vertices / 5);
      }
    }
}

// Kernels reach into walls, where no particles are. Without a correction the surface would stand off the wall as soon as the
// fluid is a little further from it than at rest.
TEST_P(FluidSurfaces, TouchWallsThatTheFluidIsNextToAndNoOthers) {
  for (const float gap : {0.0f, 0.1f, 0.2f, 1.0f}) {
    Domain tank = box(3, {-gap, 0, 0}, {20, 20, 10}, Axis::Walled);
    const SurfaceMesh mesh = surface_of(filled(10, [](Vec3) { return true; }), tank);
    const int touching = on_plane(mesh, 0, -gap).vertices;
    if (gap < 0.5f)
      EXPECT_GT(touching, 18 * 18) << gap;
    else
      EXPECT_EQ(touching, 0) << gap;
  }
}

// The box is full, and closes at faces that are periodic, as it does at walls.
TEST_P(FluidSurfaces, OfAPeriodicBoxEndsAtItsFaces) {
  const Domain full = box(3, 0, 12, Axis::Periodic);
  const SurfaceMesh mesh = surface_of(filled(12, [](Vec3) { return true; }), full);
  EXPECT_EQ(pieces(mesh), 1);
  expect_within_a_hundredth(mesh, 12 * 12 * 12);
  for (const float at : {0.0f, 12.0f}) EXPECT_GT(on_plane(mesh, 2, at).vertices, 22 * 22);
  // A layer that goes through the face is two bodies, each cut at it: nothing of it is rounded there.
  const auto across = [](Vec3 x) { return x.x < 3 || x.x > 9; };
  const SurfaceMesh layer = surface_of(filled(12, across), full);
  EXPECT_EQ(pieces(layer), 2);
  expect_within_a_hundredth(layer, 6 * 12 * 12);
  Domain thin = full;  // thinner than a kernel
  thin.max.z = 1;
  EXPECT_NEAR(surface_of(filled(12, [](Vec3 x) { return x.z < 1; }), thin).volume(), 144, 8 * 12 * 0.04)
      << "cells cut the edges off";
}

TEST_P(FluidSurfaces, OfRandomCloudsAreClosedAndManifold) {
  const Axis kinds[] = {Axis::Open, Axis::Walled, Axis::Periodic};
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Domain domain = box(3, 0, 12);
    for (Axis& axis : domain.axis) axis = kinds[random.below(3)];
    const int count = 1 + random.below(1 + 40 * static_cast<int>(1 + seed));
    std::vector<Vec4> particles = uniform_cloud(random, domain, count);
    if (random.chance(0.3f)) add_coincident(particles, 3, uniform_in(random, domain), 1 + random.below(40));
    if (random.chance(0.5f))  // nodes are at multiples of half a spacing, and a quarter
      for (Vec4& x : particles)
        x = {std::round(2 * x.x) / 2 - 0.25f, std::round(2 * x.y) / 2 - 0.25f, std::round(2 * x.z) / 2 - 0.25f, 0};
    const SurfaceMesh mesh = surface_of(particles, domain);
    EXPECT_GT(mesh.volume(), 0);
  }
}

TEST_P(FluidSurfaces, OfTwoBallsThatTouchIsClosed) {
  for (const float gap : {-2.0f, -0.5f, 0.0f, 1.5f, 3.0f}) {
    SCOPED_TRACE(gap);
    std::vector<Vec4> particles = ball({8.2f, 8.1f, 8.3f}, 6);
    const std::vector<Vec4> one = particles;
    for (const Vec4& x : one) particles.push_back({x.x + 12 + gap, x.y, x.z, 0});
    const SurfaceMesh mesh = surface_of(particles, box(3, 0, 40));
    EXPECT_EQ(pieces(mesh), gap < 1 ? 1 : 2) << mesh.volume();
  }
}

TEST_P(FluidSurfaces, OfThinFluidKeepsMostOfItsVolume) {
  const Domain open = box(3, 0, 24);
  const auto at = [](float x) { return [x](float y) { return y > x && y < x + 1; }; };
  const SurfaceMesh sheet = surface_of(filled(20, [&](Vec3 x) { return at(9)(x.z); }), open);
  EXPECT_NEAR(sheet.volume(), 400, 40);
  EXPECT_EQ(pieces(sheet), 1);
  const SurfaceMesh jet = surface_of(filled(20, [&](Vec3 x) { return at(9)(x.z) && at(9)(x.y); }), open);
  EXPECT_NEAR(jet.volume(), 20, 5);
  EXPECT_EQ(pieces(jet), 1);
}

TEST_P(FluidSurfaces, OfOneParticleIsADrop) {
  for (const float place : {5.0f, 5.1f, 5.13f, 5.25f, 5.4f}) {
    const SurfaceMesh mesh = surface_of({particle(3, {place, 5.2f, 5.3f})}, box(3, 0, 10));
    EXPECT_EQ(pieces(mesh), 1) << place;
    EXPECT_GT(mesh.volume(), 0.3) << place;
    EXPECT_LT(mesh.volume(), 1) << place;
    for (const Vec3& v : mesh.vertices) EXPECT_LT(length2(v - Vec3{place, 5.2f, 5.3f}), 0.65f * 0.65f);
  }
}

TEST_P(FluidSurfaces, OfNothingIsEmpty) {
  const SurfaceMesh none = surface_of({}, box(3, 0, 10));
  EXPECT_TRUE(none.triangles.empty() && none.vertices.empty());
  const SurfaceMesh lost = surface_of({{kNan, 0, 0, 0}, {1, INFINITY, 1, 0}}, box(3, 0, 10));
  EXPECT_TRUE(lost.triangles.empty());
  EXPECT_EQ(report_.non_finite, 2u);
}

TEST_P(FluidSurfaces, LeavesOutParticlesThatAreNotFiniteAndCountsThem) {
  const std::vector<Vec4> whole = filled(6, [](Vec3) { return true; });
  const SurfaceMesh expected = surface_of(whole, box(3, 0, 10));
  std::vector<Vec4> particles = whole;
  particles.insert(particles.begin() + 7, Vec4{3, kNan, 3, 0});
  particles.insert(particles.begin() + 90, Vec4{-INFINITY, 2, 3, 0});
  particles.push_back({3e6f, 0, 0, 0});
  const SurfaceMesh found = surface_of(particles, box(3, 0, 10));
  EXPECT_EQ(report_.particles, whole.size());
  EXPECT_EQ(report_.non_finite, 2u);
  EXPECT_EQ(report_.too_far, 1u);
  EXPECT_EQ(found.vertices, expected.vertices);
  EXPECT_EQ(found.triangles, expected.triangles);
}

// Boxes of more than 2^32 blocks, and of fewer that are mostly empty.
TEST_P(FluidSurfaces, OfParticlesFarApartTakesTheMemoryOfTheParticles) {
  const std::vector<Vec4> one = ball({4.2f, 4.3f, 4.1f}, 4);
  const double volume = surface_of(one, box(3, 0, 10)).volume();
  for (const float far : {100.0f, 1000.0f, 16384.0f}) {
    SCOPED_TRACE(far);
    std::vector<Vec4> particles;
    for (const Vec3 shift : {Vec3{0, 0, 0}, {far, 0, 0}, {0, far, 0}, {0, 0, -far}, {-far, -far, far}})
      for (const Vec4& x : one) particles.push_back(make_vec4(xyz(x) + shift));
    const SurfaceMesh mesh = surface_of(particles, box(3, 0, 10));
    EXPECT_EQ(pieces(mesh), 5);
    EXPECT_NEAR(mesh.volume(), 5 * volume, 0.05 * volume);
    EXPECT_LT(bytes_, std::size_t{8} << 20);
  }
}

TEST_P(FluidSurfaces, OfEachFluidAreThoseOfItsParticlesAlone) {
  const std::vector<Vec4> lower = filled(10, [](Vec3 x) { return x.y < 4; });
  const std::vector<Vec4> upper = filled(10, [](Vec3 x) { return x.y > 4; });
  std::vector<Vec4> both;
  std::vector<std::uint32_t> fluid;
  for (std::size_t i = 0; i < upper.size(); ++i) {
    both.push_back(upper[i]), fluid.push_back(2);
    if (i < lower.size()) both.push_back(lower[i]), fluid.push_back(0);
  }
  const Domain tank = box(3, 0, 10, Axis::Walled);
  const Buffer<Vec4> position(device(), both);
  const Buffer<std::uint32_t> fluids(device(), fluid);
  FluidSurface surface(device(), tank, 1);
  const auto found = [&](int which) {
    surface.find(position.data(), fluids.data(), static_cast<int>(both.size()), which);
    return surface.to_host();
  };
  EXPECT_EQ(found(0).vertices, surface_of(lower, tank).vertices);
  EXPECT_EQ(found(2).vertices, surface_of(upper, tank).vertices);
  EXPECT_TRUE(found(1).triangles.empty());
  // Together they fill the box, and there is no surface between them.
  EXPECT_NEAR(found(kAllFluids).volume(), 1000, 5);
  EXPECT_EQ(pieces(found(kAllFluids)), 1);
  EXPECT_NEAR(found(0).volume() + found(2).volume(), 1000, 10);
}

TEST_P(FluidSurfaces, AreTheSameEachTime) {
  Random random(3);
  const Domain domain = box(3, 0, 20);
  const Buffer<Vec4> position(device(), uniform_cloud(random, domain, 4000));
  FluidSurface surface(device(), domain, 1);
  surface.find(position.data(), nullptr, 4000);
  const SurfaceMesh first = surface.to_host();
  surface.find(position.data(), nullptr, 1000);  // leaves its traces in memory
  surface.find(position.data(), nullptr, 4000);
  const SurfaceMesh second = surface.to_host();
  EXPECT_EQ(first.vertices, second.vertices);
  EXPECT_EQ(first.normals, second.normals);
  EXPECT_EQ(first.triangles, second.triangles);
}

TEST_P(FluidSurfaces, InTwoDimensionsAreRefused) { EXPECT_THROW(FluidSurface(device(), box(2, 0, 10), 1), InputError); }

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(FluidSurfaces);

}  // namespace
}  // namespace riffle::test
