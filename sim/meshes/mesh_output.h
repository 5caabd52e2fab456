#pragma once
/// What `riffle-import` writes, as input like any other: the library that it calls may have read a damaged file.

#include <filesystem>
#include <span>

#include "sim/meshes/triangle_mesh.h"

namespace riffle {

inline constexpr const char* kSaveAgain = "; a copy that another program has written as STL or PLY may be readable";

/// @param output  "RIFFLE-MESH" and a zero, two numbers of 8 bytes, vertices of three floats, triangles of three indices. Or
///                "RIFFLE-TEXT", a zero and why there is none.
/// @throws InputError that names the file: for that reason, for an output that is not complete, and for a mesh without a
///         triangle that has an area, or with a corner that is not finite or beyond 1e18
/// @return the mesh without the vertices that no triangle has
IndexedMesh mesh_of_output(const std::filesystem::path& file, std::span<const char> output);

}  // namespace riffle
