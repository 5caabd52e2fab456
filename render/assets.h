#pragma once
/// Shaders, fonts and thumbnails of scenes, embedded in the program when it is built.

#include <span>
#include <string_view>

namespace riffle::render {

struct Asset {
  std::string_view name;   ///< path below assets/, "shaders/sphere.vert"
  std::string_view bytes;  ///< the whole file
};

std::span<const Asset> assets();

}  // namespace riffle::render
