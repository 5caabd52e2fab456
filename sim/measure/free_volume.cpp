#include "sim/measure/free_volume.h"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/device/threads.h"
#include "sim/walls/inside_solids.h"

namespace riffle {

double free_volume(const SimulationSetup& setup) {
  constexpr double kCells = 1e6;
  const Domain& domain = setup.domain;
  const int dimension = domain.dimension;
  double volume = 1;
  for (int a = 0; a < dimension; ++a)
    volume *=
        domain.axis[a] == Axis::Open ? std::numeric_limits<double>::quiet_NaN() : double{component(domain.extent(), a)};
  const FlatRegions solids = flat_solids(setup);
  if (solids.shapes.empty() || !std::isfinite(volume)) return volume;
  const double edge = std::pow(volume / kCells, 1.0 / dimension);
  std::int64_t n[3] = {1, 1, 1};
  for (int a = 0; a < dimension; ++a)
    n[a] = std::max<std::int64_t>(1, std::llround(double{component(domain.extent(), a)} / edge));
  std::atomic<std::int64_t> inside{0};
  constexpr std::int64_t kGrain = 4096;
  parallel_ranges(n[0] * n[1] * n[2], kGrain, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t found = 0;
    for (std::int64_t cell = begin; cell != end; ++cell) {
      const std::int64_t at[3] = {cell % n[0], cell / n[0] % n[1], cell / (n[0] * n[1])};
      float x[3] = {0, 0, 0};
      for (int a = 0; a < dimension; ++a)
        x[a] = component(domain.min, a) +
               component(domain.extent(), a) * static_cast<float>((double(at[a]) + 0.5) / double(n[a]));
      found += is_nearer(solids, {x[0], x[1], x[2]}, 0, dimension);
    }
    inside += found;
  });
  return volume * (1 - double(inside) / double(n[0] * n[1] * n[2]));
}

}  // namespace riffle
