#include "sim/openings/nozzle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/openings/face_mouth.h"
#include "sim/solver.h"

namespace riffle {

namespace {

constexpr double kNear = 0.85;      // [spacings] particles of bodies keep that distance from a nozzle's
constexpr double kRounding = 1e-3;  // [spacings] an extent that is a whole number of spacings holds that many sites

double length_of(const double (&v)[3]) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/// Even about 0: n sites that are a spacing apart.
double site_along(int k, int n, double spacing) { return (k - 0.5 * (n - 1)) * spacing; }

int sites_along(double extent, double spacing) {
  return static_cast<int>(std::clamp(std::floor(extent / spacing + kRounding), 0.0, 1e5));
}

/// Of the lattices with a site or a corner of four in the middle along each axis, the sites of the one whose area comes nearest.
std::vector<std::array<float, 2>> disc_sites(double radius, double spacing) {
  const double area = std::numbers::pi * radius * radius / (spacing * spacing);
  std::vector<std::array<float, 2>> best;
  const int most = 2 * static_cast<int>(std::min(radius / spacing, 1e5)) + 3;
  for (const int columns : {most, most - 1})
    for (const int rows : {most, most - 1}) {
      std::vector<std::array<float, 2>> sites;
      for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
          const double x = site_along(i, columns, spacing), y = site_along(j, rows, spacing);
          if (x * x + y * y <= radius * radius) sites.push_back({static_cast<float>(x), static_cast<float>(y)});
        }
      if (best.empty() || std::fabs(double(sites.size()) - area) < std::fabs(double(best.size()) - area)) best = sites;
    }
  return best;
}

using MouthEdge = std::array<std::array<double, 2>, 2>;

/// Where an odd number of turns of the edges is around it: outside of holes.
bool within(const std::vector<MouthEdge>& edges, double x, double y) {
  bool inside = false;
  for (const auto& [a, b] : edges)
    if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]) inside = !inside;
  return inside;
}

/// Of a mesh's region, along `across` and `upwards`.
std::vector<MouthEdge> rim_in(const NozzleFrame& frame, const PlanarRegion& region) {
  std::vector<MouthEdge> edges;
  for (const auto& ends : region.rim) {
    MouthEdge edge{};
    for (std::size_t e = 0; e < 2; ++e)
      for (int a = 0; a < 3; ++a) {
        const double r = component(ends[e], a) - frame.origin[a];
        edge[e][0] += r * frame.across[a], edge[e][1] += r * frame.upwards[a];
      }
    edges.push_back(edge);
  }
  return edges;
}

std::vector<std::array<float, 2>> lattice(double low_x, double high_x, double low_y, double high_y, double spacing) {
  const int columns = sites_along(high_x - low_x, spacing), rows = sites_along(high_y - low_y, spacing);
  std::vector<std::array<float, 2>> sites;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i)
      sites.push_back({static_cast<float>(0.5 * (low_x + high_x) + site_along(i, columns, spacing)),
                       static_cast<float>(0.5 * (low_y + high_y) + site_along(j, rows, spacing))});
  return sites;
}

struct Extent2 {
  double low[2] = {0, 0}, high[2] = {0, 0};
};

