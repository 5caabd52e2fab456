#include "sim/start/flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/start/sampling.h"
#include "tests/sim/setups.h"

namespace riffle::test {
namespace {

FlowSetup example(Flow kind, int along, int across) {
  FlowSetup flow;
  flow.flow = kind;
  flow.along = along;
  flow.across = across;
  flow.center = {0.25f, 0.5f, -0.125f};
  flow.rate = 1.5f;
  flow.speed = 0.75f;
  flow.wavelength = 2;
  flow.depth = 1;
  return flow;
}

constexpr Flow kAll[] = {Flow::Shear, Flow::Rotation, Flow::Strain, Flow::TaylorGreen, Flow::StandingWave};

class EveryFlow : public ::testing::TestWithParam<Flow> {};

TEST_P(EveryFlow, IsFreeOfDivergenceAndStaysInItsPlane) {
  for (const auto& [along, across] : {std::pair(0, 1), std::pair(1, 2), std::pair(2, 0)}) {
    const FlowSetup flow = example(GetParam(), along, across);
    const int third = 3 - along - across;
    for (const Vec3& place : {Vec3{0.3f, 0.1f, 0.2f}, Vec3{-0.4f, 0.7f, -0.3f}, Vec3{1.1f, -0.2f, 0.4f}}) {
      constexpr float step = 1.0f / 128;
      double divergence = 0, largest = 0;
      for (int a = 0; a < 3; ++a) {
        const Vec3 shift{a == 0 ? step : 0, a == 1 ? step : 0, a == 2 ? step : 0};
        const double slope =
            (component(flow_velocity(flow, place + shift), a) - component(flow_velocity(flow, place - shift), a)) /
            (2.0 * step);
        divergence += slope;
        largest = std::max(largest, std::fabs(slope));
      }
      EXPECT_NEAR(divergence, 0, 1e-3 * std::max(1.0, largest));
      EXPECT_EQ(component(flow_velocity(flow, place), third), 0);
    }
  }
}

TEST_P(EveryFlow, IsNowhereFasterThanItsBound) {
  const FlowSetup flow = example(GetParam(), 0, 1);
  const Bounds bounds{{-1, -0.75f, 0}, {1.5f, 0.5f, 1}};
  float fastest = 0;
  for (int y = 0; y <= 50; ++y)
    for (int x = 0; x <= 100; ++x) {
      const Vec3 place{-1 + 0.025f * float(x), -0.75f + 0.025f * float(y), 0};
      fastest = std::max(fastest, std::sqrt(length2(flow_velocity(flow, place))));
    }
  EXPECT_LE(fastest, 1.0001f * fastest_flow(flow, bounds));
  EXPECT_GE(fastest, 0.9f * fastest_flow(flow, bounds)) << "the bound is near";
}

INSTANTIATE_TEST_SUITE_P(All, EveryFlow, ::testing::ValuesIn(kAll));

TEST(Flow, HasTheVelocitiesThatItsNameSays) {
  const auto at = [](Flow kind, Vec3 place) { return flow_velocity(example(kind, 0, 1), place); };
  const Vec3 place{1.25f, 1, 9};  // (1, 0.5) from the centre
  EXPECT_EQ(at(Flow::None, place), (Vec3{0, 0, 0}));
  EXPECT_EQ(at(Flow::Shear, place), (Vec3{0.75f, 0, 0}));
  EXPECT_EQ(at(Flow::Rotation, place), (Vec3{-0.75f, 1.5f, 0}));
  EXPECT_EQ(at(Flow::Strain, place), (Vec3{1.5f, -0.75f, 0}));
  // k = pi: the centre of a vortex and, half of its width away, the fastest places.
  EXPECT_EQ(at(Flow::TaylorGreen, {0.25f, 0.5f, 0}), (Vec3{0, 0, 0}));
  EXPECT_NEAR(at(Flow::TaylorGreen, {0.25f, 1, 0}).x, -0.75f, 1e-6);
  EXPECT_NEAR(at(Flow::TaylorGreen, {0.75f, 0.5f, 0}).y, 0.75f, 1e-6);
  // The surface, the floor and a node of a standing wave.
  EXPECT_NEAR(at(Flow::StandingWave, {0.25f, 0.5f, 0}).y, 0.75f, 1e-6);
  EXPECT_NEAR(at(Flow::StandingWave, {0.25f, -0.5f, 0}).y, 0, 1e-6);
  EXPECT_NEAR(at(Flow::StandingWave, {0.75f, -0.5f, 0}).x, -0.75f / std::sinh(std::numbers::pi), 1e-6);
  EXPECT_NEAR(at(Flow::StandingWave, {0.75f, 0.5f, 0}).x, -0.75f / std::tanh(std::numbers::pi), 1e-6);
}

TEST(Flow, AWaveOnDeepWaterIsFinite) {
  FlowSetup flow = example(Flow::StandingWave, 0, 1);
  flow.wavelength = 0.01f;
  flow.depth = 10;
  EXPECT_NEAR(flow_velocity(flow, {0.25f, 0.5f, 0}).y, 0.75f, 1e-6);
  EXPECT_EQ(flow_velocity(flow, {0.25f, -9.5f, 0}).y, 0);
  EXPECT_NEAR(fastest_flow(flow, {{0, -9.5f, 0}, {1, 0.5f, 0}}), 0.75f, 1e-5);
}

TEST(Flow, IsAddedToTheVelocityOfTheBodyWhereItsParticlesAre) {
  SimulationSetup setup = column_setup(2, 10, 1.0f);
  BodySetup& body = setup.bodies[0];
  body.velocity = {0.5f, 0, 0};
  body.jitter = 0.3f;
  body.flow = example(Flow::Rotation, 0, 1);
  const FluidSamples samples = sample_bodies(setup);
  ASSERT_FALSE(samples.position.empty());
  for (std::size_t i = 0; i < samples.position.size(); ++i) {
    EXPECT_EQ(samples.velocity[i].x, 0.5f + flow_velocity(body.flow, xyz(samples.position[i])).x);
    EXPECT_EQ(samples.velocity[i].y, flow_velocity(body.flow, xyz(samples.position[i])).y);
  }
}

}  // namespace
}  // namespace riffle::test
