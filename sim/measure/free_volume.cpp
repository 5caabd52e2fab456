#include "sim/measure/free_volume.h"

#include <cmath>
#include <limits>

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
  const FlatRegions solids = flat_solids(setup);
  if (solids.shapes.empty() || !std::isfinite(volume)) return volume;
  const auto in_solid = [&](Vec3 x) { return is_nearer(solids, x, 0, dimension); };
  return volume * (1 - share_of_box(domain.min, domain.max, dimension, in_solid));
}

}  // namespace riffle
