/// Compares the particle found on a ray with a search over every particle on the host.

#include "sim/measure/probe.h"

#include <algorithm>
#include <random>
#include <tuple>

#include "core/error.h"
#include "support/devices.h"
#include "support/neighbor_oracle.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

class Probe : public OnEachDevice {};

/// |o + t d - c|^2 = r^2 solved for t, independently of the program.
std::optional<Hit> expected_pick(const Simulation& simulation, Vec3 origin, Vec3 direction, double radius) {
  const auto position = simulation.particles().get<Vec4>("position").to_host();
  const auto id = simulation.particles().get<std::uint32_t>("id").to_host();
  const double a =
      double{direction.x} * direction.x + double{direction.y} * direction.y + double{direction.z} * direction.z;
  std::optional<Hit> best;
  for (std::size_t i = 0; i < position.size(); ++i) {
    double b = 0, c = -radius * radius;
    for (int k = 0; k < 3; ++k) {
      const double from = double{component(origin, k)} - component(xyz(position[i]), k);
      b += from * component(direction, k);
      c += from * from;
    }
    const double root2 = b * b - a * c;
    if (root2 < 0 || -b + std::sqrt(root2) < 0) continue;
    const double distance = std::max(0.0, (-b - std::sqrt(root2)) / a * std::sqrt(a));
    if (!best || distance < best->distance - 1e-12 ||
        (std::fabs(distance - best->distance) <= 1e-12 && id[i] < best->id))
      best = Hit{id[i], static_cast<int>(i), distance, xyz(position[i])};
  }
  return best;
}

TEST_P(Probe, TheParticleUnderARayIsTheFirstItMeets) {
  for (const SolverCase& c : solver_cases()) {
    SCOPED_TRACE(c.name);
    Simulation simulation(c.setup, device());
    run_steps(simulation, 10);
    const Domain& domain = c.setup.domain;
    const bool flat = domain.dimension == 2;
    std::mt19937 random(7);
    std::uniform_real_distribution<float> unit(0, 1);
    const auto somewhere = [&](float beyond) {
      const Vec3 extent = domain.extent();
      const auto at = [&](float low, float length) {
        return low + length * (-beyond + (1 + 2 * beyond) * unit(random));
      };
      return Vec3{at(domain.min.x, extent.x), at(domain.min.y, extent.y), flat ? 0.0f : at(domain.min.z, extent.z)};
    };
    int hits = 0, misses = 0;
    for (int ray = 0; ray < 60; ++ray) {
      Vec3 origin = somewhere(1);
      if (flat) origin.z = domain.extent().x;  // a camera in front of the plane
      const Vec3 direction = somewhere(0.3f) - origin;
      const float radius = 0.5f * c.setup.spacing;
      const auto expected = expected_pick(simulation, origin, direction, radius);
      const auto found = pick(simulation, origin, direction, radius);
      ASSERT_EQ(found.has_value(), expected.has_value()) << ray;
      ++(found ? hits : misses);
      if (!found) continue;
      EXPECT_EQ(found->id, expected->id) << ray;
      EXPECT_EQ(found->index, expected->index) << ray;
      EXPECT_NEAR(found->distance, expected->distance, 1e-6 * c.setup.spacing) << ray;
      EXPECT_TRUE(found->position == expected->position) << ray;
    }
    EXPECT_GE(hits, 5);
    EXPECT_GE(misses, 5);
  }
}

TEST_P(Probe, OfTwoAtTheSamePlaceTheOneWithTheSmallerIdIsFound) {
  SimulationSetup setup = column_setup(3, 4);
  setup.bodies.push_back(setup.bodies[0]);
  Simulation simulation(setup, device());
  const auto half = static_cast<std::uint32_t>(simulation.particle_count() / 2);
  const auto position = by_id<Vec4>(simulation, "position");
  for (std::uint32_t id : {0u, 5u, half - 1}) {
    ASSERT_TRUE(xyz(position[id]) == xyz(position[id + half]));
    const auto hit = pick(simulation, xyz(position[id]) + Vec3{0, 0, 1e-4f}, {0, 0, 1}, 0.001f);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->id, id);
    EXPECT_EQ(hit->distance, 0);  // from inside
  }
}

