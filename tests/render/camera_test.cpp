#include "render/camera.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/vec4.hpp>

namespace riffle::test {
namespace {

struct Extent {
  float min_x = 1e9f, max_x = -1e9f, min_y = 1e9f, max_y = -1e9f;
};

Extent project(const render::BoxView& box, const Camera& camera, float aspect) {
  const render::ViewTransform t = render::view_transform(camera, aspect);
  Extent extent;
  for (int i = 0; i < 8; ++i) {
    const glm::vec4 corner((i & 1) ? box.max.x : box.min.x, (i & 2) ? box.max.y : box.min.y,
                           (i & 4) ? box.max.z : box.min.z, 1);
    const glm::vec4 clip = t.projection * (t.view * corner);
    EXPECT_GT(clip.w, 0);
    extent.min_x = std::min(extent.min_x, clip.x / clip.w);
    extent.max_x = std::max(extent.max_x, clip.x / clip.w);
    extent.min_y = std::min(extent.min_y, clip.y / clip.w);
    extent.max_y = std::max(extent.max_y, clip.y / clip.w);
  }
  return extent;
}

TEST(FrameDomain, ShowsTheWholeBoxAndFillsThePicture) {
  for (const bool flat : {false, true})
    for (const float aspect : {16.0f / 9, 1.0f, 0.5f, 4.0f})
      for (const Vec3 size :
           {Vec3{1, 1, 1}, Vec3{100, 1, 1}, Vec3{0.01f, 3, 0.02f}, Vec3{1e-3f, 2e-3f, 1e-3f}, Vec3{4, 2, 9}})
        for (const Vec3 up : {Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, -1, 0}}) {
          render::BoxView box{{-5, 7, 1}, Vec3{-5, 7, 1} + size, flat};
          if (flat) box.min.z = box.max.z = 0;
          const Extent seen = project(box, render::frame_domain(box, up, aspect, flat), aspect);
          EXPECT_GE(seen.min_x, -0.93f);
          EXPECT_LE(seen.max_x, 0.75f) << "room for the legend";
          EXPECT_GE(seen.min_y, -0.85f);
          EXPECT_LE(seen.max_y, 0.91f);
          const bool fills_x = seen.max_x - seen.min_x > 0.98f * 1.66f,
                     fills_y = seen.max_y - seen.min_y > 0.98f * 1.74f;
          EXPECT_TRUE(fills_x || fills_y) << "the picture is not larger than it must be";
        }
}

TEST(FrameDomain, LeavesFreeWhatAWideLegendTakes) {
  const render::BoxView box{{0, 0, 0}, {4, 1, 1}, false};
  for (const float legend : {0.0f, 0.13f, 0.2f, 0.3f}) {
    const Extent seen = project(box, render::frame_domain(box, {0, 1, 0}, 1.5f, false, legend), 1.5f);
    EXPECT_NEAR(seen.max_x, std::min(0.74f, 1 - 2 * legend), 0.01f) << "a box that is wide fills what there is";
  }
  const Extent narrow = project(box, render::frame_domain(box, {0, 1, 0}, 1.5f, false, 2), 1.5f);
  EXPECT_GT(narrow.max_x, 0) << "a legend as wide as the picture leaves the box a part of it";
}

TEST(FrameDomain, OfAPointIsFinite) {
  const Camera camera = render::frame_domain({{1, 1, 1}, {1, 1, 1}, false}, {0, 0, 0}, 1.5f, false);
  for (const float value : {camera.position.x, camera.position.y, camera.position.z}) EXPECT_TRUE(std::isfinite(value));
}

TEST(ViewTransform, SurvivesADegenerateCamera) {
  Camera camera;
  camera.position = camera.target = {1, 2, 3};
  camera.up = {0, 0, 0};
  const render::ViewTransform t = render::view_transform(camera, 1);
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 4; ++r) EXPECT_TRUE(std::isfinite(t.view[c][r]));
}

TEST(ViewTransform, DepthIsInvertedByEyeDepth) {
  for (const bool orthographic : {false, true}) {
    Camera camera;
    camera.orthographic = orthographic;
    camera.position = {0, 0, 5};
    const render::ViewTransform t = render::view_transform(camera, 1.5f);
    for (const float z : {4.0f, 0.0f, -3.0f, -20.0f}) {
      const glm::vec4 clip = t.projection * (t.view * glm::vec4(0.1f, 0.2f, z, 1));
      EXPECT_NEAR(render::eye_depth(t, clip.z / clip.w), 5 - z, 1e-4f * (5 - z));
      EXPECT_GE(clip.z / clip.w, 0);
      EXPECT_LE(clip.z / clip.w, 1);
    }
  }
}

}  // namespace
}  // namespace riffle::test
