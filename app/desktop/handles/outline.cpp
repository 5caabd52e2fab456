#include "app/desktop/handles/outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

#include "app/desktop/panels/marker.h"
#include "app/desktop/panels/scene_marks.h"
#include "core/math/cross_product.h"
#include "sim/meshes/surface.h"
#include "sim/meshes/triangle_mesh.h"
#include "sim/setup.h"
#include "sim/shapes/mesh.h"

namespace riffle::desktop {

namespace {

constexpr float kSharp = 0.82f;  // cosine of the angle between two faces, below which their edge is drawn
constexpr std::size_t kMostTriangles = 200000;  // of more the box around them is drawn

Vec3 unit(Vec3 v) {
  const float length = std::sqrt(length2(v));
  return length > 0 ? (1 / length) * v : Vec3{};
}

/// Edges of triangles whose corners have numbers.
std::vector<OutlineEdge> edges_between(const std::vector<Vec3>& corners, const std::vector<Triangle>& triangles) {
  std::unordered_map<std::uint64_t, std::size_t> known;
  std::vector<OutlineEdge> edges;
  for (const Triangle& t : triangles) {
    const Vec3 normal = unit(cross_product(corners[t[1]] - corners[t[0]], corners[t[2]] - corners[t[0]]));
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      const std::uint64_t key = (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
      const auto [at, is_new] = known.try_emplace(key, edges.size());
      if (is_new) {
        edges.push_back({corners[a], corners[b], normal, normal, true});
      } else {
        edges[at->second].right = normal;
        edges[at->second].always = dot(edges[at->second].left, normal) < kSharp;
      }
    }
  }
  return edges;
}

std::vector<OutlineEdge> box_edges(Vec3 low, Vec3 high) {
  std::vector<OutlineEdge> edges;
  const auto corner = [&](int k) {
    return Vec3{k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z};
  };
  for (int k = 0; k < 8; ++k)
    for (int bit = 1; bit < 8; bit *= 2)
      if ((k & bit) == 0) edges.push_back({corner(k), corner(k | bit)});
  return edges;
}

/// The domain, and more where the shape reaches beyond it: what is dragged out is drawn whole.
Domain around(const PlainShape& shape, Domain domain) {
  const Bounds bounds = bounds_of(shape);
  const auto widen = [](float& low, float& high, float from, float to) {
    const float edge = 0.01f * (high - low);
    if (std::isfinite(from)) low = std::min(low, from - edge);
    if (std::isfinite(to)) high = std::max(high, to + edge);
  };
  widen(domain.min.x, domain.max.x, bounds.min.x, bounds.max.x);
  widen(domain.min.y, domain.max.y, bounds.min.y, bounds.max.y);
  if (domain.dimension == 3) widen(domain.min.z, domain.max.z, bounds.min.z, bounds.max.z);
  return domain;
}

bool has_a_size(const PlainShape& shape) {
  switch (shape.shape) {
    case Shape::Sphere: return shape.radius > 0;
    case Shape::Cylinder:
    case Shape::Capsule: return shape.radius > 0 && !(shape.from == shape.to);
    case Shape::Box:
    case Shape::Plane:
    case Shape::Polygon:
    case Shape::Mesh: break;
  }
  return true;
}

std::vector<OutlineEdge> edges_of_shape(const PlainShape& shape, const Domain& domain) {
  if (!has_a_size(shape)) return {};
  if (shape.shape == Shape::Box && domain.dimension == 3) return box_edges(shape.min, shape.max);
  Region alone;
  static_cast<PlainShape&>(alone) = shape;
  const TriangleMesh mesh = mesh_of(alone, shape.shape == Shape::Plane ? domain : around(shape, domain));
  if (domain.dimension == 3) return edges_of(mesh);
  std::vector<OutlineEdge> edges;
  for (std::size_t k = 0; k + 1 < mesh.outline.size(); k += 2) edges.push_back({mesh.outline[k], mesh.outline[k + 1]});
  return edges;
}

}  // namespace

std::vector<OutlineEdge> edges_of(const TriangleMesh& mesh) {
  std::map<std::array<float, 3>, std::uint32_t> numbers;
  std::vector<Vec3> corners;
  std::vector<Triangle> triangles(mesh.triangles());
  for (std::size_t k = 0; k < 3 * mesh.triangles(); ++k) {
    const Vec3 at = mesh.corners[k].at;
    const auto [found, is_new] = numbers.try_emplace({at.x, at.y, at.z}, static_cast<std::uint32_t>(corners.size()));
    if (is_new) corners.push_back(at);
    triangles[k / 3][k % 3] = found->second;
  }
  return edges_between(corners, triangles);
}

std::vector<OutlineEdge> edges_of(const IndexedMesh& mesh) { return edges_between(mesh.vertices, mesh.triangles); }

/// The edges of the surface that the file has in the scene, and from there to where the entry is now.
std::vector<OutlineEdge> Outlines::of_file(const PlainShape& shape, const PlainShape& present) {
  if (!present.surface) return {};
  const auto same = [&](const FileEdges& file) { return file.surface == present.surface; };
  auto found = std::ranges::find_if(files_, same);
  if (found == files_.end()) {
    if (files_.size() >= 8) files_.erase(files_.begin());
    const MeshSurface& surface = *present.surface;
    const bool small = surface.mesh().triangles.size() <= kMostTriangles;
    files_.push_back({present.surface, present.placement,
                      small ? edges_of(surface.mesh()) : box_edges(surface.low(), surface.high())});
    found = files_.end() - 1;
  }
  const auto turn_of = [](const MeshPlacement& placement) {
    return placed(IndexedMesh{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}}, {{1, 1, 1}, placement.rotation, {}}).vertices;
  };
  const std::vector<Vec3> before = turn_of(found->placement), now = turn_of(shape.placement);
  const float factor = shape.placement.scale.x / found->placement.scale.x;
  const auto turned = [&](Vec3 v) {
    return dot(before[0], v) * now[0] + dot(before[1], v) * now[1] + dot(before[2], v) * now[2];
  };
  const auto moved = [&](Vec3 x) { return shape.placement.at + factor * turned(x - found->placement.at); };
  std::vector<OutlineEdge> edges = found->edges;
  for (OutlineEdge& edge : edges)
    edge = {moved(edge.from), moved(edge.to), turned(edge.left), turned(edge.right), edge.always};
  return edges;
}

