#include "face_triangles.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace riffle {

namespace {

struct Place {
  double x, y;
  friend bool operator==(const Place&, const Place&) = default;
};

/// Twice the area of the triangle, above 0 if it is counter-clockwise. Coordinates of files are of 24 bits, so that
/// differences and products of nearby ones have no rounding.
double turn(const Place& a, const Place& b, const Place& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The corners as seen along the axis that the face's normal is nearest to, counter-clockwise.
/// @return false if the face has no area
bool flattened(const std::vector<std::array<double, 3>>& corners, std::vector<Place>& places) {
  std::array<double, 3> normal{};  // Newell's sum over edges, from the first corner
  const std::array<double, 3>& origin = corners[0];
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const std::array<double, 3>&p = corners[i], &q = corners[(i + 1) % corners.size()];
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
      normal[a] += (p[b] - origin[b]) * (q[c] - origin[c]) - (p[c] - origin[c]) * (q[b] - origin[b]);
    }
  }
  std::size_t axis = 0;
  for (std::size_t a = 1; a < 3; ++a)
    if (std::fabs(normal[a]) > std::fabs(normal[axis])) axis = a;
  if (!(std::fabs(normal[axis]) > 0)) return false;
  std::size_t right = (axis + 1) % 3, up = (axis + 2) % 3;
  if (normal[axis] < 0) std::swap(right, up);
  for (const std::array<double, 3>& corner : corners) places.push_back({corner[right], corner[up]});
  return true;
}

/// The corners that are left, in a ring.
class Ring {
 public:
  /// @param rounding  by which the file's decimals may have moved a corner
  Ring(const std::vector<Place>& places, double rounding)
      : left(places.size()), places_(places), rounding_(rounding), next_(left), before_(left), gone_(left) {
    const auto count = static_cast<std::uint32_t>(left);
    for (std::uint32_t i = 0; i < count; ++i) {
      next_[i] = i + 1 < count ? i + 1 : 0;
      before_[i] = i > 0 ? i - 1 : count - 1;
    }
  }

  std::size_t left;  ///< corners

  std::uint32_t next(std::uint32_t i) const { return next_[i]; }
  std::uint32_t before(std::uint32_t i) const { return before_[i]; }
  bool gone(std::uint32_t i) const { return gone_[i]; }

  void remove(std::uint32_t i) {
    next_[before_[i]] = next_[i];
    before_[next_[i]] = before_[i];
    gone_[i] = true;
    --left;
  }

  bool convex(std::uint32_t i) const { return turn(places_[before_[i]], places_[i], places_[next_[i]]) > 0; }
  bool clearly_convex(std::uint32_t i) const {
    return turn(places_[before_[i]], places_[i], places_[next_[i]]) > slack_at(i);
  }

  /// Whether the edges at the corner lie on each other, or one of them has no length: its triangle has no area.
  bool spike(std::uint32_t i) const {
    const Place a = places_[before_[i]], b = places_[i], c = places_[next_[i]];
    return a == c || a == b || b == c;
  }

  /// Whether the triangle at a convex corner lies within the face: no other corner is in it or on its edge, and no edge
  /// goes across its third side. Corners at the place of one of its own are those of an edge that is gone along twice.
  bool ear(std::uint32_t i) const {
    const Place a = places_[before_[i]], b = places_[i], c = places_[next_[i]];
    const double least = -slack_at(i);
    for (std::uint32_t j = next_[next_[i]]; j != before_[i]; j = next_[j]) {
      const Place p = places_[j];
      if (p == a || p == b || p == c) continue;
      if (turn(a, b, p) >= least && turn(b, c, p) >= least && turn(c, a, p) >= least) return false;
    }
    for (std::uint32_t j = next_[i]; j != before_[i]; j = next_[j]) {
      const Place p = places_[j], q = places_[next_[j]];
      if (p == a || p == c || q == a || q == c) continue;
      if ((turn(a, c, p) > 0) != (turn(a, c, q) > 0) && (turn(p, q, a) > 0) != (turn(p, q, c) > 0)) return false;
    }
    return true;
  }

 private:
  /// turn() of three corners on a line, as rounding may have moved them.
  double slack_at(std::uint32_t i) const {
    const Place a = places_[before_[i]], b = places_[i], c = places_[next_[i]];
    const auto length = [](const Place& p, const Place& q) { return std::hypot(q.x - p.x, q.y - p.y); };
    return rounding_ * std::max({length(a, b), length(b, c), length(c, a)});
  }

  const std::vector<Place>& places_;
  double rounding_;
  std::vector<std::uint32_t> next_, before_;
  std::vector<bool> gone_;
};

/// Of single precision, three of the largest coordinate.
double rounding_of(const std::vector<Place>& places) {
  double largest = 0;
  for (const Place& place : places) largest = std::max({largest, std::fabs(place.x), std::fabs(place.y)});
  return 3 * 6e-8 * largest;
}

}  // namespace

std::vector<std::array<std::uint32_t, 3>> triangles_of_face(const std::vector<std::array<double, 3>>& corners) {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  if (corners.size() < 3) return triangles;
  std::vector<Place> places;
  if (corners.size() == 3 || !flattened(corners, places)) {
    for (std::uint32_t i = 2; i < corners.size(); ++i) triangles.push_back({0, i - 1, i});
    return triangles;
  }
  Ring ring(places, rounding_of(places));
  std::vector<std::uint32_t> may_be_spikes;
  const auto cut = [&](std::uint32_t i) {
    triangles.push_back({ring.before(i), i, ring.next(i)});
    may_be_spikes.insert(may_be_spikes.end(), {ring.before(i), ring.next(i)});
    ring.remove(i);
  };
  // A triangle across the two edges of a spike would lie outside the face, so spikes go first.
  const auto cut_spikes = [&] {
    while (!may_be_spikes.empty() && ring.left > 3) {
      const std::uint32_t i = may_be_spikes.back();
      may_be_spikes.pop_back();
      if (!ring.gone(i) && ring.spike(i)) cut(i);
    }
  };
  for (std::uint32_t i = 0; i < corners.size(); ++i) may_be_spikes.push_back(i);
  cut_spikes();
  std::uint32_t at = 1;  // of a convex face with four corners the diagonal goes through the first one
  while (ring.gone(at)) ++at;
  for (std::size_t tried = 0; ring.left > 3;) {
    const std::size_t round = tried / ring.left;
    // Without an ear that rounding cannot have made, one that it may have; without any, edges cross: then any convex corner
    // will do, and without one of those any corner.
    const bool found = round == 0   ? ring.clearly_convex(at) && ring.ear(at)
                       : round == 1 ? ring.convex(at) && ring.ear(at)
                       : round == 2 ? ring.convex(at)
                                    : true;
    if (!found) {
      ++tried;
      at = ring.next(at);
      continue;
    }
    const std::uint32_t removed = at;
    cut(at);
    cut_spikes();
    tried = 0;
    // The next triangle is cut elsewhere, as triangles that all meet in one corner are slender.
    at = ring.next(removed);
    while (ring.gone(at)) at = ring.next(at);
    if (ring.left > 3) at = ring.next(at);
  }
  while (ring.gone(at)) ++at;
  triangles.push_back({ring.before(at), at, ring.next(at)});
  return triangles;
}

}  // namespace riffle
