#pragma once
/// Tables of names and numbers.

#include <string>

namespace riffle::desktop::ui {

void right_aligned(const std::string& text);  ///< at the right edge of a table's cell or of a line

/// The headings given to TableSetupColumn(): the first one at the left, those of the number columns at the right.
void header_row();

}  // namespace riffle::desktop::ui
