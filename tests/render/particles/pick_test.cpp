/// Compares the particle found on a ray, or near a point, with a search over every particle on the host.

#include "render/particles/pick.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/device/buffer.h"
#include "core/error.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

constexpr float kRadius = 0.03f;

class Pick : public OnEachDevice {
 protected:
  void SetUp() override {
    OnEachDevice::SetUp();
    std::mt19937 random(7);
    std::uniform_real_distribution<float> unit(0, 1);
    for (int i = 0; i < 3000; ++i) position_.push_back({unit(random), unit(random), unit(random), 0});
  }

  render::ParticleView view() {
    if (buffer_.size() == 0) buffer_ = Buffer<Vec4>(device(), position_);
    render::ParticleView view;
    view.device = device();
    view.count = static_cast<int>(position_.size());
    view.position = buffer_.data();
    view.radius = kRadius;
    return view;
  }

  /// |o + t d - c|^2 = r^2 solved for t, independently of the program.
  int expected_on_ray(Vec3 origin, Vec3 direction, const std::optional<render::CutPlane>& cut) const {
    const double a = double{length2(direction)};
    int best = -1;
    double nearest = INFINITY;
    for (std::size_t i = 0; i < position_.size(); ++i) {
      const Vec3 at = xyz(position_[i]);
      if (cut && dot(cut->normal, at) > cut->offset) continue;
      double b = 0, c = -double{kRadius} * kRadius;
      for (int k = 0; k < 3; ++k) {
        const double from = double{component(origin, k)} - component(at, k);
        b += from * component(direction, k);
        c += from * from;
      }
      const double root2 = b * b - a * c;
      if (root2 < 0 || -b + std::sqrt(root2) < 0) continue;
      const double distance = std::max(0.0, (-b - std::sqrt(root2)) / a);
      if (distance < nearest) nearest = distance, best = static_cast<int>(i);
    }
    return best;
  }

  std::vector<Vec4> position_;
  Buffer<Vec4> buffer_;
};

TEST_P(Pick, TheParticleUnderARayIsTheFirstItMeetsOfThoseThatAreNotCutAway) {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> unit(0, 1);
  const auto somewhere = [&](float beyond) {
    const auto at = [&] { return -beyond + (1 + 2 * beyond) * unit(random); };
    const float x = at(), y = at();
    return Vec3{x, y, at()};
  };
  int hits = 0, misses = 0, other = 0;
  for (int ray = 0; ray < 100; ++ray) {
    const Vec3 origin = somewhere(1), direction = somewhere(0.6f) - origin;
    const int whole = expected_on_ray(origin, direction, {});
    for (const std::optional<render::CutPlane>& cut :
         {std::optional<render::CutPlane>{}, std::optional(render::CutPlane{{0, 0, 2}, 0.8f})}) {
      const int expected = expected_on_ray(origin, direction, cut);
      const auto found = render::pick_on_ray(view(), origin, direction, cut);
      ASSERT_EQ(found.has_value(), expected >= 0) << ray;
      ++(found ? hits : misses);
      other += expected != whole;
      if (!found) continue;
      EXPECT_EQ(found->index, expected) << ray;
      EXPECT_TRUE(found->position == xyz(position_[static_cast<std::size_t>(expected)]));
    }
  }
  EXPECT_GE(hits, 20);
  EXPECT_GE(misses, 5);
  EXPECT_GE(other, 20) << "the cut takes away what is in front";
}

TEST_P(Pick, OfTwoAtTheSamePlaceTheFirstIsFound) {
  position_ = {{0, 0, 0, 0}, {1, 1, 1, 0}, {1, 1, 1, 0}};
  const auto hit = render::pick_on_ray(view(), {1, 1, 1.01f}, {0, 0, 1});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->index, 1);
  EXPECT_EQ(hit->distance, 0);  // from inside
}

TEST_P(Pick, WhatIsBehindIsNotMetAndARayNeedsADirection) {
  position_ = {{0, 0, 0, 0}, {NAN, 0, 0, 0}};
  EXPECT_TRUE(render::pick_on_ray(view(), {0, 1, 0}, {0, -1, 0}));
  EXPECT_FALSE(render::pick_on_ray(view(), {0, 1, 0}, {0, 1, 0}));
  EXPECT_THROW(render::pick_on_ray(view(), {0, 1, 0}, {0, 0, 0}), InputError);
  EXPECT_THROW(render::pick_on_ray(view(), {0, 1, 0}, {0, NAN, 0}), InputError);
  EXPECT_FALSE(render::pick_on_ray({}, {0, 1, 0}, {0, 1, 0})) << "no particles";
}

TEST_P(Pick, TheNearestToAPointIsWithinReachAndNotCutAway) {
  position_ = {{0, 0, 0, 0}, {0.1f, 0, 0, 0}, {0.3f, 0, 0, 0}, {NAN, 0, 0, 0}};
  const Vec3 point{0.12f, 0, 0};
  const auto nearest = render::pick_near(view(), point, 0.05f);
  ASSERT_TRUE(nearest);
  EXPECT_EQ(nearest->index, 1);
  EXPECT_NEAR(nearest->distance, 0.02f, 1e-6f);
  EXPECT_FALSE(render::pick_near(view(), point, 0.01f));
  const auto kept = render::pick_near(view(), point, 0.15f, render::CutPlane{{1, 0, 0}, 0.05f});
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->index, 0);
}

TEST_P(Pick, ParticlesAreInViewUntilTheCameraLooksElsewhereOrTheyAreCutAway) {
  position_ = {{0.5f, 0.5f, 0.5f, 0}};
  Camera camera;
  camera.position = {0.5f, 0.5f, 3};
  for (const bool orthographic : {false, true}) {
    camera.orthographic = orthographic;
    camera.target = {0.5f, 0.5f, 0};
    EXPECT_TRUE(render::any_in_view(view(), camera, 1.5f));
    EXPECT_FALSE(render::any_in_view(view(), camera, 1.5f, render::CutPlane{{0, 0, 1}, 0.4f}));
    camera.position.x = camera.target.x = 4;
    EXPECT_FALSE(render::any_in_view(view(), camera, 1.5f));
    camera.position.x = 0.5f;
  }
  camera.orthographic = false;
  camera.target = {0.5f, 0.5f, 6};
  EXPECT_FALSE(render::any_in_view(view(), camera, 1.5f)) << "it is behind the camera";
  EXPECT_FALSE(render::any_in_view({}, camera, 1.5f));
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Pick);

}  // namespace
}  // namespace riffle::test
