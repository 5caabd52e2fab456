/// Body forces: the formula, what every solver makes of it, and the flow that it drives.

#include "sim/motion/body_force.h"

#include <cmath>
#include <numbers>

#include "sim/motion/gravity_bounds.h"
#include "sim/motion/gravity_field.h"
#include "support/devices.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

constexpr double kWave = 2 * std::numbers::pi;

BodyForceSetup force_of(Vec3 acceleration, int across, ForceProfile profile, int waves) {
  BodyForceSetup force;
  force.given = true;
  force.acceleration = acceleration;
  force.across = across;
  force.profile = profile;
  force.waves = waves;
  return force;
}

TEST(BodyForceFormula, RepeatsAcrossTheDomainAndBeyondIt) {
  const BodyForce halves = make_body_force(force_of({2, 0, -1}, 1, ForceProfile::Halves, 2), -1, 3);
  for (const float y : {-0.9f, -0.1f, 1.1f, 1.9f, -2.9f, 3.1f}) EXPECT_EQ(halves.at({5, y, 5}), (Vec3{2, 0, -1})) << y;
  for (const float y : {0.1f, 0.9f, 2.1f, 2.9f, -1.1f}) EXPECT_EQ(halves.at({5, y, 5}), (Vec3{-2, 0, 1})) << y;
  const BodyForce sine = make_body_force(force_of({0, 3, 0}, 2, ForceProfile::Sine, 1), 1, 5);
  for (const float z : {1.0f, 1.7f, 2.0f, 3.2f, 4.9f, 5.4f})
    EXPECT_NEAR(sine.at({0, 0, z}).y, 3 * std::sin(kWave * (z - 1) / 4), 1e-5) << z;
  EXPECT_FALSE(make_body_force({}, 0, 1).given());
}

TEST(BodyForceFormula, IsInTheBoundsOfGravityButNotInThatOfTheStart) {
  SimulationSetup setup = column_setup(3, 5);
  setup.body_force = force_of({0, 3, 4}, 0, ForceProfile::Sine, 1);
  EXPECT_NEAR(most_gravity_change(setup), 5, 1e-5);
  EXPECT_NEAR(most_gravity(setup), std::hypot(9.81 + 3, 4), 1e-5);
  EXPECT_NEAR(gravity_range(setup).most[2], 4, 1e-6);
  EXPECT_NEAR(gravity_range(setup).least[2], -4, 1e-6);
  EXPECT_EQ(gravity_at_start(setup), setup.gravity);
}

class BodyForces : public OnEachDevice {};

/// [speed] The mean over all particles.
void mean_velocity(const Simulation& simulation, double (&mean)[3]) {
  const auto velocity = simulation.particles().get<Vec4>("velocity").to_host();
  for (double& v : mean) v = 0;
  for (const Vec4& v : velocity)
    for (int a = 0; a < 3; ++a) mean[a] += double{component(xyz(v), a)} / static_cast<double>(velocity.size());
}

/// Forces between particles do not change the mean velocity, so it grows by the mean of the body force.
TEST_P(BodyForces, AccelerateTheFluidWhereItIs) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Pbf, SolverKind::Dfsph, SolverKind::Dpd})
    for (const int dimension : {2, 3})
      for (const ForceProfile profile : {ForceProfile::Halves, ForceProfile::Sine}) {
        SCOPED_TRACE(std::string(to_string(solver)) + " " + std::to_string(dimension));
        SimulationSetup setup = free_block(solver, dimension);
        constexpr int kSteps = 20;
        const float end = kSteps * setup.step.fixed;
        // It moves by a thousandth of the domain: the places are those of the start.
        const float strength = 0.002f * setup.domain.max.x / (end * end);
        const int across = dimension == 2 ? 0 : 2;
        setup.body_force = force_of(strength * Vec3{0.3f, 1, dimension == 3 ? -0.5f : 0.0f}, across, profile, 3);
        setup.gravity = {0, -0.5f * strength, 0};
        setup.dpd.temperature = 1e-8f;  // heat and repulsion would move particles out of their half of a wave
        setup.dpd.repulsion.fill(0);
        setup.dpd.noise.fill(0);
        Simulation simulation(setup, device());
        double before[3], after[3], expected[3] = {0, 0, 0};
        mean_velocity(simulation, before);
        const auto position = simulation.particles().get<Vec4>("position").to_host();
        for (const Vec4& p : position)
          for (int a = 0; a < 3; ++a) {
            const double s = 3 * double{component(xyz(p), across)} / setup.domain.max.x;
            const double share = profile == ForceProfile::Sine ? std::sin(kWave * s) : s - std::floor(s) < 0.5 ? 1 : -1;
            expected[a] += (share * component(setup.body_force.acceleration, a) + component(setup.gravity, a)) /
                           static_cast<double>(position.size());
          }
        run_steps(simulation, kSteps);
        mean_velocity(simulation, after);
        for (int a = 0; a < dimension; ++a)
          EXPECT_NEAR(after[a] - before[a], expected[a] * end, 0.01 * strength * end) << a;
      }
}

/// A sine drives layers whose speed is force / (nu k^2) (1 - exp(-nu k^2 t)).
TEST_P(BodyForces, DriveLayersWhoseSpeedGivesTheViscosity) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph}) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = with_solver(periodic_setup(2, 40), solver);
    setup.bodies[0].velocity = {};
    setup.bodies[0].jitter = 0;
    setup.fluids[0].viscosity = 0.1f;
    setup.wcsph.artificial_viscosity = 0;
    setup.wcsph.speed_of_sound = 2;
    const float width = setup.domain.max.y - setup.domain.min.y;
    const double k = kWave / width, rate = 0.1 * k * k;
    const float force = static_cast<float>(0.1 * rate);  // the speed goes to 0.1 m/s
    setup.body_force = force_of({force, 0, 0}, 1, ForceProfile::Sine, 1);
    setup.step.fixed = 1e-3f;
    Simulation simulation(setup, device());
    run_steps(simulation, 250);
    const auto position = simulation.particles().get<Vec4>("position").to_host();
    const auto velocity = simulation.particles().get<Vec4>("velocity").to_host();
    double sine = 0, squares = 0, across = 0;
    for (std::size_t i = 0; i < position.size(); ++i) {
      const double s = std::sin(k * (position[i].y - setup.domain.min.y));
      sine += s * velocity[i].x, squares += s * s, across = std::max(across, std::abs(double{velocity[i].y}));
    }
    const double expected = 0.1 * (1 - std::exp(-rate * 0.25));
    EXPECT_NEAR(sine / squares, expected, 0.02 * expected);
    EXPECT_LT(across, 0.1 * expected);
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(BodyForces);

}  // namespace
}  // namespace riffle::test
