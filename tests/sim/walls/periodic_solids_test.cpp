/// Solids at a periodic face: as the same solids in the middle of the box.

#include "support/devices.h"
#include "tests/sim/walls/driven_setups.h"

namespace riffle::test {
namespace {

class PeriodicSolids : public OnEachDevice {};

constexpr int kSteps = 60;
constexpr int kThermalSteps = 40;  // heat drives trajectories apart that differ by rounding
constexpr SolverKind kAllSolvers[] = {SolverKind::Wcsph, SolverKind::Dfsph, SolverKind::Pbf, SolverKind::Dpd};

/// A box full of fluid that streams past a post, whose middle is at x = y = 0 if `at_face` and half a period away otherwise,
/// and past a bar beside it. The lattice of the fluid is the same from both.
struct Stream {
  SimulationSetup setup;
  float length;

  Stream(SolverKind solver, int dimension, bool at_face, bool driven) {
    const bool dpd = solver == SolverKind::Dpd;
    const int across = dimension == 2 ? 32 : 16;
    setup = with_solver(periodic_setup(dimension, across), solver);
    if (dpd) {
      setup = with_solver(dpd_box(dimension, 6), solver);
      // Ids are others in the moved scene, and random numbers and velocities at the start follow from them.
      setup.dpd.temperature = 1e-12f;
      setup.dpd.noise.fill(0);
      setup.spacing = 0.5f;
    }
    length = setup.spacing * static_cast<float>(across);
    setup.domain.max = {length, length, dimension == 3 ? length : 0};
    setup.face_forces = true;
    setup.step.fixed = dpd ? 0.01f : 2e-4f * length;
    BodySetup all;
    all.max = setup.domain.max;
    all.velocity = {0.5f * length, 0.25f * length, 0};
    setup.bodies = {all};
    setup.fluids[0].viscosity = 1e-3f;
    const float x = at_face ? 0 : 0.5f * length;
    const float depth = dimension == 3 ? length : 0;  // in 3-D both go on through the faces of z
    SolidRegion post = dimension == 2 ? solid_ball({x, x, 0}, 0.15f * length)
                                      : solid_cylinder({x, x, 0}, {x, x, depth}, 0.15f * length);
    const float left = x - 0.2f * length, right = x + 0.2f * length, low = x + 0.28f * length,
                high = x + 0.42f * length;
    SolidRegion bar = solid_box({left, low, 0}, {right, high, depth});
    if (driven) {
      post.drive = turning({x, x, 0}, 2);
      bar.drive = at_velocity({0, 0.1f * length, 0});
      bar.drive.rotates = true;
      bar.drive.about = {x, 0.5f * (low + high), 0};
      bar.drive.rate = 1;
    }
    setup.solid_regions = {post, bar};
  }
};

struct Outcome {
  std::size_t particles = 0, walls = 0;
  std::vector<SolidLoad> loads;
  double momentum_error = 0;  ///< [N s] what solids got and the fluid did not lose, at most along an axis
  double scale = 0;           ///< [N s] momentum of the fluid at the start
  float deepest = 0;          ///< [spacings]
  std::uint64_t contained = 0;
  bool cut = false;  ///< PBF loses momentum where it cuts
};

Outcome outcome_of(const SimulationSetup& setup, const Device& device, int steps) {
  Simulation simulation(setup, device);
  const Diagnostics start = simulation.diagnostics();
  run_steps(simulation, steps);
  const Diagnostics end = simulation.diagnostics();
  Outcome outcome;
  outcome.particles = static_cast<std::size_t>(simulation.particle_count());
  outcome.walls = static_cast<std::size_t>(simulation.boundary_count());
  outcome.loads = end.solids;
  outcome.deepest = deepest_in_driven(simulation);
  outcome.contained = simulation.finish().contained;
  outcome.cut = end.pbf && end.pbf->cut_corrections > 0;
  outcome.scale = std::fabs(start.momentum[0]) + std::fabs(start.momentum[1]);
  for (int k = 0; k < 2; ++k) {
    double got = 0;
    for (const SolidLoad& load : end.solids) got += load.impulse[k];
    outcome.momentum_error = std::max(outcome.momentum_error, std::fabs(got + end.momentum[k] - start.momentum[k]));
  }
  return outcome;
}

TEST_P(PeriodicSolids, AreWhatTheyAreInTheMiddleOfTheBox) {
  for (const SolverKind solver : kAllSolvers)
    for (const int dimension : {2, 3})
      for (const bool driven : {false, true}) {
        SCOPED_TRACE(std::string(to_string(solver)) + ", " + std::to_string(dimension) + "-D" +
                     (driven ? ", driven" : ", still"));
        const Stream middle(solver, dimension, false, driven), face(solver, dimension, true, driven);
        const int steps = solver == SolverKind::Dpd ? kThermalSteps : kSteps;
        const Outcome a = outcome_of(middle.setup, device(), steps), b = outcome_of(face.setup, device(), steps);
        EXPECT_EQ(a.particles, b.particles);
        EXPECT_EQ(a.walls, b.walls);
        EXPECT_EQ(a.contained, b.contained);
        EXPECT_EQ(b.deepest, 0) << "and in the middle " << a.deepest;
        EXPECT_EQ(a.cut, b.cut);
        EXPECT_LT(b.cut ? 0 : b.momentum_error, 1e-6 * b.scale) << "and in the middle " << a.momentum_error / a.scale;
        ASSERT_EQ(a.loads.size(), 3u);
        const double impulse = std::hypot(a.loads[1].impulse[0], a.loads[1].impulse[1]);
        ASSERT_GT(impulse, 0.01 * a.scale) << "the fluid pushes";
        const bool iterates = solver == SolverKind::Dfsph || solver == SolverKind::Pbf;  // another count of iterations
        const double rounding = (iterates ? 1e-3 : 1e-4) * impulse;
        for (std::size_t s = 1; s < 3; ++s)
          for (int k = 0; k < 3; ++k) {
            EXPECT_NEAR(b.loads[s].impulse[k], a.loads[s].impulse[k], rounding) << s << "xyz"[k];
            EXPECT_NEAR(b.loads[s].angular_impulse[k], a.loads[s].angular_impulse[k], rounding * middle.length)
                << s << "xyz"[k];
          }
      }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(PeriodicSolids);

}  // namespace
}  // namespace riffle::test
