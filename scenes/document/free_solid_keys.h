#pragma once
/// What an edit of a solid, or of a joint of one, changes beside its key. A free solid has a density or a mass, and no other
/// solid has one: an edit of one key alone would be refused in either order.

#include <string>
#include <vector>

#include "scenes/document/edited_scene.h"

namespace riffle::scenes {

struct FreeSolidEdits {
  std::vector<Edit> edits;
  std::vector<std::string> as_in_base;  ///< keys whose edits are taken back
  std::string note;                     ///< what was chosen, in words; "": nothing
};

/// - `motion: free` of a solid without a mass: the density of the densest fluid, or what the base has.
/// - Another motion: without the keys that only free solids have.
/// - `density` of a solid with a `mass`, or the other way round: without the other one.
/// - `type` of a joint whose axis the new kind cannot have, as in 2-D a hinge's by a slider: the axis of the base if that suits;
///   else [1, 0, 0] for a slider, and none for others.
/// @param edit  its path has indices as [0]; without a value the key has its default
/// @param base  the document without edits
/// @param now   the scene before the edit
FreeSolidEdits edits_beside(const Edit& edit, const SceneSource& base, const Scene& now);

}  // namespace riffle::scenes
