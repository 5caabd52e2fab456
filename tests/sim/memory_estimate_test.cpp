/// estimate_memory() against what a simulation has really allocated.

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/sim/solver_cases.h"
#include "tests/support/devices.h"

namespace riffle::test {
namespace {

struct SolverVariant {
  const char* name;
  void (*choose)(SimulationSetup& setup);
};

void PrintTo(const SolverVariant& variant, std::ostream* out) { *out << variant.name; }

/// Every solver, with each setting that adds buffers or attributes.
constexpr SolverVariant kVariants[] = {
    {"wcsph", [](SimulationSetup& s) { s.solver = SolverKind::Wcsph; }},
    {"wcsph_with_continuum_tension_and_shifting",
     [](SimulationSetup& s) { s.fluids[0].surface_tension = 0.07f, s.wcsph.shifting = 1; }},
    {"wcsph_by_summation",
     [](SimulationSetup& s) { s.solver = SolverKind::Wcsph, s.wcsph.density = DensityScheme::Summation; }},
    {"wcsph_with_akinci_tension",
     [](SimulationSetup& s) { s.fluids[0].surface_tension = 0.07f, s.wcsph.tension_model = TensionModel::Akinci; }},
    {"pbf", [](SimulationSetup& s) { s.solver = SolverKind::Pbf; }},
    {"dfsph", [](SimulationSetup& s) { s.solver = SolverKind::Dfsph; }},
    {"dfsph_with_continuum_tension_and_shifting",
     [](SimulationSetup& s) {
       s.solver = SolverKind::Dfsph, s.fluids[0].surface_tension = 0.07f, s.wcsph.shifting = 1;
     }},
    {"dfsph_with_akinci_tension",
     [](SimulationSetup& s) {
       s.solver = SolverKind::Dfsph, s.fluids[0].surface_tension = 0.07f;
       s.wcsph.tension_model = TensionModel::Akinci;
     }},
    {"wcsph_with_implicit_viscosity",
     [](SimulationSetup& s) { s.solver = SolverKind::Wcsph, s.wcsph.viscosity = ViscosityScheme::Implicit; }},
    {"dfsph_with_implicit_viscosity",
     [](SimulationSetup& s) { s.solver = SolverKind::Dfsph, s.wcsph.viscosity = ViscosityScheme::Implicit; }},
    {"dpd", [](SimulationSetup& s) { s.solver = SolverKind::Dpd; }},
    {"dpd_with_leap_frog_and_streams",
     [](SimulationSetup& s) {
       s.solver = SolverKind::Dpd;
       s.dpd.integrator = DpdIntegrator::LeapFrog;
       s.dpd.random = RandomKind::KarpinskiStream;
     }},
};

/// A box full of particles, `across` along each axis; with DPD at its usual density of 3 per r_c^d. Solves end after two
/// iterations: they take no memory, and a box that fluid fills to the brim needs very many.
SimulationSetup full_box(int dimension, int across, bool walled, const SolverVariant& variant) {
  SimulationSetup setup = periodic_setup(dimension, across);
  variant.choose(setup);
  for (Axis& axis : setup.domain.axis) axis = walled ? Axis::Walled : Axis::Periodic;
  setup.dfsph.max_iterations = 2;
  setup.wcsph.viscosity_iterations = 2;
  setup.dpd.cutoff = setup.spacing * (dimension == 2 ? 1.73f : 1.44f);
  return setup;
}

std::vector<NeighborSetup> searches() {
  std::vector<NeighborSetup> all;
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const float skin : {0.0f, 0.1f}) {
      NeighborSetup search;
      search.method = info.method;
      search.structure = TreeStructure::Lbvh;  // `auto` takes the faster one, whose memory may be the other's
      search.skin = skin;
      all.push_back(search);
    }
  NeighborSetup folded;  // `auto` does not choose it for these boxes on every device
  folded.method = NeighborMethod::Green;
  folded.table = GridTable::Folded;
  all.push_back(folded);
  return all;
}

class MemoryEstimate : public testing::TestWithParam<std::tuple<DeviceKind, SolverVariant>> {
 protected:
  void SetUp() override { skip_without(std::get<0>(GetParam())); }

  void expect_near(const SimulationSetup& setup) const {
    const Device device = device_of(std::get<0>(GetParam()));
    Simulation simulation(setup, device);
    run_steps(simulation, 2);
    simulation.finish();
    const double estimate = double(estimate_memory(setup, device)), allocated = double(simulation.memory_bytes());
    EXPECT_NEAR(estimate / allocated, 1, 0.2)
        << "estimated " << estimate << " bytes, allocated " << allocated << ": " << simulation.particle_count()
        << " particles, " << simulation.neighbors().name();
  }
};

TEST_P(MemoryEstimate, IsWithinAFifthOfWhatIsAllocated) {
  for (const int dimension : {2, 3})
    for (const bool walled : {false, true})
      for (const NeighborSetup& search : searches())
        for (const int across : {dimension == 2 ? 50 : 20, dimension == 2 ? 80 : 22}) {
          SCOPED_TRACE(std::to_string(dimension) + (walled ? "-D between walls" : "-D, periodic"));
          SimulationSetup setup = full_box(dimension, across, walled, std::get<1>(GetParam()));
          setup.neighbors = search;
          expect_near(setup);
        }
}

std::string name_of_variant(const testing::TestParamInfo<MemoryEstimate::ParamType>& info) {
  return std::string(std::get<1>(info.param).name) + "_" + std::string(to_string(std::get<0>(info.param)));
}

INSTANTIATE_TEST_SUITE_P(EverySolver, MemoryEstimate,
                         testing::Combine(testing::ValuesIn(built_devices()), testing::ValuesIn(kVariants)),
                         name_of_variant);

}  // namespace
}  // namespace riffle::test
