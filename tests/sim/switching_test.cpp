/// Changing the neighbour search of a running simulation.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "dpd/dpd_setups.h"
#include "neighbors/optix/optix_status.h"
#include "setups.h"
#include "support/devices.h"
#include "support/visit_neighbors.h"

namespace riffle::test {
namespace {

struct SwitchCase {
  NeighborMethod method;
  DeviceKind device;
};

std::vector<SwitchCase> switch_cases() {
  std::vector<SwitchCase> cases;
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const DeviceKind device : built_devices()) cases.push_back({info.method, device});
  return cases;
}

std::string name_of(const testing::TestParamInfo<SwitchCase>& info) {
  return std::string(to_string(info.param.method)) + "_" + std::string(to_string(info.param.device));
}

void PrintTo(const SwitchCase& c, std::ostream* out) { *out << to_string(c.method) << ", " << to_string(c.device); }

NeighborSetup with(NeighborMethod method, float skin = 0) {
  NeighborSetup neighbors;
  neighbors.method = method;
  neighbors.skin = skin;
  return neighbors;
}

/// Every method, plain and with a list. With OptiX also rtnn by it.
std::vector<NeighborSetup> every_search(const Device& device) {
  std::vector<NeighborSetup> all;
  for (const float skin : {0.0f, 0.2f}) {
    for (const NeighborMethodInfo& info : neighbor_methods()) all.push_back(with(info.method, skin));
    if (device.is_cpu() || !optix_status().usable) continue;
    all.push_back(with(NeighborMethod::Rtnn, skin));
    all.back().structure = TreeStructure::Optix;
  }
  return all;
}

std::string text_of(const NeighborSetup& neighbors) { return describe(SearchChoice{neighbors.method, neighbors.skin}); }

/// From here on steps do everything except move: every search meets the same particles.
void freeze(Simulation& simulation) { simulation.set_time_limit(simulation.finish().time); }

/// The neighbours found by the search of the last step, particles by their ids.
NeighborSets neighbors_by_id(const Simulation& simulation) {
  const Buffer<Vec4>& positions = simulation.particles().get<Vec4>("position");
  const auto id = simulation.particles().get<std::uint32_t>("id").to_host();
  const Visits visits =
      visit_neighbors(simulation.neighbor_search(), positions.data(), simulation.setup().support_radius());
  NeighborSets sets(id.size());
  for (std::size_t p = 0; p < id.size(); ++p)
    for (const Neighbor& n : visits.of[p]) sets[id[p]].push_back({id[n.j], n.r_ij, n.r2});
  return sets;
}

double squared(float x) { return double{x} * x; }
double squared(const Vec4& x) { return squared(x.x) + squared(x.y) + squared(x.z); }
float difference(float a, float b) { return a - b; }
Vec4 difference(const Vec4& a, const Vec4& b) { return {a.x - b.x, a.y - b.y, a.z - b.z, 0}; }

/// Errors in the L2 norm over all particles, and of each particle relative to the largest value.
template <class T>
void expect_within(double relative, const std::vector<T>& expected, const std::vector<T>& found, const char* what) {
  ASSERT_EQ(expected.size(), found.size());
  double sum = 0, largest = 0, sum_off = 0, largest_off = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double value = squared(expected[i]), off = squared(difference(found[i], expected[i]));
    sum += value;
    sum_off += off;
    largest = std::max(largest, value);
    largest_off = std::max(largest_off, off);
  }
  ASSERT_GT(largest, 0) << what;
  EXPECT_LE(std::sqrt(sum_off), relative * std::sqrt(sum)) << what;
  EXPECT_LE(std::sqrt(largest_off), relative * std::sqrt(largest)) << what << " of a particle";
}

/// A full periodic box whose halves slide past each other, with a barely visible jitter that the seed decides.
SimulationSetup shear_setup(int dimension, int across) {
  SimulationSetup setup = periodic_setup(dimension, across);
  setup.bodies[0].jitter = 1e-6f;
  setup.bodies[0].max.y = 0.5f;
  BodySetup upper = setup.bodies[0];
  upper.min.y = 0.5f;
  upper.max.y = 1;
  upper.velocity = {-1, -0.5f, 0.25f};
  setup.bodies.push_back(upper);
  return setup;
}

