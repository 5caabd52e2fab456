#pragma once
/// Where a scene names a fluid: its bodies, inlets and interface.

#include <string>
#include <vector>

#include "scenes/document/free_solid_keys.h"

namespace riffle::scenes {

/// Paths of the keys that hold this fluid's name, "bodies[0].fluid", in the order of the format.
std::vector<std::string> references_to_fluid(const Node& root, const std::string& name);

/// What an edit of "fluids[1].name" changes beside it: every key that holds the old name gets the new one.
/// @param edit  its path has indices as [0]; without a value the name is that of the base
/// @param base  the document without edits  @param document  with them  @param now  its scene
FreeSolidEdits edits_beside_name(const Edit& edit, const SceneSource& base, const SceneSource& document,
                                 const Scene& now);

/// "two bodies and an inlet are made of it (bodies[0], bodies[2], inlets[0])"; "" for no reference.
std::string users_text(const std::vector<std::string>& references);

}  // namespace riffle::scenes
