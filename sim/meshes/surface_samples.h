#pragma once
/// What places around and on the surface of a mesh say about it. They are thousands: MeshSurface keeps the results.

#include "core/math/vec.h"

namespace riffle {

class MeshSurface;

/// How often the surface winds around places that are spread evenly in its bounds. A number is clear if it is within a
/// quarter of a whole one.
struct WindingSamples {
  int places = 0;
  int inside = 0;        ///< places that the closed surface encloses
  int unclear = 0;       ///< places where the closed surface's number is not clear
  int open = 0;          ///< the same of the surface as its file has it, without the triangles that close holes
  Vec3 unclear_place{};  ///< [m] the first of these places
  Vec3 open_place{};     ///< [m] likewise
};

WindingSamples sample_winding(const MeshSurface& surface, int places = 4096);

/// The part of the surface that has less than some thickness of the solid below it.
struct ThinPart {
  double share = 0;  ///< of the area
  Vec3 place{};      ///< [m] a place in it
};

/// @param thickness [m]
ThinPart sample_thickness(const MeshSurface& surface, float thickness, int places = 2000);

}  // namespace riffle