/// Of the mouth, along `across` and `upwards`.
Extent2 extent_of(const InletSetup& inlet, const NozzleFrame& frame, const Domain& domain) {
  Extent2 extent;
  const auto about_0 = [&](int a, double half) { extent.low[a] = -half, extent.high[a] = half; };
  switch (inlet.mouth) {
    case Mouth::Disc: about_0(0, inlet.radius), about_0(1, inlet.radius); break;
    case Mouth::Rectangle: about_0(0, 0.5 * inlet.width), about_0(1, 0.5 * height_of(inlet)); break;
    case Mouth::Polygon:
      for (int a = 0; a < 2; ++a) {
        const auto [low, high] =
            std::minmax_element(inlet.corners.begin(), inlet.corners.end(), [a](const auto& p, const auto& q) {
              return p[static_cast<std::size_t>(a)] < q[static_cast<std::size_t>(a)];
            });
        if (inlet.corners.empty()) break;
        extent.low[a] = (*low)[static_cast<std::size_t>(a)];
        extent.high[a] = (*high)[static_cast<std::size_t>(a)];
      }
      break;
    case Mouth::Face: {
      const FaceMouth mouth(inlet, domain);
      for (int a = 0; a < domain.dimension; ++a) {
        if (frame.across[a] != 0) about_0(0, 0.5 * mouth.extent(a));
        if (frame.upwards[a] != 0) about_0(1, 0.5 * mouth.extent(a));
      }
      break;
    }
    case Mouth::Mesh:
      if (inlet.mesh.region)
        for (const MouthEdge& edge : rim_in(frame, *inlet.mesh.region))
          for (std::size_t a = 0; a < 2; ++a) {
            extent.low[a] = std::min(extent.low[a], edge[0][a]);
            extent.high[a] = std::max(extent.high[a], edge[0][a]);
          }
  }
  if (domain.dimension == 2) extent.low[1] = extent.high[1] = 0;
  return extent;
}

/// Of the frame's box from `begin` to `end` along its direction.
Bounds bounds_of(const NozzleFrame& frame, const Extent2& extent, double begin, double end) {
  Bounds bounds{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (const double way : {begin, end})
    for (const double x : {extent.low[0], extent.high[0]})
      for (const double y : {extent.low[1], extent.high[1]}) {
        const Vec3 p = frame.at(way, x, y);
        bounds.min = {std::min(bounds.min.x, p.x), std::min(bounds.min.y, p.y), std::min(bounds.min.z, p.z)};
        bounds.max = {std::max(bounds.max.x, p.x), std::max(bounds.max.y, p.y), std::max(bounds.max.z, p.z)};
      }
  return bounds;
}

}  // namespace

NozzleFrame nozzle_frame(const InletSetup& inlet, const Domain& domain) {
  const int dimension = domain.dimension;
  NozzleFrame frame;
  Vec3 at = inlet.center, towards = inlet.direction;
  if (inlet.mouth == Mouth::Face) {
    const FaceMouth mouth(inlet, domain);
    at = mouth.middle(), towards = mouth.inwards();
  }
  if (inlet.mouth == Mouth::Mesh && inlet.mesh.region) {
    const auto& [middle, normal, area, rim] = *inlet.mesh.region;
    at = {static_cast<float>(middle[0]), static_cast<float>(middle[1]), static_cast<float>(middle[2])};
    towards = {static_cast<float>(normal[0]), static_cast<float>(normal[1]), static_cast<float>(normal[2])};
  }
  const double center[3] = {at.x, at.y, dimension == 3 ? at.z : 0};
  const double direction[3] = {towards.x, towards.y, dimension == 3 ? towards.z : 0};
  const double length = length_of(direction);
  for (int a = 0; a < 3; ++a) {
    frame.origin[a] = center[a];
    frame.along[a] = length > 0 ? direction[a] / length : frame.along[a];
  }
  const double(&d)[3] = frame.along;
  if (dimension == 2) {
    frame.across[0] = -d[1], frame.across[1] = d[0], frame.across[2] = 0;
    return frame;
  }
  // Level, unless the direction is vertical: then along x.
  double across[3] = {d[2], 0, -d[0]};
  const double level = length_of(across);
  if (level > 1e-6)
    for (double& c : across) c /= level;
  else
    across[0] = 1, across[2] = 0;
  const double upwards[3] = {across[1] * d[2] - across[2] * d[1], across[2] * d[0] - across[0] * d[2],
                             across[0] * d[1] - across[1] * d[0]};
  const double turn = inlet.mouth == Mouth::Face || inlet.mouth == Mouth::Mesh ? 0 : inlet.turn;
  const double angle = turn * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
  for (int a = 0; a < 3; ++a) {
    frame.across[a] = c * across[a] + s * upwards[a];
    frame.upwards[a] = c * upwards[a] - s * across[a];
  }
  return frame;
}

