#include "scenes/document/scene_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>

namespace riffle::scenes {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// A unit that people write, and what it is in the unit of the format.
struct WrittenUnit {
  std::string_view written, unit;
  double factor;
};

constexpr WrittenUnit kWrittenUnits[] = {
    {"m", "m", 1},
    {"km", "m", 1e3},
    {"dm", "m", 0.1},
    {"cm", "m", 0.01},
    {"mm", "m", 1e-3},
    {"um", "m", 1e-6},
    {"\u00b5m", "m", 1e-6},
    {"\u03bcm", "m", 1e-6},
    {"nm", "m", 1e-9},
    {"s", "s", 1},
    {"ms", "s", 1e-3},
    {"us", "s", 1e-6},
    {"min", "s", 60},
    {"h", "s", 3600},
    {"m/s", "m/s", 1},
    {"cm/s", "m/s", 0.01},
    {"mm/s", "m/s", 1e-3},
    {"km/h", "m/s", 1 / 3.6},
    {"m/s^2", "m/s^2", 1},
    {"m/s2", "m/s^2", 1},
    {"cm/s^2", "m/s^2", 0.01},
    {"kg/m^3", "kg/m^3", 1},
    {"kg/m3", "kg/m^3", 1},
    {"g/cm^3", "kg/m^3", 1e3},
    {"g/cm3", "kg/m^3", 1e3},
    {"m^2/s", "m^2/s", 1},
    {"m2/s", "m^2/s", 1},
    {"mm^2/s", "m^2/s", 1e-6},
    {"mm2/s", "m^2/s", 1e-6},
    {"cSt", "m^2/s", 1e-6},
    {"St", "m^2/s", 1e-4},
    {"N", "N", 1},
    {"mN", "N", 1e-3},
    {"kN", "N", 1e3},
    {"N/m", "N/m", 1},
    {"mN/m", "N/m", 1e-3},
};

/// The number in the format's unit, as short as it can be written.
std::optional<std::string> converted(double number, std::string_view written, std::string_view unit) {
  written.remove_prefix(std::min(written.find_first_not_of(" \t"), written.size()));
  const auto* const known = std::find_if(std::begin(kWrittenUnits), std::end(kWrittenUnits),
                                         [&](const auto& row) { return row.written == written && row.unit == unit; });
  if (known == std::end(kWrittenUnits)) return std::nullopt;
  return fmt::format("{:.12g}", number * known->factor);
}

}  // namespace

std::optional<double> parse_number(const std::string& text, std::string& rest) {
  const char* first = text.data();
  const char* last = first + text.size();
  if (first != last && *first == '+') ++first;
  const char* digits = first != last && *first == '-' ? first + 1 : first;
  if (last - digits >= 4 && *digits == '.' && std::isalpha(static_cast<unsigned char>(digits[1]))) {
    std::string word(digits, last);
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    rest.clear();
    if (word == ".nan") return std::nan("");
    if (word == ".inf") return *first == '-' ? -INFINITY : INFINITY;
    return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(first, last, value);
  if (error == std::errc::result_out_of_range)
    value = INFINITY;
  else if (error != std::errc())
    return std::nullopt;
  rest.assign(end, last);
  return value;
}

std::string without_comma(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos || text.find(',', comma + 1) != text.npos) return "";
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const std::string_view whole = std::string_view(text).substr(sign, comma - sign);
  const std::string_view decimals = std::string_view(text).substr(comma + 1);
  if (whole.empty() || decimals.empty() || !std::all_of(whole.begin(), whole.end(), is_digit)) return "";
  std::string point = text, rest;
  point[comma] = '.';
  if (!is_digit(decimals[0]) || !parse_number(point, rest) || !rest.empty()) return "";
  const bool thousands = decimals.size() == 3 && std::all_of(decimals.begin(), decimals.end(), is_digit) &&
                         whole[0] != '0' && whole.size() <= 3;
  return thousands ? point + " or " + text.substr(0, comma) + std::string(decimals) : point;
}

std::string number_hint(const std::string& text, const std::string& unit) {
  if (const std::string point = without_comma(text); !point.empty())
    return " (decimals have a point: write " + point + ")";
  std::string with_point = text, rest;
  const std::size_t comma = text.find(',');
  if (comma != text.npos && comma + 1 < text.size() && is_digit(text[comma + 1])) with_point[comma] = '.';  // "0,5 m"
  const auto number = parse_number(with_point, rest);
  if (!number || rest.empty()) return "";
  const auto plain = converted(*number, rest, unit);
  return " (a plain number is expected" + (unit.empty() ? "" : ", in " + unit) + (plain ? ": write " + *plain : "") +
         ")";
}

}  // namespace riffle::scenes
