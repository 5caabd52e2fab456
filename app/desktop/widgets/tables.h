#pragma once
/// Tables of names and numbers.

#include <string>

namespace riffle::ui {

void right_aligned(const std::string& text);  ///< in a table's cell, or at the right edge of what is left of a line

/// Heads from TableSetupColumn(): of names, which are the first column, at the left, of numbers at the right as they are.
void header_row();

}  // namespace riffle::ui
