#pragma once
/// Entries of the scene's list `probes`: the values of a new one.

#include <string>

#include "scenes/document/document.h"
#include "scenes/scene.h"

namespace riffle::scenes {

/// A probe in the middle of the domain, or across it; a point that no still solid holds, if there is one nearby.
/// @param kind "point", "line", "plane", "level" or "flow"
Node new_probe(const std::string& kind, const Scene& scene);

/// One that measures at this place [m].
Node probe_at(Vec3 place, const Scene& scene);

/// A copy of the probe, in the same place, with a name of its own. @param entry  as it is written
Node copied_probe(const Node& entry, std::size_t probe, const Scene& scene);

}  // namespace riffle::scenes
