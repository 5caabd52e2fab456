#include "app/report/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <vector>

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

namespace {

/// The fields of a line without its end.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

/// A heading as it is now. Earlier tables had kT for the unit of energy while kT is 1, and did not say in the unit that
/// pair_energy is per particle.
std::string as_now(std::string heading) {
  const std::size_t unit = heading.rfind(" [");
  for (std::size_t at = unit; at != std::string::npos && (at = heading.find("kT", at)) != std::string::npos;)
    heading.replace(at, 2, "eps");
  return heading == "pair_energy [eps]" ? "pair_energy [eps per particle]" : heading;
}

std::vector<std::string> headings_of(std::string line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
  std::vector<std::string> headings = fields_of(line);
  std::ranges::transform(headings, headings.begin(), as_now);
  return headings;
}

/// The headings of one that the other has not: "a, b, c and 4 more"; "" for none.
std::string only_in(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  std::size_t found = 0;
  for (const std::string& heading : one) {
    if (std::ranges::find(other, heading) != other.end() || ++found > kNamed) continue;
    text += (text.empty() ? "" : ", ") + heading;
  }
  return found > kNamed ? fmt::format("{} and {} more", text, found - kNamed) : text;
}

/// "" if both are the same.
std::string how_they_differ(const std::vector<std::string>& table, const std::vector<std::string>& run) {
  if (table == run) return "";
  std::string text;
  if (const std::string lost = only_in(table, run); !lost.empty()) text += "; only the file has " + lost;
  if (const std::string added = only_in(run, table); !added.empty()) text += "; only the run has " + added;
  return text.empty() ? "; their order differs" : text;
}

}  // namespace

RowsBefore rows_before(const std::filesystem::path& file, const std::string& header, double time) {
  // Tables have nine digits of a time.
  const double before = time * (1 - 1e-8);
  std::ifstream in(file, std::ios::binary);
  std::string line;
  RowsBefore found;
  if (!std::getline(in, line)) return found;
  const std::vector<std::string> headings = headings_of(line);
  if (const std::string difference = how_they_differ(headings, headings_of(header)); !difference.empty())
    throw InputError(
        fmt::format("{}: has other columns than this run{}; the rows of the run that goes on would be lost; "
                    "allowed: a file with the same columns, or a new name",
                    file.string(), difference));
  for (std::size_t number = 2; std::getline(in, line) && !in.eof(); ++number) {
    char* end = nullptr;
    const double at = std::strtod(line.c_str(), &end);
    const bool is_comment = line.starts_with('#');
    if (!is_comment && (end == line.c_str() || fields_of(line).size() != headings.size())) {
      if (found.damaged++ == 0) found.first_damaged = number;
      continue;
    }
    if (!is_comment && !(at < before)) break;
    found.rows += line + "\n";
    if (!is_comment) found.last = at;
  }
  return found;
}

}  // namespace riffle
