#pragma once
/// Where bodies lie, and where there is room for another one.

#include <cstdint>
#include <functional>
#include <optional>

#include "sim/setup.h"

namespace riffle::scenes {

/// Whether the two boxes have no point in common.
bool apart(const Bounds& a, const Bounds& b, int dimension);

/// Whether both are whole boxes or spheres, so that overlap_depth() holds.
bool overlap_is_exact(const BodySetup& a, const BodySetup& b);

/// The overlap of two whole boxes or spheres [m] along the axis where it is least; between a sphere and a box, at the
/// box's nearest point. Negative or 0 for bodies that are apart.
float overlap_depth(const BodySetup& a, const BodySetup& b, int dimension);

/// A place where a particle of one of the two bodies would lie in the other, of any shapes. Two
/// bodies from files are not compared.
/// @param visits  as of site_within()
std::optional<Vec3> common_place(const BodySetup& a, const BodySetup& b, int dimension, float spacing,
                                 std::int64_t& visits);

BodySetup moved(BodySetup body, Vec3 by);

/// Whether the thing may lie at a place that is free. None: anything may.
using MayLie = std::function<bool(const Region&)>;

/// The body at the nearest place that is inside the domain and free of the setup's bodies and solids. The candidates lie
/// whole particle spacings from the domain's lower corner, at most about 25 along each axis. Nothing if all are taken.
std::optional<BodySetup> moved_to_free_place(const BodySetup& body, const SimulationSetup& setup,
                                             const MayLie& may_lie = {});

/// Likewise of a solid, which also leaves the nozzles of inlets their room. Solids keep the boxes of their bounds free, or
/// their whole spheres.
std::optional<Region> solid_moved_to_free_place(const Region& solid, const SimulationSetup& setup,
                                                const MayLie& may_lie = {});

/// Likewise, a particle spacing away from other solids where there is such a place: free solids that touch would push each
/// other at once.
std::optional<Region> solid_moved_apart(const Region& solid, const SimulationSetup& setup, const MayLie& may_lie = {});

}  // namespace riffle::scenes
