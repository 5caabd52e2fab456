#pragma once
/// Entries of the scene's lists, `bodies`, `fluids`, `solids`, `inlets`, `outlets`, `joints`, `damping` and `probes`: the values of a new one, and the matrices with a row per fluid.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "scenes/document/document.h"
#include "scenes/scene.h"

namespace riffle::scenes {

/// "bodies[2]" in its two parts.
struct EntryPath {
  std::string list;
  std::size_t index = 0;
};

/// @throws InputError when the path is not an entry of a list of the scene format
EntryPath split_entry(const std::string& path);

/// Shapes that a new entry of the list can have: "box", "sphere", ..., "fill" for bodies only, none for fluids.
std::vector<std::string> shapes_of_entries(const std::string& list);

/// A body at a free place, of a fluid without bodies if there is one; a solid at one, or where there is only fluid; a
/// fluid with a name and a colour of its own; a hinge of a free solid; a damping zone at the
/// upper end of x; a probe (probe_entries.h); or an inlet or an outlet (opening_entries.h).
/// @param shape  one of shapes_of_entries(); "": the first
/// @throws InputError when there is no room, or when the scene format has no such list
Node new_entry(const std::string& list, const std::string& shape, const Scene& scene);

/// A solid from a mesh file, at a free place like other new solids. It keeps its size where that fits the domain; otherwise
/// it has the power of ten of it that does, as of a file in millimetres.
/// @throws InputError when the file cannot be read or there is no room
Node mesh_entry(const std::filesystem::path& file, const Scene& scene);

/// A copy of the entry: a body or a solid at the nearest free place, a fluid with a name and a colour of its own.
/// @param entry  as it is written  @throws InputError when there is no room
Node copied_entry(const Node& entry, const EntryPath& path, const Scene& scene);

/// Paths of the keys that have a row and a column for every fluid.
std::vector<std::string> fluid_matrices();

/// Inserts a row and a column equal to those of fluid `like`. One number for all pairs stays as it is.
void insert_fluid(Node& matrix, std::size_t at, std::size_t like);
void remove_fluid(Node& matrix, std::size_t at);

}  // namespace riffle::scenes
