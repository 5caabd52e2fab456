#include "validation/closest_pair.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/sim/setups.h"

namespace riffle::test {
namespace {

/// One particle at each of the places, in a box of side 1.
SimulationSetup particles_at(int dimension, Axis axis, const std::vector<Vec3>& places) {
  SimulationSetup setup;
  setup.domain.dimension = dimension;
  setup.domain.max = {1, 1, 1};
  for (Axis& a : setup.domain.axis) a = axis;
  setup.gravity = {};
  setup.spacing = 0.05f;
  setup.fluids.emplace_back();
  for (const Vec3 place : places) setup.bodies.push_back(body_of_one_particle(setup, place));
  setup.wcsph.speed_of_sound = 1;
  return setup;
}

double closest(const SimulationSetup& setup) { return closest_pair(Simulation(setup, Device{})); }

TEST(ClosestPair, IsTheSmallestDistanceAmongAll) {
  const std::vector<Vec3> places = {
      {0.2f, 0.2f, 0.2f}, {0.5f, 0.2f, 0.2f}, {0.5f, 0.8f, 0.2f}, {0.56f, 0.72f, 0.2f}, {0.53f, 0.5f, 0.6f}};
  EXPECT_NEAR(closest(particles_at(3, Axis::Open, places)), 0.1, 1e-6);
}

TEST(ClosestPair, LooksThroughPeriodicFacesOnly) {
  for (const int dimension : {2, 3})
    for (const int axis : {0, 1}) {
      const float z = dimension == 3 ? 0.5f : 0;
      const auto place = [&](float along) { return axis == 0 ? Vec3{along, 0.5f, z} : Vec3{0.5f, along, z}; };
      const std::vector<Vec3> places = {place(0.05f), place(0.5f), place(0.95f)};
      EXPECT_NEAR(closest(particles_at(dimension, Axis::Periodic, places)), 0.1, 1e-6) << dimension << "-D, " << axis;
      EXPECT_NEAR(closest(particles_at(dimension, Axis::Open, places)), 0.45, 1e-6) << dimension << "-D, " << axis;
    }
}

TEST(ClosestPair, OfOneParticleIsInfinitelyFar) {
  for (const Axis axis : {Axis::Open, Axis::Periodic})
    EXPECT_TRUE(std::isinf(closest(particles_at(3, axis, {{0.5f, 0.5f, 0.5f}}))));
}

}  // namespace
}  // namespace riffle::test
