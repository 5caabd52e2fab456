/// Compares what is said of single particles with a search over every particle on the host.

#include "sim/measure/inspect.h"

#include <algorithm>
#include <random>
#include <tuple>

#include "core/error.h"
#include "support/devices.h"
#include "support/neighbor_oracle.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

class Inspection : public OnEachDevice {};

TEST_P(Inspection, AParticleIsThereByItsIdAlone) {
  Simulation simulation(column_setup(3, 4), device());
  run_steps(simulation, 3);
  const auto count = static_cast<std::uint32_t>(simulation.particle_count());
  EXPECT_TRUE(has_particle(simulation, 0));
  EXPECT_TRUE(has_particle(simulation, count - 1));
  EXPECT_FALSE(has_particle(simulation, count));
}

TEST_P(Inspection, AParticlesNeighborsAreThoseOfBruteForce) {
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

TEST_P(Inspection, AReportSaysWhatTheAttributesSay) {
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
      const bool carried = c.setup.solver == SolverKind::Dfsph;
      EXPECT_EQ(report.pressure.has_value(), c.setup.solver == SolverKind::Wcsph || carried);
      if (report.density) {
        EXPECT_EQ(*report.density, by_id<float>(simulation, "density")[id]);
      }
      if (!report.pressure) continue;
      highest = std::max(highest, *report.pressure);
      if (carried) {
        EXPECT_EQ(*report.pressure, by_id<float>(simulation, "pressure")[id]);
        continue;
      }
      const double c0 = simulation.signal_speed();
      const double pressure = 1000 * c0 * c0 / 7 * (std::pow(*report.density / 1000.0, 7) - 1);
      EXPECT_NEAR(*report.pressure, std::max(0.0, pressure), 1e-5 * 1000 * c0 * c0);
    }
    if (c.setup.solver == SolverKind::Wcsph || c.setup.solver == SolverKind::Dfsph) {
      EXPECT_GT(highest, 0);
    }
  }
}

TEST_P(Inspection, AnIdThatNobodyHasIsRefusedWithTheNumberOfParticles) {
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

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Inspection);

}  // namespace
}  // namespace riffle::test
