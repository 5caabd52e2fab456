#pragma once
/// Selects the lines of a neighbour search's grid that are drawn.

#include <vector>

#include "render/overlay/line_renderer.h"
#include "render/view.h"

namespace riffle::render {

/// More lines would look like a grey area.
inline constexpr int kMostGridLines = 2048;

/// Lines of the whole grid in 2-D (at z = origin.z), of the slice if there is one, or else of the three faces that the
/// eye sees behind the grid. Instead of more than kMostGridLines lines it draws every second, fourth ... of each
/// direction, and always the outermost. No lines for a grid without cells or with invalid edges.
std::vector<Segment> grid_segments(const GridOverlay& grid, const ViewTransform& view, bool two_dimensional);

}  // namespace riffle::render
