#pragma once
/// Compares pictures as an eye would: small shifts of edges do not count, missing items do.

#include <array>
#include <filesystem>

#include "render/view.h"

namespace riffle::test {

render::Image crop(const render::Image& image, int x, int y, int width, int height);

/// Each pixel is the mean of `factor` x `factor` pixels; the remainder at the edges is cut off.
render::Image shrink(const render::Image& image, int factor);

/// Mean absolute difference of channels, 0..255; 255 when the sizes differ.
double difference(const render::Image& a, const render::Image& b);

std::array<int, 3> pixel(const render::Image& image, int x, int y);

render::Image read_png(const std::filesystem::path& file);  ///< empty when it cannot be read
void write_png(const std::filesystem::path& file, const render::Image& image);

}  // namespace riffle::test