SimulationSetup dam_setup(int dimension, int across) {
  SimulationSetup setup = column_setup(dimension, across);
  setup.bodies[0].jitter = 1e-6f;
  return setup;
}

struct Totals {
  double value[4];  ///< energy, momentum
};

Totals totals_of(Simulation& simulation) {
  const Diagnostics d = simulation.diagnostics();
  EXPECT_EQ(d.non_finite, 0);
  return {{d.kinetic_energy + d.potential_energy + d.internal_energy, d.momentum[0], d.momentum[1], d.momentum[2]}};
}

/// Compares the totals of a run that changes its search every ten steps with those of 16 runs that keep one search and
/// differ only in a jitter of 1e-6 spacings (16 seeds). The run must lie in their range, widened by its width on both
/// sides. No distribution is assumed: the symmetric column of the dam break falls apart in one of two ways, whose
/// energies differ by 3e-4 and scatter by 1e-5. If one way is taken in 60 of 100 runs, 16 runs all take it, and a 17th
/// does not, in one of 9,000 cases. A fault of a search, such as a lost or doubled pair, is off by much more.
void expect_totals_of_unswitched_runs(SimulationSetup setup, const Device& device, NeighborMethod method, int steps) {
  constexpr int kSeeds = 16;
  setup.neighbors = with(method);
  Totals least{}, most{};
  for (int seed = 1; seed <= kSeeds; ++seed) {
    setup.seed = static_cast<std::uint64_t>(seed);
    Simulation simulation(setup, device);
    run_steps(simulation, steps);
    const Totals run = totals_of(simulation);
    for (int k = 0; k < 4; ++k) {
      least.value[k] = seed == 1 ? run.value[k] : std::min(least.value[k], run.value[k]);
      most.value[k] = seed == 1 ? run.value[k] : std::max(most.value[k], run.value[k]);
    }
  }
  setup.seed = 1;
  Simulation switched(setup, device);
  const std::vector<NeighborSetup> searches = every_search(device);
  for (int step = 0; step < steps; step += 10) {
    switched.set_neighbors(searches[static_cast<std::size_t>(step / 10) % searches.size()]);
    run_steps(switched, 10);
  }
  const Totals totals = totals_of(switched);
  const char* const names[] = {"energy", "momentum in x", "momentum in y", "momentum in z"};
  for (int k = 0; k < 4; ++k) {
    const double width = most.value[k] - least.value[k];
    EXPECT_GE(totals.value[k], least.value[k] - width) << names[k] << ": without switching to " << most.value[k];
    EXPECT_LE(totals.value[k], most.value[k] + width) << names[k] << ": without switching from " << least.value[k];
  }
}

class Switching : public testing::TestWithParam<SwitchCase> {
 protected:
  void SetUp() override { skip_without(GetParam().device); }
  Device device() const { return device_of(GetParam().device); }
  NeighborMethod method() const { return GetParam().method; }
};
class LongSwitching : public Switching {};

