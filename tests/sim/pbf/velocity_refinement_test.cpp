/// XSPH and vorticity confinement of position based fluids on the shear flow v_x = U sin ky, against what they do to such
/// a wave.

#include <algorithm>
#include <numbers>

#include "sim/kernel.h"
#include "support/devices.h"
#include "tests/sim/setups.h"
#include "tests/sim/velocity_field.h"

namespace riffle::test {
namespace {

class VelocityRefinement : public OnEachDevice {};

constexpr double kShearWave = 2 * std::numbers::pi;  // one wave in the box of side 1
constexpr float kShearSpeed = 1, kShearStep = 1e-3f;

SimulationSetup sheared(int dimension) {
  SimulationSetup setup = periodic_setup(dimension, dimension == 2 ? 40 : 16);
  setup.solver = SolverKind::Pbf;
  setup.deterministic = true;  // two runs are compared, whose rounding must be the same
  setup.bodies[0].jitter = 0;
  setup.pbf.artificial_pressure = 0;
  setup.pbf.xsph = 0;
  setup.pbf.vorticity = 0;
  setup.step.fixed = kShearStep;
  return setup;
}

struct ShearFlow {
  std::vector<Vec4> position, velocity;
};

ShearFlow flow_after_a_step(const SimulationSetup& setup, const Device& device) {
  Simulation simulation(setup, device);
  set_velocities(simulation, [](Vec3 x) {
    return Vec3{kShearSpeed * static_cast<float>(std::sin(kShearWave * x.y)), 0, 0};
  });
  simulation.step();
  simulation.finish();
  return {by_id<Vec4>(simulation, "position"), by_id<Vec4>(simulation, "velocity")};
}

// A particle takes over the fraction c of its neighbours' mean velocity, sum V_0 v_j W_ij / sum V_0 W_ij. That of a wave
// is the wave times sum V_0 W cos(k y) over the lattice, so the wave loses the fraction c (1 - sum V_0 W cos(k y)).
TEST_P(VelocityRefinement, XsphTakesOverItsFractionOfTheNeighboursMeanVelocity) {
  for (const int dimension : {2, 3})
    for (const float c : {0.05f, 0.4f}) {
      SimulationSetup setup = sheared(dimension);
      const ShearFlow before = flow_after_a_step(setup, device());
      setup.pbf.xsph = c;
      const ShearFlow after = flow_after_a_step(setup, device());
      const SmoothingKernel kernel = make_kernel(setup.pbf.kernel, dimension, setup.support_radius(), setup.spacing);
      const double dx = setup.spacing;
      const int reach = static_cast<int>(setup.chosen_support_ratio()) + 1, reach_z = dimension == 3 ? reach : 0;
      double mean = 0;
      for (int z = -reach_z; z <= reach_z; ++z)
        for (int y = -reach; y <= reach; ++y)
          for (int x = -reach; x <= reach; ++x) {
            const double r = dx * std::sqrt(x * x + y * y + z * z);
            if (r < kernel.h)
              mean += setup.particle_volume() * kernel.value(static_cast<float>(r)) * std::cos(kShearWave * dx * y);
          }
      const double lost = c * (1 - mean);
      double momentum = 0;
      for (std::size_t i = 0; i < after.velocity.size(); ++i) {
        const double change = after.velocity[i].x - before.velocity[i].x;
        ASSERT_NEAR(change, -lost * before.velocity[i].x, 0.03 * lost * kShearSpeed)
            << dimension << "-D, c " << c << ", y " << before.position[i].y;
        momentum += change;
      }
      EXPECT_LT(std::fabs(momentum), 1e-4 * lost * double(after.velocity.size()));
    }
}

// Fedkiw, Stam and Jensen 2001, eqs. 10 and 11: the acceleration is epsilon dx (N x omega), N = grad |omega| /
// |grad |omega||. Here omega_z = -U k cos ky, so that it is epsilon dx U k |cos ky| in the direction of the flow: the
// vortices of the wave spin faster.
TEST_P(VelocityRefinement, VorticityConfinementSpinsUpVortices) {
  for (const int dimension : {2, 3})
    for (const float strength : {0.5f, 2.0f}) {
      SimulationSetup setup = sheared(dimension);
      const ShearFlow before = flow_after_a_step(setup, device());
      setup.pbf.vorticity = strength;
      const ShearFlow after = flow_after_a_step(setup, device());
      int compared = 0;
      for (std::size_t i = 0; i < after.velocity.size(); ++i) {
        const double y = before.position[i].y, sine = std::sin(kShearWave * y), cosine = std::cos(kShearWave * y);
        if (std::fabs(sine) < 0.4 || std::fabs(cosine) < 0.4) continue;  // where |omega| is largest or 0, N turns
        const double gain =
            double{strength} * setup.spacing * kShearSpeed * kShearWave * std::fabs(cosine) * kShearStep;
        const Vec3 change = xyz(after.velocity[i]) - xyz(before.velocity[i]);
        ASSERT_NEAR(change.x, sine > 0 ? gain : -gain, 0.12 * gain) << dimension << "-D, y " << y;
        ASSERT_NEAR(change.y, 0, 0.12 * gain);
        ++compared;
      }
      EXPECT_GT(compared, static_cast<int>(after.velocity.size()) / 3);
    }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(VelocityRefinement);

}  // namespace
}  // namespace riffle::test
