#include "support/picture_similarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

namespace riffle::test {
namespace {

constexpr int kWidth = 150, kHeight = 100;

/// Discs in rows on white.
render::Image discs(int shift = 0, std::array<int, 3> color = {40, 90, 200}, int missing = -1) {
  render::Image image{kWidth, kHeight, std::vector<std::uint8_t>(3 * kWidth * kHeight, 255)};
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const int column = (x + shift) / 10, row = y / 10, dx = (x + shift) % 10 - 5, dy = y % 10 - 5;
      if (dx * dx + dy * dy > 16 || row < 3 || 100 * row + column == missing) continue;
      for (std::size_t c = 0; c < 3; ++c)
        image.rgb[3 * static_cast<std::size_t>(y * kWidth + x) + c] = static_cast<std::uint8_t>(color[c]);
    }
  return image;
}

render::Image flat(int value) {
  return {kWidth, kHeight, std::vector<std::uint8_t>(3 * kWidth * kHeight, static_cast<std::uint8_t>(value))};
}

TEST(PictureSimilarity, OfAPictureWithItselfIsWhole) {
  const Similarity same = similarity(discs(), discs());
  EXPECT_EQ(same.structure, 1);
  EXPECT_EQ(same.color, 0);
}

// Without structure SSIM is its comparison of the means, (2 m n + c) / (m^2 + n^2 + c) with c = (0.01 * 255)^2.
TEST(PictureSimilarity, OfTwoGreysIsThatOfTheirMeans) {
  const Similarity found = similarity(flat(100), flat(150));
  const double c = 2.55 * 2.55;
  EXPECT_NEAR(found.structure, (2 * 100 * 150 + c) / (100 * 100 + 150 * 150 + c), 1e-12);
  EXPECT_DOUBLE_EQ(found.color, 50);
}

// Of equal means and variances v the similarity is (2 s + d) / (2 v + d) with the covariance s and d = (0.03 * 255)^2.
TEST(PictureSimilarity, OfANegativeIsAlmostItsOpposite) {
  render::Image a = flat(0), b = a;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) {
    const bool high = (i / 3 % kWidth + i / 3 / kWidth) % 2 == 0;
    a.rgb[i] = high ? 120 : 80;
    b.rgb[i] = high ? 80 : 120;
  }
  const double v = 20 * 20 * 64 / 63.0, d = 7.65 * 7.65;
  EXPECT_NEAR(similarity(a, b).structure, (d - 2 * v) / (d + 2 * v), 1e-12);
  EXPECT_EQ(similarity(a, b).color, 0);
}

TEST(PictureSimilarity, SeesWhatHasMovedByItsStructureAndOtherColorsByTheirMeans) {
  const Similarity moved = similarity(discs(), discs(2)), other = similarity(discs(), discs(0, {90, 90, 200}));
  EXPECT_LT(moved.structure, 0.75);
  EXPECT_LT(moved.color, 4);
  EXPECT_GT(other.structure, 0.9);
  EXPECT_GT(other.color, 5);
}

TEST(PictureSimilarity, SeesNoiseLessThanWhatIsMissing) {
  render::Image noisy = discs();
  std::mt19937 random(5);
  for (std::uint8_t& value : noisy.rgb) value = static_cast<std::uint8_t>(std::min(255, value - 1 + int(random() % 3)));
  const Similarity noise = similarity(discs(), noisy), missing = similarity(discs(), discs(0, {40, 90, 200}, 407));
  EXPECT_GT(noise.structure, missing.structure);
  EXPECT_GT(missing.color, 2 * noise.color);
}

TEST(PictureSimilarity, LooksAtEveryEdgeOfThePictureAndSaysWhere) {
  for (const auto& [x, y] : {std::pair{0, 0}, {kWidth - 1, 0}, {0, kHeight - 1}, {kWidth - 1, kHeight - 1}}) {
    render::Image spot = flat(255);
    for (std::size_t c = 0; c < 3; ++c) spot.rgb[3 * static_cast<std::size_t>(y * kWidth + x) + c] = 0;
    const Similarity found = similarity(flat(255), spot);
    EXPECT_LT(found.structure, 1);
    EXPECT_NEAR(found.color, 255 / 4096.0, 1e-12);
    EXPECT_EQ(found.x, x == 0 ? 0 : kWidth - 64);
    EXPECT_EQ(found.y, y == 0 ? 0 : kHeight - 64);
  }
}

TEST(PictureSimilarity, OfOtherSizesOrNoPictureIsNone) {
  render::Image wide = flat(255);
  wide.width = kHeight;
  wide.height = kWidth;
  EXPECT_EQ(similarity(flat(255), wide).structure, -1);
  EXPECT_EQ(similarity({}, {}).structure, -1);
  EXPECT_EQ(similarity(flat(255), {}).color, 255);
}

}  // namespace
}  // namespace riffle::test
