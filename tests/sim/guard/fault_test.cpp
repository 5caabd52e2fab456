/// Faults are seen on the device: which kind, in which step, and whose.

#include "sim/guard/fault.h"

#include <cmath>
#include <functional>
#include <limits>

#include "sim/solver.h"
#include "support/devices.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

class Faults : public OnEachDevice {};

template <class T>
std::vector<T>& values_of(SimulationState& state, const std::string& name) {
  for (AttributeValues& attribute : state.attributes)
    if (attribute.name == name) return std::get<std::vector<T>>(attribute.values);
  throw std::logic_error(name);
}

/// Changes particles of a simulation between two steps.
void plant(Simulation& simulation, const std::vector<std::uint32_t>& ids,
           const std::function<void(Vec4& position, Vec4& velocity)>& change) {
  SimulationState state = simulation.save_state();
  const auto id = values_of<std::uint32_t>(state, "id");
  for (std::size_t i = 0; i < id.size(); ++i)
    if (std::find(ids.begin(), ids.end(), id[i]) != ids.end())
      change(values_of<Vec4>(state, "position")[i], values_of<Vec4>(state, "velocity")[i]);
  simulation.restore_state(state);
}

/// What a fault planted after seven steps is seen as, three steps later.
std::optional<Fault> seen_after(Simulation& simulation, const std::vector<std::uint32_t>& ids,
                                const std::function<void(Vec4& position, Vec4& velocity)>& change) {
  run_steps(simulation, 7);
  EXPECT_FALSE(simulation.finish().faulty);
  plant(simulation, ids, change);
  EXPECT_FALSE(simulation.finish().faulty) << "nobody has looked";
  run_steps(simulation, 3);
  EXPECT_TRUE(simulation.finish().faulty);
  return simulation.fault();
}

TEST_P(Faults, OfEveryKindAndSolverHaveTheirStepAndTheirParticle) {
  struct Planted {
    StateFault kind;
    const char* what;
    std::function<void(const SimulationSetup&, Vec4&, Vec4&)> change;
  };
  const std::vector<Planted> plants = {
      {StateFault::NonFinite, "velocity NaN", [](const auto&, Vec4&, Vec4& v) { v.y = kNaN; }},
      {StateFault::NonFinite, "velocity infinite", [](const auto&, Vec4&, Vec4& v) { v.x = kInfinity; }},
      {StateFault::NonFinite, "position NaN", [](const auto&, Vec4& x, Vec4&) { x.x = kNaN; }},
      {StateFault::NonFinite, "position infinite", [](const auto&, Vec4& x, Vec4&) { x.y = -kInfinity; }},
      {StateFault::TooFast, "speed",
       [](const SimulationSetup& s, Vec4&, Vec4& v) { v.x = -1.01f * kImpossibleSignals * signal_speed(s); }},
      {StateFault::TooFast, "speed whose square is infinite", [](const auto&, Vec4&, Vec4& v) { v.x = 1e30f; }},
      {StateFault::Outside, "above",
       [](const SimulationSetup& s, Vec4& x, Vec4&) { x.y = s.domain.max.y + 1.01f * s.spacing; }},
      {StateFault::Outside, "left",
       [](const SimulationSetup& s, Vec4& x, Vec4&) { x.x = s.domain.min.x - 1.01f * s.spacing; }},
  };
  for (const SolverCase& c : solver_cases())
    for (const Planted& planted : plants) {
      if (planted.kind == StateFault::Outside && !c.setup.domain.walled(0)) continue;
      SCOPED_TRACE(c.name + ", " + planted.what);
      Simulation simulation(c.setup, device());
      const auto fault = seen_after(simulation, {23}, [&](Vec4& x, Vec4& v) { planted.change(c.setup, x, v); });
      ASSERT_TRUE(fault);
      EXPECT_EQ(fault->step, 7u);
      EXPECT_GT(fault->time, 0);
      EXPECT_EQ(fault->kind, planted.kind);
      EXPECT_EQ(fault->count, 1u);
      ASSERT_EQ(fault->particles.size(), 1u);
      EXPECT_EQ(fault->particles[0].id, 23u);
    }
}

