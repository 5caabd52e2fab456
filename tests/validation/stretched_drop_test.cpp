#include "validation/stretched_drop.h"

#include <gtest/gtest.h>

#include <variant>
#include <vector>

namespace riffle::test {
namespace {

// A strain that acts on all places alike makes the disc the ellipse of the same axes.
TEST(StretchedDrop, HasTheAxesOfItsSecondMoments) {
  SimulationSetup setup = stretched_drop({10}, 0);
  Simulation simulation(setup, Device{});
  const DropShapes shapes(simulation);
  EXPECT_NEAR(shapes.now(simulation).x, 1, 1e-12);
  EXPECT_NEAR(shapes.now(simulation).y, 1, 1e-12);
  EXPECT_NEAR(shapes.now(simulation).reach_y, 1, 1e-6);
  SimulationState state = simulation.save_state();
  for (AttributeValues& attribute : state.attributes) {
    if (attribute.name != "position") continue;
    for (Vec4& p : std::get<std::vector<Vec4>>(attribute.values)) p = {0.5f * p.x + 0.3f, 2 * p.y - 0.4f, 0, p.w};
  }
  simulation.restore_state(state);
  const DropShape stretched = shapes.now(simulation);
  EXPECT_NEAR(stretched.x, 0.5, 1e-5);
  EXPECT_NEAR(stretched.y, 2, 1e-5);
  EXPECT_NEAR(stretched.reach_y, 2 * (1 - 0.05) + 0.05, 1e-5);
}

}  // namespace
}  // namespace riffle::test
