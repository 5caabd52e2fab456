#include "sim/fluid_surface/cell_cases.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace riffle {

namespace {

constexpr int kEdges = 12;

int edge_between(int a, int b) {
  const int low = a & b, axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
  for (int k = 0; k < 4; ++k)
    if (edge_begin(4 * axis + k) == low) return 4 * axis + k;
  throw std::logic_error("two corners that are not joined by an edge");
}

/// The corners of a face, counter-clockwise as seen from outside.
std::array<int, 4> corners_of_face(int axis, bool upper) {
  const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, first = upper ? 1 << axis : 0;
  if (upper) return {first, first + u, first + u + v, first + v};
  return {first, first + v, first + u + v, first + u};
}

/// Whether an edge of the cell lies on that face.
bool on_face(int edge, int axis, bool upper) {
  const int begin = edge_begin(edge);
  return edge / 4 != axis && ((begin >> axis & 1) != 0) == upper;
}

bool share_a_face(int a, int b) {
  for (int axis = 0; axis < 3; ++axis)
    for (const bool upper : {false, true})
      if (on_face(a, axis, upper) && on_face(b, axis, upper)) return true;
  return false;
}

/// next[edge]: the edge that follows on the loop; -1 where the surface does not cross.
std::array<int, kEdges> loops_of(int inside) {
  std::array<int, kEdges> next;
  next.fill(-1);
  for (int axis = 0; axis < 3; ++axis)
    for (const bool upper : {false, true}) {
      const auto corner = corners_of_face(axis, upper);
      const auto is_inside = [&](int k) { return (inside >> corner[static_cast<std::size_t>(k & 3)] & 1) != 0; };
      for (int k = 0; k < 4; ++k) {
        if (is_inside(k) || !is_inside(k + 1)) continue;
        int last = k + 1;  // of the inside corners that follow
        while (is_inside(last + 1)) ++last;
        const auto at = [&](int i) { return corner[static_cast<std::size_t>(i & 3)]; };
        next[static_cast<std::size_t>(edge_between(at(k), at(k + 1)))] = edge_between(at(last), at(last + 1));
      }
    }
  return next;
}

/// Adds triangles that fill loop[first..last], whose edge from last to first is given. @return whether there are some whose
/// inner edges lie on no face
bool fill(const std::vector<int>& loop, std::size_t first, std::size_t last,
          std::vector<std::array<int, 3>>& triangles) {
  if (last - first < 2) return true;
  const auto allowed = [&](std::size_t a, std::size_t b) { return b - a == 1 || !share_a_face(loop[a], loop[b]); };
  for (std::size_t middle = first + 1; middle < last; ++middle) {
    if (!allowed(first, middle) || !allowed(middle, last)) continue;
    const std::size_t before = triangles.size();
    triangles.push_back({loop[first], loop[middle], loop[last]});
    if (fill(loop, first, middle, triangles) && fill(loop, middle, last, triangles)) return true;
    triangles.resize(before);
  }
  return false;
}

CellCases compute() {
  CellCases cases{};
  for (int inside = 0; inside < 256; ++inside) {
    std::array<int, kEdges> next = loops_of(inside);
    std::vector<std::array<int, 3>> triangles;
    for (int edge = 0; edge < kEdges; ++edge) {
      std::vector<int> loop;
      for (int at = edge; next[static_cast<std::size_t>(at)] >= 0;) {
        loop.push_back(at);
        at = std::exchange(next[static_cast<std::size_t>(at)], -1);
      }
      if (!loop.empty() && !fill(loop, 0, loop.size() - 1, triangles))
        throw std::logic_error("a loop on a cell that cannot be filled");
    }
    if (triangles.size() > CellCases::kMostTriangles) throw std::logic_error("a cell with too many triangles");
    cases.triangles[inside] = static_cast<std::uint8_t>(triangles.size());
    std::uint8_t* to = cases.edges[inside];
    for (const auto& triangle : triangles)
      for (const int edge : triangle) *to++ = static_cast<std::uint8_t>(edge);
  }
  return cases;
}

}  // namespace

const CellCases& cell_cases() {
  static const CellCases cases = compute();
  return cases;
}

}  // namespace riffle
