#pragma once
/// Lattice sites in a ball of the support radius.

#include <cmath>
#include <numbers>
#include <vector>

namespace riffle {

/// @param reach  the radius in spacings
/// @return volume of the ball, in 2-D area of the circle, in those of a site: the mean number of sites in it
inline double sites_in_ball(int dimension, double reach) {
  return dimension == 2 ? std::numbers::pi * reach * reach : 4 * std::numbers::pi / 3 * reach * reach * reach;
}

struct LatticeSite {
  double x, y, z, r;  ///< [m] from the origin
};

/// Sites within h [m] of the origin, without the origin. Sites at h itself, within rounding, are left out.
inline std::vector<LatticeSite> lattice_sites(double h, int dimension, double spacing) {
  const int reach = static_cast<int>(h / spacing) + 1, reach_z = dimension == 3 ? reach : 0;
  std::vector<LatticeSite> sites;
  for (int z = -reach_z; z <= reach_z; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        const double r = spacing * std::sqrt(double(x * x + y * y + z * z));
        if (r > 0 && r < h * (1 - 1e-5)) sites.push_back({spacing * x, spacing * y, spacing * z, r});
      }
  return sites;
}

}  // namespace riffle
