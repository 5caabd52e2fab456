#include "core/text/checksum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/text/checksum_ways.h"

namespace riffle {
namespace {

std::uint64_t checksum_of(const std::string& text) {
  Checksum sum;
  sum.add(text.data(), text.size());
  return sum.value();
}

// The check value of CRC-64/XZ, as catalogues of such sums have it.
TEST(Checksum, IsTheOneOfXz) {
  EXPECT_EQ(checksum_of("123456789"), 0x995DC9BBDF1939FAu);
  EXPECT_EQ(checksum_of(""), 0u);
}

TEST(Checksum, DoesNotDependOnHowBytesAreHandedOver) {
  std::string text;
  for (int k = 0; k < 1000; ++k) text += static_cast<char>(k * 37 + k / 7);
  for (std::size_t cut = 0; cut <= 40; ++cut) {
    Checksum sum;
    sum.add(text.data(), cut);
    sum.add(text.data() + cut, text.size() - cut);
    EXPECT_EQ(sum.value(), checksum_of(text)) << cut;
  }
}

/// The register after some bytes, bit by bit as the definition has it.
std::uint64_t bit_by_bit(std::uint64_t state, const unsigned char* bytes, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    state ^= bytes[k];
    for (int bit = 0; bit < 8; ++bit) state = (state & 1) != 0 ? (state >> 1) ^ 0xC96C5795D7870F42u : state >> 1;
  }
  return state;
}

// Lengths round the steps of 8, 16 and 64 bytes, and any other; begins at any address.
TEST(Checksum, IsThatOfTheDefinitionInEveryWayAtEveryLengthAndPlace) {
  using namespace checksum_ways;
  std::mt19937_64 random(5);
  std::vector<unsigned char> bytes(6000);
  for (unsigned char& b : bytes) b = static_cast<unsigned char>(random());
  std::vector<Way> ways{&by_tables};
  if (by_products() != nullptr) ways.push_back(by_products());
  for (std::size_t k = 0; k < 700; ++k) {
    const std::size_t count = k < 300 ? k : random() % 5900, begin = random() % 64;
    const std::uint64_t state = random(), wanted = bit_by_bit(state, bytes.data() + begin, count);
    for (const Way way : ways) EXPECT_EQ(way(state, bytes.data() + begin, count), wanted) << count << " at " << begin;
    Checksum sum;
    sum.add(bytes.data() + begin, count);
    EXPECT_EQ(sum.value(), ~bit_by_bit(~std::uint64_t{0}, bytes.data() + begin, count)) << count << " at " << begin;
  }
}

TEST(Checksum, OfPartsIsThatOfTheWhole) {
  std::mt19937_64 random(6);
  std::string text(9000, ' ');
  for (char& c : text) c = static_cast<char>(random());
  for (int k = 0; k < 200; ++k) {
    Checksum whole;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t length = std::min<std::size_t>(random() % 3000, text.size() - at);
      Checksum part;
      part.add(text.data() + at, length);
      whole.append(part, length);
      at += length;
    }
    ASSERT_EQ(whole.value(), checksum_of(text));
  }
}

TEST(Checksum, ChangesWithEveryBit) {
  std::string text(50, 'a');
  const std::uint64_t whole = checksum_of(text);
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    text[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    EXPECT_NE(checksum_of(text), whole) << bit;
    text[bit / 8] ^= static_cast<char>(1 << (bit % 8));
  }
}

}  // namespace
}  // namespace riffle
