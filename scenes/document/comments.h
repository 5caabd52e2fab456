#pragma once
/// The comments of a scene's file, in the scene as it is written again.

#include <cstddef>
#include <string>

namespace riffle::scenes {

struct Commented {
  std::string yaml;
  std::size_t left_out = 0;  ///< comments of keys and entries that the new text has not
};

/// A comment on a line of its own belongs to the key or the entry below it, one at the end of a line to the first one in that
/// line. Entries of a list are the same if they are equal, or if as many others are there as before. What stands above the
/// first key or below the last one stays there.
/// @param yaml  as to_yaml() writes it @param original  text of the file; one that is not YAML has no comments
Commented with_comments(const std::string& yaml, const std::string& original);

}  // namespace riffle::scenes
