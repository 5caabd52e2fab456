#pragma once
/// The mistakes of a scene, collected so that one run of the program reports all of them.

#include <string>
#include <utility>
#include <vector>

namespace riffle::scenes {

/// A place in the scene's file, or the override or edit that put a value there.
struct Location {
  std::string source;        ///< file, or "--set key.path"; "" for an edit, where the path of the key is enough
  int line = 0, column = 0;  ///< from 1; line 0: an override, or the file as a whole

  std::string text() const;  ///< "file:line:column"
};

/// "where: key: text", without the key where `where` already ends with it.
std::string problem_line(const std::string& where, const std::string& key, const std::string& text);

class Problems {
 public:
  void add(const Location& location, const std::string& key, const std::string& text);

  /// Texts from now on say when that is so: " (after the event of step 300)". "": from the start on.
  void say_when(std::string when) { when_ = std::move(when); }

  bool empty() const { return found_.empty(); }

  /// True when `key`, a key in it, or a map or list that contains it is wrong. What depends on it is then not checked.
  bool touch(const std::string& key) const;

  /// @throws InputError with one line per mistake, in the order of the file.
  void throw_if_any() const;

 private:
  struct Problem {
    Location location;
    std::string key, text;
  };
  std::vector<Problem> found_;
  std::string when_;
};

}  // namespace riffle::scenes
