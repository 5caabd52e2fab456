#include "core/text/checksum.h"

#include <gtest/gtest.h>

#include <string>

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
