#pragma once
/// Fields for text and numbers. A typed text counts only once it is finished: half a number is never tried.

#include <optional>
#include <string>

namespace riffle::desktop::ui {

enum class OnClick { PlacesCursor, SelectsAll };

/// A line of text. Enter, Tab or a click elsewhere finishes it; Escape takes back what was typed.
/// @param now shown while nothing is typed @param width [pixel]
/// @return the finished text if it differs from the one before
std::optional<std::string> text_field(const char* label, const std::string& now, float width,
                                      OnClick click = OnClick::PlacesCursor);

/// How the mouse moves a number.
struct NumberDrag {
  double min = 0, max = 0;      ///< where it stops
  float speed = 0;              ///< change per pixel
  const char* format = "%.5g";  ///< printf's, for the shown number
};

struct NumberChange {
  std::optional<double> dragged;     ///< at every movement of the mouse
  bool first = false;                ///< it is the drag's first movement
  std::optional<double> let_go;      ///< the last value of a drag that is over
  std::optional<std::string> typed;  ///< a finished text, which need not be a number
};

/// A number that can be dragged, or typed after a click without movement.
/// @param exact the value's text when typing begins
NumberChange number_field(const char* label, double value, const std::string& exact, const NumberDrag& drag,
                          float width);

}  // namespace riffle::desktop::ui
