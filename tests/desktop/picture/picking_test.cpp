/// A click finds the particle that the picture shows there: behind the cut, and on the fluid's surface.

#include <gtest/gtest.h>

#include <cmath>

#include "app/desktop/picture/frame_painter.h"
#include "app/desktop/playback/frame_exchange.h"
#include "app/desktop/scene/orbit_camera.h"
#include "render/gl/offscreen_context.h"
#include "scenes/scene.h"

namespace riffle::test {
namespace {

constexpr float kSpacing = 0.05f;

class Picking : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    context_ = render::OffscreenContext::create(std::nullopt, &why);
    if (!context_) GTEST_SKIP() << "NO PICTURE IS TESTED: " << why;
    scene_.simulation.domain.max = {1, 1, 1};
    look_.camera.position = {0.4f, 0.6f, 4};
    look_.camera.target = {0.5f, 0.5f, 0.5f};
    look_.options.anti_aliasing = render::AntiAliasing::Analytic;
    look_.options.legend = false;
  }

  /// A lattice that fills the domain, numbered from the end.
  void fill(int dimension) {
    scene_.simulation.domain.dimension = dimension;
    std::vector<Vec4> at;
    const int deep = dimension == 2 ? 1 : 20;
    for (int k = 0; k < deep; ++k)
      for (int j = 0; j < 20; ++j)
        for (int i = 0; i < 20; ++i)
          at.push_back({(float(i) + 0.5f) * kSpacing, (float(j) + 0.5f) * kSpacing,
                        dimension == 2 ? 0 : (float(k) + 0.5f) * kSpacing, 0});
    std::vector<std::uint32_t> id;
    for (std::size_t n = at.size(); n > 0; --n) id.push_back(static_cast<std::uint32_t>(n - 1));
    frame_.vertices = Buffer<Vec4>(Device{}, at);
    frame_.id = Buffer<std::uint32_t>(Device{}, id);
    frame_.count = static_cast<int>(at.size());
    frame_.radius = 0.5f * kSpacing;
    frame_.spacing = kSpacing;
    position_ = at;
  }

  /// Draws the picture and picks where the point is in it.
  std::optional<desktop::ShownParticle> picked_at(Vec3 point) {
    painter_.prepare(frame_, 320, 240, look_.options);
    painter_.draw(frame_, scene_, look_);
    const auto place = desktop::picture_point(look_.camera, point, 320.0f / 240);
    return painter_.particle_at(frame_, scene_, look_, place->x, place->y);
  }

  /// The same for the number of the solid that is there; a solid that is found is hit at the point.
  auto solid_at(Vec3 point) {
    picked_at(point);
    const auto place = desktop::picture_point(look_.camera, point, 320.0f / 240);
    const auto found = painter_.solid_at(frame_, scene_, look_, place->x, place->y);
    if (found) {
      EXPECT_LT(length2(found->place - point), 1e-6f);
    }
    return found ? std::optional(found->number) : std::nullopt;
  }

  std::unique_ptr<render::OffscreenContext> context_;
  scenes::Scene scene_;
  desktop::ParticleFrame frame_;
  desktop::PictureLook look_;
  std::vector<Vec4> position_;
  desktop::FramePainter painter_;
};

TEST_F(Picking, BehindTheCutTheFirstParticleThatIsDrawn) {
  fill(3);
  const Vec3 on_face{0.325f, 0.425f, 0.2f};
  const auto whole = picked_at(on_face);
  ASSERT_TRUE(whole);
  EXPECT_GT(whole->position.z, 0.9f) << "nothing is cut away: the front face";
  look_.extras.cut = {.axis = 2, .at = 0.2f};
  const auto cut = picked_at(on_face);
  ASSERT_TRUE(cut);
  EXPECT_NEAR(cut->position.z, 0.175f, 1e-5f) << "the last layer before z = 0.2";
  EXPECT_TRUE(cut->position == xyz(position_[position_.size() - 1 - cut->id])) << "the id is of that particle";
}

