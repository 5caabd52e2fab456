#pragma once
/// Entries of the scene's lists, `bodies` and `fluids`: what a new one says at first, and what else counts fluids.

#include <cstddef>
#include <string>
#include <vector>

#include "scenes/document/document.h"
#include "scenes/scene.h"

namespace riffle {

/// "bodies[2]" in two.
struct EntryPath {
  std::string list;
  std::size_t index = 0;
};

/// @throws InputError when it is no entry of a list of the scene format
EntryPath split_entry(const std::string& path);

/// Shapes that a new entry of the list can have: "box" and "sphere" of bodies; none of fluids, which are all alike.
std::vector<std::string> shapes_of_entries(const std::string& list);

/// A body where there is room for one, of a fluid that has none yet, if there is one; a fluid with a name and a colour of
/// its own.
/// @param shape  one of shapes_of_entries(); "": the first
/// @throws InputError where there is no room, or when it is no list of the scene format
Node new_entry(const std::string& list, const std::string& shape, const Scene& scene);

/// The same entry once more: a body at the nearest place where there is room, a fluid with a name and a colour of its own.
/// @param entry  as it is written  @throws InputError where there is no room
Node copied_entry(const Node& entry, const EntryPath& path, const Scene& scene);

/// Paths of the keys that have a row and a column for every fluid.
std::vector<std::string> fluid_matrices();

/// A row and a column more, with what fluid `like` has; what is no matrix (one number for all) stays as it is.
void insert_fluid(Node& matrix, std::size_t at, std::size_t like);
void remove_fluid(Node& matrix, std::size_t at);

}  // namespace riffle
