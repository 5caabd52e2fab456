#include "sim/dpd/wall_table.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "sim/dpd/pair_correlation.h"

namespace riffle::dpd {

namespace {

/// The parts of a circle or sphere of radius 1 that lie beyond a plane at distance k from its centre: integrals over the
/// directions there, of 1, of the component e across the plane, of e^2, and of the square of a component along it.
struct Cap {
  double all, across, across2, along2;

  Cap(double k, int dimension) {
    constexpr double pi = std::numbers::pi;
    if (dimension == 2) {
      const double angle = std::acos(k), sine = std::sqrt(1 - k * k);
      all = 2 * angle;
      across = 2 * sine;
      across2 = angle + sine * k;
      along2 = angle - sine * k;
    } else {
      all = 2 * pi * (1 - k);
      across = pi * (1 - k * k);
      across2 = 2 * pi / 3 * (1 - k * k * k);
      along2 = 0.5 * (all - across2);
    }
  }
};

/// @param g  at the middles of the cells within r_c  @param crowd  particles in r_c^d
WallWeights weights_at(double gap, const std::vector<double>& g, double crowd, double cutoff, int dimension) {
  constexpr int kParts = 20;  // of each cell
  const double cells = static_cast<double>(g.size()), step = 1 / (cells * kParts);
  const auto g_at = [&](double r) {
    const double place = std::clamp(r * cells - 0.5, 0.0, cells - 1.000001);
    const auto cell = static_cast<std::size_t>(place);
    const double next = place - static_cast<double>(cell);
    return (1 - next) * g[cell] + next * g[cell + 1];
  };
  double repulsion = 0, across = 0, along = 0, virial = 0;
  for (int i = 0; i < kParts * static_cast<int>(g.size()); ++i) {
    const double r = (i + 0.5) * step;
    if (!(r > gap)) continue;
    const Cap cap(gap / r, dimension);
    const double shell = crowd * g_at(r) * (dimension == 2 ? r : r * r) * step, weight = 1 - r;
    repulsion += shell * weight * cap.across;
    across += shell * weight * weight * cap.across2;
    along += shell * weight * weight * cap.along2;
    virial += 0.5 * shell * weight * r * cap.all;
  }
  return {static_cast<float>(repulsion), static_cast<float>(across), static_cast<float>(along),
          static_cast<float>(virial * cutoff)};
}

}  // namespace

std::vector<WallWeights> wall_weights(const SimulationSetup& setup) {
  const DpdSetup& dpd = setup.dpd;
  const int dimension = setup.domain.dimension;
  const double crowd = std::pow(dpd.cutoff, dimension) / setup.particle_volume();
  std::vector<WallWeights> all;
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) {
    const double energy = double{dpd.repulsion.value[f][f]} * dpd.cutoff;
    const auto g = radial_distribution(dpd.temperature > 0 ? energy / dpd.temperature : 0, crowd, dimension);
    for (int k = 0; k <= kWallCells; ++k)
      all.push_back(weights_at(static_cast<double>(k) / kWallCells, g, crowd, dpd.cutoff, dimension));
  }
  return all;
}

}  // namespace riffle::dpd
