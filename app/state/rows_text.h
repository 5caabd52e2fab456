#pragma once
/// Texts of a state's rows of diagnostics: JSON, because names may have any letters.

#include <cstdint>
#include <string>

#include "app/state/saved_rows.h"

namespace riffle {

std::string columns_text(const SavedRows& rows);
std::string changes_text(const SavedRows& rows);

/// Fills `columns` and `changes`. @return what is wrong, in words; "" for nothing
std::string read_texts(const std::string& columns, const std::string& changes, SavedRows& rows);

/// Of rows from a file that may be damaged. @param width  numbers in a row @param time  [s] of the state
/// @return what is wrong, in words; "" for nothing
std::string what_is_wrong(const SavedRows& rows, std::uint64_t width, double time);

}  // namespace riffle
