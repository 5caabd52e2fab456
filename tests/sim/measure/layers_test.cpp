#include "sim/measure/layers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "sim/measure/free_volume.h"
#include "sim/start/sampling.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

/// A box of 1 x 2 m in two dimensions.
SimulationSetup flat_box() {
  SimulationSetup setup;
  setup.domain.dimension = 2;
  setup.domain.max = {1, 2, 1};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.spacing = 0.1f;
  setup.fluids.emplace_back();
  return setup;
}

void add_body(SimulationSetup& setup, Vec3 min, Vec3 max, float velocity) {
  BodySetup body;
  body.min = min;
  body.max = max;
  body.velocity = {velocity, 0, 0};
  setup.bodies.push_back(body);
}

using Layers = OnEachDevice;

TEST_P(Layers, HaveTheMeanOfTheirParticlesAndNoNumberWhereThereIsNone) {
  SimulationSetup setup = flat_box();
  add_body(setup, {0, 0, 0}, {1, 0.5f, 1}, 1);
  add_body(setup, {0, 0.5f, 0}, {0.5f, 1, 1}, 3);
  add_body(setup, {0.5f, 0.5f, 0}, {1, 1, 1}, 6);
  const Simulation simulation(setup, device());
  QuantityValues values;
  const LayerMeans layers = mean_over_layers(simulation, Quantity::VelocityX, values);
  ASSERT_EQ(layers.mean.size(), 20u) << "one per spacing";
  EXPECT_NEAR(layers.thickness, 0.1, 1e-6);
  EXPECT_NEAR(layers.height(3), 0.35, 1e-6);
  for (std::size_t k = 0; k < 20; ++k) {
    if (k < 5) {
      EXPECT_NEAR(layers.mean[k], 1, 1e-6) << k;
    } else if (k < 10) {
      EXPECT_NEAR(layers.mean[k], 4.5, 1e-6) << k;
    } else {
      EXPECT_TRUE(std::isnan(layers.mean[k])) << k;
    }
  }
}

TEST_P(Layers, LieAgainstGravity) {
  SimulationSetup setup = flat_box();
  setup.gravity = {9.81f, 0, 0};  // the fluid falls to the right
  add_body(setup, {0, 0, 0}, {0.3f, 2, 1}, 2);
  const Simulation simulation(setup, device());
  QuantityValues values;
  const LayerMeans layers = mean_over_layers(simulation, Quantity::VelocityX, values);
  ASSERT_EQ(layers.mean.size(), 10u);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(std::isnan(layers.mean[k]), k < 7) << k;
}

TEST_P(Layers, AreNotTooManyForAPlot) {
  SimulationSetup setup = flat_box();
  setup.spacing = 0.02f;
  add_body(setup, {0, 0, 0}, {0.1f, 0.1f, 1}, 0);
  const Simulation simulation(setup, device());
  QuantityValues values;
  EXPECT_EQ(mean_over_layers(simulation, Quantity::Speed, values).mean.size(), 64u);
}

TEST_P(Layers, LieAcrossTheHeightOrAnAxis) {
  SimulationSetup setup = flat_box();
  add_body(setup, {0, 0, 0}, {0.5f, 1, 1}, 1);
  add_body(setup, {0.5f, 0, 0}, {1, 1, 1}, 3);
  setup.domain.min.x = 0;
  const auto means = [&](LayerAxis axis) {
    const Simulation simulation(setup, device());
    QuantityValues values;
    return mean_over_layers(simulation, Quantity::VelocityX, values, axis);
  };
  const LayerMeans across_x = means(LayerAxis::X);
  ASSERT_EQ(across_x.mean.size(), 10u);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(across_x.mean[k], k < 5 ? 1 : 3, 1e-6) << k;
  EXPECT_NEAR(across_x.height(2), 0.25, 1e-6);
  const LayerMeans across_y = means(LayerAxis::Y);
  ASSERT_EQ(across_y.mean.size(), 20u);
  EXPECT_NEAR(across_y.mean[3], 2, 1e-6);
  // Gravity that drives the fluid round a periodic axis says nothing of heights.
  setup.gravity = {1, 0, 0};
  EXPECT_TRUE(has_bottom(setup));
  EXPECT_EQ(means(LayerAxis::Height).mean.size(), 10u) << "it falls to the right";
  EXPECT_NEAR(means(LayerAxis::Height).mean[0], 3, 1e-6) << "from the bottom";
  setup.domain.axis[0] = Axis::Periodic;
  EXPECT_FALSE(has_bottom(setup));
  EXPECT_EQ(means(LayerAxis::Height).mean.size(), 20u) << "a channel";
  setup.gravity = {0, 0, 0};
  EXPECT_FALSE(has_bottom(setup));
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Layers);

