#pragma once
/// The part of a picture that a box covers.

#include <glm/vec2.hpp>
#include <vector>

#include "render/camera.h"
#include "render/view.h"

namespace riffle::render {

struct PixelRect {
  float left = 0, top = 0, right = 0, bottom = 0;  ///< [pixel] from the upper left corner
};

/// The convex outline of points in a picture [pixel]. Without points it covers nothing.
class Outline {
 public:
  Outline() = default;
  explicit Outline(std::vector<glm::vec2> points);
  bool touches(const PixelRect& rect) const;

 private:
  std::vector<glm::vec2> hull_;
};

/// The whole picture if a corner is not in front of the camera: the box then covers most of it in any case.
Outline outline_of(const BoxView& box, const ViewTransform& view, int width, int height);

}  // namespace riffle::render
