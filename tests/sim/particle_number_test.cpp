/// Adding particles to a running simulation and removing some.

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/error.h"
#include "outcomes.h"
#include "sim/measure/observables.h"
#include "sim/start/sampling.h"
#include "solver_cases.h"
#include "support/devices.h"
#include "support/visit_neighbors.h"

namespace riffle::test {
namespace {

class ParticleNumber : public OnEachDevice {};

using Ids = std::vector<std::uint32_t>;

/// `count` particles, each beside one of the simulation's, inside the domain.
FluidSamples beside(const Simulation& simulation, int count) {
  const SimulationSetup& setup = simulation.setup();
  const auto position = by_id<Vec4>(simulation, "position");
  FluidSamples samples;
  for (int k = 0; k < count; ++k) {
    const std::size_t at = static_cast<std::size_t>(k) * 7919 % position.size();
    const float shift = 0.4f * setup.spacing;
    Vec3 x = xyz(position[at]) + Vec3{shift, shift, shift};
    const Vec3 low = setup.domain.min, high = setup.domain.max;
    x = {std::clamp(x.x, low.x, high.x), std::clamp(x.y, low.y, high.y), std::clamp(x.z, low.z, high.z)};
    if (setup.domain.dimension == 2) x.z = 0;
    samples.position.push_back(make_vec4(x));
    samples.velocity.push_back({0.1f, -0.05f, 0, 0});
    samples.fluid.push_back(static_cast<std::uint32_t>(static_cast<std::size_t>(k) % setup.fluids.size()));
  }
  return samples;
}

/// Every search with and without a skin, on two small cases: a solver that starts from positions and velocities alone,
/// and one that carries forces.
std::vector<SolverCase> search_cases() {
  std::vector<SolverCase> cases;
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const float skin : {0.0f, 0.2f})
      for (const bool deterministic : {true, false}) {
        if (!deterministic && info.method != NeighborMethod::Bucket) continue;
        for (SolverCase c : {SolverCase{"WCSPH", with_solver(periodic_setup(2, 16), SolverKind::Wcsph)},
                             SolverCase{"DPD", dpd_case(DpdIntegrator::LeapFrog)}}) {
          c.name += ", " + std::string(info.name) + ", skin " + std::to_string(skin);
          c.setup.neighbors.method = info.method;
          c.setup.neighbors.skin = skin;
          c.setup.deterministic = deterministic;
          cases.push_back(c);
        }
      }
  return cases;
}

std::vector<SolverCase> all_cases() {
  std::vector<SolverCase> cases = solver_cases();
  for (const SolverCase& c : search_cases()) cases.push_back(c);
  return cases;
}

/// On a GPU a run of which the search is not deterministic is repeated by nothing.
bool repeats(const SolverCase& c, const Device& device) { return c.setup.deterministic || device.is_cpu(); }

TEST_P(ParticleNumber, AddingAndRemovingTheSameLeavesNoTrace) {
  for (const SolverCase& c : all_cases()) {
    if (!repeats(c, device())) continue;
    SCOPED_TRACE(c.name);
    Simulation plain(c.setup, device()), changed(c.setup, device());
    run_steps(plain, 7);
    run_steps(changed, 7);
    const std::uint64_t then = hash_of(plain);
    const Ids ids = changed.add_particles(beside(changed, 20));
    EXPECT_EQ(changed.particle_count(), plain.particle_count() + 20);
    EXPECT_NE(hash_of(changed), then);
    changed.remove_particles(ids);
    EXPECT_EQ(changed.particle_count(), plain.particle_count());
    EXPECT_EQ(hash_of(changed), then);
    // What a search keeps from build to build is lost, as when it is set again.
    if (c.setup.neighbors.skin > 0 || !c.setup.deterministic) plain.set_neighbors(c.setup.neighbors);
    EXPECT_EQ(hash_after(changed, 13), hash_after(plain, 13));
    EXPECT_EQ(changed.particles().get<std::uint32_t>("id").to_host(),
              plain.particles().get<std::uint32_t>("id").to_host());
  }
}

TEST_P(ParticleNumber, ARunGoesOnLikeASimulationThatIsMadeAfterTheChange) {
  for (const SolverCase& c : all_cases()) {
    if (!repeats(c, device())) continue;
    SCOPED_TRACE(c.name);
    Simulation simulation(c.setup, device());
    run_steps(simulation, 10);
    const auto expect_same = [&](const char* after) {
      const SimulationState state = simulation.save_state();
      Simulation made(c.setup, device(), state);
      const std::uint64_t now = hash_of(made), later = hash_after(made, 10);
      ASSERT_NE(now, later);
      EXPECT_EQ(hash_of(simulation), now) << after;
      EXPECT_EQ(hash_after(simulation, 10), later) << after;
      simulation.restore_state(state);
      EXPECT_EQ(hash_of(simulation), now) << after << ", restored";
      EXPECT_EQ(hash_after(simulation, 10), later) << after << ", restored";
      EXPECT_EQ(simulation.diagnostics().non_finite, 0);
      EXPECT_EQ(simulation.finish().step, made.finish().step);
    };
    const Ids ids = simulation.add_particles(beside(simulation, 30));
    expect_same("after adding");
    const std::uint32_t gone[] = {3, ids[0], 0, ids[29], 17, ids[4]};
    simulation.remove_particles(gone);
    expect_same("after removing");
  }
}

// An addition may not restart the others: their forces, random numbers and leap-frog velocities go on.
TEST_P(ParticleNumber, ANewParticleFarFromTheOthersDoesNotChangeThem) {
  for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog})
    for (const RandomKind random : {RandomKind::Philox, RandomKind::KarpinskiStream}) {
      SimulationSetup setup = free_block(SolverKind::Dpd, 3);
      setup.dpd.integrator = integrator;
      setup.dpd.random = random;
      Simulation plain(setup, device()), changed(setup, device());
      run_steps(plain, 10);
      run_steps(changed, 10);
      const Ids ids = changed.add_particles({{{-8, -8, -8, 0}}, {{0, 0, 0, 0}}, {0}});
      if (random == RandomKind::KarpinskiStream) {
        EXPECT_EQ(by_id<float>(changed, "random").back(), karpinski_stream(setup.seed, ids[0]).r);
      }
      run_steps(plain, 5);
      run_steps(changed, 5);
      const auto then = by_id<Vec4>(plain, "velocity");
      auto now = by_id<Vec4>(changed, "velocity");
      ASSERT_EQ(now.size(), then.size() + 1);
      double most = 0, change = 0;
      for (std::size_t i = 0; i < then.size(); ++i) {
        most = std::max(most, double{std::sqrt(length2(xyz(then[i])))});
        change = std::max(change, double{std::sqrt(length2(xyz(then[i]) - xyz(now[i])))});
      }
      EXPECT_LT(change, 1e-4 * most);  // the search may take them in another order
      EXPECT_EQ(by_id<Vec4>(changed, "position").back().x, -8);
    }
}

