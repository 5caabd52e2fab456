#include "sim/probes/probe_places.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/math/cross_product.h"
#include "sim/kernel.h"
#include "sim/shapes/distance.h"
#include "sim/solver_info.h"

namespace riffle {

namespace {

constexpr double kLevelStep = 0.5;    // [spacings] between places along a level
constexpr float kFlowSpread = 0.25f;  // [parts] of a flow, by which its places lie off the middles
constexpr double kFlowStep = 1;       // [spacings] between places over a flow, at most

double length_of(Vec3 v) { return std::sqrt(double{length2(v)}); }

double parts(double length, double step) { return std::max(1.0, std::ceil(length / step - 1e-4)); }

/// The room around many places: what every place needs is made once.
class Room {
 public:
  explicit Room(const SimulationSetup& setup)
      : domain_(setup.domain),
        h_(setup.support_radius()),
        spacing_(setup.spacing),
        kernel_(make_normalized_kernel(KernelKind::WendlandC2, setup.domain.dimension, h_)) {
    std::vector<const Region*> still;
    for (const SolidRegion& solid : setup.solid_regions)
      if (!solid.moves()) still.push_back(&solid);
    solids_ = flatten(still, setup.domain, setup.spacing);
    constexpr int kPerRadius = 6;
    const int deep = domain_.dimension == 3 ? kPerRadius : 0;
    cell_ = h_ / kPerRadius;
    for (int z = -deep; z < std::max(deep, 1); ++z)
      for (int y = -kPerRadius; y < kPerRadius; ++y)
        for (int x = -kPerRadius; x < kPerRadius; ++x) {
          const Vec3 r{cell_ * (static_cast<float>(x) + 0.5f), cell_ * (static_cast<float>(y) + 0.5f),
                       deep > 0 ? cell_ * (static_cast<float>(z) + 0.5f) : 0};
          const float distance = std::sqrt(length2(r));
          if (distance < h_) sites_.push_back(make_vec4(r, kernel_.value(distance)));
        }
    for (const Vec4& site : sites_) all_ += double{site.w};
  }

  double around(Vec3 place) const {
    const bool at_face = !inside_faces(place, h_ + cell_);
    const float to_solid =
        solids_.shapes.empty() ? kNowhere : nearest_surface(solids_, place, domain_.dimension).distance;
    if (to_solid < -kOnSurface * spacing_) return 0;
    const bool at_solid = to_solid < h_ + cell_;
    if (!at_face && !at_solid) return 1;
    double free = 0;
    for (const Vec4& site : sites_) {
      const Vec3 x = place + xyz(site);
      float share = at_face ? share_within_faces(x) : 1;
      if (at_solid && share > 0) share *= share_beyond(nearest_surface(solids_, x, domain_.dimension).distance);
      free += double{share} * site.w;
    }
    return free / all_;
  }

 private:
  /// Of a cell whose middle is that far in front of a surface: without shares the room would jump where a site meets it.
  float share_beyond(float distance) const { return std::clamp(distance / cell_ + 0.5f, 0.0f, 1.0f); }

  float share_within_faces(Vec3 x) const {
    float share = 1;
    for (int a = 0; a < domain_.dimension; ++a)
      if (domain_.walled(a))
        share *= share_beyond(component(x, a) - component(domain_.min, a)) *
                 share_beyond(component(domain_.max, a) - component(x, a));
    return share;
  }

  bool inside_faces(Vec3 x, float margin) const {
    for (int a = 0; a < domain_.dimension; ++a)
      if (domain_.walled(a) && (component(x, a) < component(domain_.min, a) + margin ||
                                component(x, a) > component(domain_.max, a) - margin))
        return false;
    return true;
  }

  static constexpr float kOnSurface = 0.02f;  ///< [spacings]

