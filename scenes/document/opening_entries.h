#pragma once
/// Entries of the scene's lists `inlets` and `outlets`: the values of new ones.

#include <string>

#include "scenes/document/document.h"
#include "scenes/scene.h"

namespace riffle::scenes {

/// A nozzle that begins on the face that gravity points away from, or on the upper face of y without gravity, and flows into
/// the domain; where there is room for it. @param mouth  "disc", "rectangle", "polygon"; "face": all
/// or the lower half of an open face
/// @throws InputError where there is no room
Node new_inlet(const std::string& mouth, const Scene& scene);

/// A copy beside it. @param entry  as it is written  @throws InputError where there is no room
Node copied_inlet(const Node& entry, std::size_t inlet, const Scene& scene);

/// On the last open face that has none.
Node new_face_outlet(const SimulationSetup& setup);

/// A copy with a name of its own.
Node copied_outlet(const Node& entry, std::size_t outlet, const Scene& scene);

/// Where new outlets are: the lower corner at the upper end of x.
Bounds outlet_bounds(const SimulationSetup& setup);

}  // namespace riffle::scenes
