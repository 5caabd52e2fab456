#include "core/text/number_text.h"

#include <fmt/format.h>

#include <cmath>

namespace riffle {

std::string bytes_text(double bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  int unit = 0;
  while (bytes >= 1024 && unit < 5) bytes /= 1024, ++unit;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 100 ? 0 : 1, units[unit]);
}

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (int at = static_cast<int>(digits.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

std::string counted(std::int64_t number, const std::string& singular) {
  return std::to_string(number) + " " + singular + (number == 1 ? "" : "s");
}

std::string milliseconds_text(double ms, int figures) {
  int decimals = figures;
  // What rounds up to the next power of ten has a digit more before the point.
  for (double power = 1; decimals > 0 && ms >= power - 0.5 * std::pow(10.0, -decimals); power *= 10) --decimals;
  if (decimals == 0 && std::fabs(ms) < 1e15) return grouped(std::llround(ms));
  return fmt::format("{:.{}f}", ms, decimals);
}

}  // namespace riffle
