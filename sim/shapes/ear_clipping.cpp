#include "sim/shapes/ear_clipping.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace riffle {

namespace {

using FlatCorner = std::array<float, 2>;

/// Twice the signed area of a triangle.
double turn_of(const FlatCorner& a, const FlatCorner& b, const FlatCorner& c) {
  return (double{b[0]} - a[0]) * (double{c[1]} - a[1]) - (double{b[1]} - a[1]) * (double{c[0]} - a[0]);
}

/// The corners that are not cut off yet.
struct Rest {
  std::span<const FlatCorner> corners;
  std::vector<int> index;
  double sign;  ///< of the polygon's area

  const FlatCorner& at(std::size_t i) const { return corners[static_cast<std::size_t>(index[i % index.size()])]; }

  /// Whether the triangle at corner i holds no other corner. @param edges  its edges count as inside
  bool empty_at(std::size_t i, bool edges) const {
    const std::size_t n = index.size();
    const FlatCorner &a = at(i + n - 1), &b = at(i), &c = at(i + 1);
    for (std::size_t k = 0; k < n; ++k) {
      const FlatCorner& p = at(k);
      if (p == a || p == b || p == c) continue;
      const double least = std::min({sign * turn_of(a, b, p), sign * turn_of(b, c, p), sign * turn_of(c, a, p)});
      if (edges ? least >= 0 : least > 0) return false;
    }
    return true;
  }

  std::optional<std::size_t> find_ear() const {
    const std::size_t n = index.size();
    const auto turn = [&](std::size_t i) { return sign * turn_of(at(i + n - 1), at(i), at(i + 1)); };
    for (const bool edges : {true, false})
      for (std::size_t i = 0; i < n; ++i)
        if (turn(i) > 0 && empty_at(i, edges)) return i;
    for (std::size_t i = 0; i < n; ++i)
      if (turn(i) == 0) return i;
    return std::nullopt;
  }
};

}  // namespace

double signed_area(std::span<const FlatCorner> corners) {
  double twice = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const FlatCorner &a = corners[i], &b = corners[i + 1 == corners.size() ? 0 : i + 1];
    twice += double{a[0]} * b[1] - double{b[0]} * a[1];
  }
  return 0.5 * twice;
}

std::optional<std::vector<std::array<int, 3>>> clip_ears(std::span<const FlatCorner> corners) {
  std::vector<std::array<int, 3>> triangles;
  if (corners.size() < 3) return std::nullopt;
  Rest rest{corners, std::vector<int>(corners.size()), signed_area(corners) < 0 ? -1.0 : 1.0};
  std::iota(rest.index.begin(), rest.index.end(), 0);
  while (rest.index.size() > 3) {
    const std::optional<std::size_t> ear = rest.find_ear();
    if (!ear) return std::nullopt;
    const std::size_t n = rest.index.size();
    triangles.push_back({rest.index[(*ear + n - 1) % n], rest.index[*ear], rest.index[(*ear + 1) % n]});
    rest.index.erase(rest.index.begin() + static_cast<std::ptrdiff_t>(*ear));
  }
  triangles.push_back({rest.index[0], rest.index[1], rest.index[2]});
  return triangles;
}

}  // namespace riffle
