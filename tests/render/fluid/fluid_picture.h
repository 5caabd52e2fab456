#pragma once
/// The fluid look as a picture that a test measures.

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "render/media/png.h"
#include "tests/render/fluid/ways.h"
#include "tests/render/picture.h"

namespace riffle::test {

/// Places: pixels, the top row first.
struct FluidPicture {
  render::Image image;
  std::vector<float> depth;  ///< [m], infinite where nothing is drawn
  float at(int x, int y) const { return depth[static_cast<std::size_t>(y * image.width + x)]; }
  bool covered(int x, int y) const { return std::isfinite(at(x, y)); }
  double light(int x, int y) const {
    const Rgb c = pixel(image, x, y);
    return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
  }
  int blueness(int x, int y) const {
    const Rgb c = pixel(image, x, y);
    return c.b - c.r;
  }
};

/// Without ground, box and legend.
inline render::RenderOptions fluid_options(const Way& way) {
  render::RenderOptions options = bare();
  options.look = render::Look::Fluid;
  options.spheres = way.method;
  options.ground = false;
  return options;
}

/// size: width and height. name: of the file in the folder RIFFLE_WRITE_PICTURES, where there is one; nullptr: none.
inline FluidPicture draw_fluid(const Way& way, const Cloud& cloud, const Camera& camera, const render::BoxView& box,
                               const render::ColorScale& colors, const render::RenderOptions& options, int size,
                               const char* name) {
  const Device device = device_of(way.kind);
  const Buffer<Vec4> position(device, cloud.position), velocity(device, cloud.velocity);
  const Buffer<float> scalar(device, cloud.scalar);
  render::Renderer renderer(size, size, device, options);
  renderer.draw(
      {device, static_cast<int>(position.size()), position.data(), velocity.data(), scalar.data(), cloud.radius},
      camera, colors, box);
  FluidPicture picture{renderer.read_image(), renderer.read_depth()};
  const char* const folder = std::getenv("RIFFLE_WRITE_PICTURES");
  if (folder && name)
    render::write_png(std::string(folder) + "/" + name + "_" + name_of(way) + ".png", size, size, picture.image.rgb);
  return picture;
}

inline render::ColorScale water_alone() {
  render::ColorScale scale;
  scale.palette = {{"water", {0.16f, 0.45f, 0.85f}}};
  return scale;
}

}  // namespace riffle::test
