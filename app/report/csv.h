#pragma once
/// Fields of comma-separated files.

#include <string>

namespace riffle {

/// The text; in quotes when it contains a comma, a quote or a line end.
std::string csv_field(const std::string& text);

}  // namespace riffle
