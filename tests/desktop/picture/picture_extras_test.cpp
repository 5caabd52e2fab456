#include "app/desktop/picture/picture_extras.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/desktop/playback/frame_exchange.h"
#include "app/desktop/scene/orbit_camera.h"
#include "render/color_map.h"

namespace riffle {
namespace {

/// A particle near the face x = 0 of a box that is periodic in x, with a neighbour beside it and one across that face.
desktop::ParticleFrame frame_at_the_face() {
  desktop::ParticleFrame frame;
  frame.radius = 0.05f;
  frame.picked.emplace();
  frame.picked->position = {0.05f, 0.5f, 0.5f};
  frame.neighbors = {{0.15f, 0.5f, 0.5f, 0.1f}, {0.95f, 0.5f, 0.5f, 0.1f}};
  return frame;
}

Domain periodic_box() {
  Domain domain;
  domain.axis[0] = Axis::Periodic;
  return domain;
}

Camera camera_from(Vec3 position) {
  Camera camera;
  camera.position = position;
  camera.target = {0.5f, 0.5f, 0.5f};
  return camera;
}

bool same(Vec3 a, Vec3 b) { return length2(a - b) == 0; }

TEST(PictureExtras, NeighboursThroughAPeriodicFaceAreCountedAndLookDifferent) {
  const desktop::ParticleFrame frame = frame_at_the_face();
  const desktop::PictureExtras extras(frame, periodic_box(), {}, camera_from({0.5f, 0.5f, 4}), {});
  const auto highlights = extras.view().highlights;
  ASSERT_EQ(highlights.size(), 3u);
  EXPECT_EQ(extras.neighborhood().through_faces, 1);
  EXPECT_FALSE(same(highlights[0].color, highlights[1].color));
  Domain walls;
  EXPECT_EQ(desktop::PictureExtras(frame, walls, {}, camera_from({0.5f, 0.5f, 4}), {}).neighborhood().through_faces, 0);
}

TEST(PictureExtras, NeighboursThatAreCutAwayAreNotMarked) {
  desktop::ExtrasChoice choice;
  choice.cut = {.axis = 0, .at = 0.5f};
  const desktop::PictureExtras extras(frame_at_the_face(), periodic_box(), choice, camera_from({0.5f, 0.5f, 4}), {});
  EXPECT_EQ(extras.neighborhood().cut_away, 1);
  ASSERT_EQ(extras.view().highlights.size(), 2u);
  EXPECT_LT(extras.view().highlights[0].position.x, 0.5f);
}

TEST(PictureExtras, AParticleThatIsCutAwayIsNotMarkedAndThatIsSaid) {
  desktop::ExtrasChoice choice;
  choice.cut = {.axis = 0, .at = 0.1f};
  const auto extras_now = [&] {
    return desktop::PictureExtras(frame_at_the_face(), periodic_box(), choice, camera_from({0.5f, 0.5f, 4}), {});
  };
  EXPECT_FALSE(extras_now().neighborhood().itself_cut_away);
  choice.cut.other_side = true;
  const desktop::PictureExtras extras = extras_now();
  EXPECT_TRUE(extras.neighborhood().itself_cut_away);
  ASSERT_EQ(extras.view().highlights.size(), 2u) << "its neighbours, which are drawn";
  for (const render::Highlight& mark : extras.view().highlights) EXPECT_GT(mark.position.x, 0.1f);
}

TEST(PictureExtras, TheParticleIsInFrontOfItsNeighboursAndWhereItWasInThePicture) {
  const desktop::ParticleFrame frame = frame_at_the_face();
  for (const bool orthographic : {false, true})
    for (const Vec3 from : {Vec3{0.5f, 0.5f, 4}, {3, 2, 1}, {-2, 0.5f, 0.5f}}) {
      Camera camera = camera_from(from);
      camera.orthographic = orthographic;
      const desktop::PictureExtras extras(frame, periodic_box(), {}, camera, {});
      const render::Highlight& particle = extras.view().highlights.back();
      const auto shown = desktop::picture_point(camera, particle.position, 1.5f);
      const auto true_place = desktop::picture_point(camera, frame.picked->position, 1.5f);
      ASSERT_TRUE(shown && true_place);
      EXPECT_NEAR(shown->x, true_place->x, 1e-5f);
      EXPECT_NEAR(shown->y, true_place->y, 1e-5f);
      const auto depth = [&](Vec3 point) { return dot(point - camera.position, camera.target - camera.position); };
      EXPECT_LT(depth(particle.position), depth(xyz(frame.neighbors[0])));
      const float there = std::sqrt(length2(frame.picked->position - camera.position));
      const float here = std::sqrt(length2(particle.position - camera.position));
      EXPECT_NEAR(particle.radius_scale, orthographic ? 1.15f : 1.15f * here / there, 1e-5f) << "it looks as large";
    }
}

TEST(PictureExtras, NeighboursHaveAColorThatNoParticleHas) {
  render::ColorScale scale;
  const auto expect_apart = [&](Vec3 other, const std::string& what) {
    EXPECT_GT(std::sqrt(length2(desktop::neighbor_color(scale) - other)), 0.25f) << what;
  };
  for (const std::string_view map : render::color_map_names()) {
    scale.colormap = map;
    for (const auto& [r, g, b] : render::color_map(map))
      expect_apart(Vec3{static_cast<float>(r), static_cast<float>(g), static_cast<float>(b)} * (1.0f / 255),
                   std::string(map));
  }
  for (const std::size_t fluids : {1u, 2u, 4u, 8u}) {
    scale.palette.clear();
    for (std::size_t f = 0; f < fluids; ++f) scale.palette.push_back({"", render::categorical_colors()[f]});
    for (const render::PaletteEntry& entry : scale.palette) expect_apart(entry.rgb, std::to_string(fluids) + " fluids");
  }
}

}  // namespace
}  // namespace riffle
