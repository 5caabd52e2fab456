#pragma once
/// Keeps a text that is being typed away from the shortcuts, also when its field closes in the middle of it.

#include <limits>

namespace riffle::desktop {

struct KeyPress;

class TypingGuard {
 public:
  static constexpr double kPause = 1;  ///< [s] after which a key is no part of the text before it

  /// Whether the press may be a shortcut. Call it for every press, in order.
  /// @param typing a text field has the keyboard @param now [s] on a clock that only runs forward
  bool lets_through(const KeyPress& press, bool typing, double now);

 private:
  double last_ = -std::numeric_limits<double>::infinity();  ///< [s] of the text's last key
};

}  // namespace riffle::desktop
