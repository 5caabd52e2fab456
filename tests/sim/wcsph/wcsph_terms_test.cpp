/// Single terms of a WCSPH step against their formulas in double precision: artificial viscosity, walls that a particle
/// crosses, and the step's bound by forces.

#include <algorithm>

#include "sim/kernel.h"
#include "support/devices.h"
#include "tests/sim/setups.h"

namespace riffle::test {
namespace {

class WcsphTerms : public OnEachDevice {};

constexpr float kTinyStep = 1e-6f;  // [s]; too short for anything to move

/// Two particles alone in an open box, 0.13 m apart along no axis; h = 0.2 m.
SimulationSetup two_particles_of_water(int dimension) {
  SimulationSetup setup;
  setup.domain.dimension = dimension;
  for (Axis& axis : setup.domain.axis) axis = Axis::Open;
  setup.gravity = {};
  setup.spacing = 0.1f;
  setup.support_ratio = 2;
  setup.wcsph.density = DensityScheme::Summation;
  setup.step.fixed = kTinyStep;
  setup.fluids.emplace_back();
  setup.fluids[0].viscosity = 0;
  setup.wcsph.speed_of_sound = 10;
  setup.wcsph.artificial_viscosity = 0.3f;
  const Vec3 first{0.4f, 0.4f, dimension == 3 ? 0.4f : 0};
  const Vec3 apart = dimension == 3 ? Vec3{0.03f, 0.12f, -0.04f} : Vec3{0.05f, 0.12f, 0};
  setup.bodies = {body_of_one_particle(setup, first), body_of_one_particle(setup, first + apart)};
  return setup;
}

struct WaterPair {
  Vec3 x[2], acceleration[2];
  double density[2];
};

WaterPair pair_after_a_step(SimulationSetup setup, Vec3 velocity_of_second, const Device& device) {
  setup.bodies[1].velocity = velocity_of_second;
  Simulation simulation(setup, device);
  EXPECT_EQ(simulation.particle_count(), 2);
  simulation.step();
  simulation.finish();
  const auto x = by_id<Vec4>(simulation, "position"), a = by_id<Vec4>(simulation, "acceleration");
  const auto density = by_id<float>(simulation, "density");
  return {{xyz(x[0]), xyz(x[1])}, {xyz(a[0]), xyz(a[1])}, {density[0], density[1]}};
}

double dot_of(Vec3 a, Vec3 b) { return double{a.x} * b.x + double{a.y} * b.y + double{a.z} * b.z; }

// Monaghan 1992, eqs. 4.1 and 4.2 with beta = 0: Pi_ij = -alpha c mu / rho, mu = s v.r / (r^2 + 0.01 s^2) of approaching
// pairs, s = h/2, and the acceleration of i is -m_j Pi_ij grad W. The acceleration at rest, by pressure, is subtracted.
TEST_P(WcsphTerms, ArtificialViscosityIsMonaghansAndActsOnApproachingParticlesOnly) {
  for (const int dimension : {2, 3})
    for (const float density : {1000.0f, 250.0f}) {
      SimulationSetup setup = two_particles_of_water(dimension);
      setup.fluids.push_back(setup.fluids[0]);
      setup.fluids[1].rest_density = density;
      if (density != 1000) setup.bodies[1].fluid = 1;
      if (density == 1000) setup.fluids.pop_back();
      const WaterPair rest = pair_after_a_step(setup, {}, device());
      const Vec3 r = rest.x[0] - rest.x[1];
      const double r2 = dot_of(r, r), h = setup.support_radius(), s = 0.5 * h;
      const double gradient = make_kernel(setup.wcsph.kernel, dimension, setup.support_radius(), setup.spacing)
                                  .gradient_over_r(static_cast<float>(std::sqrt(r2)));
      const Vec3 sideways{-r.y, r.x, 0};
      ASSERT_NEAR(dot_of(r, sideways), 0, 1e-7);
      const Vec3 approaching = 4.0f * r + 3.0f * sideways;
      const WaterPair meet = pair_after_a_step(setup, approaching, device());
      const double v_dot_r = -dot_of(approaching, r);  // the first is at rest
      ASSERT_LT(v_dot_r, 0);
      const double mu = s * v_dot_r / (r2 + 0.01 * s * s), rho = 0.5 * (meet.density[0] + meet.density[1]);
      const double pi = -0.3 * 10 * mu / rho;
      for (const int i : {0, 1}) {
        const double mass_j = (i == 0 ? density : 1000.0) * setup.particle_volume();
        const double along = (i == 0 ? -1 : 1) * mass_j * pi * gradient;
        const Vec3 found = meet.acceleration[i] - rest.acceleration[i];
        const double scale = std::fabs(along) * std::sqrt(r2);
        for (int a = 0; a < dimension; ++a)
          EXPECT_NEAR(component(found, a), along * component(r, a), 2e-3 * scale)
              << dimension << "-D, density " << density << ", particle " << i << ", axis " << a;
      }
      for (const Vec3 velocity : {-4.0f * r, -2.0f * r + 3.0f * sideways}) {
        const WaterPair part = pair_after_a_step(setup, velocity, device());
        for (const int i : {0, 1})
          for (int a = 0; a < dimension; ++a)
            EXPECT_EQ(component(part.acceleration[i], a), component(rest.acceleration[i], a)) << "particles that part";
      }
    }
}

// What remains of its velocity is that along the wall: a particle that kept the rest would cross again and again, and
// one that turned round would gain momentum from nothing.
TEST_P(WcsphTerms, AParticleThatCrossesAWallLosesItsNormalVelocityAndNoOther) {
  for (const int dimension : {2, 3})
    for (int axis = 0; axis < dimension; ++axis)
      for (const float sign : {-1.0f, 1.0f}) {
        SimulationSetup setup;
        setup.domain.dimension = dimension;
        setup.domain.max = {2, 2, 2};
        for (Axis& a : setup.domain.axis) a = Axis::Walled;
        setup.gravity = {};
        setup.spacing = 0.1f;
        setup.fluids.emplace_back();
        setup.wcsph.speed_of_sound = 10;
        setup.step.fixed = 0.05f;
        const float middle = dimension == 3 ? 1.0f : 0;
        setup.bodies = {body_of_one_particle(setup, {1, 1, middle})};  // out of every wall's reach
        float speed[3] = {0.75f, -0.5f, dimension == 3 ? 0.25f : 0};
        speed[axis] = sign * 40;
        setup.bodies[0].velocity = {speed[0], speed[1], speed[2]};
        Simulation simulation(setup, device());
        ASSERT_EQ(simulation.particle_count(), 1);
        simulation.step();
        EXPECT_EQ(simulation.finish().contained, 1u);
        const Vec3 x = xyz(by_id<Vec4>(simulation, "position")[0]), v = xyz(by_id<Vec4>(simulation, "velocity")[0]);
        EXPECT_EQ(component(x, axis), sign < 0 ? 0 : 2);
        EXPECT_EQ(component(v, axis), 0) << dimension << "-D, axis " << axis << ", sign " << sign;
        for (int other = 0; other < dimension; ++other) {
          if (other == axis) continue;
          EXPECT_EQ(component(v, other), speed[other]);
          EXPECT_NEAR(component(x, other), 1 + 0.05 * speed[other], 1e-6);
        }
      }
}

// Monaghan 1992, section 10: dt <= 0.25 sqrt(s / |f|), s = h/2 the smoothing length, over all particles.
TEST_P(WcsphTerms, TheAdaptiveStepIsBoundedByTheLargestForce) {
  SimulationSetup falls = two_particles_of_water(3);
  falls.step.fixed = 0;
  falls.wcsph.speed_of_sound = 1;  // sound and speed would allow 0.04 s
  for (const float gravity : {100.0f, 1000.0f}) {
    falls.gravity = {0.6f * gravity, -0.8f * gravity, 0};
    Simulation simulation(falls, device());
    simulation.step();
    EXPECT_NEAR(simulation.finish().dt, 0.25 * std::sqrt(0.1 / gravity), 1e-3 * 0.25 * std::sqrt(0.1 / gravity));
  }
  SimulationSetup collides =
      two_particles_of_water(3);  // the pair's own force, and not that on the first particle alone
  collides.step.fixed = 0;
  collides.wcsph.speed_of_sound = 1;
  collides.wcsph.artificial_viscosity = 5000;
  collides.fluids.push_back(collides.fluids[0]);
  collides.fluids[1].rest_density = 100;
  collides.bodies[1].fluid = 1;
  collides.bodies[1].velocity = {-0.03f, -0.12f, 0.04f};
  Simulation simulation(collides, device());
  simulation.step();
  const double dt = simulation.finish().dt;
  const auto a = by_id<Vec4>(simulation, "acceleration");
  const double most = std::sqrt(std::max(dot_of(xyz(a[0]), xyz(a[0])), dot_of(xyz(a[1]), xyz(a[1]))));
  EXPECT_GT(most, 100);
  EXPECT_NEAR(dt, 0.25 * std::sqrt(0.1 / most), 1e-3 * dt);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(WcsphTerms);

}  // namespace
}  // namespace riffle::test
