#pragma once
/// Reads numbers in files, independent of the locale.

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace riffle {

/// The whole text must be one number; "nan" and "inf" are allowed. A number too large for a double is infinite, one too
/// small is 0.
inline std::optional<double> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with("+") || text.empty()) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    const bool small = text.find("e-") != text.npos || text.find("E-") != text.npos;
    return small ? 0.0 : std::numeric_limits<double>::infinity();
  }
  return value;
}

/// Digits only, below 2^63.
inline std::optional<std::uint64_t> whole_number_in(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size() || error != std::errc() || value >> 63 != 0) return std::nullopt;
  return value;
}

}  // namespace riffle
