#pragma once
/// Where a box stands beside a point of the picture without covering it.

#include <imgui.h>

namespace riffle::desktop::ui {

struct Rectangle {
  ImVec2 least, most;  ///< [pixel]

  bool contains(ImVec2 point) const {
    return point.x >= least.x && point.x <= most.x && point.y >= least.y && point.y <= most.y;
  }
};

/// The corner of a box at that distance from the point, or less where there is less room, within the area: at its right
/// or left, where there is more room; above or below it where the area is too narrow for both. An area that is too small
/// for the box shows its upper left part. [pixel]
ImVec2 corner_beside(ImVec2 point, ImVec2 extent, const Rectangle& area, float gap);

}  // namespace riffle::desktop::ui
