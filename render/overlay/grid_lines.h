#pragma once
/// Which lines of a neighbour search's grid are drawn.

#include <vector>

#include "render/overlay/line_renderer.h"
#include "render/view.h"

namespace riffle {

/// More would be a grey area, and are more than a picture needs to show what a cell is.
inline constexpr int kMostGridLines = 2048;

/// Of the whole grid in 2-D (at z = origin.z); of the slice, where there is one; or else of the three faces of the grid
/// that are behind it as seen by the eye. With more than kMostGridLines lines, every second, fourth ... of each direction
/// is drawn, the outermost always. None for a grid without cells or with edges that are no lengths.
std::vector<Segment> grid_segments(const GridOverlay& grid, const ViewTransform& view, bool two_dimensional);

}  // namespace riffle
