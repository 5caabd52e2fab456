#include "app/desktop/timings/stage_colors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace riffle {
namespace {

TEST(StageColors, NoTwoStagesLookAlikeAndNoneLikeTheRest) {
  const auto stages = ui::known_stages();
  EXPECT_EQ(std::set(stages.begin(), stages.end()).size(), stages.size());
  const auto distance = [](Vec3 a, Vec3 b) { return std::sqrt(length2(a - b)); };
  for (std::size_t a = 0; a < stages.size(); ++a) {
    EXPECT_GT(distance(ui::stage_rgb(stages[a]), {0.5f, 0.5f, 0.5f}), 0.1f) << stages[a];
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_GT(distance(ui::stage_rgb(stages[a]), ui::stage_rgb(stages[b])), 0.1f) << stages[a] << ", " << stages[b];
  }
}

TEST(StageColors, AnUnknownStageHasAColorToo) {
  const Vec3 once = ui::stage_rgb("of another time"), again = ui::stage_rgb("of another time");
  EXPECT_EQ(once.x, again.x);
  EXPECT_EQ(once.y, again.y);
  EXPECT_EQ(once.z, again.z);
}

}  // namespace
}  // namespace riffle