const std::vector<OutlineEdge>& Outlines::of_shape(const PlainShape& shape, const Domain& domain) {
  for (const ShapeEdges& known : shapes_)
    if (known.shape == shape && known.domain.dimension == domain.dimension && known.domain.min == domain.min &&
        known.domain.max == domain.max)
      return known.edges;
  constexpr std::size_t kMost = 64;
  if (shapes_.size() >= kMost) shapes_.pop_front();
  shapes_.push_back({shape, domain, edges_of_shape(shape, domain)});
  return shapes_.back().edges;
}

void Outlines::draw(const scenes::PlacedEntry& entry, const SimulationSetup& setup, const PanelContext& context,
                    const PictureProjection& picture, ImU32 ink, float width) {
  if (const auto* inlet = std::get_if<InletSetup>(&entry.what)) {
    Marker marker(context);
    marker.draw_in(ink);
    return draw_inlet_mark(marker, setup, *inlet);
  }
  if (const auto* probe = std::get_if<ProbeSetup>(&entry.what)) {
    Marker marker(context);
    marker.draw_in(ink);
    return draw_probe_mark(marker, *probe, setup.domain.dimension);
  }
  const Region& region = *scenes::region_of(entry);
  const Region* present = nullptr;  // as the scene has it, where the files are read
  if (entry.path.list == "solids" && entry.path.index < setup.solid_regions.size())
    present = &setup.solid_regions[entry.path.index];
  std::vector<OutlineEdge> edges;
  const auto add = [&](const PlainShape& shape, const PlainShape* as_it_is) {
    if (shape.shape == Shape::Mesh && !as_it_is) return;
    const std::vector<OutlineEdge> more =
        shape.shape == Shape::Mesh ? of_file(shape, *as_it_is) : of_shape(shape, setup.domain);
    edges.insert(edges.end(), more.begin(), more.end());
  };
  add(region, present);
  for (std::size_t k = 0; k < region.with.size(); ++k)
    add(region.with[k], present && k < present->with.size() ? &present->with[k] : nullptr);
  for (const PlainShape& hole : region.without) add(hole, nullptr);
  ImDrawList* draw = ImGui::GetBackgroundDrawList();
  const ScreenArea& area = picture.area;
  draw->PushClipRect({area.x, area.y}, {area.x + area.width, area.y + area.height}, true);
  for (const OutlineEdge& edge : edges) {
    if (!edge.always) {
      const Vec3 sight = picture.line_of_sight(edge.from);
      if ((dot(edge.left, sight) < 0) == (dot(edge.right, sight) < 0)) continue;
    }
    const auto a = picture.pixel(edge.from), b = picture.pixel(edge.to);
    if (a && b) draw->AddLine(*a, *b, ink, width);
  }
  draw->PopClipRect();
}

}  // namespace riffle::desktop
