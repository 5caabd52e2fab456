#include "picture_difference.h"

#include <png.h>

#include <cstdlib>
#include <stdexcept>

namespace riffle::test {

namespace {

std::size_t at(const render::Image& image, int x, int y) { return 3 * (static_cast<std::size_t>(y) * image.width + x); }

}  // namespace

render::Image crop(const render::Image& image, int x, int y, int width, int height) {
  render::Image part{width, height, {}};
  if (x < 0 || y < 0 || width < 0 || height < 0 || x + width > image.width || y + height > image.height)
    throw std::out_of_range("the part is not within the picture");
  for (int row = 0; row < height; ++row) {
    const auto begin = image.rgb.begin() + static_cast<std::ptrdiff_t>(at(image, x, y + row));
    part.rgb.insert(part.rgb.end(), begin, begin + 3 * width);
  }
  return part;
}

render::Image shrink(const render::Image& image, int factor) {
  render::Image small{image.width / factor, image.height / factor, {}};
  for (int y = 0; y < small.height; ++y)
    for (int x = 0; x < small.width; ++x)
      for (std::size_t channel = 0; channel < 3; ++channel) {
        int sum = 0;
        for (int dy = 0; dy < factor; ++dy)
          for (int dx = 0; dx < factor; ++dx) sum += image.rgb[at(image, factor * x + dx, factor * y + dy) + channel];
        small.rgb.push_back(static_cast<std::uint8_t>((sum + factor * factor / 2) / (factor * factor)));
      }
  return small;
}

double difference(const render::Image& a, const render::Image& b) {
  if (a.width != b.width || a.height != b.height || a.rgb.empty()) return 255;
  double sum = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) sum += std::abs(a.rgb[i] - b.rgb[i]);
  return sum / static_cast<double>(a.rgb.size());
}

std::array<int, 3> pixel(const render::Image& image, int x, int y) {
  const std::size_t i = at(image, x, y);
  return {image.rgb[i], image.rgb[i + 1], image.rgb[i + 2]};
}

render::Image read_png(const std::filesystem::path& file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  render::Image image;
  if (!png_image_begin_read_from_file(&png, file.c_str())) return image;
  png.format = PNG_FORMAT_RGB;
  image.rgb.resize(PNG_IMAGE_SIZE(png));
  if (!png_image_finish_read(&png, nullptr, image.rgb.data(), 0, nullptr)) return {};
  image.width = static_cast<int>(png.width);
  image.height = static_cast<int>(png.height);
  return image;
}

void write_png(const std::filesystem::path& file, const render::Image& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  png_image_write_to_file(&png, file.c_str(), 0, image.rgb.data(), 0, nullptr);
}

}  // namespace riffle::test
