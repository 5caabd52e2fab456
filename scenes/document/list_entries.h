#pragma once
/// Entries of the scene's lists, `bodies`, `fluids`, `solids`, `inlets`, `outlets`, `joints`, `damping` and `probes`: the values of a new one, and the matrices with a row per fluid.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
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

/// How large a mesh file's solid is to be.
struct MeshFit {
  Vec3 extent;      ///< in the file's unit
  float scale = 1;  ///< 1 where a mesh in metres fits the domain and is no smaller than a particle spacing
  std::string
      why;  ///< the scale is another one: "0.6 x 0.3 x 0.6 m does not fit the domain of 1 x 0.6 x 0.4 m"; else ""
};

/// A mesh that does not fit gets the largest scale that does, rounded to two digits. One that is more than ten times too
/// large is taken for a file in centimetres or millimetres if it then fits and is at least four particle spacings long. One
/// that is smaller than a particle spacing gets a power of ten.
/// @throws InputError when the file cannot be read, and in a 2-D scene
MeshFit mesh_fit(const std::filesystem::path& file, const Scene& scene);

/// A solid from a mesh file, at a free place like other new solids.
/// @param scale  nullopt: that of mesh_fit()
/// @throws InputError when the file cannot be read or there is no room
Node mesh_entry(const std::filesystem::path& file, const Scene& scene, std::optional<float> scale = std::nullopt);

/// Whether the scene takes the copy: what its review says against it, or "".
using RefusalOfCopy = std::function<std::string(const Node& copy)>;

/// A copy of the entry: a body or a solid at the nearest free place where the scene takes it, a fluid with a name and a
/// colour of its own.
/// @param entry  as it is written  @throws InputError when there is no room
Node copied_entry(const Node& entry, const EntryPath& path, const Scene& scene, const RefusalOfCopy& refusal);

/// Paths of the keys that have a row and a column for every fluid.
std::vector<std::string> fluid_matrices();

/// Inserts a row and a column equal to those of fluid `like`. One number for all pairs stays as it is.
void insert_fluid(Node& matrix, std::size_t at, std::size_t like);
void remove_fluid(Node& matrix, std::size_t at);

}  // namespace riffle::scenes