TEST_P(ParticleNumber, ANewParticleFeelsItsNeighboursFromItsFirstHalfKickOn) {
  const SimulationSetup setup = conservative_dpd_case();
  Simulation simulation(setup, device());
  run_steps(simulation, 5);
  const FluidSamples samples = beside(simulation, 3);
  simulation.add_particles(samples);
  Simulation fresh = with_forces_again(simulation);
  simulation.step();
  fresh.step();
  const auto expected = by_id<Vec4>(fresh, "position"), found = by_id<Vec4>(simulation, "position");
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = found.size() - 3 + k;
    EXPECT_TRUE(xyz(found[i]) == xyz(expected[i])) << "new particle " << k;
    const Vec3 flight = xyz(samples.position[k]) + setup.step.fixed * xyz(samples.velocity[k]);
    EXPECT_FALSE(xyz(found[i]) == flight) << "nothing pushed it";
  }
}

TEST_P(ParticleNumber, GrowsFarBeyondTheFirstOneAndNoValueIsLost) {
  for (const SolverCase& c : solver_cases()) {
    SCOPED_TRACE(c.name);
    Simulation simulation(c.setup, device());
    run_steps(simulation, 3);
    const auto before = by_id<Vec4>(simulation, "position"), velocity = by_id<Vec4>(simulation, "velocity");
    const int count = simulation.particle_count();
    FluidSamples all;
    for (int round = 0; round < 5; ++round) {
      const FluidSamples more = beside(simulation, count / 2);
      const Ids ids = simulation.add_particles(more);
      ASSERT_EQ(ids.size(), more.position.size());
      EXPECT_EQ(ids.front(), static_cast<std::uint32_t>(count + round * (count / 2)));
      EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
      for (std::size_t k = 0; k < ids.size(); ++k) {
        all.position.push_back(more.position[k]);
        all.fluid.push_back(more.fluid[k]);
      }
    }
    EXPECT_GE(simulation.particles().capacity(), simulation.particle_count());
    const auto after = by_id<Vec4>(simulation, "position"), fast = by_id<Vec4>(simulation, "velocity");
    const auto fluid = by_id<std::uint32_t>(simulation, "fluid");
    ASSERT_EQ(after.size(), before.size() + all.position.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      ASSERT_TRUE(xyz(after[i]) == xyz(before[i]));
      ASSERT_TRUE(xyz(fast[i]) == xyz(velocity[i]));
    }
    for (std::size_t k = 0; k < all.position.size(); ++k) {
      ASSERT_TRUE(xyz(after[before.size() + k]) == xyz(all.position[k]));
      ASSERT_EQ(fluid[before.size() + k], all.fluid[k]);
    }
  }
}

