#pragma once
/// Meshes from files: STL, OBJ, PLY and glTF, as far as Assimp reads them.
///
/// The program `riffle-import` reads the file, in a process of its own with bounds of memory and time. A file that crashes
/// the reader, hangs it or fills the memory is then a message. What the process writes is checked like any other input.

#include <filesystem>
#include <memory>

#include "sim/meshes/triangle_mesh.h"

namespace riffle {

inline constexpr std::size_t kMostTriangles = 4'000'000;          ///< of a file
inline constexpr std::uintmax_t kMostMeshFileBytes = 1ull << 30;  ///< of a file

struct MeshImport {
  std::filesystem::path program;                 ///< "": `riffle-import` beside this program
  double seconds = 60;                           ///< that it may take
  std::uint64_t bytes = std::uint64_t{4} << 30;  ///< of memory that it may have
};

/// Everything is finite and no coordinate is beyond 1e18; there is at least one triangle with an area. A file that was read
/// before and has not changed is not read a second time.
/// @throws InputError with file, cause and remedy
std::shared_ptr<const IndexedMesh> read_mesh_file(const std::filesystem::path& file, const MeshImport& import = {});

/// The endings of names that are read, "stl" and so on.
bool is_mesh_file(const std::filesystem::path& file);
inline constexpr const char* kMeshEndings[] = {"stl", "obj", "ply", "gltf", "glb"};

}  // namespace riffle
