#pragma once
/// The handles of an entry of the scene: where they are in the picture, and which of them is under the mouse.

#include <string>
#include <vector>

#include "app/desktop/handles/picture_projection.h"
#include "scenes/placing/placed_entry.h"

namespace riffle::desktop {

inline Vec3 axis_vector(int axis) {
  return {axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f};
}

struct Handle {
  enum class Kind {
    Along,   ///< an arrow: moves along an axis
    InView,  ///< a disc: moves in the plane that the viewer sees
    Turn,    ///< a ring: turns about an axis
    Size     ///< a small box: changes a length
  };
  Kind kind = Kind::InView;
  int number = 0;               ///< of the axis, or of the size
  std::string name;             ///< "move.x", "turn.z", "size.max x"
  std::vector<Vec3> line = {};  ///< [m] an arrow from its foot to its tip, a closed ring, or one place
  Vec3 grip{};                  ///< [m] a place at which it can be taken hold of
};

/// @param em [pixel] width of a letter
std::vector<Handle> handles_of(const scenes::PlacedEntry& entry, const std::vector<scenes::SizeHandle>& sizes,
                               const PictureProjection& picture, float em);

/// The one under the mouse; the smaller ones first. -1: none
int handle_at(const std::vector<Handle>& handles, const PictureProjection& picture, ImVec2 mouse, float em);

/// @param lit  the one that is under the mouse or taken hold of; -1: none
void draw_handles(const std::vector<Handle>& handles, int lit, const PictureProjection& picture, float em, bool dark);

}  // namespace riffle::desktop
