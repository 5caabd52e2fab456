#include "validation/closest_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "neighbors/separation.h"

namespace riffle {

double closest_pair(const Simulation& simulation) {
  const Domain& domain = simulation.setup().domain;
  std::vector<Vec4> position = simulation.particles().get<Vec4>("position").to_host();
  std::sort(position.begin(), position.end(), [](const Vec4& a, const Vec4& b) { return a.x < b.x; });
  const PeriodicWrap wrap = periodic_wrap(domain);
  const double length = domain.extent().x;
  const std::size_t n = position.size();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t step = 1; step < n; ++step) {
      const std::size_t j = (i + step) % n;
      if (j < i && !domain.periodic(0)) break;
      const double ahead = double{position[j].x} - position[i].x + (j < i ? length : 0);  // along x, to the next ones
      if (ahead >= least) break;
      least = std::min(least, std::sqrt(double{squared_length(separation(xyz(position[i]), xyz(position[j]), wrap))}));
    }
  return least;
}

}  // namespace riffle