TEST_P(Switching, EverySearchFindsTheSameNeighborsAndTheSameForces) {
  for (const int dimension : {2, 3})
    for (const bool walls : {false, true}) {
      SimulationSetup setup = walls ? column_setup(dimension, dimension == 2 ? 16 : 8)
                                    : periodic_setup(dimension, dimension == 2 ? 24 : 10);
      // Fluid near rest would show nothing: with p = rho0 c0^2 / 7 ((rho / rho0)^7 - 1) the rounding of a density by
      // 1e-7 changes p by 1e-4 at a compression of 1e-3. The shaken fluid is compressed by several percent.
      setup.bodies[0].jitter = 0.25f;
      setup.neighbors = with(method());
      Simulation simulation(setup, device());
      run_steps(simulation, 10);
      freeze(simulation);
      for (const NeighborSetup& next : every_search(device())) {
        const NeighborSetup before = with(method());
        simulation.set_neighbors(before);
        simulation.step();
        const NeighborSets pairs = neighbors_by_id(simulation);
        const auto acceleration = by_id<Vec4>(simulation, "acceleration");
        const auto density = by_id<float>(simulation, "density");
        SCOPED_TRACE(std::string(walls ? "walls, " : "periodic, ") + std::to_string(dimension) + "-D, from " +
                     text_of(before) + " to " + text_of(next));
        simulation.set_neighbors(next);
        simulation.step();
        EXPECT_EQ(simulation.neighbor_search().settings().method, next.method);
        EXPECT_EQ(simulation.neighbor_search().settings().skin, next.skin);
        EXPECT_TRUE(same_neighbors(pairs, neighbors_by_id(simulation)));
        expect_within(1e-5, acceleration, by_id<Vec4>(simulation, "acceleration"), "acceleration");
        expect_within(1e-5, density, by_id<float>(simulation, "density"), "density");
      }
    }
}

// A list is built for particles in one order; queries must not use it with another order.
TEST_P(Switching, NeighborsAreRightThroughoutTheLifeOfAListThatASwitchBegan) {
  for (const bool walls : {true, false}) {
    const SimulationSetup setup = walls ? column_setup(2, 16) : periodic_setup(3, 9);
    Simulation simulation(setup, device());
    run_steps(simulation, 50);
    simulation.set_neighbors(with(method(), walls ? 0.02f : 0.3f));  // for a column that begins to fall, for a flow
    std::uint64_t lists = 0;
    for (int step = 0; step < 30; ++step) {
      simulation.step();
      const std::uint64_t now = simulation.neighbor_search().version();
      if (step % 4 == 0 || now != lists) {  // so that the last step of a list is included at least now and then
        freeze(simulation);
        simulation.step();
        EXPECT_TRUE(same_neighbors(
            expected_neighbors(by_id<Vec4>(simulation, "position"), setup.domain, setup.support_radius()),
            neighbors_by_id(simulation)))
            << "after " << 1 + step << " steps";
        simulation.set_time_limit(INFINITY);
      }
      lists = simulation.neighbor_search().version();
    }
    EXPECT_GE(lists, 3u) << "the fluid has hardly moved";
    EXPECT_LE(lists, 15u) << "lists were not kept";
  }
}

TEST_P(Switching, DeterministicRunsWithAndWithoutAListAreBitIdentical) {
  for (SimulationSetup setup : {dam_setup(2, 14), shear_setup(3, 8)}) {
    setup.deterministic = true;
    for (const float skin : {0.0f, 0.2f}) {
      setup.neighbors = with(method(), skin);
      std::uint64_t hash[2];
      for (std::uint64_t& h : hash) {
        Simulation simulation(setup, device());
        run_steps(simulation, 60);
        h = simulation.diagnostics().state_hash;
      }
      EXPECT_EQ(hash[0], hash[1]) << text_of(setup.neighbors);
    }
  }
}

TEST_P(Switching, ADamBreakKeepsItsEnergyAndMomentum) {
  expect_totals_of_unswitched_runs(dam_setup(2, 12), device(), method(), 200);
}

TEST_P(Switching, APeriodicBoxKeepsItsEnergyAndMomentum) {
  expect_totals_of_unswitched_runs(shear_setup(2, 20), device(), method(), 200);
}

TEST_P(LongSwitching, ADamBreakKeepsItsEnergyAndMomentum) {
  expect_totals_of_unswitched_runs(dam_setup(3, 6), device(), method(), 600);
}

TEST_P(LongSwitching, APeriodicBoxKeepsItsEnergyAndMomentum) {
  expect_totals_of_unswitched_runs(shear_setup(3, 8), device(), method(), 600);
}

