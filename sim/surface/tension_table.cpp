#include "sim/surface/tension_table.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace riffle::surface {

namespace {

/// Lower bound of h |O|: disorder inside a fluid gives up to 0.2, the outermost row of particles 0.8 and more. What |O|
/// has above it counts, so that rows come and go without a jump.
constexpr double kNoise = 0.3;

/// Lower bound of D over its value on a lattice.
constexpr double kLeastArea = 0.7;

/// Lower bound of |S| over the noise of the fluid's strongest surface: less is rounding.
constexpr double kRounding = 0.01;

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

/// D on a lattice cut between two rows; 1/2 for infinitely thin rows without noise.
double lattice_area(const TensionTable& table, const SimulationSetup& setup) {
  const double dx = setup.spacing, h = setup.support_radius();
  const int reach = static_cast<int>(h / dx) + 1, reach_z = setup.domain.dimension == 3 ? reach : 0;
  double sum = 0;
  for (int row = 0; row < reach; ++row) {
    double gradient = 0;
    for (int y = row + 1; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x)
        for (int z = -reach_z; z <= reach_z; ++z) {
          const double a = 1 - dx * dx * double(x * x + y * y + z * z) / (h * h);
          if (a > 0) gradient += double{table.gradient} * a * y * dx;
        }
    sum += dx * std::max(0.0, gradient - table.noise);
  }
  return sum;
}

/// The constants of the weights; see TensionTable.
void set_weights(const SimulationSetup& setup, TensionTable& table) {
  constexpr double pi = std::numbers::pi;
  const double h = setup.support_radius(), v = setup.particle_volume();
  const bool flat = setup.domain.dimension == 2;
  const double kernel = flat ? 3 / (pi * h * h) : 105 / (32 * pi * h * h * h);  // K(0)
  table.inverse_h2 = static_cast<float>(1 / (h * h));
  table.gradient = static_cast<float>(v * 4 * kernel / (h * h));
  table.noise = static_cast<float>(kNoise / h);
  table.area = static_cast<float>(v * (flat ? 15 / (16 * h) : 3 / (pi * h * h)));
  table.least_area = static_cast<float>(kLeastArea * lattice_area(table, setup));
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

TensionTable make_tension_table(const SimulationSetup& setup) {
  if (setup.fluids.size() > kMaxFluids) throw std::logic_error("more fluids than kMaxFluids");
  TensionTable table;
  table.fluid_count = static_cast<int>(setup.fluids.size());
  table.rest_volume = static_cast<float>(setup.particle_volume());
  set_weights(setup, table);
  const double unit = cohesion_per_tension(setup);
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) {
    table.inverse_mass[f] = 1.0f / static_cast<float>(setup.fluids[f].rest_density * setup.particle_volume());
    const double own = setup.fluids[f].surface_tension;
    double largest = 2 * own;
    for (std::size_t g = 0; g < setup.fluids.size(); ++g) {
      const double between = f == g ? 0 : setup.wcsph.interface_tension.value[f][g];
      table.weight[f][g] = static_cast<float>(between - 2 * own);
      largest = std::max(largest, between);
      table.cohesion[f][g] = static_cast<float>(unit * 0.5 * (own + setup.fluids[g].surface_tension - between));
    }
    table.least[f] = static_cast<float>(kRounding * table.noise * largest);
    // The paper's two terms are gamma m_i m_j C(r) and gamma m_i (n_i - n_j) in SI units with water's 1000 kg/m^3 and
    // C(h/2) = 1 / (2 pi h^3): that ratio is kept for every fluid.
    table.normals[f] = static_cast<float>(unit * own * 2 * std::numbers::pi *
                                          std::pow(double{setup.chosen_support_ratio()}, 3) / 1000);
  }
  return table;
}

}  // namespace riffle::surface
