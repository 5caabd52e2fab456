#include "sim/bodies/geometry/contact_surface.h"

#include <algorithm>
#include <map>
#include <numbers>
#include <numeric>

namespace riffle::bodies {

namespace {

constexpr int kLeaf = 4;
constexpr double kFlat = 1e-6;  // [rad] between two facets in one plane
constexpr double kDeepest =
    0.5;  // [spacings] behind a facet from which a body that does not pass through it is beyond it
constexpr double kSameWay = 0.1;  // [spacings] by which a way out may be longer than the shortest one
constexpr double kOnSurface =
    1e-3;  // [spacings] from it, where the facet's normal is better than the way to the nearest place

D3 normal_of(const std::vector<D3>& corners) {
  if (corners.size() == 2) return unit(D3{corners[1].y - corners[0].y, corners[0].x - corners[1].x, 0});
  return unit(cross(corners[1] - corners[0], corners[2] - corners[0]));
}

}  // namespace

ContactSurface::ContactSurface(std::vector<D3> vertices, const std::vector<Facet>& facets, int dimension,
                               double between)
    : dimension_(dimension), places_(vertices) {
  std::map<std::vector<int>, std::vector<std::pair<int, int>>>
      shared;  // facet and side of each edge (in 2-D of each end)
  IndexedMesh mesh;
  for (const D3& v : vertices)
    mesh.vertices.push_back({static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
  for (const Facet& facet : facets) {
    std::vector<D3> corners;
    for (const int v : facet.corners) corners.push_back(vertices[static_cast<std::size_t>(v)]);
    const D3 normal = normal_of(corners);
    if (!(length(normal) > 0.5)) continue;  // no area
    const int index = static_cast<int>(corners_.size());
    std::vector<Side>& sides = sides_.emplace_back();
    Bounds3 bounds;
    for (const D3& corner : corners) bounds.add(corner);
    const int n = static_cast<int>(corners.size());
    for (int k = 0; k < n; ++k) {
      const int a = facet.corners[static_cast<std::size_t>(k)],
                b = facet.corners[static_cast<std::size_t>((k + 1) % n)];
      Side side;
      if (n == 2) {
        side.beside = unit(corners[static_cast<std::size_t>(k)] - corners[static_cast<std::size_t>(1 - k)]);
        shared[{a}].push_back({index, k});
      } else {
        side.beside =
            unit(cross(corners[static_cast<std::size_t>((k + 1) % n)] - corners[static_cast<std::size_t>(k)], normal));
        shared[{std::min(a, b), std::max(a, b)}].push_back({index, k});
      }
      side.angle = 0.5 * std::numbers::pi;  // of an edge that has no other facet
      sides.push_back(side);
    }
    normals_.push_back(normal);
    bounds_.push_back(bounds);
    middles_.push_back(0.5 * (bounds.low + bounds.high));
    if (n == 3)
      mesh.triangles.push_back({static_cast<std::uint32_t>(facet.corners[0]),
                                static_cast<std::uint32_t>(facet.corners[1]),
                                static_cast<std::uint32_t>(facet.corners[2])});
    corners_.push_back(std::move(corners));
  }
  for (const auto& [edge, users] : shared) {
    if (users.size() == 2)
      for (const auto& [own, other] : {std::pair(users[0], users[1]), std::pair(users[1], users[0])}) {
        Side& side = sides_[static_cast<std::size_t>(own.first)][static_cast<std::size_t>(own.second)];
        const D3 n = normals_[static_cast<std::size_t>(own.first)], m = normals_[static_cast<std::size_t>(other.first)];
        side.angle = std::max(0.0, std::atan2(dot(m, side.beside), dot(m, n)));
      }
    if (edge.size() == 2) {
      const D3 a = vertices[static_cast<std::size_t>(edge[0])], b = vertices[static_cast<std::size_t>(edge[1])];
      const int pieces = std::min(64, static_cast<int>(std::ceil(length(b - a) / between)));
      for (int k = 1; k < pieces; ++k) places_.push_back(a + double(k) / pieces * (b - a));
    }
  }
  for (const std::vector<D3>& ends : corners_) {
    if (dimension == 3) break;
    const D3 a = ends[0], b = ends[1];
    const int pieces = std::min(64, static_cast<int>(std::ceil(length(b - a) / between)));
    for (int k = 1; k < pieces; ++k) places_.push_back(a + double(k) / pieces * (b - a));
  }
  if (dimension == 3) tree_ = std::make_unique<TriangleTree>(mesh);
  order_.resize(corners_.size());
  std::iota(order_.begin(), order_.end(), 0);
  if (!order_.empty()) build(0, static_cast<int>(order_.size()));
}

void ContactSurface::build(int first, int count) {
  const std::size_t node = nodes_.size();
  nodes_.emplace_back();
  Bounds3 bounds;
  for (int k = first; k < first + count; ++k) {
    const Bounds3& b = bounds_[static_cast<std::size_t>(order_[static_cast<std::size_t>(k)])];
    bounds.add(b.low), bounds.add(b.high);
  }
  nodes_[node].bounds = bounds;
  if (count <= kLeaf) {
    nodes_[node].link = first, nodes_[node].count = count;
    return;
  }
  const D3 size = bounds.high - bounds.low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const int half = count / 2;
  std::nth_element(
      order_.begin() + first, order_.begin() + first + half, order_.begin() + first + count, [&](int a, int b) {
        const double x = middles_[static_cast<std::size_t>(a)][axis], y = middles_[static_cast<std::size_t>(b)][axis];
        return x != y ? x < y : a < b;
      });
  build(first, half);
  nodes_[node].link = static_cast<int>(nodes_.size());
  build(first + half, count - half);
}

template <class Visit>
void ContactSurface::for_each_near(const Bounds3& bounds, double reach, const Visit& visit) const {
  std::vector<std::size_t> open;
  if (!nodes_.empty()) open.push_back(0);
  while (!open.empty()) {
    const std::size_t k = open.back();
    open.pop_back();
    const Node& node = nodes_[k];
    if (!node.bounds.meets(bounds, reach)) continue;
    if (node.count == 0) {
      open.push_back(static_cast<std::size_t>(node.link));
      open.push_back(k + 1);
      continue;
    }
    for (int i = node.link; i < node.link + node.count; ++i) {
      const auto facet = static_cast<std::size_t>(order_[static_cast<std::size_t>(i)]);
      if (bounds_[facet].meets(bounds, reach)) visit(facet);
    }
  }
}

/// The normal, or the one of those that are allowed that is nearest to it.
D3 ContactSurface::allowed(std::size_t facet, D3 normal, bool& changed) const {
  const D3 own = normals_[facet];
  const double up = dot(normal, own);
  const Side* over = nullptr;
  double most = 1e-9;
  for (const Side& side : sides_[facet])
    if (const double s = dot(normal, side.beside); s > most) {
      most = s;
      over = &side;
    }
  changed = false;
  if (over == nullptr) {
    changed = up < 1 - 1e-12;
    return own;
  }
  if (std::atan2(most, up) <= over->angle + 1e-6) return normal;
  changed = true;
  return std::cos(over->angle) * own + std::sin(over->angle) * over->beside;
}

void ContactSurface::contacts(const ConvexPiece& body, const Place& at_body, const Bounds3& bounds,
                              const Place& at_surface, double reach, std::vector<ContactPoint>& out) const {
  Bounds3 local;
  for (int corner = 0; corner < 8; ++corner)
    local.add(at_surface.into({corner & 1 ? bounds.high.x : bounds.low.x, corner & 2 ? bounds.high.y : bounds.low.y,
                               corner & 4 ? bounds.high.z : bounds.low.z}));
  for_each_near(local, reach, [&](std::size_t k) {
    const ConvexPiece facet = ConvexPiece::facet(corners_[k], normals_[k]);
    const D3 up = at_surface.turned(normals_[k]);
    const double above = gap_along(body, at_body, facet, at_surface, up);
    if (above > reach) return;
    const bool flat =
        std::all_of(sides_[k].begin(), sides_[k].end(), [](const Side& side) { return side.angle < kFlat; });
    if (flat && above >= -kDeepest) {  // among its neighbours no other normal is possible
      contacts_along(body, at_body, facet, at_surface, up, nullptr, reach, out);
      return;
    }
    const CoreGap gap = gap_between(body.core(), at_body, facet.core(), at_surface);
    D3 normal = gap.known ? gap.normal : at_surface.turned(normals_[k]);
    if (dimension_ == 2) normal.z = 0;
    if (length(normal) == 0) normal = at_surface.turned(normals_[k]);
    normal = unit(normal);
    double longest = kDeepest;  // way along the contact's normal
    if (!gap.apart) {
      normal = shortest_way(body, at_body, facet, at_surface, normal);
      // Where the body has entered over an edge that this facet does not have, the facets at that edge know the way out.
      longest = kSameWay - gap_along(body, at_body, facet, at_surface, normal);
    }
    D3 into = at_surface.turned_back(normal);
    if (gap.apart && dot(into, normals_[k]) < 0) return;  // the body is behind it
    if (!gap.apart && dot(into, normals_[k]) < 0) into = normals_[k];
    bool changed = false;
    into = facet.snapped(into);
    into = allowed(k, into, changed);
    normal = at_surface.turned(into);
    if (gap_along(body, at_body, facet, at_surface, normal) < -longest) return;
    contacts_along(body, at_body, facet, at_surface, normal, changed ? nullptr : &gap.middle, reach, out);
  });
}

void ContactSurface::contacts(const ContactSurface& other, const Place& at_other, const Place& at_surface, double reach,
                              std::vector<ContactPoint>& out) const {
  if (nodes_.empty()) return;
  for (const D3& place : other.places_) {
    const D3 x = at_other.out(place), local = at_surface.into(x);
    Bounds3 at;
    at.add(local);
    if (!nodes_[0].bounds.meets(at, reach)) continue;
    double distance = 0;
    D3 way, facet_normal;
    if (dimension_ == 3) {
      const Vec3 v{static_cast<float>(local.x), static_cast<float>(local.y), static_cast<float>(local.z)};
      const TriangleTree::Nearest nearest = tree_->nearest(v);
      if (nearest.triangle == TriangleTree::kNone) continue;
      facet_normal = normals_[nearest.triangle];
      distance = std::sqrt(double{nearest.distance2});
      if (distance > kOnSurface && tree_->winding(v) > 0.5) distance = -distance;
      way = d3(nearest.way);
    } else {
      double least = 1e300;
      bool inside = false;
      for (std::size_t k = 0; k < corners_.size(); ++k) {
        const D3 a = corners_[k][0], b = corners_[k][1];
        const D3 u = b - a;
        const double t = std::clamp(dot(local - a, u) / dot(u, u), 0.0, 1.0);
        const D3 to = a + t * u - local;
        if (dot(to, to) < least) least = dot(to, to), way = to, facet_normal = normals_[k];
        if ((a.y > local.y) != (b.y > local.y) && local.x < a.x + (local.y - a.y) * (b.x - a.x) / (b.y - a.y))
          inside = !inside;
      }
      distance = inside ? -std::sqrt(least) : std::sqrt(least);
    }
    if (distance > reach) continue;
    D3 normal = facet_normal;
    if (std::fabs(distance) > kOnSurface)
      normal = unit(distance > 0 ? -way : way);
    else
      distance = -dot(way, facet_normal);
    normal = at_surface.turned(normal);
    out.push_back({x - 0.5 * distance * normal, normal, distance});
  }
}

}  // namespace riffle::bodies
