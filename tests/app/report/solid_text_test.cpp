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

}  // namespace
}  // namespace riffle
