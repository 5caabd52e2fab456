#pragma once
/// Triangles that fill a polygon.

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace riffle {

/// Three corners' indices each, the way round of the polygon. Corners on a straight edge may give triangles without an
/// area, so that every edge of the polygon is an edge of a triangle. Nothing if its edges cross.
std::optional<std::vector<std::array<int, 3>>> clip_ears(std::span<const std::array<float, 2>> corners);

/// Positive if the corners go counter-clockwise.
double signed_area(std::span<const std::array<float, 2>> corners);

}  // namespace riffle