  Domain domain_;
  float h_, spacing_;
  SmoothingKernel kernel_;
  FlatRegions solids_;
  float cell_ = 0;           ///< [m] between the sites
  std::vector<Vec4> sites_;  ///< [m] from the place; w: the kernel there
  double all_ = 0;
};

/// Numbers of places along the two directions of a probe.
struct Counts {
  double first = 1, second = 1;
};

Counts counts_of(const ProbeSetup& probe, const SimulationSetup& setup) {
  const double spacing = double{setup.spacing};
  const bool flat = setup.domain.dimension == 2;
  switch (probe.kind) {
    case ProbeKind::Point: break;
    case ProbeKind::Line: return {double(probe.points[0]), 1};
    case ProbeKind::Plane: return {double(probe.points[0]), flat ? 1.0 : double(probe.points[1])};
    case ProbeKind::Level: return {parts(length_of(probe.to - probe.at), kLevelStep * spacing) + 1, 1};
    case ProbeKind::Flow: {
      double step = kFlowStep * spacing;
      if (!solver_info(setup).has_density) step = std::min(step, double{kFlowPart} * setup.support_radius());
      return {parts(length_of(probe.side), step), flat ? 1.0 : parts(length_of(probe.other_side), step)};
    }
  }
  return {};
}

/// Share of the way from the first place to the last.
float along(int k, int count) { return count > 1 ? static_cast<float>(k) / static_cast<float>(count - 1) : 0.0f; }

/// Share of a side of a flow at which the place of part k lies. Rows of particles that slide along the flow stay where they are
/// across it. If they passed the middle of each part, the kernel's sum over a support of 2 spacings would be 1.6 % too large.
/// The errors of two neighbours cancel that lie half a part closer to each other, or farther apart, than their middles. The first and
/// the last part keep their middles, since walls may be beside them, and the other half mirrors the first.
float part_of_flow(int k, int parts, float spread) {
  const int from_end = std::min(k, parts - 1 - k);
  float off = from_end == 0 || 2 * k == parts - 1 ? 0 : from_end % 2 == 1 ? -spread : spread;
  if (k != from_end) off = -off;
  return (static_cast<float>(k) + 0.5f + off) / static_cast<float>(parts);
}

}  // namespace

double count_probe_places(std::span<const ProbeSetup> probes, const SimulationSetup& setup) {
  double all = 0;
  for (const ProbeSetup& probe : probes) {
    const Counts counts = counts_of(probe, setup);
    all += counts.first * counts.second;
  }
  return all;
}

double room_around(Vec3 place, const SimulationSetup& setup) { return Room(setup).around(place); }

AllProbePlaces place_probes(std::span<const ProbeSetup> probes, const SimulationSetup& setup) {
  AllProbePlaces all;
  const Room room(setup);
  const bool flat = setup.domain.dimension == 2;
  for (const ProbeSetup& probe : probes) {
    const Counts counts = counts_of(probe, setup);
    const int first = static_cast<int>(counts.first), second = static_cast<int>(counts.second);
    ProbePlaces places{all.places.size(), static_cast<std::size_t>(first) * static_cast<std::size_t>(second)};
    if (probe.kind == ProbeKind::Level) places.step = length_of(probe.to - probe.at) / std::max(first - 1, 1);
    if (probe.kind == ProbeKind::Flow) {
      places.parts[0] = first, places.parts[1] = second;
      places.area =
          (flat ? length_of(probe.side) : length_of(cross_product(probe.side, probe.other_side))) / (first * second);
    }
    const float spread = solver_info(setup).has_density ? kFlowSpread : 0;
    for (int b = 0; b < second; ++b)
      for (int a = 0; a < first; ++a) {
        Vec3 x = probe.at;
        if (probe.kind == ProbeKind::Line || probe.kind == ProbeKind::Level)
          x = x + along(a, first) * (probe.to - probe.at);
        if (probe.kind == ProbeKind::Plane) x = x + along(a, first) * probe.side + along(b, second) * probe.other_side;
        if (probe.kind == ProbeKind::Flow)
          x = x + part_of_flow(a, first, spread) * probe.side + part_of_flow(b, second, spread) * probe.other_side;
        if (flat) x.z = 0;
        all.places.push_back(make_vec4(x, static_cast<float>(room.around(x))));
      }
    all.probes.push_back(places);
  }
  return all;
}

FluidLevel fluid_level(std::span<const float> share, double step) {
  FluidLevel found{0, 0};
  for (const float s : share)
    if (!std::isfinite(s)) {
      constexpr double none = std::numeric_limits<double>::quiet_NaN();
      return {none, none};
    }
  for (std::size_t k = 0; k + 1 < share.size(); ++k) {
    const double a = double{share[k]} - double{kInFluid}, b = double{share[k + 1]} - double{kInFluid};
    const double here = step * double(k);
    if (a >= 0 && b >= 0) {
      found.wetted += step;
      found.level = here + step;
    } else if (a >= 0) {
      const double part = a / (a - b);
      found.wetted += part * step;
      found.level = here + part * step;
    } else if (b >= 0) {
      found.wetted += b / (b - a) * step;
      found.level = here + step;
    }
  }
  return found;
}

}  // namespace riffle
