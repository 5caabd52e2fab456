#pragma once
/// The triangles of marching cubes for each of the 256 ways in which a cell's corners are inside and outside.
///
/// The table is computed, by a rule that depends on a face's corners alone, so that the two cells that share a face agree
/// about it: on every face each row of inside corners that follow one another is cut off from the outside. Where two inside
/// corners lie across a face, both are cut off, and the outside is one piece. The lines on the six faces join to closed
/// loops, and each loop is filled with triangles whose inner edges lie on no face of the cell. An inner edge then belongs to
/// one cell alone, and the surface is closed and 2-manifold for whatever values the corners have.

#include <array>
#include <cstdint>

namespace riffle {

/// Corner c is at (c & 1, c >> 1 & 1, c >> 2) [cells]. Edge 4 a + k runs along axis a, and begins at the k-th of the corners
/// whose coordinate a is 0.
struct CellCases {
  static constexpr int kMostTriangles = 5;

  std::uint8_t triangles[256];                  ///< how many; index: bit c is set where corner c is inside
  std::uint8_t edges[256][3 * kMostTriangles];  ///< three per triangle, counter-clockwise as seen from outside
};

/// Computed once.
const CellCases& cell_cases();

/// The corner where an edge begins; it ends at that plus (1 << axis).
constexpr int edge_begin(int edge) {
  const int axis = edge / 4, k = edge % 4;
  return axis == 0 ? 2 * k : axis == 1 ? (k & 1) + 4 * (k >> 1) : k;
}

}  // namespace riffle
