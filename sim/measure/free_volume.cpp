#include "sim/measure/free_volume.h"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/device/threads.h"
#include "sim/shapes/spread_points.h"
#include "sim/walls/inside_solids.h"

namespace riffle {

double free_volume(const SimulationSetup& setup) {
  const Domain& domain = setup.domain;
  const int dimension = domain.dimension;
  double volume = 1;
  for (int a = 0; a < dimension; ++a)
    volume *=
        domain.axis[a] == Axis::Open ? std::numeric_limits<double>::quiet_NaN() : double{component(domain.extent(), a)};
  const SolidsAtRest solids(setup);
  if (solids.empty() || !std::isfinite(volume)) return volume;
  constexpr std::int64_t kPoints = 1 << 20, kGrain = 4096;
  std::atomic<std::int64_t> inside{0};
  parallel_ranges(kPoints, kGrain, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t found = 0;
    for (std::int64_t k = begin; k != end; ++k)
      found += solids.nearer(spread_point(static_cast<std::uint64_t>(k), domain.min, domain.max, dimension), 0);
    inside += found;
  });
  return volume * (1 - static_cast<double>(inside) / static_cast<double>(kPoints));
}

}  // namespace riffle
