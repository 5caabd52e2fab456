#pragma once
/// Fields for text and numbers whose text counts once it is finished: no half of a number is ever tried.

#include <optional>
#include <string>

namespace riffle::ui {

/// A line of text. Enter, Tab or a click elsewhere finish it; Escape takes back what was typed.
/// @param now what it shows while nothing is typed @param width [pixel]
/// @return the finished text, where it differs from what was there before
std::optional<std::string> text_field(const char* label, const std::string& now, float width);

/// How the mouse moves a number.
struct NumberDrag {
  double min = 0, max = 0;      ///< where it stops
  float speed = 0;              ///< change per pixel
  const char* format = "%.5g";  ///< printf's, of what is shown
};

struct NumberChange {
  std::optional<double> dragged;     ///< at every movement of the mouse
  bool first = false;                ///< of a drag's movements
  std::optional<double> let_go;      ///< the drag is over, and this was its last value
  std::optional<std::string> typed;  ///< a finished text, whatever it says
};

/// A number to be dragged, or to be typed after a click that does not move.
/// @param exact the value's text, to begin typing with
NumberChange number_field(const char* label, double value, const std::string& exact, const NumberDrag& drag,
                          float width);

}  // namespace riffle::ui
