#include "sim/meshes/triangle_tree.h"

#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/math/cross_product.h"

namespace riffle {

namespace {

constexpr std::uint32_t kLeaf = 4;       // triangles
constexpr std::uint32_t kAlone = 20000;  // fewer triangles are sorted in one thread
constexpr double kFar = 2.5;             // [radii] of a group
constexpr int kDepth = 64;

std::uint32_t nodes_for(std::uint32_t count) {
  return count <= kLeaf ? 1 : 1 + nodes_for(count / 2) + nodes_for(count - count / 2);
}

Vec3 least(Vec3 a, Vec3 b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
Vec3 most(Vec3 a, Vec3 b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

/// The point of a triangle that is nearest to the origin (Ericson 2004).
Vec3 nearest_to_origin(Vec3 a, Vec3 b, Vec3 c) {
  const Vec3 ab = b - a, ac = c - a;
  const float d1 = -dot(ab, a), d2 = -dot(ac, a);
  if (d1 <= 0 && d2 <= 0) return a;
  const float d3 = -dot(ab, b), d4 = -dot(ac, b);
  if (d3 >= 0 && d4 <= d3) return b;
  const float vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + (d1 / (d1 - d3)) * ab;
  const float d5 = -dot(ab, c), d6 = -dot(ac, c);
  if (d6 >= 0 && d5 <= d6) return c;
  const float vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + (d2 / (d2 - d6)) * ac;
  const float va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b);
  const float sum = va + vb + vc;
  if (!(sum > 0)) return a;
  return a + (vb / sum) * ab + (vc / sum) * ac;
}

inline float outside2(const Vec3& low, const Vec3& high, const Vec3& x) {
  const auto beyond = [](float low, float high, float x) { return std::max(std::max(low - x, x - high), 0.0f); };
  const float dx = beyond(low.x, high.x, x.x), dy = beyond(low.y, high.y, x.y), dz = beyond(low.z, high.z, x.z);
  return dx * dx + dy * dy + dz * dz;
}

/// Twice the tangent's angle of van Oosterom and Strackee 1983; a, b, c from the place.
double solid_angle(Vec3 a, Vec3 b, Vec3 c) {
  const double la = std::sqrt(double{length2(a)}), lb = std::sqrt(double{length2(b)}),
               lc = std::sqrt(double{length2(c)});
  const double top = dot(a, cross_product(b, c));
  const double below = la * lb * lc + double{dot(a, b)} * lc + double{dot(b, c)} * la + double{dot(c, a)} * lb;
  return 2 * std::atan2(top, below);
}

}  // namespace

TriangleTree::TriangleTree(const IndexedMesh& mesh) {
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  if (count == 0) return;
  std::vector<Vec3> middles(count);
  triangle_.resize(count);
  corners_.resize(count);
  std::iota(triangle_.begin(), triangle_.end(), 0u);
  for (std::uint32_t t = 0; t < count; ++t)
    middles[t] = (1 / 3.0f) * (mesh.vertex(t, 0) + mesh.vertex(t, 1) + mesh.vertex(t, 2));
  nodes_.resize(nodes_for(count));
  dipoles_.resize(nodes_.size());
  build(0, 0, count, middles, mesh);
}

void TriangleTree::build(std::uint32_t index, std::uint32_t first, std::uint32_t count,
                         const std::vector<Vec3>& middles, const IndexedMesh& mesh) {
  Node& node = nodes_[index];
  if (count <= kLeaf) {
    node.link = first;
    node.count = count;
    for (std::uint32_t k = first; k < first + count; ++k)
      corners_[k] = {mesh.vertex(triangle_[k], 0), mesh.vertex(triangle_[k], 1), mesh.vertex(triangle_[k], 2)};
  } else {
    Vec3 low = middles[triangle_[first]], high = low;
    for (std::uint32_t k = first; k < first + count; ++k)
      low = least(low, middles[triangle_[k]]), high = most(high, middles[triangle_[k]]);
    const Vec3 extent = high - low;
    const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
    const std::uint32_t half = count / 2;
    const auto begin = triangle_.begin() + first;
    std::nth_element(begin, begin + half, begin + count, [&](std::uint32_t a, std::uint32_t b) {
      const float at = component(middles[a], axis), other = component(middles[b], axis);
      return at != other ? at < other : a < b;
    });
    node.link = index + 1 + nodes_for(half);
    const auto left = [&] { build(index + 1, first, half, middles, mesh); };
    const auto right = [&] { build(nodes_[index].link, first + half, count - half, middles, mesh); };
    if (count > kAlone)
      tbb::parallel_invoke(left, right);
    else
      left(), right();
  }
  node.low = least(least(corners_[first].a, corners_[first].b), corners_[first].c), node.high = node.low;
  double area = 0, center[3] = {0, 0, 0}, dipole[3] = {0, 0, 0};
  const auto add = [&](Vec3 low, Vec3 high, double weight, Vec3 at, Vec3 normal) {
    node.low = least(node.low, low), node.high = most(node.high, high);
    area += weight;
    for (int a = 0; a < 3; ++a) center[a] += weight * component(at, a), dipole[a] += component(normal, a);
  };
  if (node.count > 0) {
    for (std::uint32_t k = first; k < first + count; ++k) {
      const auto [a, b, c] = corners_[k];
      const Vec3 normal = 0.5f * cross_product(b - a, c - a);
      add(least(least(a, b), c), most(most(a, b), c), std::sqrt(double{length2(normal)}), (1 / 3.0f) * (a + b + c),
          normal);
    }
  } else {
    for (const std::uint32_t child : {index + 1, node.link})
      add(nodes_[child].low, nodes_[child].high, dipoles_[child].area, dipoles_[child].center, dipoles_[child].sum);
  }
  Dipole& all = dipoles_[index];
  const double scale = area > 0 ? 1 / area : 0;
  all.center = area > 0 ? Vec3{static_cast<float>(center[0] * scale), static_cast<float>(center[1] * scale),
                               static_cast<float>(center[2] * scale)}
                        : 0.5f * (node.low + node.high);
  all.sum = {static_cast<float>(dipole[0]), static_cast<float>(dipole[1]), static_cast<float>(dipole[2])};
  all.area = static_cast<float>(area);
  all.far2 = static_cast<float>(kFar * kFar * double{length2(most(node.high - all.center, all.center - node.low))});
}

double TriangleTree::winding(Vec3 place) const {
  if (nodes_.empty()) return 0;
  double angle = 0;
  std::uint32_t stack[kDepth];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const std::uint32_t index = stack[--top];
    const Node& node = nodes_[index];
    const Dipole& dipole = dipoles_[index];
    const Vec3 way = dipole.center - place;
    const float d2 = length2(way);
    if (d2 > dipole.far2) {
      angle += dot(way, dipole.sum) / (double{d2} * std::sqrt(double{d2}));
    } else if (node.count > 0) {
      for (std::uint32_t k = node.link; k < node.link + node.count; ++k)
        angle += solid_angle(corners_[k].a - place, corners_[k].b - place, corners_[k].c - place);
    } else {
      stack[top++] = node.link;
      stack[top++] = index + 1;
    }
  }
  return angle / (4 * std::numbers::pi);
}

inline void TriangleTree::try_triangle(std::uint32_t k, Vec3 place, Nearest& best) const {
  const Vec3 way = nearest_to_origin(corners_[k].a - place, corners_[k].b - place, corners_[k].c - place);
  const float d2 = length2(way);
  if (d2 < best.distance2) best = {d2, triangle_[k], way, k};
}

TriangleTree::Nearest TriangleTree::nearest(Vec3 place, float within2, std::uint32_t guess) const {
  Nearest best{within2, kNone, {}, kNone};
  if (nodes_.empty()) return best;
  if (guess != kNone) try_triangle(guess, place, best);
  struct Open {
    std::uint32_t node;
    float distance2;
  };
  Open stack[kDepth];
  int top = 0;
  Open at{0, outside2(nodes_[0].low, nodes_[0].high, place)};
  for (;;) {
    if (at.distance2 < best.distance2) {
      const Node& node = nodes_[at.node];
      if (node.count == 0) {
        Open near{at.node + 1, outside2(nodes_[at.node + 1].low, nodes_[at.node + 1].high, place)};
        Open far{node.link, outside2(nodes_[node.link].low, nodes_[node.link].high, place)};
        if (far.distance2 < near.distance2) std::swap(near, far);
        if (far.distance2 < best.distance2) stack[top++] = far;
        at = near;
        continue;
      }
      for (std::uint32_t k = node.link; k < node.link + node.count; ++k) try_triangle(k, place, best);
    }
    if (top == 0) return best;
    at = stack[--top];
  }
}

}  // namespace riffle