TEST_F(Picking, OnTheFluidsSurfaceTheParticleNearestToIt) {
  fill(3);
  look_.options.look = render::Look::Fluid;
  for (const float cut_at : {1.0f, 0.5f, 0.2f}) {
    look_.extras.cut = {.axis = 2, .at = cut_at};
    for (const float x : {0.22f, 0.5f, 0.71f}) {
      const Vec3 aim{x, 0.4f, cut_at};
      const auto found = picked_at(aim);
      ASSERT_TRUE(found) << cut_at << " " << x;
      // The drawn surface lies up to a spacing in front of the outermost layer, and there the ray is elsewhere.
      EXPECT_NEAR(found->position.z, cut_at - 0.5f * kSpacing, 1e-5f) << x;
      EXPECT_NEAR(found->position.x, x, 1.2f * kSpacing);
      EXPECT_NEAR(found->position.y, 0.4f, 1.2f * kSpacing);
    }
  }
  EXPECT_FALSE(picked_at({-0.3f, 0.5f, 0.5f})) << "beside the fluid";
}

TEST_F(Picking, NothingBehindASolidThatIsDrawn) {
  fill(3);
  SolidRegion slab;
  slab.min = {0, 0, 0.4f};
  slab.max = {0.5f, 1, 0.6f};
  scene_.simulation.solid_regions = {slab};
  look_.extras.cut = {.axis = 2, .at = 0.3f};
  for (const render::Look look : {render::Look::Spheres, render::Look::Fluid}) {
    look_.options.look = look;
    look_.options.solids = true;
    EXPECT_FALSE(picked_at({0.25f, 0.425f, 0.6f}));
    EXPECT_TRUE(picked_at({0.725f, 0.425f, 0.3f})) << "beside it";
    look_.options.solids = false;
    EXPECT_TRUE(picked_at({0.25f, 0.425f, 0.3f})) << "nothing is drawn in front";
  }
  look_.extras.cut = {};
  look_.options.solids = true;
  look_.options.look = render::Look::Spheres;
  const auto in_front = picked_at({0.225f, 0.425f, 1});
  ASSERT_TRUE(in_front);
  EXPECT_GT(in_front->position.z, 0.9f);
}

TEST_F(Picking, TheSolidThatIsDrawnInFront) {
  fill(3);
  SolidRegion near, far;
  near.min = {0, 0, 0.6f}, near.max = {0.5f, 1, 0.8f};
  far.min = {0, 0, 0.2f}, far.max = {1, 1, 0.4f};
  scene_.simulation.solid_regions = {far, near};
  look_.options.solids = true;
  EXPECT_EQ(solid_at({0.25f, 0.425f, 0.8f}), 1u);
  EXPECT_EQ(solid_at({0.75f, 0.425f, 0.4f}), 0u);
  EXPECT_FALSE(solid_at({-0.3f, 0.5f, 0.4f}));
  look_.options.solids = false;
  EXPECT_FALSE(solid_at({0.25f, 0.425f, 0.8f})) << "hidden";
}

TEST_F(Picking, InTwoDimensionsTheSolidOverTheOthers) {
  fill(2);
  look_.camera = {};
  look_.camera.position = {0.5f, 0.5f, 2};
  look_.camera.target = {0.5f, 0.5f, 0};
  look_.camera.orthographic = true;
  look_.camera.ortho_height = 1.2f;
  look_.options.solids = true;
  SolidRegion under, over;
  under.min = {0.2f, 0.2f, 0}, under.max = {0.6f, 0.6f, 0};
  over.min = {0.4f, 0.4f, 0}, over.max = {0.8f, 0.8f, 0};
  scene_.simulation.solid_regions = {under, over};
  EXPECT_EQ(solid_at({0.3f, 0.3f, 0}), 0u);
  EXPECT_EQ(solid_at({0.5f, 0.5f, 0}), 1u);
  EXPECT_FALSE(solid_at({0.9f, 0.3f, 0}));
}

TEST_F(Picking, InTwoDimensionsTheParticleUnderTheMouse) {
  fill(2);
  look_.camera = {};
  look_.camera.position = {0.5f, 0.5f, 2};
  look_.camera.target = {0.5f, 0.5f, 0};
  look_.camera.orthographic = true;
  look_.camera.ortho_height = 1.2f;
  for (const render::Look look : {render::Look::Spheres, render::Look::Fluid}) {
    look_.options.look = look;
    const auto found = picked_at({0.33f, 0.67f, 0});
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->position.x, 0.325f, 1e-5f);
    EXPECT_NEAR(found->position.y, 0.675f, 1e-5f);
    EXPECT_FALSE(picked_at({1.08f, 0.5f, 0}));
  }
}

}  // namespace
}  // namespace riffle::test
