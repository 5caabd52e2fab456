/// The triangles of marching cubes, for all cases and for cells side by side.

#include "sim/fluid_surface/cell_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "support/random.h"
#include "tests/sim/fluid_surface/closed_mesh.h"

namespace riffle::test {
namespace {

bool is_inside(int which, int corner) { return (which >> corner & 1) != 0; }

int edge_end(int edge) { return edge_begin(edge) + (1 << edge / 4); }

TEST(CellCases, HaveAVertexOnEachEdgeThatIsCrossedAndNoOther) {
  for (int which = 0; which < 256; ++which) {
    std::array<bool, 12> used{};
    for (int k = 0; k < 3 * cell_cases().triangles[which]; ++k) used[cell_cases().edges[which][k]] = true;
    for (int edge = 0; edge < 12; ++edge)
      EXPECT_EQ(used[static_cast<std::size_t>(edge)],
                is_inside(which, edge_begin(edge)) != is_inside(which, edge_end(edge)))
          << which << " " << edge;
  }
}

TEST(CellCases, OfOneCornerInsideFacesAwayFromIt) {
  for (int corner = 0; corner < 8; ++corner) {
    const int which = 1 << corner;
    ASSERT_EQ(cell_cases().triangles[which], 1);
    Vec3 middle[3],
        inside{static_cast<float>(corner & 1), static_cast<float>(corner >> 1 & 1), static_cast<float>(corner >> 2)};
    for (int k = 0; k < 3; ++k) {
      const int edge = cell_cases().edges[which][k], c = edge_begin(edge);
      middle[k] = {static_cast<float>(c & 1), static_cast<float>(c >> 1 & 1), static_cast<float>(c >> 2)};
      (edge / 4 == 0 ? middle[k].x : edge / 4 == 1 ? middle[k].y : middle[k].z) += 0.5f;
    }
    const Vec3 a = middle[1] - middle[0], b = middle[2] - middle[0];
    const Vec3 normal{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    EXPECT_GT(dot(normal, middle[0] - inside), 0) << corner;
  }
}

// Nodes that are inside at random meet every case beside every other.
TEST(CellCases, OfRandomNodesAreAClosedManifold) {
  constexpr int n = 12;
  Random random(1);
  for (int trial = 0; trial < 40; ++trial) {
    const float share = 0.1f + 0.02f * static_cast<float>(trial);
    std::vector<bool> inside(n * n * n, false);
    const auto node = [](int x, int y, int z) { return static_cast<std::size_t>((z * n + y) * n + x); };
    for (int z = 1; z < n - 1; ++z)
      for (int y = 1; y < n - 1; ++y)
        for (int x = 1; x < n - 1; ++x) inside[node(x, y, z)] = random.chance(share);
    std::map<std::size_t, std::uint32_t> vertices;  // by node and axis
    SurfaceMesh mesh;
    for (int z = 0; z < n - 1; ++z)
      for (int y = 0; y < n - 1; ++y)
        for (int x = 0; x < n - 1; ++x) {
          const auto at = [&](int c) { return node(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2)); };
          int which = 0;
          for (int c = 0; c < 8; ++c) which |= inside[at(c)] ? 1 << c : 0;
          for (int t = 0; t < cell_cases().triangles[which]; ++t) {
            Triangle triangle;
            for (int k = 0; k < 3; ++k) {
              const int edge = cell_cases().edges[which][3 * t + k];
              const std::size_t key = 3 * at(edge_begin(edge)) + static_cast<std::size_t>(edge / 4);
              triangle[static_cast<std::size_t>(k)] =
                  vertices.emplace(key, static_cast<std::uint32_t>(vertices.size())).first->second;
            }
            mesh.triangles.push_back(triangle);
          }
        }
    mesh.vertices.resize(vertices.size());
    mesh.normals.assign(vertices.size(), {1, 0, 0});
    SCOPED_TRACE(share);
    ASSERT_GT(mesh.triangles.size(), 100u);
    expect_closed_and_manifold(mesh);
  }
}

}  // namespace
}  // namespace riffle::test
