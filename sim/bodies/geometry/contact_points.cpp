#include "sim/bodies/geometry/contact_points.h"

#include <algorithm>

namespace riffle::bodies {

namespace {

constexpr double kParallel = 0.2;  // sine of the angle between two edges that lie along each other
constexpr double kSeam = 1e-9;
constexpr double kSameNormal = 0.999;  // cosine

Feature placed(Feature feature, const Place& place) {
  for (D3& x : feature) x = place.out(x);
  return feature;
}

D3 area_normal(const Feature& face) {
  D3 sum;
  for (std::size_t k = 1; k + 1 < face.size(); ++k) sum += cross(face[k] - face[0], face[k + 1] - face[0]);
  return unit(sum);
}

class Contacts {
 public:
  Contacts(D3 normal, double reach, std::vector<ContactPoint>& out) : normal_(normal), reach_(reach), out_(out) {}

  void add(D3 on_a, D3 on_b) {
    found_ = true;
    const double gap = dot(normal_, on_a - on_b);
    if (gap <= reach_) out_.push_back({0.5 * (on_a + on_b), normal_, gap});
  }
  bool found() const { return found_; }
  D3 normal() const { return normal_; }

 private:
  D3 normal_;
  double reach_;
  std::vector<ContactPoint>& out_;
  bool found_ = false;
};

void edge_and_edge(const Feature& a, const Feature& b, Contacts& contacts) {
  const D3 n = contacts.normal();
  const auto flat = [&](D3 x) { return x - dot(n, x) * n; };
  const D3 u = flat(a[1] - a[0]), w = flat(b[1] - b[0]), off = flat(b[0] - a[0]);
  const double uu = dot(u, u), ww = dot(w, w), uw = dot(u, w);
  if (!(uu > 0 && ww > 0)) return;
  const double square = uu * ww - uw * uw;  // of |u x w|
  if (square > kParallel * kParallel * uu * ww) {
    const double s = std::clamp((dot(off, u) * ww - dot(off, w) * uw) / square, 0.0, 1.0);
    const double t = std::clamp((s * uw - dot(off, w)) / ww, 0.0, 1.0);
    contacts.add(a[0] + s * (a[1] - a[0]), b[0] + t * (b[1] - b[0]));
    return;
  }
  // The part of a that lies beside b.
  double ends[2] = {-dot(off, w) / ww, (uw - dot(off, w)) / ww};  // of a, along b from 0 to 1
  const double low = std::clamp(ends[0], 0.0, 1.0), high = std::clamp(ends[1], 0.0, 1.0);
  if (low == high) return;
  for (const double t : {low, high}) {
    const double s = (t - ends[0]) / (ends[1] - ends[0]);
    contacts.add(a[0] + s * (a[1] - a[0]), b[0] + t * (b[1] - b[0]));
  }
}

void edge_and_point(const Feature& edge, D3 point, bool b_has_edge, Contacts& contacts) {
  const D3 n = contacts.normal(), way = edge[1] - edge[0];
  const D3 flat = way - dot(n, way) * n;
  if (!(dot(flat, flat) > 0)) return;
  const double t = dot(flat, point - edge[0]) / dot(flat, flat);
  if (t < -kSeam || t > 1 + kSeam) return;
  const D3 on_edge = edge[0] + t * way;
  b_has_edge ? contacts.add(point, on_edge) : contacts.add(on_edge, point);
}

/// @param b_has_face  the face is that of b; otherwise of a
void face_and_other(const Feature& face, Feature other, bool b_has_face, Contacts& contacts) {
  const D3 n = contacts.normal();
  const D3 up = area_normal(face);
  const double along = dot(up, n);
  if (std::fabs(along) < 0.1) return;
  const double side = along > 0 ? 1 : -1;
  for (std::size_t k = 0; k < face.size() && !other.empty(); ++k) {
    const D3 from = face[k], inwards = side * cross(n, face[(k + 1) % face.size()] - from);
    Feature kept;
    const bool closed = other.size() > 2;
    for (std::size_t i = 0; i < other.size(); ++i) {
      const D3 p = other[i], q = other[(i + 1) % other.size()];
      const double dp = dot(inwards, p - from), dq = dot(inwards, q - from);
      // A point may lie on the seam of two faces: it is on one of them at least.
      if (dp >= (other.size() == 1 ? -kSeam * length(inwards) : 0)) kept.push_back(p);
      if ((closed || i + 1 < other.size()) && (dp < 0) != (dq < 0)) kept.push_back(p + dp / (dp - dq) * (q - p));
    }
    other = std::move(kept);
  }
  for (const D3& p : other) {
    const D3 on_face = p + dot(up, face[0] - p) / along * n;
    b_has_face ? contacts.add(p, on_face) : contacts.add(on_face, p);
  }
}

}  // namespace

double gap_along(const ConvexPiece& a, const Place& at_a, const ConvexPiece& b, const Place& at_b, D3 normal) {
  return dot(normal, at_a.out(a.support(at_a.turned_back(-normal))) - at_b.out(b.support(at_b.turned_back(normal))));
}

D3 shortest_way(const ConvexPiece& a, const Place& at_a, const ConvexPiece& b, const Place& at_b, D3 found) {
  D3 normal = found;
  double widest = gap_along(a, at_a, b, at_b, found);
  const auto consider = [&](D3 candidate) {
    if (const double width = gap_along(a, at_a, b, at_b, candidate); width > widest + 1e-9)
      widest = width, normal = candidate;
  };
  consider(-found);
  for (const D3& face : a.directions()) consider(-at_a.turned(face));
  for (const D3& face : b.directions()) consider(at_b.turned(face));
  return normal;
}

void contacts_along(const ConvexPiece& a, const Place& at_a, const ConvexPiece& b, const Place& at_b, D3 normal,
                    const D3* middle, double reach, std::vector<ContactPoint>& out) {
  const Feature of_a = placed(a.feature(at_a.turned_back(-normal)), at_a);
  const Feature of_b = placed(b.feature(at_b.turned_back(normal)), at_b);
  Contacts contacts(normal, reach, out);
  if (of_a.size() > 2 && of_b.size() > 2) {
    const bool b_is_flatter = std::fabs(dot(area_normal(of_b), normal)) >= std::fabs(dot(area_normal(of_a), normal));
    b_is_flatter ? face_and_other(of_b, of_a, true, contacts) : face_and_other(of_a, of_b, false, contacts);
  } else if (of_b.size() > 2) {
    face_and_other(of_b, of_a, true, contacts);
  } else if (of_a.size() > 2) {
    face_and_other(of_a, of_b, false, contacts);
  } else if (of_a.size() == 2 && of_b.size() == 2) {
    edge_and_edge(of_a, of_b, contacts);
  } else if (of_b.size() == 2) {
    edge_and_point(of_b, of_a[0], true, contacts);
  } else if (of_a.size() == 2) {
    edge_and_point(of_a, of_b[0], false, contacts);
  }
  if (contacts.found() || middle == nullptr) return;
  const double gap = gap_along(a, at_a, b, at_b, normal);
  if (gap > reach) return;
  // A place that one of the two has alone is exact; otherwise that of the cores.
  D3 at = *middle;
  if (of_a.size() == 1)
    at = of_a[0] - 0.5 * gap * normal;
  else if (of_b.size() == 1)
    at = of_b[0] + 0.5 * gap * normal;
  out.push_back({at, normal, gap});
}

void convex_contacts(const ConvexPiece& a, const Place& at_a, const ConvexPiece& b, const Place& at_b, int dimension,
                     double reach, std::vector<ContactPoint>& out) {
  CoreGap gap;
  if (const auto found = gap_by_faces(a.core_faces(), at_a, b.core_faces(), at_b))
    gap = {true, true, found->normal, found->middle};
  else
    gap = gap_between(a.core(), at_a, b.core(), at_b);
  D3 normal = gap.normal;
  D3 middle = gap.middle;
  if (!gap.known) {
    normal = at_a.shift - at_b.shift;
    middle = 0.5 * (at_a.shift + at_b.shift);
  }
  if (dimension == 2) normal.z = 0, middle.z = 0;
  if (length(normal) == 0) normal = {0, 1, 0};
  normal = unit(normal);
  if (!gap.apart) normal = shortest_way(a, at_a, b, at_b, normal);
  const D3 by_b = at_b.turned(b.snapped(at_b.turned_back(normal)));
  normal = by_b.x != normal.x || by_b.y != normal.y || by_b.z != normal.z
               ? by_b
               : -at_a.turned(a.snapped(at_a.turned_back(-normal)));
  contacts_along(a, at_a, b, at_b, normal, &middle, reach, out);
}

void plane_contacts(const ConvexPiece& a, const Place& at_a, D3 normal, double offset, double reach,
                    std::vector<ContactPoint>& out) {
  for (const D3& x : placed(a.feature(at_a.turned_back(-normal)), at_a)) {
    const double gap = dot(normal, x) - offset;
    if (gap <= reach) out.push_back({x - 0.5 * gap * normal, normal, gap});
  }
}

void thin_out(std::vector<ContactPoint>& points, int dimension) {
  const std::size_t most = dimension == 3 ? 4 : 2;
  if (points.size() <= most) return;
  std::vector<ContactPoint> all = std::move(points);
  points.clear();
  std::vector<bool> used(all.size());
  for (std::size_t first = 0; first < all.size(); ++first) {
    if (used[first]) continue;
    std::vector<ContactPoint> group;
    for (std::size_t k = first; k < all.size(); ++k)
      if (!used[k] && dot(all[k].normal, all[first].normal) > kSameNormal) {
        used[k] = true;
        group.push_back(all[k]);
      }
    if (group.size() <= most) {
      points.insert(points.end(), group.begin(), group.end());
      continue;
    }
    std::vector<std::size_t> kept;
    const auto keep_best = [&](auto value) {
      std::size_t best = group.size();
      double most_of_it = 0;
      for (std::size_t k = 0; k < group.size(); ++k) {
        if (std::find(kept.begin(), kept.end(), k) != kept.end()) continue;
        if (const double v = value(group[k]); best == group.size() || v > most_of_it) best = k, most_of_it = v;
      }
      kept.push_back(best);
    };
    const auto at = [&](std::size_t k) { return group[kept[k]].at; };
    keep_best([](const ContactPoint& p) { return -p.gap; });
    keep_best([&](const ContactPoint& p) { return dot(p.at - at(0), p.at - at(0)); });
    if (dimension == 3) {
      const D3 n = group[0].normal, line = at(1) - at(0);
      const auto beside = [&](const ContactPoint& p) { return dot(n, cross(line, p.at - at(0))); };
      keep_best([&](const ContactPoint& p) { return std::fabs(beside(p)); });
      const double third = beside(group[kept[2]]) > 0 ? 1 : -1;
      // Furthest outside the triangle of the three.
      keep_best([&](const ContactPoint& p) {
        const auto off = [&](std::size_t k, std::size_t m) {
          return -third * dot(n, cross(at(m) - at(k), p.at - at(k)));
        };
        return std::max({off(0, 1), off(1, 2), off(2, 0)});
      });
    }
    for (const std::size_t k : kept) points.push_back(group[k]);
  }
}

}  // namespace riffle::bodies
