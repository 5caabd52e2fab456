#pragma once
/// Tables for people.

#include <string>
#include <vector>

namespace riffle {

/// One line per row: the first column to the left, the last one as it is, those between to the right. All have as many.
std::string aligned_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace riffle