std::vector<std::array<float, 2>> mouth_sites(const InletSetup& inlet, const Domain& domain, float spacing) {
  const int dimension = domain.dimension;
  const NozzleFrame frame = nozzle_frame(inlet, domain);
  const Extent2 extent = extent_of(inlet, frame, domain);
  const double s = spacing;
  for (int a = 0; a < 2; ++a)
    if (!(extent.high[a] - extent.low[a] <= kWidestMouth * s)) return {};
  if (inlet.mouth == Mouth::Face) return FaceMouth(inlet, domain).sites(frame, spacing);
  if (dimension == 2) return lattice(extent.low[0], extent.high[0], -0.5 * s, 0.5 * s, s);
  if (inlet.mouth == Mouth::Disc) return disc_sites(inlet.radius, s);
  std::vector<std::array<float, 2>> sites = lattice(extent.low[0], extent.high[0], extent.low[1], extent.high[1], s);
  if (inlet.mouth == Mouth::Polygon || inlet.mouth == Mouth::Mesh) {
    const std::vector<MouthEdge> edges = mouth_edges(inlet, domain);
    std::erase_if(sites, [&](const auto& site) { return !within(edges, site[0], site[1]); });
  }
  return sites;
}

std::vector<std::array<std::array<double, 2>, 2>> mouth_edges(const InletSetup& inlet, const Domain& domain) {
  const auto [low, high] = extent_of(inlet, nozzle_frame(inlet, domain), domain);
  if (domain.dimension == 2) return {{{{low[0], 0}, {high[0], 0}}}};
  std::vector<std::array<double, 2>> corners;
  switch (inlet.mouth) {
    case Mouth::Disc: {
      constexpr int kCorners = 24;
      for (int k = 0; k < kCorners; ++k) {
        const double angle = 2 * std::numbers::pi * k / kCorners;
        corners.push_back({inlet.radius * std::cos(angle), inlet.radius * std::sin(angle)});
      }
      break;
    }
    case Mouth::Polygon:
      for (const auto& [x, y] : inlet.corners) corners.push_back({x, y});
      break;
    case Mouth::Mesh:
      return inlet.mesh.region ? rim_in(nozzle_frame(inlet, domain), *inlet.mesh.region) : std::vector<MouthEdge>{};
    case Mouth::Rectangle:
    case Mouth::Face: corners = {{low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}};
  }
  std::vector<std::array<std::array<double, 2>, 2>> edges;
  for (std::size_t k = 0; k < corners.size(); ++k)
    edges.push_back({corners[k], corners[(k + corners.size() - 1) % corners.size()]});
  return edges;
}

double mouth_area(const InletSetup& inlet, const Domain& domain, float spacing) {
  return double(mouth_sites(inlet, domain, spacing).size()) * std::pow(double{spacing}, domain.dimension - 1);
}

double fastest_inflow(const SimulationSetup& setup, const InletSetup& inlet) {
  const double area = mouth_area(inlet, setup.domain, setup.spacing);
  const double per_area = area > 0 ? 1 / area : 0;
  return inlet.speed + per_area * inlet.rate + inlet.table.fastest(0) + per_area * inlet.table.fastest(1);
}

int nozzle_layers(const SimulationSetup& setup, const InletSetup& inlet) {
  constexpr double kMost = 1000;
  const double spacing = setup.spacing, speed = fastest_inflow(setup, inlet);
  const StepBounds bounds = step_bounds(setup);
  const double dt = bounds.fixed > 0 ? double{bounds.fixed}
                                     : std::min(double{bounds.constant},
                                                bounds.cfl_length / std::max(bounds.sound_speed + speed, 1e-30));
  // The layer that is late, too.
  const double late = std::ceil((kOpeningsLag + 1) * speed * dt / spacing);
  const double reached = std::ceil(double{search_radius(setup)} / spacing - kRounding);
  return static_cast<int>(std::min(reached + std::max(late, 1.0), kMost));
}

