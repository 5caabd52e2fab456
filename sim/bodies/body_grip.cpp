#include "sim/bodies/body_grip.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "sim/setup.h"
#include "sim/solver.h"

namespace riffle {

BodyGrip usual_grip(const SimulationSetup& setup, int solid, Vec3 at, Vec3 target) {
  const Vec3 extent = setup.domain.extent();
  const float length = std::max({extent.x, extent.y, setup.domain.dimension == 2 ? 0.0f : extent.z});
  return {solid, at, target, 4 * expected_speed(setup) / length, length / 3};
}

void check_grip(const BodyGrip& grip, const SimulationSetup& setup) {
  const auto count = static_cast<int>(setup.solid_regions.size());
  if (grip.solid < 0 || grip.solid >= count || !setup.solid_regions[static_cast<std::size_t>(grip.solid)].free.given)
    throw InputError(
        fmt::format("grip: found solid {}; allowed: the number of a solid with `motion: free`", grip.solid));
  if (!is_finite(grip.at) || !is_finite(grip.target))
    throw InputError("grip: found a place that is not finite; allowed: places in the domain");
  if (!(grip.rate > 0) || !is_finite(grip.rate) || !(grip.reach > 0) || !is_finite(grip.reach))
    throw InputError(
        fmt::format("grip: found the rate {} 1/s and the reach {} m; allowed: both above 0", grip.rate, grip.reach));
}

}  // namespace riffle
