#pragma once
/// The time of a file in an archive, in full seconds. The time that every archive has is local and has two of them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <limits>
#include <optional>

namespace riffle {

/// "UT", five bytes follow: bit 0 says that the time of the last change is there, then that time [s since 1970].
constexpr std::array<unsigned char, 5> kPackTimeHead = {0x55, 0x54, 5, 0, 1};
using PackTime = std::array<unsigned char, 9>;

/// Nothing for a time that does not fit.
inline std::optional<PackTime> pack_time(std::int64_t seconds) {
  if (seconds < 0 || seconds > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  PackTime bytes{};
  for (std::size_t i = 0; i < 5; ++i) bytes[i] = kPackTimeHead[i];
  for (std::size_t i = 0; i < 4; ++i) bytes[5 + i] = static_cast<unsigned char>(seconds >> (8 * i));
  return bytes;
}

/// From the fields beside a file's name: two bytes of a kind, two of a size, and that many bytes. Nothing: there is no such time.
inline std::optional<std::time_t> seconds_of_pack_time(const unsigned char* fields, std::size_t size) {
  const auto number = [&](std::size_t at) { return static_cast<std::size_t>(fields[at] | (fields[at + 1] << 8)); };
  for (std::size_t at = 0; at + 4 <= size;) {
    const std::size_t bytes = number(at + 2);
    if (bytes > size - at - 4) return std::nullopt;
    if (number(at) == 0x5455 && bytes >= 5 && (fields[at + 4] & 1) != 0) {
      const auto seconds = static_cast<std::int32_t>(number(at + 5) | (number(at + 7) << 16));
      return seconds < 0 ? std::nullopt : std::optional<std::time_t>(seconds);
    }
    at += 4 + bytes;
  }
  return std::nullopt;
}

}  // namespace riffle
