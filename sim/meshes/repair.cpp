#include "sim/meshes/repair.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "core/math/cross_product.h"
#include "sim/meshes/triangle_tree.h"

namespace riffle {

namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

struct Cell {
  std::int64_t x, y, z;
  friend bool operator==(const Cell&, const Cell&) = default;
};
struct CellHash {
  std::size_t operator()(const Cell& c) const {
    return static_cast<std::size_t>(c.x * 73856093) ^ static_cast<std::size_t>(c.y * 19349663) ^
           static_cast<std::size_t>(c.z * 83492791);
  }
};

IndexedMesh welded(const IndexedMesh& mesh, std::size_t& dropped) {
  Vec3 low = mesh.vertices.empty() ? Vec3{} : mesh.vertices[0], high = low;
  for (const Vec3& v : mesh.vertices) {
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  const Vec3 extent = high - low;
  const double merge = std::max(1e-6 * double{std::max({extent.x, extent.y, extent.z})}, 1e-30);
  // A cell is four times as wide as what merges; a vertex looks into the cells around it that it may merge with.
  const double width = 4 * merge;
  std::unordered_map<Cell, std::vector<std::uint32_t>, CellHash> cells;
  cells.reserve(mesh.vertices.size());
  IndexedMesh result;
  std::vector<std::uint32_t> name(mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3 v = mesh.vertices[i];
    const double at[3] = {(double{v.x} - low.x) / width, (double{v.y} - low.y) / width, (double{v.z} - low.z) / width};
    const auto from = [&](int a) { return static_cast<std::int64_t>(std::floor(at[a] - 0.25)); };
    const auto to = [&](int a) { return static_cast<std::int64_t>(std::floor(at[a] + 0.25)); };
    std::uint32_t found = kNone;
    for (std::int64_t x = from(0); x <= to(0); ++x)
      for (std::int64_t y = from(1); y <= to(1); ++y)
        for (std::int64_t z = from(2); z <= to(2); ++z) {
          const auto cell = cells.find({x, y, z});
          if (cell == cells.end()) continue;
          for (const std::uint32_t other : cell->second)
            if (double{length2(result.vertices[other] - v)} <= merge * merge) found = std::min(found, other);
        }
    if (found == kNone) {
      found = static_cast<std::uint32_t>(result.vertices.size());
      result.vertices.push_back(v);
      cells[{static_cast<std::int64_t>(std::floor(at[0])), static_cast<std::int64_t>(std::floor(at[1])),
             static_cast<std::int64_t>(std::floor(at[2]))}]
          .push_back(found);
    }
    name[i] = found;
  }
  for (const Triangle& t : mesh.triangles) {
    const Triangle renamed{name[t[0]], name[t[1]], name[t[2]]};
    const Vec3 a = result.vertices[renamed[0]],
               n = cross_product(result.vertices[renamed[1]] - a, result.vertices[renamed[2]] - a);
    const bool flat =
        renamed[0] == renamed[1] || renamed[1] == renamed[2] || renamed[2] == renamed[0] || !(length2(n) > 0);
    flat ? void(++dropped) : result.triangles.push_back(renamed);
  }
  return result;
}

/// An edge of a triangle. Edges of the same two vertices lie next to each other when sorted.
struct Edge {
  std::uint32_t low, high, triangle;
  bool upwards;  ///< the triangle goes along it from the lower vertex to the higher
};

std::vector<Edge> sorted_edges(const IndexedMesh& mesh) {
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), static_cast<std::uint32_t>(t), a < b});
    }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  return edges;
}

template <class Visit>
void for_each_edge(const std::vector<Edge>& edges, const Visit& visit) {
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t j = i + 1;
    while (j < edges.size() && edges[j].low == edges[i].low && edges[j].high == edges[i].high) ++j;
    visit(i, j);
    i = j;
  }
}

double volume_of(const IndexedMesh& mesh, const std::vector<std::uint32_t>& triangles) {
  const Vec3 origin = mesh.vertex(triangles[0], 0);
  double six = 0;
  for (const std::uint32_t t : triangles)
    six +=
        double{dot(mesh.vertex(t, 0) - origin, cross_product(mesh.vertex(t, 1) - origin, mesh.vertex(t, 2) - origin))};
  return six / 6;
}

