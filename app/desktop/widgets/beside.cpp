#include "app/desktop/widgets/beside.h"

#include <algorithm>

namespace riffle::desktop::ui {

ImVec2 corner_beside(ImVec2 point, ImVec2 extent, const Rectangle& area, float gap) {
  ImVec2 corner{point.x - 0.5f * extent.x, point.y - 0.5f * extent.y};
  const float left = point.x - area.least.x, right = area.most.x - point.x;
  const float above = point.y - area.least.y, below = area.most.y - point.y;
  // Nearer to the point than wanted, rather than on it.
  const float spare_x = std::max(left, right) - extent.x, spare_y = std::max(above, below) - extent.y;
  if (spare_x >= gap || (spare_x >= spare_y && spare_x > 0)) {
    const float apart = std::min(gap, spare_x);
    corner.x = right >= left ? point.x + apart : point.x - apart - extent.x;
  } else if (spare_y > 0) {
    const float apart = std::min(gap, spare_y);
    corner.y = below >= above ? point.y + apart : point.y - apart - extent.y;
  }
  return {std::max(area.least.x, std::min(corner.x, area.most.x - extent.x)),
          std::max(area.least.y, std::min(corner.y, area.most.y - extent.y))};
}

}  // namespace riffle::desktop::ui
