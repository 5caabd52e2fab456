#pragma once
/// Paths of keys, "bodies[0].box.min" or "bodies.0.box.min", in the tree of a document.

#include <optional>
#include <string>
#include <vector>

#include "scenes/document/document.h"

namespace riffle {

/// A step of a key path: a map's key, or a list's index.
struct PathStep {
  std::string name;
  std::optional<std::size_t> index;
};

/// Empty when it is no path.
std::vector<PathStep> split_path(const std::string& path);

/// "section.key", or the key alone at the top.
std::string child_path(const std::string& section, const std::string& key);

/// Whether `path` is `outer`, or a key inside it.
bool is_inside(const std::string& path, const std::string& outer);

/// nullptr when there is no such value.
const Node* find(const Node& root, const std::string& path);
Node* find(Node& root, const std::string& path);

/// Puts the value there; maps on the way that are absent are made, and left to the schema to refuse.
/// A path or a value that is none, and an index beyond its list, go to `problems`, which are then found at `at`.
void put(Node& root, const std::string& path, const std::string& value, const Location& at, Problems& problems);

/// Takes the map's key out; nothing happens when it is not there.
void take_out(Node& root, const std::string& path);

}  // namespace riffle
