#pragma once
/// Tables for people.

#include <string>
#include <vector>

namespace riffle {

/// One line per row: the first column to the left, the last one as it is, those between to the right. All have as many.
std::string aligned_table(const std::vector<std::vector<std::string>>& rows);

/// Four figures that matter, never fewer digits than the number has before the point; "-" below 0.
std::string milliseconds(double ms);

}  // namespace riffle