TEST(FreeVolume, IsWhatSolidsLeave) {
  SimulationSetup setup;
  for (Axis& axis : setup.domain.axis) axis = Axis::Periodic;
  setup.domain.max = {10, 10, 10};
  setup.spacing = 0.5f;
  setup.solver = SolverKind::Dpd;
  setup.fluids.emplace_back();
  EXPECT_NEAR(free_volume(setup), 1000, 1e-3);
  SolidRegion ball;
  ball.shape = Shape::Sphere;
  ball.center = {0, 5, 5};  // half of it comes back in at the other side
  ball.radius = 2.5f;
  SolidRegion half = ball;
  half.center = {1, 5, 5};
  setup.solid_regions = {ball};
  const double sphere = 4.0 / 3 * 3.14159265 * 2.5 * 2.5 * 2.5;
  EXPECT_NEAR(free_volume(setup), 1000 - sphere, 0.5);
  setup.solid_regions = {ball, half};
  const double both = 2 * sphere - 3.14159265 / 12 * (4 * 2.5 + 1) * (2 * 2.5 - 1) * (2 * 2.5 - 1);
  EXPECT_NEAR(free_volume(setup), 1000 - both, 0.5) << "what is in both counts once";
  setup.domain.axis[1] = Axis::Open;
  EXPECT_TRUE(std::isnan(free_volume(setup)));
  // Fluid filled around a solid has the density that was asked for.
  setup.domain.axis[1] = Axis::Periodic;
  setup.solid_regions = {ball};
  BodySetup soup;
  soup.max = {10, 10, 10};
  soup.filling = Filling::Random;
  setup.bodies.push_back(soup);
  const double density = static_cast<double>(count_particles(setup)) / free_volume(setup);
  EXPECT_NEAR(density, 8, 0.03) << "spacing 0.5";
}

// Sites of a lattice would count whole layers, and cells of a flat box hardly resolve it.
TEST(FreeVolume, AndFluidAtRandomBesideASlabDoNotDependOnWhereItIs) {
  for (const float depth : {10.0f, 2.5f})
    for (const float from : {0.0f, 0.3f, 0.77f}) {
      SimulationSetup setup;
      for (Axis& axis : setup.domain.axis) axis = Axis::Periodic;
      setup.domain.max = {40, 40, depth};
      setup.spacing = 0.7f;
      setup.solver = SolverKind::Dpd;
      setup.fluids.emplace_back();
      SolidRegion slab;
      slab.shape = Shape::Box;
      slab.min = {-1, -1, from};
      slab.max = {41, 41, from + 0.75f};
      setup.solid_regions = {slab};
      const double left = 1600 * (double{depth} - 0.75);
      EXPECT_NEAR(free_volume(setup) / left, 1, 2e-4) << depth << " " << from;
      BodySetup soup;
      soup.max = setup.domain.max;
      soup.filling = Filling::Random;
      setup.bodies = {soup};
      EXPECT_NEAR(static_cast<double>(count_particles(setup)) * setup.particle_volume() / left, 1, 3e-3)
          << depth << " " << from;
    }
}

TEST(HydrostaticPressure, IsOfTheFluidWhenItHasComeToRest) {
  SimulationSetup setup = flat_box();
  const auto at_rest = hydrostatic_pressure(setup, 60);  // 0.6 m^2 in a tank 1 m wide
  ASSERT_TRUE(at_rest);
  EXPECT_NEAR(at_rest->surface, 0.6, 1e-6);
  EXPECT_NEAR(at_rest->at(0), 1000 * 9.81 * 0.6, 1e-2);
  EXPECT_NEAR(at_rest->at(0.5), 1000 * 9.81 * 0.1, 1e-2);
  EXPECT_EQ(at_rest->at(0.7), 0);
}

TEST(HydrostaticPressure, IsUnknownWhereItIsNotSimple) {
  EXPECT_TRUE(hydrostatic_pressure(flat_box(), 60));
  SimulationSetup weightless = flat_box(), sloping = flat_box(), open = flat_box(), two = flat_box();
  weightless.gravity = {};
  EXPECT_FALSE(hydrostatic_pressure(weightless, 60));
  sloping.gravity = {1, -9, 0};
  EXPECT_FALSE(hydrostatic_pressure(sloping, 60));
  open.domain.axis[0] = Axis::Open;
  EXPECT_FALSE(hydrostatic_pressure(open, 60)) << "it flows away";
  two.fluids.emplace_back();
  EXPECT_TRUE(hydrostatic_pressure(two, 60)) << "two colours of water";
  two.fluids[1].rest_density = 800;
  EXPECT_FALSE(hydrostatic_pressure(two, 60));
  EXPECT_EQ(why_no_hydrostatic_pressure(two), "its fluids differ in density");
  EXPECT_EQ(why_no_hydrostatic_pressure(weightless), "there is no gravity");
  EXPECT_EQ(why_no_hydrostatic_pressure(sloping), "gravity acts along several axes");
  EXPECT_EQ(why_no_hydrostatic_pressure(open), "it flows away through open faces");
  EXPECT_EQ(why_no_hydrostatic_pressure(flat_box()), "");
  SimulationSetup with_post = flat_box();
  with_post.solid_regions.emplace_back();
  EXPECT_EQ(why_no_hydrostatic_pressure(with_post), "solids take a part of the room");
  EXPECT_FALSE(hydrostatic_pressure(with_post, 60));
}

}  // namespace
}  // namespace riffle::test
