/// What riffle-import writes, with Assimp's triangles in it. An input is read twice: as the output itself, and as the numbers of
/// a complete output, so that most inputs reach the surface that is made of them.

#include "sim/meshes/mesh_output.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "core/error.h"
#include "sim/meshes/surface.h"
#include "tests/fuzz/reader.h"

namespace riffle::fuzz {

namespace {

constexpr float kMostExtent = 1e9f;                // [m]: fourth powers of lengths still fit a float
constexpr int kPlaces = 50;                        // that the surface is sampled at
constexpr std::size_t kMostSurfaceTriangles = 64;  // a surface of so many is made in milliseconds

void read_output(std::span<const char> output) {
  const IndexedMesh mesh = mesh_of_output("input.obj", output);
  require(!mesh.triangles.empty(), "a mesh without triangles");
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) require(v < mesh.vertices.size(), "a triangle of a vertex that is not there");
  if (mesh.triangles.size() > kMostSurfaceTriangles) return;
  for (const Vec3& v : mesh.vertices) require(is_finite(v), "a vertex that is not finite");
  const std::shared_ptr<const MeshSurface> made = mesh_surface(mesh, {});
  const MeshSurface& surface = *made;
  const Vec3 low = surface.low(), high = surface.high();
  require(is_finite(low) && is_finite(high), "a surface without bounds");
  require(std::isfinite(surface.volume()), "a surface without a volume");
  // The review of a scene refuses one that is much larger than the domain before it looks inside.
  if (std::max({high.x - low.x, high.y - low.y, high.z - low.z}) > kMostExtent) return;
  const Vec3 middle = 0.5f * (low + high);
  surface.contains(middle);
  require(!std::isnan(surface.distance(middle)), "a distance that is no number");
  // A scene is reviewed with thousands of places, which all go the same way through the surface.
  const WindingSamples samples = sample_winding(surface, kPlaces);
  require(samples.inside <= samples.places && samples.unclear <= samples.places && samples.open <= samples.places,
          "more places than there are");
  const ThinPart thin =
      sample_thickness(surface, 0.1f * std::max({high.x - low.x, high.y - low.y, high.z - low.z}), kPlaces);
  require(thin.share >= 0 && thin.share <= 1, "a share of the surface that is none");
}

/// A first byte of vertices, then their floats, then a byte for each corner.
std::vector<char> complete_output(std::string_view input) {
  const std::uint64_t vertices = input.empty() ? 0 : static_cast<std::uint8_t>(input[0]);
  const std::size_t floats = 1 + vertices * sizeof(Vec3);
  if (input.size() < floats) return {};
  const std::uint64_t triangles = (input.size() - floats) / 3;
  std::vector<char> output(12 + 16 + vertices * sizeof(Vec3));
  std::memcpy(output.data(), "RIFFLE-MESH", 12);
  std::memcpy(output.data() + 12, &vertices, 8);
  std::memcpy(output.data() + 20, &triangles, 8);
  std::copy_n(input.data() + 1, vertices * sizeof(Vec3), output.data() + 28);
  for (std::size_t k = 0; k < 3 * triangles; ++k) {
    const auto corner = static_cast<std::uint32_t>(static_cast<std::uint8_t>(input[floats + k]));
    const char* bytes = reinterpret_cast<const char*>(&corner);
    output.insert(output.end(), bytes, bytes + sizeof corner);
  }
  return output;
}

}  // namespace

void read_mesh_output(std::string_view input) {
  std::optional<InputError> refused;
  try {
    read_output(complete_output(input));
  } catch (const InputError& error) {
    refused = error;
  }
  if (input.starts_with("RIFFLE-"))
    read_output(input);
  else if (refused)
    throw *refused;
}

}  // namespace riffle::fuzz