TEST_P(Faults, AreNotWhatIsJustWithinTheLimits) {
  const SimulationSetup setup = with_solver(column_setup(3, 5), SolverKind::Wcsph);
  Simulation simulation(setup, device());
  plant(simulation, {3}, [&](Vec4& x, Vec4& v) {
    v.x = 0.99f * kImpossibleSignals * signal_speed(setup);
    x.y = setup.domain.max.y + 0.99f * setup.spacing;
  });
  simulation.look_for_faults();
  EXPECT_FALSE(simulation.finish().faulty);
  EXPECT_FALSE(simulation.fault());
  plant(simulation, {3}, [&](Vec4& x, Vec4&) { x.y = setup.domain.max.y + 1.01f * setup.spacing; });
  simulation.look_for_faults();
  ASSERT_TRUE(simulation.finish().faulty);
  EXPECT_EQ(simulation.fault()->kind, StateFault::Outside);
  EXPECT_EQ(simulation.fault()->step, 0u);
  EXPECT_FLOAT_EQ(simulation.fault()->particles.at(0).position.y, setup.domain.max.y + 1.01f * setup.spacing);
}

// So that a benchmark can say what looking costs.
TEST_P(Faults, AreNotLookedForWhereNobodyWatches) {
  const SimulationSetup setup = with_solver(column_setup(3, 5), SolverKind::Wcsph);
  Simulation watched(setup, device()), unwatched(setup, device());
  unwatched.watch_faults(false);
  run_steps(watched, 9);
  run_steps(unwatched, 9);
  EXPECT_EQ(watched.diagnostics().state_hash, unwatched.diagnostics().state_hash);
  EXPECT_EQ(watched.finish().time, unwatched.finish().time);
  for (Simulation* simulation : {&watched, &unwatched})
    plant(*simulation, {3}, [&](Vec4& x, Vec4&) { x.y = setup.domain.max.y + 1.01f * setup.spacing; });
  run_steps(watched, 1);
  run_steps(unwatched, 1);
  EXPECT_TRUE(watched.finish().faulty);
  EXPECT_FALSE(unwatched.finish().faulty);
}

TEST_P(Faults, OfMorePeopleThanAreNamedNameThoseWithTheSmallestIds) {
  SimulationSetup setup = column_setup(2, 20);
  for (int round = 0; round < 5; ++round) {
    Simulation simulation(with_solver(setup, SolverKind::Wcsph), device());
    std::vector<std::uint32_t> ids;
    for (std::uint32_t id = 799; id > 40; id -= 11) ids.push_back(id);
    const auto fault = seen_after(simulation, ids, [](Vec4&, Vec4& v) { v.x = kNaN; });
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->count, ids.size());
    ASSERT_EQ(fault->particles.size(), std::size_t{FaultRecord::kNamed});
    for (std::size_t k = 0; k < fault->particles.size(); ++k) {
      EXPECT_EQ(fault->particles[k].id, ids[ids.size() - 1 - k]);
      EXPECT_TRUE(std::isnan(fault->particles[k].velocity.x));
      EXPECT_TRUE(is_finite(fault->particles[k].position));
    }
  }
}

TEST_P(Faults, OfSeveralKindsAreThoseOfTheFirst) {
  const SimulationSetup setup = with_solver(column_setup(2, 20), SolverKind::Wcsph);
  Simulation simulation(setup, device());
  std::uint32_t next = 0;
  const auto fault = seen_after(simulation, {5, 6, 700}, [&](Vec4&, Vec4& v) {
    v.x = next++ == 1 ? kNaN : 1.1f * kImpossibleSignals * signal_speed(setup);
  });
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, StateFault::NonFinite);
  EXPECT_EQ(fault->count, 1u);
}