Bounds mouth_bounds(const SimulationSetup& setup, const InletSetup& inlet) {
  const NozzleFrame frame = nozzle_frame(inlet, setup.domain);
  return bounds_of(frame, extent_of(inlet, frame, setup.domain), 0, 0);
}

std::vector<int> used_fluids(const SimulationSetup& setup) {
  std::vector<int> fluids;
  for (const BodySetup& body : setup.bodies) fluids.push_back(body.fluid);
  for (const InletSetup& inlet : setup.inlets) fluids.push_back(inlet.fluid);
  std::sort(fluids.begin(), fluids.end());
  fluids.erase(std::unique(fluids.begin(), fluids.end()), fluids.end());
  return fluids;
}

std::string inlet_name(const SimulationSetup& setup, std::size_t inlet) {
  const std::string& name = setup.inlets[inlet].name;
  return name.empty() ? fmt::format("inlet_{}", inlet + 1) : name;
}

std::string outlet_name(const SimulationSetup& setup, std::size_t outlet) {
  const std::string& name = setup.outlets[outlet].name;
  return name.empty() ? fmt::format("outlet_{}", outlet + 1) : name;
}

FilledNozzles::FilledNozzles(const SimulationSetup& setup) : spacing_(setup.spacing) {
  const int dimension = setup.domain.dimension;
  for (const InletSetup& inlet : setup.inlets) {
    Nozzle nozzle{nozzle_frame(inlet, setup.domain),
                  mouth_sites(inlet, setup.domain, setup.spacing),
                  nozzle_layers(setup, inlet),
                  {}};
    Extent2 extent = extent_of(inlet, nozzle.frame, setup.domain);
    const double margin = kNear * spacing_;
    for (int a = 0; a < dimension - 1; ++a) extent.low[a] -= margin, extent.high[a] += margin;
    nozzle.bounds = bounds_of(nozzle.frame, extent, -margin, nozzle.layers * spacing_ + margin);
    nozzles_.push_back(std::move(nozzle));
  }
}

bool FilledNozzles::near(Vec3 x) const {
  for (const Nozzle& nozzle : nozzles_) {
    if (x.x < nozzle.bounds.min.x || x.x > nozzle.bounds.max.x || x.y < nozzle.bounds.min.y ||
        x.y > nozzle.bounds.max.y || x.z < nozzle.bounds.min.z || x.z > nozzle.bounds.max.z)
      continue;
    double way = 0, across = 0, upwards = 0;
    for (int a = 0; a < 3; ++a) {
      const double r = component(x, a) - nozzle.frame.origin[a];
      way += r * nozzle.frame.along[a], across += r * nozzle.frame.across[a], upwards += r * nozzle.frame.upwards[a];
    }
    const double layer = std::clamp(std::round(way / spacing_ - 0.5), 0.0, double(nozzle.layers - 1));
    const double off = way - (layer + 0.5) * spacing_, reach2 = kNear * kNear * spacing_ * spacing_;
    for (const auto& [u, v] : nozzle.sites)
      if (off * off + (across - u) * (across - u) + (upwards - v) * (upwards - v) < reach2) return true;
  }
  return false;
}

std::vector<Bounds> FilledNozzles::bounds() const {
  std::vector<Bounds> all;
  for (const Nozzle& nozzle : nozzles_) all.push_back(nozzle.bounds);
  return all;
}

std::size_t FilledNozzles::count() const {
  std::size_t count = 0;
  for (const Nozzle& nozzle : nozzles_) count += nozzle.sites.size() * static_cast<std::size_t>(nozzle.layers);
  return count;
}

}  // namespace riffle
