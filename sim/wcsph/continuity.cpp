#include "sim/wcsph/continuity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/openings/nozzle.h"

namespace riffle::wcsph {

SmoothingKernel with_exact_gradient(const SmoothingKernel& kernel, int dimension, float spacing) {
  const int reach = static_cast<int>(kernel.h / spacing) + 1;
  const int reach_z = dimension == 3 ? reach : 0;
  double sum = 0;
  for (int z = -reach_z; z <= reach_z; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        const double r2 = double{spacing} * spacing * (x * x + y * y + z * z);
        if (r2 >= double{kernel.h} * kernel.h) continue;
        sum -= double{kernel.gradient_over_r(static_cast<float>(std::sqrt(r2)))} * spacing * spacing * y * y;
      }
  SmoothingKernel exact = kernel;
  exact.gradient_scale = static_cast<float>(exact.gradient_scale / (sum * std::pow(double{spacing}, dimension)));
  return exact;
}

namespace {

constexpr double kDiffusion = 0.1;  ///< delta of Molteni and Colagrossi 2009
constexpr double kDamping = 1;      ///< zeta over rho0 c0 s of the heaviest fluid, for fluids of one density
constexpr double kReturn = 0.004;   ///< return_rate over c0 / s

}  // namespace

ContinuityTable make_continuity_table(const SimulationSetup& setup, const FluidTable& fluids, float speed_of_sound) {
  double lightest = std::numeric_limits<double>::infinity(), heaviest = 0;
  for (const int fluid : used_fluids(setup)) {
    const double density = fluids.rest_density[fluid];
    lightest = std::min(lightest, density);
    heaviest = std::max(heaviest, density);
  }
  const double s = 0.5 * setup.support_radius();
  const double modulus = double{fluids.stiffness} * setup.wcsph.tait_exponent;  // rho0 c0^2
  ContinuityTable table;
  table.diffusion = static_cast<float>(2 * kDiffusion * s * speed_of_sound * fluids.rest_volume);
  // The damping, a viscosity, bounds the step of light particles by their density; the step has its square root.
  table.damping = static_cast<float>(kDamping * modulus * s / speed_of_sound * std::sqrt(lightest / heaviest));
  table.return_rate = static_cast<float>(kReturn * speed_of_sound / s);
  table.inverse_modulus = static_cast<float>(1 / modulus);
  table.weight = table.inverse_modulus * setup.gravity;
  return table;
}

}  // namespace riffle::wcsph
