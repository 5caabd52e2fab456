#include "sim/wcsph/surface_tension.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace riffle::wcsph {

namespace {

/// Lower bound of |h grad| of what is missing at a surface: disorder inside a fluid gives up to 0.2, a surface 1.5.
constexpr double kNoise = 0.3;

/// A drop of 15, 20 and 30 particles per radius with support_ratio 3.5 oscillates 1.13, 1.13 and 1.10 times as fast as
/// Rayleigh's: its skin is denser, and its radius smaller, than on a lattice. Forces are reduced by the square of that.
constexpr double kMeasured = 1 / 1.25;

/// int_0^1 c(q) q^power dq, by Simpson's rule on both branches.
double shape_moment(int power) {
  constexpr int kIntervals = 1000;
  double sum = 0;
  for (int k = 0; k <= kIntervals; ++k) {
    const double q = double(k) / kIntervals;
    const double weight = k == 0 || k == kIntervals ? 1 : k % 2 ? 4 : 2;
    sum += weight * double{cohesion_shape(float(q))} * std::pow(q, power);
  }
  return sum / (3.0 * kIntervals);
}

/// k for a tension of 1 N/m [m].
double cohesion_per_tension(const SimulationSetup& setup) {
  const double h = setup.support_radius(), v = setup.particle_volume();
  return setup.domain.dimension == 2 ? 3 * v * v / (std::pow(h, 4) * shape_moment(3))
                                     : 8 * v * v / (std::numbers::pi * std::pow(h, 5) * shape_moment(4));
}

/// For a lattice cut between two rows: the sum over rows of |grad| of the missing part, times spacing. It would
/// be 1/2 for infinitely thin rows. Rows below the noise do not count.
double row_sum(const SmoothingKernel& kernel, const SimulationSetup& setup, double noise) {
  const double dx = setup.spacing, v = setup.particle_volume();
  const int reach = static_cast<int>(kernel.h / dx) + 1, reach_z = setup.domain.dimension == 3 ? reach : 0;
  double sum = 0;
  for (int row = 0; row < reach; ++row) {
    double gradient = 0;
    for (int y = row + 1; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x)
        for (int z = -reach_z; z <= reach_z; ++z) {
          const double r = dx * std::sqrt(double(x * x + y * y + z * z));
          if (r < kernel.h) gradient -= double{kernel.gradient_over_r(static_cast<float>(r))} * y * dx * v;
        }
    if (gradient > noise) sum += dx * gradient;
  }
  return sum;
}

}  // namespace

bool has_tension(const SimulationSetup& setup) { return largest_tension(setup) > 0; }

float largest_tension(const SimulationSetup& setup) {
  float largest = 0;
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) {
    largest = std::max(largest, setup.fluids[f].surface_tension);
    for (std::size_t g = 0; g < f; ++g) largest = std::max(largest, setup.wcsph.interface_tension.value[f][g]);
  }
  return largest;
}

TensionTable make_tension_table(const SimulationSetup& setup, const SmoothingKernel& kernel) {
  TensionTable table;
  const double noise = kNoise / setup.support_radius();
  const double calibration = kMeasured * 0.5 / row_sum(kernel, setup, noise);
  const double unit = cohesion_per_tension(setup);
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) {
    const double own = setup.fluids[f].surface_tension;
    double largest = 2 * own;
    for (std::size_t g = 0; g < setup.fluids.size(); ++g) {
      const double between = f == g ? 0 : setup.wcsph.interface_tension.value[f][g];
      table.weight[f][g] = static_cast<float>(calibration * (between - 2 * own));
      largest = std::max(largest, between);
      table.cohesion[f][g] = static_cast<float>(unit * 0.5 * (own + setup.fluids[g].surface_tension - between));
    }
    table.noise[f] = static_cast<float>(calibration * noise * largest);
    // The paper's two terms are gamma m_i m_j C(r) and gamma m_i (n_i - n_j) in SI units with water's 1000 kg/m^3 and
    // C(h/2) = 1 / (2 pi h^3): that ratio is kept for every fluid.
    table.normals[f] =
        static_cast<float>(unit * own * 2 * std::numbers::pi * std::pow(double{setup.support_ratio}, 3) / 1000);
  }
  return table;
}

}  // namespace riffle::wcsph
