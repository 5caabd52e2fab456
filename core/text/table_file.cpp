#include "core/text/table_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "core/error.h"

namespace riffle {

namespace {

/// @throws InputError for a quoted field that does not end, or goes on after its end
std::vector<std::string> fields_of(const std::string& line, const std::string& place) {
  enum class In { Plain, Quoted, Ended };
  std::vector<std::string> fields(1);
  In in = In::Plain;
  bool begins = true;  // of a field
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool was_begin = begins;
    begins = false;
    if (in == In::Quoted) {
      if (c != '"')
        fields.back() += c;
      else if (i + 1 < line.size() && line[i + 1] == '"')
        fields.back() += line[++i];
      else
        in = In::Ended;
    } else if (c == ',') {
      fields.emplace_back();
      in = In::Plain;
      begins = true;
    } else if (c == '\r') {
      continue;
    } else if (in == In::Ended) {
      throw InputError(place + ": text after the quotes of a field");
    } else if (c == '"' && was_begin) {
      in = In::Quoted;
    } else {
      fields.back() += c;
    }
  }
  if (in == In::Quoted) throw InputError(place + ": a field whose quotes do not end");
  return fields;
}

}  // namespace

TableFile::TableFile(const std::string& path) : path_(path) {
  std::ifstream stream(path);
  if (!stream) throw Unavailable(path + ": cannot be read");
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.empty() || line == "\r" || line[0] == '#') continue;
    std::vector<std::string> fields = fields_of(line, fmt::format("{}:{}", path, number));
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

std::size_t TableFile::index_of(const std::string& column) const {
  const auto at = std::find(names_.begin(), names_.end(), column);
  if (at == names_.end())
    throw InputError(fmt::format("{}: has no column '{}', only {}", path_, column, fmt::join(names_, ", ")));
  return static_cast<std::size_t>(at - names_.begin());
}

std::vector<double> TableFile::numbers(const std::string& column) const {
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

std::vector<bool> TableFile::flags(const std::string& column) const {
  const std::size_t index = index_of(column);
  std::vector<bool> values;
  for (std::size_t row = 0; row < cells_.size(); ++row) {
    const std::string& text = cells_[row][index];
    if (text != "yes" && text != "no")
      throw InputError(fmt::format("{}:{}: {}: '{}' is not yes or no", path_, lines_[row], column, text));
    values.push_back(text == "yes");
  }
  return values;
}

std::vector<std::string> TableFile::texts(const std::string& column) const {
  const std::size_t index = index_of(column);
  std::vector<std::string> values;
  for (const auto& row : cells_) values.push_back(row[index]);
  return values;
}

TableFile TableFile::where(const std::string& column, const std::string& text) const {
  const std::size_t index = index_of(column);
  TableFile table = *this;
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

}  // namespace riffle