TEST_P(Switching, MemoryOfTheOldSearchIsGivenBack) {
  Simulation simulation(column_setup(2, 12), device());
  run_steps(simulation, 20);
  freeze(simulation);
  std::size_t first[2] = {0, 0}, held[2] = {0, 0};
  for (int round = 0; round < 25; ++round)
    for (const bool there : {true, false}) {
      simulation.set_neighbors(there ? with(method(), 0.1f) : with(NeighborMethod::Hoetzlein));
      run_steps(simulation, 6);  // lists have found their length
      simulation.finish();
      (round == 0 ? first : held)[there] = allocated_bytes(GetParam().device);
      if (round > 0) {
        ASSERT_EQ(held[there], first[there]) << "round " << round;
      }
    }
}

TEST_P(Switching, ASearchThatCannotServeLeavesTheOldOneInPlace) {
  SimulationSetup setup = column_setup(2, 12);
  setup.neighbors = with(method(), 0.1f);
  Simulation simulation(setup, device());
  run_steps(simulation, 20);
  freeze(simulation);
  simulation.step();
  const std::uint64_t hash = simulation.diagnostics().state_hash;
  const std::uint64_t version = simulation.neighbor_search().version();
  const std::size_t held = allocated_bytes(GetParam().device);
  const NeighborSets pairs = neighbors_by_id(simulation);

  NeighborSetup impossible = with(NeighborMethod::Hoetzlein);
  impossible.cell_count = {1 << 21, 1 << 21, 1};
  EXPECT_THROW(simulation.set_neighbors(impossible), InputError);
  EXPECT_EQ(simulation.setup().neighbors.method, method());
  EXPECT_EQ(simulation.setup().neighbors.cell_count.x, 0);
  EXPECT_EQ(simulation.neighbor_search().settings().method, method());
  EXPECT_EQ(simulation.neighbor_search().version(), version);
  EXPECT_EQ(allocated_bytes(GetParam().device), held);
  EXPECT_EQ(simulation.diagnostics().state_hash, hash);
  EXPECT_TRUE(same_neighbors(pairs, neighbors_by_id(simulation)));
  simulation.set_time_limit(INFINITY);
  run_steps(simulation, 20);
  EXPECT_EQ(simulation.diagnostics().non_finite, 0);
}

class LongSwitchingDpd : public OnEachDevice {};

// 20 seeds, 1,000 steps each, once with one search and once with another every ten steps. The noise of a pair depends
// on seed, ids and step alone, so both runs of a seed begin alike, until rounding drives their trajectories apart.
TEST_P(LongSwitchingDpd, MeansLieWithinTheSpreadOf20SeedsAfterAThousandSteps) {
  constexpr int kSeeds = 20, kSteps = 1000, kSettling = 200;
  constexpr std::size_t kValues = 5;
  const char* const names[kValues] = {"kT", "kT of half steps", "energy of pairs", "pressure", "neighbours"};
  using Values = std::array<double, kValues>;
  const std::vector<NeighborSetup> searches = every_search(device());
  SimulationSetup setup = dpd_box(3, 4);
  const auto run = [&](std::uint64_t seed, bool switches) {
    setup.seed = seed;
    Simulation simulation(setup, device());
    Values means{};
    for (int step = 0; step < kSteps; step += 10) {
      if (switches) simulation.set_neighbors(searches[static_cast<std::size_t>(step / 10) % searches.size()]);
      // Half of the states are taken directly after a switch.
      run_steps(simulation, step % 20 == 0 ? 1 : 10);
      if (step >= kSettling) {
        const Diagnostics d = simulation.diagnostics();
        const ThermalDiagnostics& now = *d.thermal;
        const Values values = {now.temperature, now.half_step_temperature, now.pair_energy, now.pressure,
                               now.mean_neighbors};
        for (std::size_t k = 0; k < kValues; ++k) means[k] += values[k] * 10 / (kSteps - kSettling);
      }
      if (step % 20 == 0) run_steps(simulation, 9);
    }
    const Diagnostics d = simulation.diagnostics();
    EXPECT_EQ(d.non_finite, 0);
    EXPECT_LT(std::hypot(d.momentum[0], d.momentum[1], d.momentum[2]) / d.mass, 1e-6) << "seed " << seed;
    return means;
  };
  std::vector<Values> plain, switched;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    plain.push_back(run(seed, false));
    switched.push_back(run(seed, true));
  }
  for (std::size_t k = 0; k < kValues; ++k) {
    double mean = 0, mean_switched = 0, squares = 0, farthest = 0;
    for (std::size_t s = 0; s < kSeeds; ++s) mean += plain[s][k] / kSeeds, mean_switched += switched[s][k] / kSeeds;
    for (const Values& values : plain) squares += (values[k] - mean) * (values[k] - mean);
    const double deviation = std::sqrt(squares / (kSeeds - 1));
    for (const Values& values : switched) farthest = std::max(farthest, std::fabs(values[k] - mean));
    RecordProperty(names[k], std::to_string(mean) + " +- " + std::to_string(deviation) + ", switched " +
                                 std::to_string(mean_switched) + ", farthest " + std::to_string(farthest));
    EXPECT_GT(deviation, 0) << names[k];
    // The difference of two means of 20 has a deviation of 0.32 of this one.
    EXPECT_LE(std::fabs(mean_switched - mean), deviation) << names[k] << ": " << mean_switched << " and " << mean;
    // By Student's t with 19 degrees of freedom, one run in 10,000 is farther than 5 deviations from the others' mean.
    EXPECT_LE(farthest, 5 * deviation) << names[k];
  }
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongSwitchingDpd);

