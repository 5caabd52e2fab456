#pragma once
/// What is wrong with a scene, collected so that one run of the program reports all of it.

#include <string>
#include <vector>

namespace riffle {

/// A place in the scene's file, or the override or edit that put a value there.
struct Location {
  std::string source;        ///< file, or "--set key.path"; "": an edit, for which the key's path says enough
  int line = 0, column = 0;  ///< from 1; line 0: an override, or the file as a whole

  std::string text() const;  ///< "file:line:column"
};

/// "where: key: text", without the key where `where` already ends with it.
std::string problem_line(const std::string& where, const std::string& key, const std::string& text);

class Problems {
 public:
  void add(const Location& location, const std::string& key, const std::string& text);

  bool empty() const { return found_.empty(); }

  /// True when a key at or below `key` is wrong, or one of the maps and lists above it as a whole is: what depends on
  /// it is not worth checking.
  bool touch(const std::string& key) const;

  /// @throws InputError with a line for each, in the order of the file.
  void throw_if_any() const;

 private:
  struct Problem {
    Location location;
    std::string key, text;
  };
  std::vector<Problem> found_;
};

}  // namespace riffle
