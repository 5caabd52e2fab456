#include "app/desktop/timings/stage_colors.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/timing/stages.h"

namespace riffle {
namespace {

TEST(StageColors, NoTwoStagesLookAlikeAndNoneLikeTheRest) {
  const auto distance = [](Vec3 a, Vec3 b) { return std::sqrt(length2(a - b)); };
  for (std::size_t a = 0; a < kStages.size(); ++a) {
    const Vec3 rgb = desktop::ui::stage_rgb(kStages[a].name);
    EXPECT_GT(distance(rgb, {0.5f, 0.5f, 0.5f}), 0.1f) << kStages[a].name;
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_GT(distance(rgb, desktop::ui::stage_rgb(kStages[b].name)), 0.1f)
          << kStages[a].name << ", " << kStages[b].name;
  }
}

TEST(StageColors, AnUnknownStageHasAColorToo) {
  const Vec3 once = desktop::ui::stage_rgb("of another time"), again = desktop::ui::stage_rgb("of another time");
  EXPECT_EQ(once.x, again.x);
  EXPECT_EQ(once.y, again.y);
  EXPECT_EQ(once.z, again.z);
}

}  // namespace
}  // namespace riffle
