#include "core/text/checksum.h"

#include <array>
#include <bit>
#include <cstring>

#include "core/text/checksum_ways.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace riffle {

namespace {

constexpr std::size_t kSlices = 8;  // bytes that a step takes

// A register holds a polynomial of degree 63 whose highest power is in its lowest bit.
constexpr std::uint64_t kChecksumPolynomial = 0xC96C5795D7870F42;
constexpr std::uint64_t kChecksumOne = std::uint64_t{1} << 63;

constexpr std::uint64_t times_x(std::uint64_t a) { return (a >> 1) ^ ((a & 1) != 0 ? kChecksumPolynomial : 0); }

/// [k][b]: what byte b changes in the sum when k zero bytes follow it.
using ChecksumTables = std::array<std::array<std::uint64_t, 256>, kSlices>;

constexpr ChecksumTables make_checksum_tables() {
  ChecksumTables tables{};
  for (std::uint64_t b = 0; b < 256; ++b) {
    std::uint64_t sum = b;
    for (int bit = 0; bit < 8; ++bit) sum = times_x(sum);
    tables[0][b] = sum;
  }
  for (std::size_t k = 1; k < kSlices; ++k)
    for (std::size_t b = 0; b < 256; ++b) tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xff];
  return tables;
}

constexpr ChecksumTables kChecksumTables = make_checksum_tables();

/// The product of two polynomials, less multiples of that of the sum.
constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  for (; b != 0; b <<= 1, a = times_x(a))
    if ((b & kChecksumOne) != 0) sum ^= a;
  return sum;
}

/// x to that power.
constexpr std::uint64_t power_of_x(std::uint64_t exponent) {
  std::uint64_t power = kChecksumOne;
  for (std::uint64_t square = times_x(kChecksumOne); exponent > 0; exponent >>= 1, square = product(square, square))
    if ((exponent & 1) != 0) power = product(power, square);
  return power;
}

}  // namespace

static_assert(std::endian::native == std::endian::little, "a step takes eight bytes as a number");

namespace checksum_ways {

std::uint64_t by_tables(std::uint64_t state, const unsigned char* bytes, std::size_t count) {
  for (; count >= kSlices; count -= kSlices, bytes += kSlices) {
    std::uint64_t next = 0;
    std::memcpy(&next, bytes, kSlices);
    state ^= next;
    std::uint64_t folded = 0;
    for (std::size_t k = 0; k < kSlices; ++k) folded ^= kChecksumTables[kSlices - 1 - k][(state >> (8 * k)) & 0xff];
    state = folded;
  }
  for (; count > 0; --count, ++bytes) state = (state >> 8) ^ kChecksumTables[0][(state ^ *bytes) & 0xff];
  return state;
}

#if defined(__x86_64__)

namespace {

/// What a lane of 16 bytes changes in the sum when it stands `bits` further behind. The product of two registers has one power of x
/// too many, which is why one less is multiplied by.
__attribute__((target("pclmul,sse4.1"))) inline __m128i moved(__m128i lane, __m128i powers) {
  return _mm_xor_si128(_mm_clmulepi64_si128(lane, powers, 0x00), _mm_clmulepi64_si128(lane, powers, 0x11));
}

constexpr std::uint64_t far_power(std::uint64_t bits) { return power_of_x(bits + 63); }  // of a lane's first half
constexpr std::uint64_t near_power(std::uint64_t bits) { return power_of_x(bits - 1); }

__attribute__((target("pclmul,sse4.1"))) inline __m128i powers_for(std::uint64_t far, std::uint64_t near) {
  return _mm_set_epi64x(static_cast<long long>(near), static_cast<long long>(far));
}

/// Four lanes at a time, so that a product need not wait for the one before.
__attribute__((target("pclmul,sse4.1"))) std::uint64_t fold(std::uint64_t state, const unsigned char* bytes,
                                                            std::size_t count) {
  constexpr std::size_t kLane = 16, kLanes = 4;
  constexpr std::uint64_t kFarFour = far_power(512), kNearFour = near_power(512);
  constexpr std::uint64_t kFarOne = far_power(128), kNearOne = near_power(128);
  if (count < kLane * kLanes) return by_tables(state, bytes, count);
  const auto at = [](const unsigned char* place) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(place)); };
  const __m128i four = powers_for(kFarFour, kNearFour), one = powers_for(kFarOne, kNearOne);
  __m128i a = _mm_xor_si128(at(bytes), _mm_set_epi64x(0, static_cast<long long>(state)));
  __m128i b = at(bytes + kLane), c = at(bytes + 2 * kLane), d = at(bytes + 3 * kLane);
  for (bytes += 4 * kLane, count -= 4 * kLane; count >= 4 * kLane; bytes += 4 * kLane, count -= 4 * kLane) {
    a = _mm_xor_si128(moved(a, four), at(bytes));
    b = _mm_xor_si128(moved(b, four), at(bytes + kLane));
    c = _mm_xor_si128(moved(c, four), at(bytes + 2 * kLane));
    d = _mm_xor_si128(moved(d, four), at(bytes + 3 * kLane));
  }
  b = _mm_xor_si128(b, moved(a, one));
  c = _mm_xor_si128(c, moved(b, one));
  d = _mm_xor_si128(d, moved(c, one));
  unsigned char last[kLane];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(last), d);
  return by_tables(by_tables(0, last, kLane), bytes, count);
}

}  // namespace

Way by_products() {
  return __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("sse4.1") != 0 ? &fold : nullptr;
}

#else

Way by_products() { return nullptr; }

#endif

}  // namespace checksum_ways

void Checksum::add(const void* bytes, std::size_t count) {
  static const checksum_ways::Way way =
      checksum_ways::by_products() != nullptr ? checksum_ways::by_products() : &checksum_ways::by_tables;
  state_ = way(state_, static_cast<const unsigned char*>(bytes), count);
}

// A sum begins with ones, which the part has too: they cancel.
void Checksum::append(const Checksum& part, std::uint64_t count) {
  state_ = product(~state_, power_of_x(8 * count)) ^ part.state_;
}

}  // namespace riffle