/// Turns triangles so that neighbours agree. @return the connected parts, and of each whether all agreed before
std::vector<std::pair<std::vector<std::uint32_t>, bool>> agree(IndexedMesh& mesh, std::size_t& flipped) {
  struct Link {
    std::uint32_t to;
    bool same;  ///< both are the same way round
  };
  std::vector<std::vector<Link>> links(mesh.triangles.size());
  const std::vector<Edge> edges = sorted_edges(mesh);
  for_each_edge(edges, [&](std::size_t i, std::size_t j) {
    if (j - i != 2) return;
    const bool same = edges[i].upwards != edges[i + 1].upwards;
    links[edges[i].triangle].push_back({edges[i + 1].triangle, same});
    links[edges[i + 1].triangle].push_back({edges[i].triangle, same});
  });
  std::vector<std::int8_t> turn(mesh.triangles.size(), -1);  // 1: the other way round
  std::vector<std::pair<std::vector<std::uint32_t>, bool>> parts;
  for (std::uint32_t start = 0; start < turn.size(); ++start) {
    if (turn[start] >= 0) continue;
    turn[start] = 0;
    std::vector<std::uint32_t> part{start};
    std::size_t turned = 0;
    for (std::size_t k = 0; k < part.size(); ++k)
      for (const Link& link : links[part[k]]) {
        if (turn[link.to] >= 0) continue;
        turn[link.to] = static_cast<std::int8_t>(link.same ? turn[part[k]] : 1 - turn[part[k]]);
        turned += static_cast<std::size_t>(turn[link.to]);
        part.push_back(link.to);
      }
    const bool less = 2 * turned > part.size();  // the majority stays as it is
    for (const std::uint32_t t : part)
      if ((turn[t] == 1) != less) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
    flipped += less ? part.size() - turned : turned;
    parts.emplace_back(std::move(part), turned == 0);
  }
  return parts;
}

void close_holes(IndexedMesh& mesh, std::size_t& closed) {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> next;  // along the hole's edge
  std::vector<std::uint32_t> starts;
  const std::vector<Edge> edges = sorted_edges(mesh);
  for_each_edge(edges, [&](std::size_t i, std::size_t j) {
    int surplus = 0;
    for (std::size_t k = i; k < j; ++k) surplus += edges[k].upwards ? 1 : -1;
    // The missing triangles go along the edge the other way.
    for (; surplus > 0; --surplus) next[edges[i].high].push_back(edges[i].low), starts.push_back(edges[i].high);
    for (; surplus < 0; ++surplus) next[edges[i].low].push_back(edges[i].high), starts.push_back(edges[i].low);
  });
  for (const std::uint32_t start : starts) {
    std::vector<std::uint32_t> loop;
    for (std::uint32_t at = start; !next[at].empty();) {
      loop.push_back(at);
      const std::uint32_t to = next[at].back();
      next[at].pop_back();
      at = to;
      if (at == start) break;
    }
    if (loop.size() < 3) continue;
    if (loop.size() == 3) {
      mesh.triangles.push_back({loop[0], loop[1], loop[2]});
      ++closed;
      continue;
    }
    double middle[3] = {0, 0, 0};
    for (const std::uint32_t v : loop)
      for (int a = 0; a < 3; ++a) middle[a] += double{component(mesh.vertices[v], a)} / double(loop.size());
    const auto center = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back(
        {static_cast<float>(middle[0]), static_cast<float>(middle[1]), static_cast<float>(middle[2])});
    for (std::size_t k = 0; k < loop.size(); ++k)
      mesh.triangles.push_back({loop[k], loop[(k + 1) % loop.size()], center});
    closed += loop.size();
  }
}

}  // namespace

RepairedMesh repaired(const IndexedMesh& mesh) {
  RepairedMesh result;
  result.mesh = welded(mesh, result.dropped);
  IndexedMesh& made = result.mesh;
  if (made.triangles.empty()) return result;
  const auto parts = agree(made, result.flipped);
  std::size_t turned = 0;
  // Of a part inside another one, such as a hollow, the file says which way it looks.
  constexpr std::size_t kMostParts = 64;  // a file of more parts is a heap of triangles, and is left as it is
  if (parts.size() <= kMostParts)
    for (const auto& [part, agreed] : parts) {
      if (!(volume_of(made, part) < 0)) continue;
      bool inside = false;
      for (const auto& [other, other_agreed] : parts) {
        if (&other == &part || inside || !agreed) continue;
        IndexedMesh alone;
        alone.vertices = made.vertices;
        for (const std::uint32_t t : other) alone.triangles.push_back(made.triangles[t]);
        inside = std::fabs(TriangleTree(alone).winding(made.vertex(part[0], 0))) > 0.5;
      }
      if (inside) continue;
      for (const std::uint32_t t : part) std::swap(made.triangles[t][1], made.triangles[t][2]);
      turned += part.size();
    }
  result.flipped = std::max(result.flipped, turned);
  close_holes(made, result.closed);
  return result;
}

}  // namespace riffle
