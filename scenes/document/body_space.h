#pragma once
/// Where bodies are, and where there is room for another one.

#include <optional>

#include "sim/setup.h"

namespace riffle {

struct Bounds {
  Vec3 min, max;
};

Bounds bounds_of(const BodySetup& body);

/// How far two bodies reach into each other along the axis where it is least [m]; spheres against boxes by the nearest
/// point. Of bodies that are apart it is negative, or 0.
float overlap_depth(const BodySetup& a, const BodySetup& b, int dimension);

BodySetup moved(BodySetup body, Vec3 by);

/// The body, moved to the place nearest to where it is at which it lies inside the domain and overlaps none of the setup's
/// bodies. Only places whole particle spacings from the domain's lower corner are looked at, at most some 25 along each
/// axis. Nothing where all of them are taken.
std::optional<BodySetup> moved_to_free_place(const BodySetup& body, const SimulationSetup& setup);

}  // namespace riffle