TEST_P(ParticleNumber, EverySearchFindsTheNeighborsOfTheNewOnes) {
  const SimulationSetup setup = with_solver(column_setup(2, 12), SolverKind::Wcsph);
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const float skin : {0.0f, 0.2f}) {
      SCOPED_TRACE(std::string(info.name) + ", skin " + std::to_string(skin));
      SimulationSetup searched = setup;
      searched.neighbors.method = info.method;
      searched.neighbors.skin = skin;
      searched.deterministic = false;
      Simulation simulation(searched, device());
      run_steps(simulation, 5);
      simulation.set_time_limit(simulation.finish().time);  // later steps search, and do not move
      const auto expect_exact = [&] {
        simulation.step();
        const auto id = simulation.particles().get<std::uint32_t>("id").to_host();
        const auto position = simulation.particles().get<Vec4>("position").to_host();
        const NeighborSets expected = expected_neighbors(position, setup.domain, setup.support_radius());
        const Visits visits = visit_neighbors(
            simulation.neighbor_search(), simulation.particles().get<Vec4>("position").data(), setup.support_radius());
        NeighborSets found(id.size());
        for (std::size_t p = 0; p < id.size(); ++p)
          for (const Neighbor& n : visits.of[p]) found[p].push_back({n.j, n.r_ij, n.r2});
        EXPECT_TRUE(same_neighbors(expected, found));
      };
      const Ids ids = simulation.add_particles(beside(simulation, 40));
      expect_exact();
      // As many others: a search that only compared the number would keep its lists.
      simulation.remove_particles(Ids(ids.begin(), ids.begin() + 20));
      FluidSamples elsewhere;
      for (int k = 0; k < 20; ++k) {
        elsewhere.position.push_back({0.3f, 0.01f * static_cast<float>(k) + 0.005f, 0, 0});
        elsewhere.velocity.push_back({});
        elsewhere.fluid.push_back(0);
      }
      simulation.add_particles(elsewhere);
      expect_exact();
    }
}

