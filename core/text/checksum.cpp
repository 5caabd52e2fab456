#include "core/text/checksum.h"

#include <array>
#include <bit>
#include <cstring>

namespace riffle {

namespace {

constexpr std::size_t kSlices = 8;  // bytes that a step takes

/// [k][b]: what byte b changes in the sum when k zero bytes follow it.
using ChecksumTables = std::array<std::array<std::uint64_t, 256>, kSlices>;

constexpr ChecksumTables make_checksum_tables() {
  constexpr std::uint64_t polynomial = 0xC96C5795D7870F42;
  ChecksumTables tables{};
  for (std::uint64_t b = 0; b < 256; ++b) {
    std::uint64_t sum = b;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? polynomial : 0);
    tables[0][b] = sum;
  }
  for (std::size_t k = 1; k < kSlices; ++k)
    for (std::size_t b = 0; b < 256; ++b) tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xff];
  return tables;
}

constexpr ChecksumTables kChecksumTables = make_checksum_tables();

}  // namespace

static_assert(std::endian::native == std::endian::little, "a step takes eight bytes as a number");

void Checksum::add(const void* bytes, std::size_t count) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  std::uint64_t sum = state_;
  for (; count >= kSlices; count -= kSlices, at += kSlices) {
    std::uint64_t next = 0;
    std::memcpy(&next, at, kSlices);
    sum ^= next;
    std::uint64_t folded = 0;
    for (std::size_t k = 0; k < kSlices; ++k) folded ^= kChecksumTables[kSlices - 1 - k][(sum >> (8 * k)) & 0xff];
    sum = folded;
  }
  for (; count > 0; --count, ++at) sum = (sum >> 8) ^ kChecksumTables[0][(sum ^ *at) & 0xff];
  state_ = sum;
}

}  // namespace riffle
