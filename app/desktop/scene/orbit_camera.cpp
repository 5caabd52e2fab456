#include "app/desktop/scene/orbit_camera.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

namespace riffle::desktop {

namespace {

constexpr float kPi = 3.14159265f;
// Above the horizon. A view straight from above has no left and right.
constexpr float kSteepest = 84.0f * kPi / 180;
// Relative to the home view's distance. No wheel leads back from 0 or infinity.
constexpr float kNearest = 1e-4f, kFarthest = 1e4f;

glm::vec3 to_glm(Vec3 v) { return {v.x, v.y, v.z}; }
Vec3 from_glm(glm::vec3 v) { return {v.x, v.y, v.z}; }

struct Frame {
  glm::vec3 right, up, back;  ///< of length 1
  float distance;             ///< to the target [m]
};

Frame frame_of(const Camera& camera) {
  const glm::vec3 offset = to_glm(camera.position) - to_glm(camera.target);
  const float distance = std::max(glm::length(offset), 1e-6f);
  const glm::vec3 back = offset / distance;
  glm::vec3 right = glm::cross(to_glm(camera.up), back);
  if (glm::length(right) < 1e-6f) right = std::fabs(back.x) < 0.9f ? glm::vec3{1, 0, 0} : glm::vec3{0, 1, 0};
  right = glm::normalize(right);
  return {right, glm::cross(back, right), back, distance};
}

}  // namespace

void OrbitCamera::set_home(const FramedCamera& home) {
  const bool same_kind = home.camera.orthographic == home_.camera.orthographic;
  home_ = home;
  if (!moved_ || !same_kind) this->home();
}

void OrbitCamera::orbit(float dx, float dy, int height) {
  Camera& camera = framed_.camera;
  if (camera.orthographic) {
    pan(dx, dy, height);
    return;
  }
  moved_ = true;
  const float scale = kPi / static_cast<float>(std::max(height, 1));
  const glm::vec3 up = glm::normalize(to_glm(camera.up));
  const Frame frame = frame_of(camera);
  const glm::vec3 level =
      glm::normalize(glm::cross(frame.right, up));  // horizontal direction from the target to the camera
  const glm::vec3 heading = glm::vec3(glm::rotate(glm::mat4(1), -dx * scale, up) * glm::vec4(level, 0));
  // A movement may be larger than the angle left to the pole: the angle is bounded, not the movement.
  const float before = std::asin(std::clamp(glm::dot(frame.back, up), -1.0f, 1.0f));
  const float steepest = std::max(kSteepest, std::fabs(before));  // the home view may be steeper
  const float elevation = std::clamp(before + dy * scale, -steepest, steepest);
  const glm::vec3 back = std::cos(elevation) * heading + std::sin(elevation) * up;
  camera.position = from_glm(to_glm(camera.target) + frame.distance * back);
}

void OrbitCamera::pan(float dx, float dy, int height) {
  moved_ = true;
  Camera& camera = framed_.camera;
  const Frame frame = frame_of(camera);
  const float meters = height_at_target(this->camera()) / static_cast<float>(std::max(height, 1));
  const Vec3 move = from_glm((-dx * frame.right + dy * frame.up) * meters);
  camera.position = camera.position + move;
  camera.target = camera.target + move;
}

void OrbitCamera::zoom(float factor) { zoom_at(factor, 0, 0, 1); }

void OrbitCamera::zoom_at(float factor, float x, float y, float aspect) {
  moved_ = true;
  Camera& camera = framed_.camera;
  const Frame frame = frame_of(camera);
  const float size = camera.orthographic ? camera.ortho_height : frame.distance;
  const float first = camera.orthographic ? home_.camera.ortho_height : frame_of(home_.camera).distance;
  factor = std::clamp(factor, kNearest * first / size, kFarthest * first / size);
  const float half = 0.5f * height_at_target(this->camera());
  const Vec3 move = from_glm((x * half * aspect * frame.right + y * half * frame.up) * (1 - factor));
  camera.target = camera.target + move;
  if (camera.orthographic) {
    camera.ortho_height *= factor;
    camera.position = camera.position + move;
  } else {
    camera.position = camera.target + from_glm(frame.back * (frame.distance * factor));
  }
}

void OrbitCamera::focus(Vec3 target) {
  moved_ = true;
  Camera& camera = framed_.camera;
  const Vec3 offset = camera.position - camera.target;
  camera.target = target;
  camera.position = target + offset;
}

float height_at_target(const Camera& camera) {
  return camera.orthographic ? camera.ortho_height
                             : 2 * frame_of(camera).distance * std::tan(0.5f * camera.fov_degrees * kPi / 180);
}

Ray ray_through(const Camera& camera, float x, float y, float aspect) {
  const Frame frame = frame_of(camera);
  const float half = 0.5f * height_at_target(camera);
  const glm::vec3 across = x * half * aspect * frame.right + y * half * frame.up;
  if (camera.orthographic) return {from_glm(to_glm(camera.position) + across), from_glm(-frame.back)};
  return {camera.position, from_glm(glm::normalize(across - frame.back * frame.distance))};
}

std::optional<PicturePoint> picture_point(const Camera& camera, Vec3 point, float aspect) {
  const Frame frame = frame_of(camera);
  const glm::vec3 from = to_glm(point) - to_glm(camera.position);
  const float ahead = -glm::dot(from, frame.back);
  if (!camera.orthographic && ahead <= 0) return std::nullopt;
  // Half of the height at the point's distance, which grows with the distance in a perspective view.
  const float half = 0.5f * height_at_target(camera) * (camera.orthographic ? 1 : ahead / frame.distance);
  return PicturePoint{glm::dot(from, frame.right) / (half * aspect), glm::dot(from, frame.up) / half};
}

}  // namespace riffle::desktop
