#pragma once
/// Writes into a file where the panels' widgets are and what they show. The tests, which move a real mouse, find the
/// widgets by it.

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace riffle::desktop {

/// Off unless RIFFLE_INTERFACE_TRACE names a file. The file is replaced as a whole once a picture is on the screen. When the
/// program ends, the same name with ".end" gets its exit code, before a sanitizer that looks for leaks can change it.
class InterfaceTrace {
 public:
  static InterfaceTrace& instance();

  bool on() const { return !file_.empty(); }

  /// The place of the last item, under that name. [pixel] from the window's upper left corner
  void item(const std::string& name);
  void text(const std::string& name, float width, float room);  ///< [pixel] of the text in the item of that name
  void value(const std::string& key, nlohmann::json value);     ///< under "values"
  void end_frame();                                             ///< after the picture is on the screen

 private:
  InterfaceTrace();
  std::string file_;
  nlohmann::json items_, values_;
  std::uint64_t frames_ = 0;
};

}  // namespace riffle::desktop
