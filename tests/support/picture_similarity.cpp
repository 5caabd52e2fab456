#include "support/picture_similarity.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace riffle::test {

namespace {

constexpr int kWindow = 8, kStride = 4, kTile = 64;
constexpr double kPixels = kWindow * kWindow;
constexpr double kC1 = (0.01 * 255) * (0.01 * 255), kC2 = (0.03 * 255) * (0.03 * 255);

struct Window {
  double similarity, difference;  ///< difference: of the means
};

/// One channel of the window whose upper left pixel is (x, y).
Window of_window(const render::Image& a, const render::Image& b, int x, int y, int channel) {
  int sum_a = 0, sum_b = 0, squares = 0, products = 0;
  for (int row = y; row < y + kWindow; ++row) {
    const auto begin =
        3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(a.width) + static_cast<std::size_t>(x)) +
        static_cast<std::size_t>(channel);
    const std::uint8_t *p = a.rgb.data() + begin, *q = b.rgb.data() + begin;
    for (int k = 0; k < kWindow; ++k, p += 3, q += 3) {
      sum_a += *p;
      sum_b += *q;
      squares += *p * *p + *q * *q;
      products += *p * *q;
    }
  }
  const double mean_a = sum_a / kPixels, mean_b = sum_b / kPixels;
  const double means = mean_a * mean_a + mean_b * mean_b, product = mean_a * mean_b;
  // An estimate of the variances and the covariance from a sample, as in the paper.
  const double scale = 1 / (kPixels - 1);
  const double variances = (squares - kPixels * means) * scale, covariance = (products - kPixels * product) * scale;
  return {(2 * product + kC1) * (2 * covariance + kC2) / ((means + kC1) * (variances + kC2)), mean_a - mean_b};
}

struct Tile {
  double structure = 0, color = 0;
};

/// The tile whose upper left pixel is (x, y).
Tile of_tile(const render::Image& a, const render::Image& b, int x, int y) {
  Tile tile;
  int windows = 0;
  for (int channel = 0; channel < 3; ++channel) {
    double difference = 0;
    for (int v = y; v + kWindow <= y + kTile; v += kStride)
      for (int u = x; u + kWindow <= x + kTile; u += kStride, ++windows) {
        const Window window = of_window(a, b, u, v, channel);
        tile.structure += window.similarity;
        if ((v - y) % kWindow == 0 && (u - x) % kWindow == 0) difference += window.difference;
      }
    tile.color += std::abs(difference) / (kTile / kWindow * (kTile / kWindow)) / 3;
  }
  tile.structure /= windows;
  return tile;
}

}  // namespace

Similarity similarity(const render::Image& a, const render::Image& b) {
  if (a.width != b.width || a.height != b.height || a.width < kTile || a.height < kTile) return {};
  Similarity result{0, -1, 0, 0};
  int tiles = 0;
  // The last tile of a row, and the last row, overlap those before them, so that they end with the picture.
  for (int y = 0, last_y = a.height - kTile; y <= last_y; y += std::max(1, std::min(kTile, last_y - y)))
    for (int x = 0, last_x = a.width - kTile; x <= last_x; x += std::max(1, std::min(kTile, last_x - x)), ++tiles) {
      const Tile tile = of_tile(a, b, x, y);
      result.structure += tile.structure;
      if (tile.color > result.color) result.color = tile.color, result.x = x, result.y = y;
    }
  result.structure /= tiles;
  return result;
}

}  // namespace riffle::test
