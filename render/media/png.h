#pragma once
/// PNG files.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/view.h"

namespace riffle::render {

/// Writes a temporary file and renames it: a reader never sees half a picture, and a failure leaves the old one.
/// @param rgb (height, width, 3), top row first
/// @throws RuntimeFailure with the path and the reason
void write_png(const std::string& path, int width, int height, std::span<const std::uint8_t> rgb);
void write_png(const std::string& path, const Image& image);  ///< likewise, with its alpha if it has one

Image read_png(
    const std::string& path);  ///< with alpha if the file has it; @throws RuntimeFailure with the path and the reason

struct GrayImage {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;  ///< (height, width), top row first
};
GrayImage decode_png_gray(std::string_view bytes);  ///< of an asset; @throws RuntimeFailure
Image decode_png(std::string_view bytes);           ///< the same in colour

}  // namespace riffle::render
