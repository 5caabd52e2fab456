#pragma once
/// Moves sites in layers around a surface until they are evenly spread, as particles that repel each other and stay at
/// their distance from the surface.

#include <vector>

#include "core/math/domain.h"
#include "sim/shapes/distance.h"
#include "sim/start_progress.h"

namespace riffle {

/// sites: w is the distance from the surface that each keeps [m], negative inside. A site that cannot keep it, at an edge,
/// stays where it is. The same on every machine.
/// progress: asked in each round
void spread_sites(const FlatRegions& region, const Domain& domain, float spacing, const SamplingProgress& progress,
                  std::vector<Vec4>& sites);

}  // namespace riffle
