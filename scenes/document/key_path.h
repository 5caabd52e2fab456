#pragma once
/// Paths of keys, "bodies[0].box.min" or "bodies.0.box.min", in the tree of a document.

#include <optional>
#include <string>
#include <vector>

#include "scenes/document/document.h"

namespace riffle::scenes {

/// A step of a key path: a map's key, or a list's index.
struct PathStep {
  std::string name;
  std::optional<std::size_t> index;
};

/// Empty when the text is not a path.
std::vector<PathStep> split_path(const std::string& path);

/// "section.key", or the key alone at the top.
std::string child_path(const std::string& section, const std::string& key);

/// The path with indices written as [0]; a text that is not a path stays.
std::string spelled_path(const std::string& path);

/// Whether `path` is `outer`, or a key inside it.
bool is_inside(const std::string& path, const std::string& outer);

/// nullptr when there is no such value.
const Node* find(const Node& root, const std::string& path);
Node* find(Node& root, const std::string& path);

/// Makes room for a value, as put() does. nullptr: the path leads to no place, and `problems` say why.
Node* place_of(Node& root, const std::string& path, const Location& at, Problems& problems);

/// Puts the value there. Missing maps on the way are created; the reader refuses them if need be. A text that is not a
/// path, a text that is not a value, and an index beyond its list go to `problems`, located at `at`.
void put(Node& root, const std::string& path, const std::string& value, const Location& at, Problems& problems);

/// Removes a key from its map; does nothing when it is absent.
void take_out(Node& root, const std::string& path);

}  // namespace riffle::scenes