TEST_P(ParticleNumber, AnAddedFluidFollowsItsParticle) {
  SimulationSetup setup = two_fluid_box(4);
  setup.solver = SolverKind::Dpd;
  setup.deterministic = true;
  setup.start.mixed = false;  // all particles are of the first fluid
  Simulation simulation(setup, device());
  run_steps(simulation, 3);
  FluidSamples samples = beside(simulation, 10);
  samples.fluid.assign(10, 1);
  simulation.add_particles(samples);
  run_steps(simulation, 20);  // searches have changed the order
  const auto fluid = by_id<std::uint32_t>(simulation, "fluid");
  EXPECT_EQ(std::accumulate(fluid.begin(), fluid.end(), 0u), 10u);
  EXPECT_EQ(std::accumulate(fluid.end() - 10, fluid.end(), 0u), 10u);
}

TEST_P(ParticleNumber, AnIdIsNeverUsedTwice) {
  const SimulationSetup setup = with_solver(column_setup(2, 8), SolverKind::Wcsph);
  Simulation simulation(setup, device());
  const auto next = static_cast<std::uint32_t>(simulation.particle_count());
  EXPECT_EQ(simulation.add_particles(beside(simulation, 2)), (Ids{next, next + 1}));
  const std::uint32_t last[] = {next + 1};
  simulation.remove_particles(last);
  EXPECT_EQ(simulation.add_particles(beside(simulation, 1)), Ids{next + 2});
  const std::uint32_t newest[] = {next + 2};
  simulation.remove_particles(newest);
  const SimulationState state = simulation.save_state();
  Simulation made(setup, device(), state);
  EXPECT_EQ(made.add_particles(beside(made, 1)), Ids{next + 3});
  EXPECT_EQ(simulation.add_particles(beside(simulation, 3)), (Ids{next + 3, next + 4, next + 5}));
  simulation.restore_state(state);  // what follows repeats
  EXPECT_EQ(simulation.add_particles(beside(simulation, 1)), Ids{next + 3});
  SimulationState without = state;
  without.next_id = 0;
  Simulation unknowing(setup, device(), without);
  EXPECT_EQ(unknowing.add_particles(beside(unknowing, 1)), Ids{next + 1});
  without.next_id = 0xfffffffd;
  Simulation at_the_end(setup, device(), without);
  expect_contains(message_of([&] { at_the_end.add_particles(beside(at_the_end, 2)); }), {"2", "1", "ids"});
  EXPECT_EQ(at_the_end.add_particles(beside(at_the_end, 1)), Ids{0xfffffffd});
}

TEST_P(ParticleNumber, RefusalsSayWhatIsWrongAndChangeNothing) {
  for (const SolverCase& c : {SolverCase{"walls", with_solver(column_setup(2, 10), SolverKind::Wcsph)},
                              SolverCase{"periodic", with_solver(periodic_setup(3, 8), SolverKind::Pbf)}}) {
    SCOPED_TRACE(c.name);
    Simulation simulation(c.setup, device()), twin(c.setup, device());
    run_steps(simulation, 5);
    run_steps(twin, 5);
    const FluidSamples good = beside(simulation, 4);
    const auto refused = [&](const std::function<void(FluidSamples&)>& spoil) {
      FluidSamples samples = good;
      spoil(samples);
      return message_of([&] { simulation.add_particles(samples); });
    };
    const float most = c.setup.domain.max.x;
    expect_contains(refused([&](FluidSamples& s) { s.position[2].x = 1.01f * most; }),
                    {"new particle 2", "position", "x from 0 to"});
    expect_contains(refused([](FluidSamples& s) { s.position[1].y = -1e-6f; }), {"new particle 1", "y from 0"});
    expect_contains(refused([](FluidSamples& s) { s.position[3].y = NAN; }), {"new particle 3", "position", "finite"});
    expect_contains(refused([](FluidSamples& s) { s.velocity[0].x = INFINITY; }),
                    {"new particle 0", "velocity", "finite"});
    expect_contains(refused([](FluidSamples& s) { s.fluid[3] = 1; }), {"new particle 3", "fluid 1", "0 to 0"});
    expect_contains(refused([](FluidSamples& s) { s.fluid.pop_back(); }), {"4 positions", "3 fluids"});
    if (c.setup.domain.dimension == 2) {
      expect_contains(refused([](FluidSamples& s) { s.position[0].z = 0.01f; }), {"new particle 0", "2-D"});
      expect_contains(refused([](FluidSamples& s) { s.velocity[0].z = 0.01f; }), {"new particle 0", "2-D"});
    }
    const auto not_removed = [&](const Ids& ids) { return message_of([&] { simulation.remove_particles(ids); }); };
    expect_contains(not_removed({0, 1, 100000}), {"100000", std::to_string(simulation.particle_count())});
    expect_contains(not_removed({5, 6, 5}), {"id 5", "twice"});
    Ids every(static_cast<std::size_t>(simulation.particle_count()));
    std::iota(every.begin(), every.end(), 0u);
    expect_contains(not_removed(every), {"one at least"});
    EXPECT_EQ(simulation.particle_count(), twin.particle_count());
    EXPECT_EQ(hash_after(simulation, 10), hash_after(twin, 10));
    EXPECT_EQ(simulation.add_particles(good).front(), static_cast<std::uint32_t>(twin.particle_count()));
    EXPECT_TRUE(simulation.add_particles({}).empty());
    simulation.remove_particles({});
    EXPECT_EQ(simulation.particle_count(), twin.particle_count() + 4);
  }
}

