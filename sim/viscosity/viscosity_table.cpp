#include "sim/viscosity/viscosity_table.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace riffle::viscosity {

namespace {

/// w with lengths in spacings.
double shape(bool along_pair, double r2, double h) {
  const double q = std::sqrt(r2) / h;
  return q < 1 ? std::pow(1 - (along_pair ? q * q : q), 3) : 0;
}

struct Site {
  double x, y, z;
};

/// Sites of a lattice with unit spacing, moved by (x, y, z), that are within h of the origin.
template <class Visit>
void for_each_site(const Site& moved, double h, int dimension, const Visit& visit) {
  const int reach = static_cast<int>(h) + 2, reach_z = dimension == 3 ? reach : 0;
  for (int z = -reach_z; z <= reach_z; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        const Site site{x + moved.x, y + moved.y, dimension == 3 ? z + moved.z : 0.0};
        if (site.x * site.x + site.y * site.y + site.z * site.z < h * h) visit(site);
      }
}

double squared(const Site& site) { return site.x * site.x + site.y * site.y + site.z * site.z; }

/// What a particle at a distance in front of a plane wall, whose sites begin half a spacing behind the face, sums.
struct WallSums {
  double weights = 0;   ///< of w
  double still = 0;     ///< drag if the whole wall had the velocity of its face
  double mirrored = 0;  ///< drag if the velocity went on linearly behind the face
};

WallSums wall_sums(bool along_pair, double distance, double h, int dimension) {
  constexpr int places = 5;  // along the wall
  WallSums sums;
  double count = 0;
  for (int a = 0; a < places; ++a)
    for (int b = 0; b < (dimension == 3 ? places : 1); ++b, ++count) {
      const Site moved{(a + 0.5) / places, -distance - 0.5, (b + 0.5) / places};
      for_each_site(moved, h, dimension, [&](const Site& site) {
        if (site.y > moved.y + 1e-9) return;  // in front of the face
        const double w = shape(along_pair, squared(site), h), part = along_pair ? w * site.x * site.x : w;
        sums.weights += w;
        sums.still += part;
        sums.mirrored += part * -site.y / distance;
      });
    }
  sums.weights /= count;
  return sums;
}

Form make_form(bool along_pair, const SimulationSetup& setup) {
  const int dimension = setup.domain.dimension;
  const double h = double{setup.support_radius()} / setup.spacing;
  Form form;
  // A V_0 sum w x^2 y^2 = 2, or sum w y^2, reproduces the Laplacian of a shear along x. The rows are at random places
  // along x.
  constexpr int places = 32;
  double moment = 0;
  for (int a = 0; a < places; ++a)
    for_each_site({(a + 0.5) / places, 0, 0}, h, dimension, [&](const Site& site) {
      const double second = shape(along_pair, squared(site), h) * site.y * site.y;
      moment += (along_pair ? second * site.x * site.x : second) / places;
    });
  form.strength =
      static_cast<float>(2 / (setup.particle_volume() * moment * std::pow(double{setup.spacing}, along_pair ? 4 : 2)));

  // Factors against the sum of weights, which falls with the distance. Nearer than kNearest they would grow without
  // bound.
  constexpr double kNearest = 0.25;
  constexpr int steps = 256;
  std::vector<double> weights, factors;  // from far to near, so that weights rise
  for (int k = 0; k < steps; ++k) {
    const WallSums sums = wall_sums(along_pair, h + (kNearest - h) * (k + 0.5) / steps, h, dimension);
    weights.push_back(k > 0 ? std::max(sums.weights, weights.back()) : sums.weights);
    factors.push_back(sums.still > 0 ? sums.mirrored / sums.still : 1);
  }
  const double largest = weights.back();
  form.entries_per_sum = largest > 0 ? static_cast<float>((kDragEntries - 1) / largest) : 0.0f;
  std::size_t k = 0;
  for (int entry = 0; entry < kDragEntries; ++entry) {
    const double wanted = largest * entry / (kDragEntries - 1);
    while (k + 1 < weights.size() && weights[k] < wanted) ++k;
    form.drag[entry] = static_cast<float>(factors[k]);
  }
  return form;
}

}  // namespace

Table make_table(const SimulationSetup& setup) {
  const double volume = setup.particle_volume();
  Table table;
  table.count = static_cast<int>(setup.fluids.size());
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) {
    table.mass[f] = static_cast<float>(setup.fluids[f].rest_density * volume);
    table.dynamic[f] = setup.fluids[f].rest_density * setup.fluids[f].viscosity;
  }
  table.inverse_h2 = static_cast<float>(1 / (double{setup.support_radius()} * setup.support_radius()));
  table.wall_volume = static_cast<float>(volume);
  for (const bool along_pair : {false, true}) table.forms[along_pair ? 1 : 0] = make_form(along_pair, setup);
  return table;
}

}  // namespace riffle::viscosity
