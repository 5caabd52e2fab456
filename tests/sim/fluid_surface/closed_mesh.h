#pragma once
/// Whether a mesh is closed and 2-manifold.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sim/fluid_surface/fluid_surface.h"

namespace riffle::test {

/// Each edge is in exactly two triangles, which run along it in opposite directions; the triangles around a vertex are one
/// ring; each vertex is used; no triangle has a vertex twice; normals have length 1.
inline void expect_closed_and_manifold(const SurfaceMesh& mesh) {
  std::vector<std::pair<std::uint64_t, int>> edges;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> rings(mesh.vertices.size());
  std::size_t degenerate = 0, outside = 0;
  for (const Triangle& t : mesh.triangles) {
    degenerate += t[0] == t[1] || t[1] == t[2] || t[2] == t[0] ? 1 : 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      if (a >= mesh.vertices.size()) {
        ++outside;
        continue;
      }
      edges.push_back({std::uint64_t{std::min(a, b)} << 32 | std::max(a, b), a < b ? 1 : -1});
      rings[a].push_back({b, t[(k + 2) % 3]});
    }
  }
  ASSERT_EQ(outside, 0u);
  EXPECT_EQ(degenerate, 0u);
  std::sort(edges.begin(), edges.end());
  std::size_t open = 0;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i;
    int direction = 0;
    for (; end < edges.size() && edges[end].first == edges[i].first; ++end) direction += edges[end].second;
    open += end - i != 2 || direction != 0 ? 1 : 0;
    i = end;
  }
  EXPECT_EQ(open, 0u) << "of " << edges.size() / 2 << " edges";
  std::size_t split = 0, unused = 0, no_unit = 0;
  for (std::size_t v = 0; v < rings.size(); ++v) {
    const std::map<std::uint32_t, std::uint32_t> next(rings[v].begin(), rings[v].end());
    unused += next.empty() ? 1 : 0;
    if (next.empty()) continue;
    std::size_t seen = 0;
    for (std::uint32_t at = next.begin()->first; seen <= next.size();) {
      ++seen;
      const auto found = next.find(at);
      if (found == next.end()) break;
      at = found->second;
      if (at == next.begin()->first) break;
    }
    split += seen != rings[v].size() ? 1 : 0;
    no_unit += std::fabs(length2(mesh.normals[v]) - 1) < 1e-4f ? 0 : 1;
  }
  EXPECT_EQ(split, 0u);
  EXPECT_EQ(unused, 0u);
  EXPECT_EQ(no_unit, 0u);
}

/// Pieces that hang together.
inline int pieces(const SurfaceMesh& mesh) {
  std::vector<std::uint32_t> link(mesh.vertices.size());
  for (std::uint32_t v = 0; v < link.size(); ++v) link[v] = v;
  const auto end_of = [&](std::uint32_t v) {
    while (link[v] != v) v = link[v] = link[link[v]];
    return v;
  };
  for (const Triangle& t : mesh.triangles)
    for (std::size_t k = 1; k < 3; ++k) link[end_of(t[k])] = end_of(t[0]);
  std::set<std::uint32_t> ends;
  for (std::uint32_t v = 0; v < link.size(); ++v) ends.insert(end_of(v));
  return static_cast<int>(ends.size());
}

}  // namespace riffle::test
