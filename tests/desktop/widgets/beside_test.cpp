#include "app/desktop/widgets/beside.h"

#include <gtest/gtest.h>

namespace riffle::test {
namespace {

using desktop::ui::corner_beside;
using desktop::ui::Rectangle;

bool covers(ImVec2 corner, ImVec2 extent, ImVec2 point) {
  return Rectangle{corner, {corner.x + extent.x, corner.y + extent.y}}.contains(point);
}

TEST(Beside, NoPointOfThePictureIsCoveredAndTheBoxIsInThePicture) {
  const Rectangle wide{{100, 0}, {1100, 700}}, narrow{{100, 0}, {450, 900}}, small{{360, 0}, {800, 448}};
  const ImVec2 extent{300, 220};
  for (const Rectangle& area : {wide, narrow, small})
    for (float x = area.least.x; x <= area.most.x; x += 25)
      for (float y = area.least.y; y <= area.most.y; y += 25) {
        const ImVec2 corner = corner_beside({x, y}, extent, area, 40);
        EXPECT_FALSE(covers(corner, extent, {x, y})) << x << " " << y << " at " << corner.x << " " << corner.y;
        EXPECT_GE(corner.x, area.least.x);
        EXPECT_GE(corner.y, area.least.y);
        EXPECT_LE(corner.x + extent.x, area.most.x);
        EXPECT_LE(corner.y + extent.y, area.most.y);
      }
}

TEST(Beside, ABoxLargerThanThePictureShowsItsUpperLeftPart) {
  const ImVec2 corner = corner_beside({50, 50}, {300, 200}, {{10, 20}, {110, 120}}, 40);
  EXPECT_EQ(corner.x, 10);
  EXPECT_EQ(corner.y, 20);
}

}  // namespace
}  // namespace riffle::test
