#include "sim/start/keep_out.h"

#include <algorithm>
#include <cmath>

#include "sim/solver_info.h"
#include "sim/start/fitting.h"
#include "sim/start/sampling.h"

namespace riffle {

namespace {

/// [spacings] A surface that is further from a site does not count as one that cuts its cell.
constexpr float kCut = 0.45f;
/// [spacings] Where a surface is nearer to a place that is a spacing in front of another, particles have no room to be fitted...
constexpr float kNarrow = 0.8f;
/// [spacings] ... if it has come nearer by as much: a floor below them does not.
constexpr float kFacing = 0.3f;

/// Every site that a surface cuts has a threshold of its own for the share of its cell that is free. Thresholds of sites near each
/// other are spread evenly over 0..1, along each axis and each diagonal: the steps are those of a search for the sums of few of
/// them, with either sign, that are farthest from whole numbers. Sites are numbered from the anchor of their solid, so that a
/// solid elsewhere in the same lattice has the same particles around it.
float threshold(Vec3 site, Vec3 anchor, const Domain& domain, float spacing) {
  constexpr double kStep2[] = {0.4603, 0.3043}, kStep3[] = {0.4802, 0.3903, 0.2798};
  // [spacings] No share that solids have as a rule: which number a site gets is then not left to rounding.
  constexpr double kOffLattice = 0.2764;
  double sum = 0.5;
  for (int a = 0; a < domain.dimension; ++a) {
    double way = double{component(site, a)} - component(anchor, a);
    if (domain.periodic(a)) {
      const double period = component(domain.extent(), a);
      way -= period * std::floor(way / period + 0.5);
    }
    sum += std::floor(way / spacing + kOffLattice) * (domain.dimension == 3 ? kStep3[a] : kStep2[a]);
  }
  return static_cast<float>(sum - std::floor(sum));
}

std::vector<Vec3> anchors(const SimulationSetup& setup) {
  std::vector<Vec3> all;
  for (const SolidRegion& solid : setup.solid_regions) {
    const Bounds bounds = bounds_of(solid);
    const auto middle = [&](int a) {
      const float low = component(bounds.min, a), high = component(bounds.max, a);
      return std::isfinite(low) && std::isfinite(high) ? 0.5f * low + 0.5f * high : 0.0f;
    };
    all.push_back({middle(0), middle(1), middle(2)});
  }
  return all;
}

}  // namespace

bool is_below(float low, float high, float spacing) { return low < high - kBeyondFace * spacing; }

KeepOut::KeepOut(const SimulationSetup& setup)
    : solids_(setup),
      anchor_(anchors(setup)),
      nozzles_(setup),
      domain_(setup.domain),
      fits_(!solver_info(setup).thermal),
      clearance_(solid_clearance(setup) * setup.spacing),
      cut_reach_(fits_ ? 0.5f * setup.spacing : clearance_),
      spacing_(setup.spacing) {}

void KeepOut::begin(const BodySetup& body) {
  body_ = &body;
  room_ = lattice_room_ = kEverywhere;
  faces_ = 0;
  const Bounds whole = bounds_of(body);
  cut_low(whole.min.x, 0, room_.min.x, lattice_room_.min.x);
  cut_low(whole.min.y, 1, room_.min.y, lattice_room_.min.y);
  cut_low(whole.min.z, 2, room_.min.z, lattice_room_.min.z);
  cut_high(whole.max.x, 0, room_.max.x, lattice_room_.max.x);
  cut_high(whole.max.y, 1, room_.max.y, lattice_room_.max.y);
  cut_high(whole.max.z, 2, room_.max.z, lattice_room_.max.z);
}

std::vector<Bounds> KeepOut::bounds() const {
  std::vector<Bounds> all = nozzles_.bounds();
  for (const Bounds& beyond : beyond_walls()) all.push_back(beyond);
  const Vec3 grown = cut_reach_ * Vec3{1, 1, 1};
  for (const FlatShape& shape : solids_.regions().shapes)
    if (!shape.cut) all.push_back(with_images({shape.low - grown, shape.high + grown}));
  return all;
}

double KeepOut::cost() const {
  double dearest = nozzles_.any() || !beyond_walls().empty() ? 1 : 0, cost = 0;
  for (const FlatShape& shape : solids_.regions().shapes) {
    cost = (shape.begins() ? 0 : cost) + visit_cost(shape.corners);
    dearest = std::max(dearest, cost);
  }
  return dearest;
}

SiteFate KeepOut::fate_in(Vec3 site, bool body) const {
  if (nozzles_.near(site)) return SiteFate::Nozzle;
  Vec3 anchor{0, 0, 0};
  std::optional<std::size_t> nearest_solid;
  const SurfaceDistance gap = nearest(site, cut_reach_, anchor, nearest_solid);
  if (!fits_) return gap.distance < clearance_ ? SiteFate::Dropped : SiteFate::Kept;
  const float distance = gap.distance / spacing_;
  if (distance >= kCut) return SiteFate::Kept;
  if (distance <= -kCut) return SiteFate::Dropped;
  if (is_narrow(site, site + ((1 - distance) * spacing_) * gap.normal, nearest_solid))
    return distance < kSolidClearance || near_face(site) < kSolidClearance * spacing_ ? SiteFate::DroppedCut
                                                                                      : SiteFate::KeptCut;
  if (!(distance > threshold(site, anchor, domain_, spacing_) - 0.5f)) return SiteFate::DroppedCut;
  // A site in a solid makes a particle outside only where the body has fluid: none on the other side of a plate.
  if (distance < kFittedGap) {
    const Vec3 beside = site + ((kFittedGap - distance) * spacing_) * gap.normal;
    const bool free = (!body || contains(*body_, beside, domain_.dimension)) && !has(beside);
    if (!free) return SiteFate::DroppedCut;
  }
  return SiteFate::KeptCut;
}

bool KeepOut::is_narrow(Vec3 site, Vec3 before, std::optional<std::size_t> own) const {
  const float least = kNarrow * spacing_, nearer = kFacing * spacing_;
  if (const float face = near_face(before); face < least && face < near_face(site) - nearer) return true;
  bool narrow = false;
  solids_.for_each_near(before, least, [&](std::size_t solid, SurfaceDistance there) {
    if (narrow || !(there.distance < least)) return;
    float here = kNowhere;
    if (solid != own)
      solids_.for_each_near(site, least + 2 * spacing_, [&](std::size_t other, SurfaceDistance d) {
        if (other == solid) here = d.distance;
      });
    narrow = there.distance < here - nearer;
  });
  return narrow;
}

float KeepOut::near_face(Vec3 x) const {
  float nearest = kNowhere;
  for (int a = 0; a < domain_.dimension; ++a)
    if (domain_.walled(a))
      nearest =
          std::min({nearest, component(x, a) - component(domain_.min, a), component(domain_.max, a) - component(x, a)});
  return nearest;
}

void KeepOut::cut_low(float low, int a, float& room, float& lattice_room) {
  const float face = component(domain_.min, a);
  if (!domain_.walled(a) || !is_below(low, face, spacing_)) return;
  room = face + clearance_;
  lattice_room = fits_ ? face - cut_reach_ : room;
  faces_ |= LatticeSites::face_bit(a, false);
}

void KeepOut::cut_high(float high, int a, float& room, float& lattice_room) {
  const float face = component(domain_.max, a);
  if (!domain_.walled(a) || !is_below(face, high, spacing_)) return;
  room = face - clearance_;
  lattice_room = fits_ ? face + cut_reach_ : room;
  faces_ |= LatticeSites::face_bit(a, true);
}

bool KeepOut::is_beyond_a_wall(Vec3 x) const {
  return x.x < room_.min.x || x.y < room_.min.y || x.z < room_.min.z || x.x > room_.max.x || x.y > room_.max.y ||
         x.z > room_.max.z;
}

std::vector<Bounds> KeepOut::beyond_walls() const {
  std::vector<Bounds> all(6, kEverywhere);
  const float more = cut_reach_ + (fits_ ? cut_reach_ : 0);  // the sites of the room that its face may cut
  all[0].max.x = lattice_room_.min.x + more;
  all[1].max.y = lattice_room_.min.y + more;
  all[2].max.z = lattice_room_.min.z + more;
  all[3].min.x = lattice_room_.max.x - more;
  all[4].min.y = lattice_room_.max.y - more;
  all[5].min.z = lattice_room_.max.z - more;
  std::erase_if(all, [](const Bounds& b) {
    return std::max({b.min.x, b.min.y, b.min.z}) == kInfinite || std::min({b.max.x, b.max.y, b.max.z}) == -kInfinite;
  });
  return all;
}

Bounds KeepOut::with_images(Bounds bounds) const {
  const auto extend = [&](int a, float& low, float& high) {
    const bool crosses = low < component(domain_.min, a) || high > component(domain_.max, a);
    if (domain_.periodic(a) && crosses) low = -kInfinite, high = kInfinite;
  };
  extend(0, bounds.min.x, bounds.max.x);
  extend(1, bounds.min.y, bounds.max.y);
  extend(2, bounds.min.z, bounds.max.z);
  return bounds;
}

SurfaceDistance KeepOut::nearest(Vec3 x, float reach, Vec3& anchor, std::optional<std::size_t>& nearest_solid) const {
  SurfaceDistance nearest{kNowhere, {0, 1, 0}};
  solids_.for_each_near(x, reach, [&](std::size_t solid, SurfaceDistance d) {
    if (!(d.distance < reach && d.distance < nearest.distance)) return;
    nearest = d;
    anchor = anchor_[solid];
    nearest_solid = solid;
  });
  for (int a = 0; a < domain_.dimension; ++a)
    for (const bool upper : {false, true}) {
      if (!(faces_ & LatticeSites::face_bit(a, upper))) continue;
      const float inwards = upper ? -1.0f : 1.0f;
      const float distance = inwards * (component(x, a) - component(upper ? domain_.max : domain_.min, a));
      if (!(distance < reach && distance < nearest.distance)) continue;
      anchor = domain_.min;
      nearest_solid.reset();
      nearest = {distance, {a == 0 ? inwards : 0, a == 1 ? inwards : 0, a == 2 ? inwards : 0}};
    }
  return nearest;
}

}  // namespace riffle