TEST_P(Faults, OfForeignParticlesDoNotCount) {
  Simulation simulation(with_solver(column_setup(2, 10), SolverKind::Wcsph), device());
  const std::uint32_t foreign[] = {4};
  simulation.set_foreign(foreign, true);
  plant(simulation, {4}, [](Vec4&, Vec4& v) { v.x = kNaN; });
  simulation.look_for_faults();
  EXPECT_FALSE(simulation.finish().faulty);
}

/// Steps until looking after each step finds a fault; 0: it finds none in 300.
std::uint64_t steps_to_fault(Simulation& simulation) {
  for (std::uint64_t step = 1; step <= 300; ++step) {
    simulation.step();
    simulation.look_for_faults();
    if (simulation.finish().faulty) return step;
  }
  return 0;
}

// A run that becomes unstable by itself: the step that is reported late is the one at which each step is looked at.
TEST_P(Faults, HaveTheStepInWhichTheyAppear) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph, SolverKind::Dpd}) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = with_solver(column_setup(2, 10, 0.5f), solver);
    if (solver == SolverKind::Dpd) setup = dpd_case(DpdIntegrator::VelocityVerlet);
    const float stable = stable_dt(setup);
    std::uint64_t first = 0;
    std::unique_ptr<Simulation> looked;
    for (float times = 4; times < 1000 && first == 0; times *= 1.5f) {
      setup.step.fixed = times * stable;
      looked = std::make_unique<Simulation>(setup, device());
      first = steps_to_fault(*looked);
    }
    ASSERT_GT(first, 0u);
    Simulation plain(setup, device());
    run_steps(plain, static_cast<int>(first) + 40);
    plain.finish();
    ASSERT_TRUE(plain.fault());
    EXPECT_EQ(plain.fault()->step, first);
    EXPECT_EQ(plain.fault()->step, looked->fault()->step);
    EXPECT_EQ(plain.fault()->kind, looked->fault()->kind);
    EXPECT_EQ(plain.fault()->count, looked->fault()->count);
    ASSERT_EQ(plain.fault()->particles.size(), looked->fault()->particles.size());
    for (std::size_t k = 0; k < plain.fault()->particles.size(); ++k)
      EXPECT_EQ(plain.fault()->particles[k].id, looked->fault()->particles[k].id);
  }
}

TEST_P(Faults, OfAFreeBodyNameIt) {
  SimulationSetup setup = with_solver(column_setup(2, 10), SolverKind::Wcsph);
  for (const float x : {0.2f, 0.3f}) {
    SolidRegion box;
    box.shape = Shape::Box;
    box.min = {x, 0.1f, 0}, box.max = {x + 0.05f, 0.15f, 0};
    box.free.given = true;
    box.free.density = 500;
    setup.solid_regions.push_back(box);
  }
  Simulation simulation(setup, device());
  run_steps(simulation, 7);
  ASSERT_FALSE(simulation.finish().faulty);
  SimulationState state = simulation.save_state();
  state.bodies.bodies.at(1).end.velocity[1] = std::numeric_limits<double>::quiet_NaN();
  simulation.restore_state(state);
  simulation.step();
  ASSERT_TRUE(simulation.finish().faulty);
  const Fault fault = *simulation.fault();
  EXPECT_EQ(fault.kind, StateFault::Body);
  EXPECT_EQ(fault.body, std::size_t{1});
  EXPECT_EQ(fault.count, 1u);
  EXPECT_EQ(fault.step, 7u);
}

TEST_P(Faults, AreForgottenWhenAStateIsRestored) {
  Simulation simulation(with_solver(column_setup(2, 10), SolverKind::Wcsph), device());
  const SimulationState start = simulation.save_state();
  ASSERT_TRUE(seen_after(simulation, {5}, [](Vec4&, Vec4& v) { v.x = kNaN; }));
  simulation.restore_state(start);
  run_steps(simulation, 10);
  EXPECT_FALSE(simulation.finish().faulty);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Faults);

}  // namespace
}  // namespace riffle::test
