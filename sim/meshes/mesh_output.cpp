#include "sim/meshes/mesh_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/text/printable.h"
#include "sim/meshes/mesh_file.h"

namespace riffle {

namespace {

constexpr std::size_t kMostOutputVertices = 3 * kMostTriangles;
constexpr std::size_t kMostOutputText = 2000;
constexpr float kFurthestCorner = 1e18f;  // squares of coordinates stay finite

InputError unusable(const std::filesystem::path& file, const std::string& what) {
  return InputError(file.string() + ": " + what);
}

IndexedMesh complete_mesh(const std::filesystem::path& file, std::span<const char> bytes) {
  constexpr std::size_t kWord = 12;
  const auto begins = [&](const char* word) {
    return bytes.size() >= kWord && std::memcmp(bytes.data(), word, kWord) == 0;
  };
  if (begins("RIFFLE-TEXT"))
    throw unusable(file, std::string(printable(
                             std::string_view(bytes.data() + kWord, std::min(bytes.size() - kWord, kMostOutputText)))));
  const auto broken = [&] { return unusable(file, std::string("its reader wrote no mesh") + kSaveAgain); };
  if (!begins("RIFFLE-MESH") || bytes.size() < kWord + 16) throw broken();
  std::uint64_t vertices, triangles;
  std::memcpy(&vertices, bytes.data() + kWord, 8);
  std::memcpy(&triangles, bytes.data() + kWord + 8, 8);
  if (vertices > kMostOutputVertices || triangles > kMostTriangles ||
      bytes.size() != kWord + 16 + vertices * sizeof(Vec3) + triangles * sizeof(Triangle))
    throw broken();
  IndexedMesh mesh;
  mesh.vertices.resize(vertices);
  mesh.triangles.resize(triangles);
  if (vertices > 0) std::memcpy(mesh.vertices.data(), bytes.data() + kWord + 16, vertices * sizeof(Vec3));
  if (triangles > 0)
    std::memcpy(mesh.triangles.data(), bytes.data() + kWord + 16 + vertices * sizeof(Vec3),
                triangles * sizeof(Triangle));
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t)
      if (v >= vertices) throw broken();
  return mesh;
}

void refuse_useless(const std::filesystem::path& file, const IndexedMesh& mesh) {
  if (mesh.triangles.empty())
    throw unusable(file, "has no triangles; allowed: a mesh with faces, not points or lines alone");
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const Vec3 v = mesh.vertex(t, k);
      for (int a = 0; a < 3; ++a)
        if (!(std::fabs(component(v, a)) <= kFurthestCorner))
          throw unusable(
              file, fmt::format("triangle {} has a corner at [{}, {}, {}]; allowed: finite numbers up to {:g}", t, v.x,
                                v.y, v.z, kFurthestCorner));
    }
  const auto has_area = [&](const Triangle& t) {
    const Vec3 a = mesh.vertices[t[0]], u = mesh.vertices[t[1]] - a, v = mesh.vertices[t[2]] - a;
    const double x = double{u.y} * v.z - double{u.z} * v.y, y = double{u.z} * v.x - double{u.x} * v.z,
                 z = double{u.x} * v.y - double{u.y} * v.x;
    return x * x + y * y + z * z > 0;
  };
  if (std::none_of(mesh.triangles.begin(), mesh.triangles.end(), has_area))
    throw unusable(file, fmt::format("none of its {} triangles has an area; allowed: a surface around some volume",
                                     mesh.triangles.size()));
}

/// Vertices that no triangle has may be anything, and would count for the mesh's extent. The others keep their order.
IndexedMesh without_loose_vertices(IndexedMesh mesh) {
  std::vector<char> used(mesh.vertices.size(), 0);
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) used[v] = 1;
  std::vector<std::uint32_t> name(mesh.vertices.size());
  std::uint32_t kept = 0;
  for (std::size_t v = 0; v < used.size(); ++v)
    if (used[v]) {
      mesh.vertices[kept] = mesh.vertices[v];
      name[v] = kept++;
    }
  mesh.vertices.resize(kept);
  for (Triangle& t : mesh.triangles)
    for (std::uint32_t& v : t) v = name[v];
  return mesh;
}

}  // namespace

IndexedMesh mesh_of_output(const std::filesystem::path& file, std::span<const char> output) {
  IndexedMesh mesh = without_loose_vertices(complete_mesh(file, output));
  refuse_useless(file, mesh);
  return mesh;
}

}  // namespace riffle
