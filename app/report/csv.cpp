#include "app/report/csv.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

#include "core/error.h"

namespace riffle {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += c;
    field += c;
  }
  return field + "\"";
}

std::string rows_before(const std::filesystem::path& file, const std::string& header, double time) {
  // Tables have nine digits of a time.
  const double before = time * (1 - 1e-8);
  std::ifstream in(file, std::ios::binary);
  std::string line, rows;
  if (!std::getline(in, line)) return "";
  if (line + "\n" != header)
    throw InputError(
        fmt::format("{}: has other columns than this run; the rows of the run that goes on would be lost; "
                    "allowed: a file with the same columns, or a new name",
                    file.string()));
  while (std::getline(in, line) && !in.eof()) {  // the last line of a run that was killed may be a part of one
    char* end = nullptr;
    const double at = std::strtod(line.c_str(), &end);
    if (end == line.c_str() || !(at < before)) break;
    rows += line + "\n";
  }
  return rows;
}

}  // namespace riffle
