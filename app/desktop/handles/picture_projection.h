#pragma once
/// Between places of the scene and pixels of the window.

#include <imgui.h>

#include <cmath>
#include <optional>

#include "app/desktop/panels/panel.h"
#include "app/desktop/scene/orbit_camera.h"

namespace riffle::desktop {

struct PictureProjection {
  Camera camera;
  ScreenArea area;

  float aspect() const { return area.width / area.height; }
  std::optional<ImVec2> pixel(Vec3 place) const {
    const auto at = picture_point(camera, place, aspect());
    if (!at) return std::nullopt;
    return ImVec2{area.x + 0.5f * (1 + at->x) * area.width, area.y + 0.5f * (1 - at->y) * area.height};
  }
  Ray ray(ImVec2 pixel) const {
    return ray_through(camera, 2 * (pixel.x - area.x) / area.width - 1, 1 - 2 * (pixel.y - area.y) / area.height,
                       aspect());
  }
  /// Of length 1: into the picture.
  Vec3 forward() const {
    const Vec3 way = camera.target - camera.position;
    return (1 / std::sqrt(length2(way))) * way;
  }
  /// [m] Of a pixel at the distance of that place.
  float pixel_size(Vec3 place) const {
    const Vec3 way = camera.target - camera.position;
    const float ahead = camera.orthographic ? 1 : dot(place - camera.position, way) / length2(way);
    return ahead * height_at_target(camera) / area.height;
  }
  /// Of length 1: from the viewer to that place.
  Vec3 line_of_sight(Vec3 place) const {
    if (camera.orthographic) return forward();
    const Vec3 way = place - camera.position;
    return (1 / std::sqrt(length2(way))) * way;
  }
};

}  // namespace riffle::desktop
