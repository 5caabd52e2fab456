#pragma once
/// What a box covers of a picture.

#include <glm/vec2.hpp>
#include <vector>

#include "render/camera.h"
#include "render/view.h"

namespace riffle {

struct PixelRect {
  float left = 0, top = 0, right = 0, bottom = 0;  ///< [pixel] from the upper left corner
};

/// The convex outline of points of a picture [pixel]. One of no points covers nothing.
class Outline {
 public:
  Outline() = default;
  explicit Outline(std::vector<glm::vec2> points);
  bool touches(const PixelRect& rect) const;

 private:
  std::vector<glm::vec2> hull_;
};

/// Empty where a corner is not in front of the camera: it then covers the picture wherever one looks.
Outline outline_of(const BoxView& box, const ViewTransform& view, int width, int height);

}  // namespace riffle
