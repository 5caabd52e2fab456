#pragma once
/// Small simulations that several tests start from, and their state by particle id.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "sim/by_id.h"
#include "sim/start/file_particles.h"

namespace riffle::test {

/// A column of 1 x 2 (x 1) in the corner of a walled box of 4 x 3 (x 1) lengths, `across` particles to a length.
inline SimulationSetup column_setup(int dimension, int across, float length = 0.1f) {
  SimulationSetup setup;
  setup.domain.dimension = dimension;
  setup.domain.max = {4 * length, 3 * length, length};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.spacing = length / static_cast<float>(across);
  setup.fluids.emplace_back();
  BodySetup column;
  column.max = {length, 2 * length, length};
  setup.bodies.push_back(column);
  return setup;
}

/// A periodic box of side 1 full of fluid without gravity, on a jittered lattice, that moves with one velocity.
inline SimulationSetup periodic_setup(int dimension, int across) {
  SimulationSetup setup;
  setup.domain.dimension = dimension;
  for (Axis& axis : setup.domain.axis) axis = Axis::Periodic;
  setup.gravity = {};
  setup.spacing = 1.0f / static_cast<float>(across);
  setup.fluids.emplace_back();
  BodySetup box;
  box.max = {1, 1, 1};
  box.jitter = 0.2f;
  box.velocity = {1, 0.5f, -0.25f};
  setup.bodies.push_back(box);
  setup.wcsph.speed_of_sound = 20;
  return setup;
}

/// A body of one particle at x.
inline BodySetup body_of_one_particle(const SimulationSetup& setup, Vec3 x) {
  const float half = 0.5f * setup.spacing;
  BodySetup body;
  body.min = x - Vec3{half, half, setup.domain.dimension == 3 ? half : 0};
  body.max = x + Vec3{half, half, setup.domain.dimension == 3 ? half : 0};
  return body;
}

/// Particles at these places, also beyond walls, which cut other bodies.
inline BodySetup body_of_places(std::vector<Vec3> places) {
  BodySetup body;
  body.min = body.max = places.at(0);
  const auto file = std::make_shared<FileParticles>();
  file->position = std::move(places);
  body.particles.from = file;
  return body;
}

inline void run_steps(Simulation& simulation, int steps) {
  for (int s = 0; s < steps; ++s) simulation.step();
}

inline void run_until(Simulation& simulation, double time) {
  simulation.set_time_limit(time);
  while (simulation.latest().time < time) simulation.step();
  simulation.finish();
}

/// After these steps every particle is at its place by brute force, within a thousandth of the spacing, with every
/// neighbour method, with and without a skin.
inline void expect_same_with_every_search(SimulationSetup setup, int steps, const Device& device) {
  const auto run = [&](NeighborMethod method, float skin) {
    setup.neighbors.method = method;
    setup.neighbors.skin = skin;
    Simulation simulation(setup, device);
    run_steps(simulation, steps);
    return by_id<Vec4>(simulation, "position");
  };
  const std::vector<Vec4> expected = run(NeighborMethod::BruteForce, 0);
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const float skin : {0.0f, 0.2f}) {
      const std::vector<Vec4> found = run(info.method, skin);
      for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_LT(std::sqrt(length2(xyz(expected[i]) - xyz(found[i]))), 1e-3 * setup.spacing)
            << info.name << ", skin " << skin << ", " << setup.domain.dimension << "-D, particle " << i;
    }
}

}  // namespace riffle::test
