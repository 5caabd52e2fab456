#include "render/camera.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>
#include <limits>

#include "render/to_glm.h"

namespace riffle::render {
namespace {

Vec3 from_glm(glm::vec3 v) { return {v.x, v.y, v.z}; }

glm::vec3 unit_or(glm::vec3 v, glm::vec3 otherwise) {
  const float length = glm::length(v);
  return length > 1e-12f && std::isfinite(length) ? v / length : otherwise;
}

/// Any unit vector perpendicular to a unit vector.
glm::vec3 perpendicular(glm::vec3 v) {
  return glm::normalize(std::abs(v.y) < 0.9f ? glm::cross(v, {0, 1, 0}) : glm::cross(v, {1, 0, 0}));
}

}  // namespace

ViewTransform view_transform(const Camera& camera, float aspect) {
  ViewTransform t;
  const glm::vec3 eye = to_glm(camera.position);
  const glm::vec3 forward = unit_or(to_glm(camera.target) - eye, {0, 0, -1});
  glm::vec3 up = unit_or(to_glm(camera.up), {0, 1, 0});
  if (glm::length(glm::cross(forward, up)) < 1e-4f) up = perpendicular(forward);
  t.view = glm::lookAtRH(eye, eye + forward, up);
  t.orthographic = camera.orthographic;
  const float distance = std::max(glm::length(to_glm(camera.target) - eye), 1e-6f);
  if (camera.orthographic) {
    const float half = 0.5f * std::max(camera.ortho_height, 1e-9f);
    t.half_extent = {half * aspect, half};
    // Shows everything within fifty picture heights of the target, on both sides of the eye: a flat view has no near
    // plane.
    const float nearest = distance - 100 * half, farthest = distance + 100 * half;
    const float range = farthest - nearest;
    t.near_depth = nearest;
    t.depth_transform = {farthest / range, -1 / range};
    t.projection = glm::mat4(0);
    t.projection[0][0] = 1 / t.half_extent.x;
    t.projection[1][1] = 1 / t.half_extent.y;
    t.projection[2][2] = 1 / range;
    t.projection[3][2] = farthest / range;
    t.projection[3][3] = 1;
  } else {
    const float tangent = std::tan(0.5f * glm::radians(std::clamp(camera.fov_degrees, 1.0f, 170.0f)));
    t.half_extent = {tangent * aspect, tangent};
    t.near_depth = 1e-3f * distance;
    t.depth_transform = {t.near_depth, 0};
    t.projection = glm::mat4(0);
    t.projection[0][0] = 1 / t.half_extent.x;
    t.projection[1][1] = 1 / t.half_extent.y;
    t.projection[2][3] = -1;
    t.projection[3][2] = t.near_depth;
  }
  return t;
}

float eye_depth(const ViewTransform& t, float window_depth) {
  if (window_depth <= 0) return std::numeric_limits<float>::infinity();
  return t.orthographic ? (window_depth - t.depth_transform.x) / t.depth_transform.y
                        : t.depth_transform.x / window_depth;
}

Camera frame_domain(const BoxView& box, Vec3 up_axis, float aspect, bool two_dimensional, float legend) {
  // Parts of the half picture that the box may fill: the legend is on the right, the caption at the bottom. A picture
  // that is hardly wider than its legend has no room for both side by side.
  constexpr float left = 0.92f, bottom = 0.84f, top = 0.90f;
  const float right = std::clamp(1 - 2 * legend, 0.2f, 0.74f);
  Camera camera;
  const glm::vec3 lower = to_glm(box.min), upper = to_glm(box.max);
  const glm::vec3 middle = 0.5f * (lower + upper);
  const float size = std::max(glm::length(upper - lower), 1e-6f);

  if (two_dimensional) {
    camera.orthographic = true;
    camera.up = {0, 1, 0};
    const float width = upper.x - lower.x, height = upper.y - lower.y;
    const float half_height = std::max({height / (bottom + top), width / ((left + right) * aspect), 1e-6f});
    camera.ortho_height = 2 * half_height;
    const glm::vec3 target{middle.x + 0.5f * (left - right) * half_height * aspect,
                           middle.y + 0.5f * (bottom - top) * half_height, 0};
    camera.target = from_glm(target);
    camera.position = from_glm(target + glm::vec3(0, 0, size));
    return camera;
  }

  const glm::vec3 up = unit_or(to_glm(up_axis), {0, 1, 0});
  // The viewer looks at the front along -z when y is up, and along +y when z is up.
  glm::vec3 front = std::abs(up.y) > 0.7f   ? glm::vec3(0, 0, 1)
                    : std::abs(up.z) > 0.7f ? glm::vec3(0, -1, 0)
                                            : perpendicular(up);
  front = glm::normalize(front - glm::dot(front, up) * up);
  const glm::vec3 side = glm::cross(up, front);
  constexpr float azimuth = 28, elevation = 20;  // [degrees]
  const glm::vec3 to_eye = std::cos(glm::radians(elevation)) *
                               (std::cos(glm::radians(azimuth)) * front + std::sin(glm::radians(azimuth)) * side) +
                           std::sin(glm::radians(elevation)) * up;
  const glm::vec3 forward = -to_eye;
  const glm::vec3 right_axis = glm::normalize(glm::cross(forward, up));
  const glm::vec3 up_screen = glm::cross(right_axis, forward);
  camera.up = from_glm(up);
  camera.fov_degrees = 32;
  const float tangent = std::tan(0.5f * glm::radians(camera.fov_degrees));

  // Each corner (x, y, z along right, up and forward) gives four conditions linear in the eye's place (cx, cy, -d):
  // -l (z + d) <= x - cx <= r (z + d), likewise in y. The smallest d for which some cx and cy satisfy all of them.
  const glm::vec3 half = 0.5f * (upper - lower);
  const auto fit = [&](glm::vec3 axis, float low, float high, float distance, float* smallest) {
    float highest = -1e30f, lowest = 1e30f;
    for (int i = 0; i < 8; ++i) {
      const glm::vec3 corner((i & 1) ? half.x : -half.x, (i & 2) ? half.y : -half.y, (i & 4) ? half.z : -half.z);
      const float a = glm::dot(corner, axis), z = glm::dot(corner, forward);
      highest = std::max(highest, a - high * (z + distance));
      lowest = std::min(lowest, a + low * (z + distance));
    }
    if (smallest) *smallest = (highest - lowest) / (low + high) + distance;
    return 0.5f * (highest + lowest);
  };
  float distance_x = 0, distance_y = 0;
  fit(right_axis, left * tangent * aspect, right * tangent * aspect, 0, &distance_x);
  fit(up_screen, bottom * tangent, top * tangent, 0, &distance_y);
  const float distance = std::max({distance_x, distance_y, 1e-3f * size});
  const float cx = fit(right_axis, left * tangent * aspect, right * tangent * aspect, distance, nullptr);
  const float cy = fit(up_screen, bottom * tangent, top * tangent, distance, nullptr);
  const glm::vec3 target = middle + cx * right_axis + cy * up_screen;
  camera.target = from_glm(target);
  camera.position = from_glm(target - distance * forward);
  return camera;
}

}  // namespace riffle::render