TEST_P(ParticleNumber, APlaceInASolidIsRefused) {
  SimulationSetup setup = with_solver(column_setup(2, 10), SolverKind::Wcsph);
  SolidRegion post;
  post.name = "post";
  post.min = {0.3f, 0, 0};
  post.max = {0.34f, 0.1f, 1};
  setup.solid_regions = {post};
  Simulation simulation(setup, device());
  const auto added_at = [&](float x) {
    FluidSamples samples;
    samples.position = {{x, 0.05f, 0, 0}};
    samples.velocity = {{0, 0, 0, 0}};
    samples.fluid = {0};
    return message_of([&] { simulation.add_particles(samples); });
  };
  expect_contains(added_at(0.32f), {"new particle 0", "position", "0.32", "outside of the solids", "'post'"});
  EXPECT_EQ(added_at(0.28f), "nothing was refused");
}

TEST_P(ParticleNumber, AFluidThatNoBodyIsOfIsRefusedWhereConstantsComeFromTheBodies) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Pbf}) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = with_solver(column_setup(2, 10), solver);
    setup.fluids.push_back(setup.fluids[0]);
    setup.fluids[1].rest_density *= 10;
    Simulation simulation(setup, device());
    FluidSamples samples = beside(simulation, 3);
    samples.fluid = {0, 0, 1};
    const int count = simulation.particle_count();
    if (solver == SolverKind::Wcsph) {
      expect_contains(message_of([&] { simulation.add_particles(samples); }),
                      {"new particle 2", "fluid 1", "wcsph", "bodies"});
      EXPECT_EQ(simulation.particle_count(), count);
      setup.bodies.push_back(setup.bodies[0]);
      setup.bodies[1].fluid = 1;
      Simulation with_body(setup, device());
      EXPECT_EQ(with_body.add_particles(samples).size(), 3u);
    } else {
      EXPECT_EQ(simulation.add_particles(samples).size(), 3u);
    }
  }
}

TEST_P(ParticleNumber, MoreThanTheSearchCanHoldIsRefusedAndTheRunGoesOn) {
  SimulationSetup setup = with_solver(column_setup(2, 10), SolverKind::Wcsph);
  setup.neighbors.method = NeighborMethod::ThrustPairs;
  Simulation simulation(setup, device()), twin(setup, device());
  run_steps(simulation, 5);
  FluidSamples heap;  // at one point: 10^11 pairs
  heap.position.assign(300000, {0.3f, 0.2f, 0, 0});
  heap.velocity.assign(heap.position.size(), {});
  heap.fluid.assign(heap.position.size(), 0);
  EXPECT_THROW(simulation.add_particles(heap), Unavailable);
  EXPECT_EQ(simulation.particle_count(), twin.particle_count());
  run_steps(simulation, 5);
  EXPECT_EQ(hash_of(simulation), hash_after(twin, 10));
  EXPECT_EQ(simulation.add_particles(beside(simulation, 1)).front(), static_cast<std::uint32_t>(twin.particle_count()));
}