INSTANTIATE_TEST_SUITE_P(EveryMethod, Switching, testing::ValuesIn(switch_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(EveryMethod, LongSwitching, testing::ValuesIn(switch_cases()), name_of);

class UnboundedDomain : public OnEachDevice {
 protected:
  /// A block in free fall in a box so large that no table has a slot for every cell of the support radius.
  static SimulationSetup setup() {
    SimulationSetup setup = column_setup(2, 8);
    for (Axis& axis : setup.domain.axis) axis = Axis::Open;
    setup.domain.max = {4e5f, 3e5f, 1};
    return setup;
  }
};

TEST_P(UnboundedDomain, IsServedByEverySearchAndSwitchingToCellsThatDoNotFitIsRefused) {
  SimulationSetup setup = this->setup();
  NeighborSetup unfit = with(NeighborMethod::Hoetzlein);
  unfit.cell_ratio = 1;
  setup.neighbors = unfit;
  EXPECT_THROW(Simulation(setup, device()), Unavailable);
  for (const float skin : {0.0f, 0.2f})
    for (const NeighborMethodInfo& info : neighbor_methods()) {
      setup.neighbors = with(info.method, skin);
      SCOPED_TRACE(text_of(setup.neighbors));
      Simulation simulation(setup, device());
      run_steps(simulation, 10);
      EXPECT_THROW(simulation.set_neighbors(unfit), Unavailable);
      run_steps(simulation, 10);
      EXPECT_EQ(simulation.finish().step, 20u);
      EXPECT_EQ(simulation.neighbors().method, info.name);
    }
}

TEST_P(UnboundedDomain, IsServedByAutoWhichSaysWhatItLeftOut) {
  SimulationSetup setup = this->setup();
  setup.neighbors.automatic = true;
  setup.neighbors.cell_ratio = 1;  // in larger cells every method can serve
  Simulation simulation(setup, device());
  for (int k = 0; k < 1000 && simulation.tuning()->measuring; ++k) simulation.step();
  simulation.step();
  ASSERT_FALSE(simulation.tuning()->measuring);
  EXPECT_NE(simulation.setup().neighbors.method, NeighborMethod::Hoetzlein);
  for (const TuningCandidate& c : simulation.tuning()->candidates)
    if (c.search.method == NeighborMethod::Hoetzlein) {
      EXPECT_NE(c.skipped.find("cells"), std::string::npos) << c.skipped;
    }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(UnboundedDomain);

}  // namespace
}  // namespace riffle::test