TEST_P(Probe, WhatIsBehindIsNotMetAndARayNeedsADirection) {
  Simulation simulation(column_setup(3, 4), device());
  const Vec3 above{0.05f, 1, 0.05f};
  EXPECT_TRUE(pick(simulation, above, {0, -1, 0}, 0.02f));
  EXPECT_FALSE(pick(simulation, above, {0, 1, 0}, 0.02f));
  EXPECT_THROW(pick(simulation, above, {0, 0, 0}, 0.0125f), InputError);
  EXPECT_THROW(pick(simulation, above, {0, NAN, 0}, 0.0125f), InputError);
}

TEST_P(Probe, AParticlesNeighborsAreThoseOfBruteForce) {
  for (const SolverCase& c : solver_cases()) {
    SCOPED_TRACE(c.name);
    Simulation simulation(c.setup, device());
    run_steps(simulation, 10);
    const auto position = by_id<Vec4>(simulation, "position");
    const NeighborSets sets = expected_neighbors(position, c.setup.domain, c.setup.support_radius());
    for (std::uint32_t id = 0; id < position.size(); id += 37) {
      std::vector<Vec4> expected;
      for (const Neighbor& n : sets[id]) expected.push_back(make_vec4(xyz(position[n.j]), std::sqrt(n.r2)));
      const auto order = [](const Vec4& a, const Vec4& b) {
        return std::tuple(a.w, a.x, a.y, a.z) < std::tuple(b.w, b.x, b.y, b.z);
      };
      std::sort(expected.begin(), expected.end(), order);
      const std::vector<Vec4> found = neighbors_of(simulation, id);
      ASSERT_EQ(found.size(), expected.size()) << id;
      for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_TRUE(xyz(found[k]) == xyz(expected[k])) << id << ", " << k;
        EXPECT_EQ(found[k].w, expected[k].w) << id << ", " << k;
      }
      EXPECT_EQ(inspect(simulation, id).neighbors, static_cast<int>(expected.size())) << id;
    }
  }
}

TEST_P(Probe, AReportSaysWhatTheAttributesSay) {
  for (const SolverCase& c : solver_cases()) {
    SCOPED_TRACE(c.name);
    Simulation simulation(c.setup, device());
    EXPECT_FALSE(inspect(simulation, 3).density) << "before the first step there is none";
    run_steps(simulation, 10);
    const auto position = by_id<Vec4>(simulation, "position"), velocity = by_id<Vec4>(simulation, "velocity");
    const auto fluid = by_id<std::uint32_t>(simulation, "fluid");
    const auto ids = simulation.particles().get<std::uint32_t>("id").to_host();
    float highest = 0;
    for (std::uint32_t id = 0; id < position.size(); id += 23) {
      const ParticleReport report = inspect(simulation, id);
      EXPECT_EQ(report.id, id);
      EXPECT_EQ(ids[static_cast<std::size_t>(report.index)], id);
      EXPECT_EQ(report.fluid, fluid[id]);
      EXPECT_TRUE(report.position == xyz(position[id]));
      EXPECT_TRUE(report.velocity == xyz(velocity[id]));
      EXPECT_EQ(report.density.has_value(), c.setup.solver != SolverKind::Dpd);
      EXPECT_EQ(report.pressure.has_value(), c.setup.solver == SolverKind::Wcsph);
      if (report.density) {
        EXPECT_EQ(*report.density, by_id<float>(simulation, "density")[id]);
      }
      if (!report.pressure) continue;
      const double c0 = simulation.signal_speed();
      const double pressure = 1000 * c0 * c0 / 7 * (std::pow(*report.density / 1000.0, 7) - 1);
      EXPECT_NEAR(*report.pressure, std::max(0.0, pressure), 1e-5 * 1000 * c0 * c0);
      highest = std::max(highest, *report.pressure);
    }
    if (c.setup.solver == SolverKind::Wcsph) {
      EXPECT_GT(highest, 0);
    }
  }
}

TEST_P(Probe, AnIdThatNobodyHasIsRefusedWithTheNumberOfParticles) {
  Simulation simulation(column_setup(2, 8), device());
  for (const std::uint32_t id : {128u, 4000000000u}) {
    EXPECT_THROW(neighbors_of(simulation, id), InputError);
    try {
      inspect(simulation, id);
      ADD_FAILURE() << id;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(std::to_string(id)), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("128"), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(inspect(simulation, 127).id, 127u);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Probe);

}  // namespace
}  // namespace riffle::test