TEST_P(ParticleNumber, MemoryIsMadeOnceAndAllOfItCounts) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Pbf, SolverKind::Dpd}) {
    SimulationSetup setup = free_block(solver, 2);
    Simulation simulation(setup, device());
    const int count = simulation.particle_count();
    simulation.step();
    simulation.finish();
    const std::size_t before = simulation.memory_bytes(), allocated = allocated_bytes(GetParam());
    const std::size_t of_particles = simulation.particles().memory_bytes();
    simulation.reserve_particles(3 * count);
    EXPECT_EQ(simulation.particles().capacity(), 3 * count);
    EXPECT_EQ(simulation.particles().memory_bytes(), 3 * of_particles);
    EXPECT_EQ(simulation.memory_bytes() - before, allocated_bytes(GetParam()) - allocated);
    const std::size_t reserved = allocated_bytes(GetParam());
    simulation.add_particles(beside(simulation, count));
    EXPECT_EQ(allocated_bytes(GetParam()), reserved);
    EXPECT_EQ(simulation.particles().capacity(), 3 * count);
    EXPECT_THROW(simulation.reserve_particles(2000000000), Unavailable);
    EXPECT_EQ(allocated_bytes(GetParam()), reserved);
    simulation.step();
    EXPECT_EQ(simulation.diagnostics().non_finite, 0);
  }
}

TEST_P(ParticleNumber, WhatFollowsParticlesByIdKnowsTheChange) {
  SimulationSetup setup = dpd_case(DpdIntegrator::VelocityVerlet);
  Simulation simulation(setup, device());
  run_steps(simulation, 5);
  MeanSquareDisplacement displacement(simulation);
  const std::uint32_t gone[] = {0, 7, 30};
  simulation.remove_particles(gone);
  simulation.add_particles(beside(simulation, 5));
  displacement.add(simulation);
  EXPECT_NEAR(displacement.samples().back().value, 0, 1e-9);  // no step: nothing has moved
  run_steps(simulation, 10);
  displacement.add(simulation);
  EXPECT_GT(displacement.samples().back().value, 0);
  EXPECT_LT(displacement.samples().back().value, 0.1);
  const auto ids = by_id<std::uint32_t>(simulation, "id");
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  EXPECT_EQ(ids[0], 1u);
}

TEST_P(ParticleNumber, AutoGoesOnMeasuring) {
  SimulationSetup setup = column_setup(2, 12);
  setup.neighbors.automatic = true;
  Simulation simulation(setup, device());
  for (int k = 0; k < 1000 && simulation.tuning()->measuring; ++k) simulation.step();
  const Ids ids = simulation.add_particles(beside(simulation, 30));
  run_steps(simulation, 5);
  EXPECT_EQ(simulation.tuning()->times_measured, 1);
  simulation.remove_particles(ids);
  run_steps(simulation, 5);
  EXPECT_EQ(simulation.diagnostics().non_finite, 0);
  FluidSamples many;  // more than the oracle is tried for
  for (int k = 0; k < 4200; ++k) {
    many.position.push_back(
        {0.2f + 0.19f * static_cast<float>(k % 70) / 70, 0.29f * static_cast<float>(k / 70) / 60, 0, 0});
    many.velocity.push_back({});
    many.fluid.push_back(0);
  }
  simulation.add_particles(many);
  EXPECT_TRUE(simulation.tuning()->measuring);
  for (const TuningCandidate& candidate : simulation.tuning()->candidates)
    EXPECT_NE(candidate.search.method, NeighborMethod::BruteForce);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(ParticleNumber);

}  // namespace
}  // namespace riffle::test
