#pragma once
/// Triangles of a face with any number of corners.

#include <array>
#include <cstdint>
#include <vector>

namespace riffle {

/// Cuts a face into triangles by ear clipping in its mean plane: a corner is cut off where the triangle of it and its
/// neighbors lies within the face. The face may have notches, corners on straight edges, and an edge that is gone along twice
/// to surround a hole. A face that is not flat is cut as seen along its mean normal.
///
/// There are `corners - 2` triangles, each the same way round as the face, and every edge of the face is an edge of one of
/// them, so that a closed surface stays closed. This holds for a face whose edges cross, too; such a face is the outline of
/// no certain shape, and which triangles it gets is not said. Without an area (as seen along any axis) it is a fan.
/// @param corners places in order, either way round
/// @return three indices into `corners` each; none for fewer than three corners
std::vector<std::array<std::uint32_t, 3>> triangles_of_face(const std::vector<std::array<double, 3>>& corners);

}  // namespace riffle
