#include "validation/reference_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "core/text/program_folder.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line)
    if (c == ',')
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  return fields;
}

}  // namespace

std::vector<std::string> reference_folders() {
  std::vector<std::string> folders;
  for (const fs::path& candidate :
       {program_folder() / "../share/riffle/reference", fs::path(RIFFLE_SOURCE_REFERENCE)}) {
    std::error_code error;
    if (fs::is_directory(candidate, error)) folders.push_back(candidate.lexically_normal().string());
  }
  return folders;
}

std::string find_reference(const std::string& file, const std::string& folder) {
  const std::vector<std::string> folders = folder.empty() ? reference_folders() : std::vector<std::string>{folder};
  for (const std::string& where : folders) {
    std::error_code error;
    if (const fs::path path = fs::path(where) / file; fs::is_regular_file(path, error)) return path.string();
  }
  throw Unavailable(fmt::format("reference table {} was not found (looked in {})", file,
                                folders.empty() ? "no folder: share/riffle/reference is not beside the program"
                                                : fmt::format("{}", fmt::join(folders, ", "))));
}

ReferenceTable::ReferenceTable(const std::string& path) : path_(path) {
  std::ifstream stream(path);
  if (!stream) throw Unavailable(path + ": cannot be read");
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.empty() || line == "\r" || line[0] == '#') continue;
    std::vector<std::string> fields = fields_of(line);
    if (names_.empty()) {
      names_ = std::move(fields);
      continue;
    }
    if (fields.size() != names_.size())
      throw InputError(
          fmt::format("{}:{}: {} fields, but {} column names", path, number, fields.size(), names_.size()));
    cells_.push_back(std::move(fields));
    lines_.push_back(number);
  }
  if (cells_.empty()) throw InputError(path + ": has no row");
}

std::size_t ReferenceTable::index_of(const std::string& column) const {
  const auto at = std::find(names_.begin(), names_.end(), column);
  if (at == names_.end())
    throw InputError(fmt::format("{}: has no column '{}', only {}", path_, column, fmt::join(names_, ", ")));
  return static_cast<std::size_t>(at - names_.begin());
}

std::vector<double> ReferenceTable::numbers(const std::string& column) const {
  const std::size_t index = index_of(column);
  std::vector<double> values;
  for (std::size_t row = 0; row < cells_.size(); ++row) {
    const std::string& text = cells_[row][index];
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != '\0' || !std::isfinite(value))
      throw InputError(fmt::format("{}:{}: {}: '{}' is not a number", path_, lines_[row], column, text));
    values.push_back(value);
  }
  return values;
}

std::vector<std::string> ReferenceTable::texts(const std::string& column) const {
  const std::size_t index = index_of(column);
  std::vector<std::string> values;
  for (const auto& row : cells_) values.push_back(row[index]);
  return values;
}

ReferenceTable ReferenceTable::where(const std::string& column, const std::string& text) const {
  const std::size_t index = index_of(column);
  ReferenceTable table = *this;
  table.cells_.clear();
  table.lines_.clear();
  for (std::size_t row = 0; row < cells_.size(); ++row) {
    if (cells_[row][index] != text) continue;
    table.cells_.push_back(cells_[row]);
    table.lines_.push_back(lines_[row]);
  }
  if (table.cells_.empty()) throw InputError(fmt::format("{}: has no row whose {} is {}", path_, column, text));
  return table;
}

double interpolate(const std::vector<double>& x, const std::vector<double>& y, double where) {
  const bool rising = x.back() > x.front();
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    const double a = rising ? x[k] : x[k + 1], b = rising ? x[k + 1] : x[k];
    if (where < a || where > b || a == b) continue;
    return y[k] + (y[k + 1] - y[k]) * (where - x[k]) / (x[k + 1] - x[k]);
  }
  return (where < x.front()) == rising ? y.front() : y.back();
}

}  // namespace riffle
