#pragma once
/// The text of a scene as a tree. Every value knows where it was written: in the file, or in an override.

#include <string>
#include <vector>

#include "scenes/document/problems.h"

namespace riffle::scenes {

struct Node {
  enum class Kind { Null, Scalar, List, Map };
  struct Member;

  Kind kind = Kind::Null;
  Location location;
  std::string text;             ///< Scalar
  bool quoted = false;          ///< Scalar: "2" is a text, 2 is a number
  std::vector<Node> items;      ///< List
  std::vector<Member> members;  ///< Map, in the order of the file, keys unique

  const Node* find(const std::string& key) const;  ///< nullptr when absent, or when this is no map
  std::string describe() const;                    ///< for messages: "the list [1, 2]"
};

struct Node::Member {
  std::string key;
  Location key_location;
  Node value;
};

/// @throws InputError when the text is not one YAML map; duplicate keys go to `problems`.
Node parse_document(const std::string& text, const std::string& path, Problems& problems);

/// The tree of a value such as "[0, -9.81, 0]". A colour #rrggbb needs no quotes here. Text that is not YAML goes to `problems`, under the name `key`.
Node parse_value(const std::string& text, const Location& at, const std::string& key, Problems& problems);

/// Puts "key.path=value" into the tree. Missing maps on the way are created; the reader refuses them if need be.
void apply_override(Node& root, const std::string& assignment, Problems& problems);

/// From here on messages say `source` for every place of the text that was read from `path`, without a line.
void name_without_lines(Node& root, const std::string& path, const std::string& source);

/// Writes down the one fluid of a scene without `fluids`, so that its keys can be given.
void write_the_fluid(Node& root, const Location& at);

/// @throws InputError when the path is not a readable file.
std::string read_scene_text(const std::string& path);

}  // namespace riffle::scenes
