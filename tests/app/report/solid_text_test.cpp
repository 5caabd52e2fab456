#include "app/report/solid_text.h"

#include <gtest/gtest.h>

namespace riffle {
namespace {

TEST(SolidText, SaysWhatAWavemakerMakes) {
  SimulationSetup setup;
  setup.domain.dimension = 2;
  SolidRegion& solid = setup.solid_regions.emplace_back();
  solid.min = {-0.5f, 0, 0};
  solid.max = {0, 1, 0};
  EXPECT_EQ(solid_texts(setup)[0], "solid_1: a box of 0.5 x 1 m");
  solid.drive.given = true;
  WavemakerSetup& wave = solid.drive.wave;
  wave.given = true;
  wave.kind = WavemakerKind::Flap;
  wave.height = 0.05f;
  wave.period = 1.5f;
  wave.depth = 0.4f;
  // (2 pi / 1.5)^2 0.4 / 9.81 = 0.71542 = kd tanh(kd) at kd = 0.96079, where H/S is 0.50612.
  EXPECT_EQ(solid_texts(setup)[0],
            "solid_1: a box of 0.5 x 1 m, a flap for waves 0.05 m high and 2.616 m long, kd 0.9608, with a stroke of "
            "0.09879 m");
}

std::shared_ptr<const MotionTable> two_rows(double way) {
  std::vector<MotionKnot> knots(2);
  knots[1].time = 4;
  knots[1].value[0] = way;
  knots[0].slope[0] = knots[1].slope[0] = way / 4;
  return std::make_shared<const MotionTable>(knots);
}

TEST(SolidText, SaysWhatATableMoves) {
  SimulationSetup setup;
  setup.domain.dimension = 2;
  SolidRegion& solid = setup.solid_regions.emplace_back();
  solid.min = {-0.5f, 0, 0};
  solid.max = {0, 1, 0};
  solid.drive.given = true;
  solid.drive.file = "way.csv";
  solid.drive.follow(two_rows(1));
  EXPECT_EQ(solid_texts(setup)[0],
            "solid_1: a box of 0.5 x 1 m, moved by way.csv, 2 rows over 4 s, up to 0.25 m/s fast");
}

TEST(SolidText, SaysHowLongACapsuleIs) {
  SimulationSetup setup;
  SolidRegion& solid = setup.solid_regions.emplace_back();
  solid.shape = Shape::Capsule;
  solid.to = {3, 4, 0};
  solid.radius = 0.5f;
  EXPECT_EQ(solid_texts(setup)[0], "solid_1: a capsule of radius 0.5 m and length 6 m with its round ends");
}

TEST(SolidText, OfDpdSaysWhetherWallsAreMirrors) {
  SimulationSetup setup;
  setup.solver = SolverKind::Dpd;
  setup.fluids.resize(1);
  setup.solid_regions.emplace_back();
  setup.wcsph.walls = WallSlip::FreeSlip;
  EXPECT_EQ(solid_summary(setup), "1, mirrors without wall particles");
  setup.wcsph.walls = WallSlip::NoSlip;
  EXPECT_EQ(solid_summary(setup),
            "1, which repel and drag like fluid in them (solver.walls: no_slip), without wall particles");
}

TEST(GravityText, SaysWhatChangesIt) {
  SimulationSetup setup;
  setup.domain.max = {1, 1, 1};
  EXPECT_TRUE(gravity_texts(setup).empty());
  setup.gravity_change.given = true;
  setup.gravity_change.amplitude = {0, -2, 0};
  setup.gravity_change.oscillation = {1, 0};
  EXPECT_EQ(gravity_texts(setup),
            (std::vector<std::string>{"gravity changes over time", "apparent gravity up to 11.81 m/s^2"}));
  setup.gravity_change = {};
  setup.body_force.given = true;
  setup.body_force.acceleration = {0.3f, 0.4f, 0};
  EXPECT_EQ(gravity_texts(setup), (std::vector<std::string>{"a body force of 0.5 m/s^2 varies across y",
                                                            "apparent gravity up to 10.21 m/s^2"}));
  setup.body_force = {};
  setup.tank.given = true;
  setup.tank.file = "tilt.csv";
  setup.tank.follow(two_rows(1));
  EXPECT_EQ(gravity_texts(setup), (std::vector<std::string>{"the domain moves, by tilt.csv, 2 rows over 4 s",
                                                            "apparent gravity up to 9.81 m/s^2"}));
}

}  // namespace
}  // namespace riffle
