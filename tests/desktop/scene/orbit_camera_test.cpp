#include "app/desktop/scene/orbit_camera.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <random>

#include "render/camera.h"

namespace riffle {
namespace {

constexpr int kHeight = 600;
constexpr float kAspect = 1.5f;

Camera perspective() {
  Camera camera;
  camera.position = {2, 1.5f, 4};
  camera.target = {0.5f, 0.4f, 0.3f};
  camera.fov_degrees = 40;
  return camera;
}

Camera flat() {
  Camera camera;
  camera.position = {0.5f, 0.5f, 3};
  camera.target = {0.5f, 0.5f, 0};
  camera.orthographic = true;
  camera.ortho_height = 1.2f;
  return camera;
}

glm::vec3 to_glm(Vec3 v) { return {v.x, v.y, v.z}; }
float distance(const Camera& camera) { return glm::length(to_glm(camera.position) - to_glm(camera.target)); }

/// The place of a point in the renderer's picture: -1..1, y up.
glm::vec2 on_picture(const Camera& camera, glm::vec3 point) {
  const render::ViewTransform transform = render::view_transform(camera, kAspect);
  const glm::vec4 clip = transform.projection * transform.view * glm::vec4(point, 1);
  return {clip.x / clip.w, clip.y / clip.w};
}

/// The point under (x, y) in the plane through the target that faces the camera.
glm::vec3 under(const Camera& camera, float x, float y) {
  const desktop::Ray ray = desktop::ray_through(camera, x, y, kAspect);
  const glm::vec3 origin = to_glm(ray.origin), direction = to_glm(ray.direction);
  const glm::vec3 back = glm::normalize(to_glm(camera.position) - to_glm(camera.target));
  return origin + direction * (glm::dot(to_glm(camera.target) - origin, back) / glm::dot(direction, back));
}

/// How high the camera stands above the target's horizon, and whether the picture is upside down.
float upness(const Camera& camera) {
  return glm::dot(glm::normalize(to_glm(camera.position) - to_glm(camera.target)), glm::normalize(to_glm(camera.up)));
}
glm::vec3 right_of(const Camera& camera) {
  return glm::normalize(glm::cross(to_glm(camera.up), to_glm(camera.position) - to_glm(camera.target)));
}

class EveryView : public ::testing::TestWithParam<bool> {
 protected:
  Camera start() const { return GetParam() ? flat() : perspective(); }
};

TEST_P(EveryView, PanKeepsThePointUnderTheMouse) {
  desktop::OrbitCamera camera({start()}, kAspect);
  const float x = 0.3f, y = -0.4f;
  const glm::vec3 point = under(camera.camera(), x, y);
  camera.pan(60, -45, kHeight);
  const glm::vec2 now = on_picture(camera.camera(), point);
  EXPECT_NEAR(now.x, x + 60 / (0.5f * kHeight * kAspect), 1e-4f);
  EXPECT_NEAR(now.y, y + 45 / (0.5f * kHeight), 1e-4f);
}

TEST_P(EveryView, ZoomKeepsThePointUnderTheMouse) {
  desktop::OrbitCamera camera({start()}, kAspect);
  const float x = -0.7f, y = 0.55f;
  const glm::vec3 point = under(camera.camera(), x, y);
  for (const float factor : {0.9f, 0.5f, 1.7f}) {
    camera.zoom_at(factor, x, y, kAspect);
    const glm::vec2 now = on_picture(camera.camera(), point);
    EXPECT_NEAR(now.x, x, 1e-4f);
    EXPECT_NEAR(now.y, y, 1e-4f);
  }
}

TEST_P(EveryView, RayGoesThroughWhatTheRendererDrawsThere) {
  const Camera camera = start();
  std::mt19937 random(1);
  std::uniform_real_distribution<float> anywhere(-1, 1);
  for (int i = 0; i < 100; ++i) {
    const glm::vec2 at{anywhere(random), anywhere(random)};
    const desktop::Ray ray = desktop::ray_through(camera, at.x, at.y, kAspect);
    EXPECT_NEAR(glm::length(to_glm(ray.direction)), 1, 1e-5f);
    for (const float far : {1.0f, 3.0f, 10.0f}) {
      const glm::vec2 drawn = on_picture(camera, to_glm(ray.origin) + far * to_glm(ray.direction));
      EXPECT_NEAR(drawn.x, at.x, 1e-4f);
      EXPECT_NEAR(drawn.y, at.y, 1e-4f);
    }
  }
}

TEST_P(EveryView, APointIsWhereTheRendererDrawsIt) {
  const Camera camera = start();
  std::mt19937 random(2);
  std::uniform_real_distribution<float> anywhere(-1, 1);
  for (int i = 0; i < 100; ++i) {
    const Vec3 point{anywhere(random), anywhere(random), anywhere(random)};
    const auto at = desktop::picture_point(camera, point, kAspect);
    ASSERT_TRUE(at.has_value());
    const glm::vec2 drawn = on_picture(camera, to_glm(point));
    EXPECT_NEAR(at->x, drawn.x, 1e-4f);
    EXPECT_NEAR(at->y, drawn.y, 1e-4f);
  }
  if (!GetParam()) {
    EXPECT_FALSE(desktop::picture_point(camera, {4, 3, 9}, kAspect).has_value()) << "behind the camera";
  }
}

TEST_P(EveryView, ACameraThatNobodyHasMovedFollowsItsHome) {
  Camera other = start();
  other.position = other.position + Vec3{0, 0, 1};
  desktop::OrbitCamera camera({start()}, kAspect);
  camera.set_home({other});
  EXPECT_EQ(to_glm(camera.camera().position), to_glm(other.position));
  camera.pan(10, 20, kHeight);
  EXPECT_TRUE(camera.moved());
  const glm::vec3 moved = to_glm(camera.camera().position);
  camera.set_home({start()});
  EXPECT_EQ(to_glm(camera.camera().position), moved) << "what was set by hand stays";
  camera.home();
  EXPECT_EQ(to_glm(camera.camera().position), to_glm(start().position));
  EXPECT_FALSE(camera.moved());
}

TEST_P(EveryView, AMovedCameraGoesHomeWhereTheSceneHasOtherDimensions) {
  Camera other = start();
  other.orthographic = !other.orthographic;
  desktop::OrbitCamera camera({start()}, kAspect);
  camera.pan(10, 20, kHeight);
  camera.set_home({other});
  EXPECT_EQ(camera.camera().orthographic, other.orthographic);
  EXPECT_EQ(to_glm(camera.camera().position), to_glm(other.position));
  EXPECT_FALSE(camera.moved());
}

// The height over the distance of what is visible, for both kinds of view.
float visible_height(const Camera& camera) {
  return camera.orthographic ? camera.ortho_height : std::tan(camera.fov_degrees * 3.14159265f / 360);
}

// A window that gets narrower and wide again ends where it began, whoever has moved the camera before.
TEST_P(EveryView, WhatWasVisibleStaysSoInEveryShape) {
  for (const bool moves : {false, true}) {
    desktop::OrbitCamera camera({start(), 1.5f}, 1.5f);
    if (moves) camera.pan(10, 20, kHeight);
    const Camera before = camera.camera();
    const float height = visible_height(before);
    camera.set_aspect(0.75f);
    EXPECT_NEAR(visible_height(camera.camera()), 2 * height, 1e-5f * height) << "the same width in half of it";
    EXPECT_EQ(to_glm(camera.camera().position), to_glm(before.position));
    camera.set_aspect(3);
    EXPECT_EQ(visible_height(camera.camera()), height) << "more at the sides";
    camera.set_aspect(1.5f);
    EXPECT_EQ(visible_height(camera.camera()), height);
  }
}

TEST_P(EveryView, APointStaysUnderTheMouseInANarrowWindowToo) {
  desktop::OrbitCamera camera({start(), 2 * kAspect}, kAspect);
  const glm::vec3 held = under(camera.camera(), 0.2f, 0.3f);
  camera.zoom_at(0.8f, 0.2f, 0.3f, kAspect);
  glm::vec2 at = on_picture(camera.camera(), held);
  EXPECT_NEAR(at.x, 0.2f, 1e-4f);
  EXPECT_NEAR(at.y, 0.3f, 1e-4f);
  camera.pan(30, 0, kHeight);
  at = on_picture(camera.camera(), held);
  EXPECT_NEAR(at.x, 0.2f + 2 * 30 / (kHeight * kAspect), 1e-4f);
}

TEST_P(EveryView, HomeIsWhereItBegan) {
  const Camera home = start();
  desktop::OrbitCamera camera({home}, kAspect);
  camera.orbit(120, 40, kHeight);
  camera.zoom(0.3f);
  camera.pan(10, 20, kHeight);
  camera.home();
  EXPECT_EQ(to_glm(camera.camera().position), to_glm(home.position));
  EXPECT_EQ(to_glm(camera.camera().target), to_glm(home.target));
  EXPECT_EQ(camera.camera().ortho_height, home.ortho_height);
}

// A wheel turned for a minute must neither end inside the target nor at infinity, from where no wheel leads back.
TEST_P(EveryView, NoWheelTurnsTooFar) {
  for (const float factor : {0.8f, 1.25f}) {
    desktop::OrbitCamera camera({start()}, kAspect);
    const float before = GetParam() ? camera.camera().ortho_height : distance(camera.camera());
    for (int i = 0; i < 2000; ++i) camera.zoom_at(factor, 0.5f, 0.5f, kAspect);
    const float now = GetParam() ? camera.camera().ortho_height : distance(camera.camera());
    EXPECT_TRUE(std::isfinite(glm::length(to_glm(camera.camera().position))));
    EXPECT_GT(now, 1e-5f * before);
    EXPECT_LT(now, 1e5f * before);
    const float nearer = now;
    camera.zoom(1 / factor);
    EXPECT_NEAR((GetParam() ? camera.camera().ortho_height : distance(camera.camera())) / nearer, 1 / factor, 0.05f);
  }
}

INSTANTIATE_TEST_SUITE_P(OrbitCamera, EveryView, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "orthographic" : "perspective"; });

TEST(OrbitCamera, OrbitKeepsTheDistanceAndTheTarget) {
  desktop::OrbitCamera camera({perspective()}, kAspect);
  const float before = distance(camera.camera());
  for (int i = 0; i < 200; ++i) camera.orbit(37, 11.0f * static_cast<float>(i % 7 - 3), kHeight);
  EXPECT_NEAR(distance(camera.camera()), before, 1e-3f * before);
  EXPECT_EQ(to_glm(camera.camera().target), to_glm(perspective().target));
}

TEST(OrbitCamera, ADragOverThePicturesHeightIsHalfATurn) {
  desktop::OrbitCamera camera({perspective()}, kAspect);
  camera.orbit(kHeight, 0, kHeight);
  const glm::vec3 before = to_glm(perspective().position) - to_glm(perspective().target);
  const glm::vec3 now = to_glm(camera.camera().position) - to_glm(camera.camera().target);
  EXPECT_NEAR(now.x, -before.x, 1e-4f);
  EXPECT_NEAR(now.y, before.y, 1e-4f);
  EXPECT_NEAR(now.z, -before.z, 1e-4f);
}

// A slow picture rate gathers a drag into a few large movements: one of them must not go over the pole, where left and
// right change places.
TEST(OrbitCamera, NoDragTurnsThePictureOver) {
  for (const float dy : {3.0f, 50.0f, 290.0f, 500.0f, 900.0f, -50.0f, -400.0f, -900.0f}) {
    desktop::OrbitCamera camera({perspective()}, kAspect);
    const glm::vec3 right = right_of(camera.camera());
    for (int i = 0; i < 200; ++i) {
      camera.orbit(0, dy, kHeight);
      ASSERT_GT(glm::dot(right_of(camera.camera()), right), 0.99f) << "after " << i + 1 << " movements of " << dy;
    }
    EXPECT_GT(std::fabs(upness(camera.camera())), 0.9f) << "it must come near the pole with " << dy;
    EXPECT_EQ(upness(camera.camera()) > 0, dy > 0);
  }
}

TEST(OrbitCamera, AViewFromRightAboveCanBeLeft) {
  Camera above = perspective();
  above.position = {above.target.x, above.target.y + 4, above.target.z};
  desktop::OrbitCamera camera({above}, kAspect);
  for (int i = 0; i < 50; ++i) camera.orbit(0, -5, kHeight);
  EXPECT_LT(upness(camera.camera()), 0.6f);
  EXPECT_NEAR(distance(camera.camera()), 4, 1e-3f);
}

TEST(OrbitCamera, FlatScenesAreMovedInsteadOfTurned) {
  desktop::OrbitCamera turned({flat()}, kAspect), moved({flat()}, kAspect);
  turned.orbit(30, 20, kHeight);
  moved.pan(30, 20, kHeight);
  EXPECT_EQ(to_glm(turned.camera().position), to_glm(moved.camera().position));
}

TEST(OrbitCamera, FocusKeepsTheDirection) {
  desktop::OrbitCamera camera({perspective()}, kAspect);
  camera.focus({1, 1, 1});
  const Camera& now = camera.camera();
  EXPECT_EQ(to_glm(now.target), glm::vec3(1, 1, 1));
  const glm::vec3 before = to_glm(perspective().position) - to_glm(perspective().target);
  EXPECT_NEAR(glm::length(to_glm(now.position) - to_glm(now.target) - before), 0, 1e-6f);
  const glm::vec2 middle = on_picture(now, {1, 1, 1});
  EXPECT_NEAR(glm::length(middle), 0, 1e-5f);
}

}  // namespace
}  // namespace riffle
