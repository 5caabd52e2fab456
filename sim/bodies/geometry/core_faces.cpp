#include "sim/bodies/geometry/core_faces.h"

namespace riffle::bodies {

namespace {

constexpr double kApart = 1e-9;               // least gap
constexpr double kNearlyItsOwn = 1 - 0.5e-4;  // cosine of a hundredth

/// A vertex before a face, in the frame of the face's core.
struct Before {
  std::size_t face = 0;
  D3 vertex;
  double gap = 0;
};

bool within(const CoreFaces& core, std::size_t face, D3 x) {
  const std::vector<int>& corners = core.faces[face];
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const D3 from = core.vertices[static_cast<std::size_t>(corners[k])],
             to = core.vertices[static_cast<std::size_t>(corners[(k + 1) % corners.size()])];
    if (dot(cross(core.normals[face], to - from), x - from) < 0) return false;
  }
  return true;
}

/// The face of `core` from which `other` is furthest, and a foremost vertex that is before it.
std::optional<Before> face_before(const CoreFaces& core, const Place& at_core, const CoreFaces& other,
                                  const Place& at_other) {
  if (core.faces.empty()) return std::nullopt;
  // x = turn X + shift takes the other core's vertices into this one's frame.
  double turn[9];
  for (int k = 0; k < 3; ++k)
    for (int m = 0; m < 3; ++m)
      turn[3 * k + m] = at_core.turn[k] * at_other.turn[m] + at_core.turn[3 + k] * at_other.turn[3 + m] +
                        at_core.turn[6 + k] * at_other.turn[6 + m];
  const D3 shift = at_core.into(at_other.shift);
  constexpr std::size_t kFours = CoreFaces::kMost / kLanes;
  Lanes3 vertices[kFours];
  const std::size_t fours = other.fours.size();
  for (std::size_t k = 0; k < fours; ++k) {
    const Lanes3& v = other.fours[k];
    vertices[k] = {turn[0] * v.x + turn[1] * v.y + turn[2] * v.z + shift.x,
                   turn[3] * v.x + turn[4] * v.y + turn[5] * v.z + shift.y,
                   turn[6] * v.x + turn[7] * v.y + turn[8] * v.z + shift.z};
  }
  const auto along = [&](std::size_t f, std::size_t k) {
    const D3 n = core.normals[f];
    return n.x * vertices[k].x + n.y * vertices[k].y + n.z * vertices[k].z;
  };
  Before best;
  for (std::size_t f = 0; f < core.faces.size(); ++f) {
    Lanes nearest = along(f, 0);
    for (std::size_t k = 1; k < fours; ++k) nearest = smaller(nearest, along(f, k));
    const double gap = -largest_of(-nearest) - core.offsets[f];
    if (f == 0 || gap > best.gap) best.face = f, best.gap = gap;
  }
  if (!(best.gap > kApart)) return std::nullopt;
  for (std::size_t k = 0; k < fours; ++k) {
    const Lanes gaps = along(best.face, k) - core.offsets[best.face];
    for (int l = 0; l < kLanes; ++l) {
      best.vertex = vertices[k].at(l);
      if (gaps[l] <= best.gap && within(core, best.face, best.vertex)) return best;
    }
  }
  return std::nullopt;
}

}  // namespace

void CoreFaces::straighten(std::span<const D3> given) {
  for (std::size_t f = 0; f < normals.size(); ++f) {
    double nearest = kNearlyItsOwn;
    D3 normal = normals[f];
    for (const D3& n : given)
      if (const double c = dot(n, normals[f]); c > nearest) nearest = c, normal = n;
    normals[f] = normal;
    offsets[f] = dot(normal, vertices[static_cast<std::size_t>(faces[f][0])]);
    for (const int v : faces[f]) offsets[f] = std::max(offsets[f], dot(normal, vertices[static_cast<std::size_t>(v)]));
  }
}

CoreFaces::CoreFaces(std::vector<D3> given, std::vector<std::vector<int>> corners) {
  if (given.size() > kMost || corners.size() > kMost) return;
  vertices = std::move(given);
  fours.resize((vertices.size() + kLanes - 1) / kLanes);
  for (std::size_t k = 0; k < kLanes * fours.size(); ++k)
    fours[k / kLanes].set(static_cast<int>(k % kLanes), vertices[std::min(k, vertices.size() - 1)]);
  faces = std::move(corners);
  for (const std::vector<int>& face : faces) {
    const auto at = [&](std::size_t k) { return vertices[static_cast<std::size_t>(face[k])]; };
    D3 sum;
    for (std::size_t k = 1; k + 1 < face.size(); ++k) sum += cross(at(k) - at(0), at(k + 1) - at(0));
    normals.push_back(unit(sum));
    double offset = dot(normals.back(), at(0));
    for (std::size_t k = 1; k < face.size(); ++k) offset = std::max(offset, dot(normals.back(), at(k)));
    offsets.push_back(offset);
  }
}

std::optional<FaceGap> gap_by_faces(const CoreFaces& a, const Place& at_a, const CoreFaces& b, const Place& at_b) {
  if (a.empty() || b.empty()) return std::nullopt;
  if (a.vertices.size() == 1 && b.vertices.size() == 1) {
    const D3 on_a = at_a.out(a.vertices[0]), on_b = at_b.out(b.vertices[0]), way = on_a - on_b;
    if (!(length(way) > kApart)) return std::nullopt;
    return FaceGap{unit(way), 0.5 * (on_a + on_b), length(way)};
  }
  const auto gap_at = [](const CoreFaces& core, const Place& at, const Before& before, double side) {
    const D3 normal = at.turned(core.normals[before.face]);
    return FaceGap{side * normal, at.out(before.vertex) - 0.5 * before.gap * normal, before.gap};
  };
  // Where both have such a face, as two that lie flat on each other, the gaps are the same.
  if (const auto before = face_before(b, at_b, a, at_a)) return gap_at(b, at_b, *before, 1);
  if (const auto before = face_before(a, at_a, b, at_b)) return gap_at(a, at_a, *before, -1);
  return std::nullopt;
}

}  // namespace riffle::bodies
