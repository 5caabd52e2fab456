#pragma once
/// Where bodies lie, and where there is room for another one.

#include <optional>

#include "sim/setup.h"

namespace riffle::scenes {

struct Bounds {
  Vec3 min, max;
};

Bounds bounds_of(const BodySetup& body);

/// The overlap of two bodies [m] along the axis where it is least; between a sphere and a box, at the box's nearest
/// point. Negative or 0 for bodies that are apart.
float overlap_depth(const BodySetup& a, const BodySetup& b, int dimension);

BodySetup moved(BodySetup body, Vec3 by);

/// The body at the nearest place that is inside the domain and free of the setup's bodies. The candidates lie whole
/// particle spacings from the domain's lower corner, at most about 25 along each axis. Nothing if all are taken.
std::optional<BodySetup> moved_to_free_place(const BodySetup& body, const SimulationSetup& setup);

}  // namespace riffle::scenes
