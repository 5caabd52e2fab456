#include "sim/measure/unwrapped_positions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "sim/by_id.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

/// Two streams in a box of 1 x 1 m that is periodic along x. The upper one goes to the left, three times as fast.
SimulationSetup streams() {
  SimulationSetup setup;
  setup.domain.dimension = 2;
  setup.domain.max = {1, 1, 1};
  setup.domain.axis[0] = Axis::Periodic;
  setup.domain.axis[1] = setup.domain.axis[2] = Axis::Walled;
  setup.gravity = {0, 0, 0};
  setup.spacing = 0.05f;
  setup.fluids.emplace_back();
  for (const bool upper : {false, true}) {
    BodySetup body;
    body.min = {0, upper ? 0.7f : 0.1f, 0};
    body.max = {1, upper ? 0.9f : 0.3f, 1};
    body.velocity = {upper ? -3.0f : 1.0f, 0, 0};
    setup.bodies.push_back(body);
  }
  return setup;
}

using UnwrappedPlaces = OnEachDevice;

TEST_P(UnwrappedPlaces, GoOnPastTheFacesAlsoFromASavedState) {
  Simulation simulation(streams(), device());
  UnwrappedPositions unwrapped(simulation);
  const std::vector<float> start = unwrapped.now(simulation);
  const auto went = [&](double time) {
    simulation.set_time_limit(time);
    while (simulation.finish().time < time) {
      simulation.step();
      unwrapped.follow(simulation);
    }
    return unwrapped.now(simulation);
  };
  const auto expect_way = [&](const std::vector<float>& places, double time) {
    const std::vector<Vec4> at = by_id<Vec4>(simulation, "position");
    ASSERT_EQ(places.size(), 3 * at.size());
    for (std::size_t i = 0; i < at.size(); ++i) {
      ASSERT_NEAR(places[3 * i] - start[3 * i], (at[i].y > 0.5f ? -3 : 1) * time, 0.15) << i;
      ASSERT_NEAR(std::remainder(places[3 * i] - at[i].x, 1.0f), 0, 1e-5) << "whole boxes";
      ASSERT_EQ(places[3 * i + 1], at[i].y) << "walls do not wrap";
    }
  };
  ASSERT_NO_FATAL_FAILURE(expect_way(went(1.6), 1.6));
  SimulationState state = simulation.save_state();
  EXPECT_TRUE(state.turns.empty());
  unwrapped.add_to(state, simulation);
  ASSERT_EQ(state.turns.size(), static_cast<std::size_t>(state.count));
  ASSERT_NO_FATAL_FAILURE(expect_way(went(2.3), 2.3));
  simulation.restore_state(state);
  unwrapped = UnwrappedPositions(simulation, state);
  ASSERT_NO_FATAL_FAILURE(expect_way(unwrapped.now(simulation), 1.6));
  ASSERT_NO_FATAL_FAILURE(expect_way(went(2.9), 2.9));
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(UnwrappedPlaces);

}  // namespace
}  // namespace riffle::test
