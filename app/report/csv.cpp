#include "app/report/csv.h"

#include <cstdlib>
#include <fstream>

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
  if (!std::getline(in, line) || line + "\n" != header) return "";
  while (std::getline(in, line) && !in.eof()) {  // the last line of a run that was killed may be a part of one
    char* end = nullptr;
    const double at = std::strtod(line.c_str(), &end);
    if (end == line.c_str() || !(at < before)) break;
    rows += line + "\n";
  }
  return rows;
}

}  // namespace riffle
