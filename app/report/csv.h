#pragma once
/// Fields of comma-separated files.

#include <string>

namespace riffle {

/// The text, in quotes where it has a comma, a quote or a line's end in it.
std::string csv_field(const std::string& text);

}  // namespace riffle
