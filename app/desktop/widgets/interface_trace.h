#pragma once
/// Where the panels' widgets are and what they show, in a file: what a screen reader would ask for, and what the tests,
/// which move a real mouse, find them by.

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace riffle {

/// Off unless RIFFLE_INTERFACE_TRACE names a file. It is replaced as a whole with every picture, once that is on
/// the screen.
class InterfaceTrace {
 public:
  static InterfaceTrace& instance();

  bool on() const { return !file_.empty(); }

  /// The item that was drawn last, under a name of its own; [pixel] from the window's upper left corner.
  void item(const std::string& name);
  void value(const std::string& key, nlohmann::json value);  ///< something to be asked for, under "values"
  void end_frame();                                          ///< after the picture was shown

 private:
  InterfaceTrace();
  std::string file_;
  nlohmann::json items_, values_;
  std::uint64_t frames_ = 0;
};

}  // namespace riffle
