#pragma once
/// Tables for people.

#include <string>
#include <vector>

namespace riffle {

/// One line per row: the first column left-aligned, the last as it is, the others right-aligned. Rows are equally long.
std::string aligned_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace riffle
