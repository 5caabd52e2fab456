#include "app/terminal/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace riffle {

std::string aligned_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = fmt::format("{:<{}}", row[0], width[0]);
    for (std::size_t c = 1; c + 1 < row.size(); ++c) line += fmt::format("  {:>{}}", row[c], width[c]);
    text += fmt::format("{}  {}\n", line, row.back());
  }
  return text;
}

}  // namespace riffle
