#include "render/media/png.h"

#include <fmt/format.h>
#include <png.h>

#include <ostream>
#include <utility>

#include "core/error.h"
#include "core/text/output_files.h"

namespace riffle::render {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what, std::string_view reason) {
  throw RuntimeFailure(fmt::format("{}: {}: {}", path, what, reason));
}

/// @param pixels of the format, top row first
void write(const std::string& path, int width, int height, png_uint_32 format, std::span<const std::uint8_t> pixels) {
  const std::size_t channels = PNG_IMAGE_PIXEL_CHANNELS(format);
  if (width <= 0 || height <= 0 ||
      pixels.size() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * channels)
    fail(path, "cannot write the picture", "its size does not fit its pixels");
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = format;
  image.flags = PNG_IMAGE_FLAG_FAST;  // 4 times faster than the best compression, for a file a fifth larger
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<unsigned char> bytes(size);
  if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr))
    fail(path, "cannot write the picture", image.message);
  write_stream(path, [&](std::ostream& out) {
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(size));
  });
}

}  // namespace

void write_png(const std::string& path, int width, int height, std::span<const std::uint8_t> rgb) {
  write(path, width, height, PNG_FORMAT_RGB, rgb);
}

void write_png(const std::string& path, const Image& image) {
  if (image.alpha.empty()) return write_png(path, image.width, image.height, image.rgb);
  std::vector<std::uint8_t> rgba;
  rgba.reserve(4 * image.alpha.size());
  for (std::size_t i = 0; i < image.alpha.size() && 3 * i + 2 < image.rgb.size(); ++i)
    for (const std::uint8_t part : {image.rgb[3 * i], image.rgb[3 * i + 1], image.rgb[3 * i + 2], image.alpha[i]})
      rgba.push_back(part);
  write(path, image.width, image.height, PNG_FORMAT_RGBA, rgba);
}

Image read_png(const std::string& path) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&header, path.c_str())) fail(path, "cannot read the picture", header.message);
  const bool alpha = header.format & PNG_FORMAT_FLAG_ALPHA;
  header.format = alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
  Image image{static_cast<int>(header.width), static_cast<int>(header.height), {}, {}};
  image.rgb.resize(PNG_IMAGE_SIZE(header));
  if (!png_image_finish_read(&header, nullptr, image.rgb.data(), 0, nullptr))
    fail(path, "cannot read the picture", header.message);
  if (!alpha) return image;
  const std::vector<std::uint8_t> rgba = std::exchange(image.rgb, {});
  for (std::size_t i = 0; i + 3 < rgba.size(); i += 4) {
    image.rgb.insert(image.rgb.end(), {rgba[i], rgba[i + 1], rgba[i + 2]});
    image.alpha.push_back(rgba[i + 3]);
  }
  return image;
}

namespace {

/// @return the size; the pixels go to `pixels`.
png_image decode(std::string_view bytes, png_uint_32 format, std::vector<std::uint8_t>& pixels) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  bool sound = png_image_begin_read_from_memory(&header, bytes.data(), bytes.size());
  if (sound) {
    header.format = format;
    pixels.resize(PNG_IMAGE_SIZE(header));
    sound = png_image_finish_read(&header, nullptr, pixels.data(), 0, nullptr);
  }
  if (!sound) throw RuntimeFailure(fmt::format("a picture inside the program is damaged: {}", header.message));
  return header;
}

}  // namespace

GrayImage decode_png_gray(std::string_view bytes) {
  GrayImage image;
  const png_image header = decode(bytes, PNG_FORMAT_GRAY, image.pixels);
  image.width = static_cast<int>(header.width), image.height = static_cast<int>(header.height);
  return image;
}

Image decode_png(std::string_view bytes) {
  Image image;
  const png_image header = decode(bytes, PNG_FORMAT_RGB, image.rgb);
  image.width = static_cast<int>(header.width), image.height = static_cast<int>(header.height);
  return image;
}

}  // namespace riffle::render
