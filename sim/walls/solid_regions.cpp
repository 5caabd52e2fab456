#include "sim/walls/solid_regions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>

#include "core/math/periodic.h"
#include "sim/shapes/half_box.h"
#include "sim/solver_info.h"
#include "sim/walls/domain_faces.h"
#include "sim/walls/solid_surfaces.h"
#include "sim/walls/spread_sites.h"
#include "sim/walls/surface_bend.h"

namespace riffle {

namespace {

constexpr double kMostRegionSites = 1e12;  // of a count: more than any machine holds
constexpr double kMostOfAxis = 4e9;
constexpr double kMostVisited = 4e6;  // places that a count looks at
constexpr float kSamePlace = 1e-3f;   // [spacings] of distances that count as equal

/// Places along one direction: origin + (k + 1/2) step, k from `first` to `last`.
struct SiteAxis {
  double origin = 0, step = 0;
  std::int64_t first = 0, last = 0;
  double at(std::int64_t k) const { return step == 0 ? 0 : origin + (double(k) + 0.5) * step; }
  double count() const { return double(last - first + 1); }
};

struct SiteLattice {
  Vec3 direction[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  ///< unit vectors at right angles
  SiteAxis axis[3];                                       ///< along each; in 2-D the third has one place

  Vec3 at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const double along[3] = {axis[0].at(i), axis[1].at(j), axis[2].at(k)};
    double x[3] = {0, 0, 0};
    for (int d = 0; d < 3; ++d)
      for (int a = 0; a < 3; ++a) x[a] += along[d] * component(direction[d], a);
    return {static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])};
  }
};

/// Whether solids keep their places beside each other: those that stand still do, and those that are driven alike.
bool move_together(const SimulationSetup& setup, std::size_t a, std::size_t b) {
  const SolidRegion &one = setup.solid_regions[a], &other = setup.solid_regions[b];
  if (one.free.given || other.free.given) return a == b;
  return one.drive == other.drive;
}

class RegionSampler {
 public:
  RegionSampler(const SimulationSetup& setup, const StartProgress& progress, StartStage stage)
      : setup_(setup),
        progress_(progress, stage, "solids were sampled"),
        domain_(setup.domain),
        spacing_(setup.spacing),
        layers_(static_cast<int>(std::ceil(setup.chosen_support_ratio() - 1e-3f))) {
    for (const SolidRegion& region : setup.solid_regions) {
      const Region* const one[] = {&region};
      flat_.push_back(flatten(one, domain_, spacing_));
      bounds_.push_back(bounds_of(flat_.back().shapes, 0));
    }
    find_near_ones();
  }

  std::size_t count() const { return flat_.size(); }

  /// Sites in the layers of one region; others are not left out.
  SolidSamples layers_of(std::size_t r) const {
    std::vector<Vec4> sites;  // w: the distance from the surface
    visit(r, 1, [&](Vec3 x, float distance, double) {
      const int layer = layer_of(distance);
      if (layer >= (distance < 0 ? 2 : 1) * layers_) return;
      const float kept = (static_cast<float>(layer) + 0.5f) * spacing_;
      sites.push_back(make_vec4(x, fitted(r) ? distance : distance < 0 ? -kept : kept));
    });
    if (!fitted(r)) spread_sites(flat_[r], domain_, spacing_, progress_, sites);
    SolidSamples samples;
    for (const Vec4& site : sites) {
      std::vector<Vec4>& list = site.w > 0 ? samples.front : layer_of(site.w) < layers_ ? samples.wall : samples.behind;
      list.push_back(make_vec4(xyz(site), &list == &samples.wall && !fitted(r) ? site.w : 0));
    }
    if (!fitted(r)) find_bends(flat_[r], domain_, spacing_, samples.wall);
    return samples;
  }

  SolidSamples region(std::size_t r) const {
    SolidSamples samples = layers_of(r);
    const bool beside_faces = !setup_.solid_regions[r].moves();
    const auto in_another = [&](const Vec4& x) {
      return (beside_faces && beyond_face(xyz(x))) || inside_before(xyz(x), r);
    };
    std::erase_if(samples.wall, in_another);
    std::erase_if(samples.behind, in_another);
    std::erase_if(samples.front, [&](const Vec4& x) {
      const float own = distance_to(r, xyz(x)), tie = kSamePlace * spacing_;
      if (beside_faces && (beyond_face(xyz(x)) || face_distance(xyz(x)) <= own + tie)) return true;
      for (const std::size_t k : near_[r]) {
        const float other = distance_to(k, xyz(x));
        if (other < 0 || (k < r ? other <= own + tie : other < own - tie)) return true;
      }
      return false;
    });
    if (!beside_faces)  // a driven solid turns in one piece
      for (std::vector<Vec4>* list : {&samples.wall, &samples.behind, &samples.front})
        for (Vec4& x : *list) x = make_vec4(RegionsAtRest{}.into(flat_[r].shapes[0], xyz(x)), x.w);
    return samples;
  }

  /// The domain's faces, beside the regions.
  SolidSamples faces() const {
    SolidSamples samples = sample_faces(setup_);
    std::erase_if(samples.front, [&](const Vec4& x) {
      const float own = face_distance(xyz(x));
      for (std::size_t k = 0; k < count(); ++k) {
        if (setup_.solid_regions[k].moves()) continue;
        const float other = distance_to(k, xyz(x));
        if (other < 0 || other < own - kSamePlace * spacing_) return true;
      }
      return false;
    });
    return samples;
  }

  RegionSites count_sites(std::size_t r) const {
    double wall = 0, behind = 0;
    const double stride = std::max(1.0, std::ceil(std::pow(places(r) / kMostVisited, 1.0 / domain_.dimension)));
    visit(r, static_cast<std::int64_t>(stride), [&](Vec3 x, float distance, double weight) {
      const bool in_face = !setup_.solid_regions[r].moves() && beyond_face(x);
      if (distance >= 0 || in_face || inside_before(x, r)) return;
      const int layer = layer_of(distance);
      if (layer < 2 * layers_) (layer < layers_ ? wall : behind) += weight;
    });
    const auto whole = [](double count) {
      return static_cast<std::int64_t>(std::min(std::round(count), kMostRegionSites));
    };
    return {whole(wall), whole(behind)};
  }

 private:
  /// For each region the others that move with it and whose layers its own may meet.
  void find_near_ones() {
    const float around = 2 * (static_cast<float>(layers_) + 0.1f) * spacing_;
    near_.resize(count());
    for (std::size_t r = 0; r < count(); ++r)
      for (std::size_t k = 0; k < count(); ++k)
        if (k != r && are_near(bounds_[r], bounds_[k], around) && move_together(k, r)) near_[r].push_back(k);
  }
  /// Whether the bounds of two regions, or of their images, are no farther apart than `around` along each axis.
  bool are_near(const Bounds& a, const Bounds& b, float around) const {
    for (int axis = 0; axis < domain_.dimension; ++axis) {
      const float low = component(a.min, axis) - around, high = component(a.max, axis) + around;
      const float other_low = component(b.min, axis), other_high = component(b.max, axis);
      if (std::isinf(low) || std::isinf(high) || std::isinf(other_low) || std::isinf(other_high)) continue;
      float way = 0.5f * (other_low + other_high) - 0.5f * (low + high);
      if (domain_.periodic(axis)) {
        const float period = component(domain_.extent(), axis);
        way -= period * std::round(way / period);
      }
      if (std::fabs(way) > 0.5f * (high - low) + 0.5f * (other_high - other_low)) return false;
    }
    return true;
  }

  bool fitted(std::size_t r) const { return has_lattice_of_its_own(setup_.solid_regions[r]); }
  int layer_of(float distance) const { return static_cast<int>(std::min(std::fabs(distance) / spacing_, 1e6f)); }
  float distance_to(std::size_t r, Vec3 x) const {
    progress_.at_place();
    return nearest_surface(flat_[r], x, domain_.dimension).distance;
  }

  bool inside_before(Vec3 x, std::size_t r) const {
    for (const std::size_t k : near_[r])
      if (k < r && distance_to(k, x) < 0) return true;
    return false;
  }
  bool move_together(std::size_t a, std::size_t b) const { return riffle::move_together(setup_, a, b); }
  bool beyond_face(Vec3 x) const { return face_distance(x) < 0; }

  /// To the nearest walled face; negative beyond it.
  float face_distance(Vec3 x) const {
    float least = std::numeric_limits<float>::infinity();
    for (int a = 0; a < domain_.dimension; ++a)
      if (domain_.walled(a))
        least =
            std::min({least, component(x, a) - component(domain_.min, a), component(domain_.max, a) - component(x, a)});
    return least;
  }

  /// The lattice that a region's sites start from. Beside a surface at an odd angle to a lattice, the layers that
  /// sites are moved to have as many each. So the lattice is turned about the shape's axis by an angle that scenes do not
  /// have. That of a box is the box's own.
  SiteLattice lattice_of(std::size_t r) const {
    SiteLattice lattice = whole_lattice_of(r);
    clip(lattice, bounds_[r], setup_.solid_regions[r].moves());
    return lattice;
  }

  /// Takes away what lies beyond the layers around the domain's walled faces and beyond one period: a shape may be far
  /// larger than the domain. Open axes have no end, and what is behind a face of a driven solid may come out of it.
  void clip(SiteLattice& lattice, const Bounds& bounds, bool driven) const {
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int a = 0; a < domain_.dimension; ++a) {
      const double from = component(domain_.min, a), to = component(domain_.max, a), beyond = spacing_ * layers_;
      low[a] = double{component(bounds.min, a)} - beyond;
      high[a] = double{component(bounds.max, a)} + beyond;
      if (std::isinf(low[a]) || std::isinf(high[a])) {
        low[a] = from - beyond;
        high[a] = to + beyond;
      } else if (domain_.walled(a) && !driven) {
        low[a] = std::max(low[a], from - beyond);
        high[a] = std::min(high[a], to + beyond);
      } else if (domain_.periodic(a)) {
        const double middle = 0.5 * (low[a] + high[a]), half = 0.5 * (to - from) + spacing_;
        low[a] = std::max(low[a], middle - half);
        high[a] = std::min(high[a], middle + half);
      }
    }
    for (int k = 0; k < domain_.dimension; ++k) {
      SiteAxis& axis = lattice.axis[k];
      double from = 0, to = 0;  // what the clipped bounds reach along the direction
      for (int a = 0; a < domain_.dimension; ++a) {
        const double part = component(lattice.direction[k], a);
        from += part * (part < 0 ? high[a] : low[a]);
        to += part * (part < 0 ? low[a] : high[a]);
      }
      const double first = std::floor((from - axis.origin) / axis.step) - 1;
      const double last = std::ceil((to - axis.origin) / axis.step) + 1;
      if (first > double(axis.first)) axis.first = static_cast<std::int64_t>(std::min(first, double(axis.last)));
      if (last < double(axis.last)) axis.last = static_cast<std::int64_t>(std::max(last, double(axis.first)));
    }
  }

  SiteLattice whole_lattice_of(std::size_t r) const {
    const SolidRegion& region = setup_.solid_regions[r];
    const FlatShape& flat = flat_[r].shapes[0];
    const bool alone = region.with.empty();
    if (alone && region.shape == Shape::Plane) return lattice_along(flat);
    SiteLattice lattice;
    if (alone && region.shape == Shape::Box) {
      for (int a = 0; a < domain_.dimension; ++a) lattice.axis[a] = fitted_axis(flat, a, region.moves());
      return lattice;
    }
    const bool extruded = alone && domain_.dimension == 3 && region.shape == Shape::Polygon;
    const bool round = alone && domain_.dimension == 3 && region.shape == Shape::Cylinder;
    const Vec3 up = extruded ? Vec3{float(region.axis == 0), float(region.axis == 1), float(region.axis == 2)}
                    : round  ? flat.along
                             : Vec3{0, 0, 1};
    turn(lattice, up);
    // What the shape's bounds reach along the turned directions.
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    bool endless = false;
    for (int k = 0; k < 3; ++k) {
      low[k] = std::numeric_limits<double>::infinity();
      high[k] = -low[k];
      for (int corner = 0; corner < 8; ++corner) {
        double along = 0;
        for (int a = 0; a < 3; ++a) {
          double coordinate = component(corner >> a & 1 ? bounds_[r].max : bounds_[r].min, a);
          if (std::isinf(coordinate)) {
            endless = true;
            coordinate = component(corner >> a & 1 ? domain_.max : domain_.min, a);
          }
          along += coordinate * component(lattice.direction[k], a);
        }
        low[k] = std::min(low[k], along);
        high[k] = std::max(high[k], along);
      }
    }
    for (int k = 0; k < domain_.dimension; ++k) {
      const double extent = high[k] - low[k];
      SiteAxis& axis = lattice.axis[k];
      const bool along_shape = k == 2 && (extruded || round);
      const double ends = round ? double{flat.end} - flat.begin : extent;
      if (along_shape && endless) {
        axis = spread_over(low[k], extent, 0);
      } else if (along_shape) {
        const double begin = round ? dot(flat.center, up) : low[k];
        axis = spread_over(begin, ends, layers_);
      } else {
        axis.step = spacing_;
        axis.origin = 0.5 * (low[k] + high[k]);
        const double half = std::min(std::ceil(0.5 * extent / spacing_) + layers_, kMostOfAxis);
        axis.first = -static_cast<std::int64_t>(half);
        axis.last = static_cast<std::int64_t>(half) - 1;
      }
    }
    return lattice;
  }

  /// The lattice of a plane: its layers are half a spacing from the plane, one and a half and so on. Along an axis that the
  /// plane goes along, sites lie between the domain's faces as those of a box do.
  SiteLattice lattice_along(const FlatShape& plane) const {
    const int dimension = domain_.dimension, normal = dimension - 1;
    const Vec3 n = plane.along;
    int aligned[3] = {-1, -1, -1}, count = 0;  // axes that the plane goes along
    for (int a = 0; a < dimension && count < normal; ++a)
      if (std::fabs(component(n, a)) < 1e-6f) aligned[count++] = a;
    const auto unit = [](int a) { return Vec3{float(a == 0), float(a == 1), float(a == 2)}; };
    SiteLattice lattice;
    lattice.direction[normal] = n;
    if (dimension == 2) {
      lattice.direction[0] = count > 0 ? unit(aligned[0]) : Vec3{-n.y, n.x, 0};
    } else {
      Vec3 first = count > 0 ? unit(aligned[0]) : unit(0) - n.x * n;
      first = (1 / std::sqrt(length2(first))) * first;
      lattice.direction[0] = first;
      lattice.direction[1] =
          count > 1 ? unit(aligned[1])
                    : Vec3{n.y * first.z - n.z * first.y, n.z * first.x - n.x * first.z, n.x * first.y - n.y * first.x};
    }
    for (int k = 0; k < normal; ++k) {
      if (k < count) {
        const int a = aligned[k];
        lattice.axis[k] =
            spread_over(component(domain_.min, a), component(domain_.extent(), a), domain_.periodic(a) ? 0 : layers_);
        continue;
      }
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (int corner = 0; corner < 8; ++corner) {
        double along = 0;
        for (int a = 0; a < dimension; ++a)
          along +=
              double{component(corner >> a & 1 ? domain_.max : domain_.min, a)} * component(lattice.direction[k], a);
        low = std::min(low, along);
        high = std::max(high, along);
      }
      SiteAxis& axis = lattice.axis[k];
      axis.step = spacing_;
      axis.origin = 0.5 * (low + high);
      // Along an edge of the domain's layers the lattice reaches farther than along the domain's own.
      const double half = std::min(std::ceil(0.5 * (high - low) / spacing_) + 2 * layers_, kMostOfAxis);
      axis.first = -static_cast<std::int64_t>(half);
      axis.last = static_cast<std::int64_t>(half) - 1;
    }
    SiteAxis& deep = lattice.axis[normal];
    deep.step = spacing_;
    for (int a = 0; a < dimension; ++a) deep.origin += double{component(plane.center, a)} * component(n, a);
    deep.first = -2 * layers_ - 1;
    deep.last = layers_;
    return lattice;
  }

  /// A whole number of steps from `from` on, and `beyond` more at both ends.
  SiteAxis spread_over(double from, double extent, int beyond) const {
    const double n = std::clamp(std::round(extent / spacing_), 1.0, kMostOfAxis);
    SiteAxis axis;
    axis.origin = from;
    axis.step = std::max(extent, 1e-6 * double{spacing_}) / n;
    axis.first = -beyond;
    axis.last = static_cast<std::int64_t>(n) - 1 + beyond;
    return axis;
  }

  SiteAxis fitted_axis(const FlatShape& box, int a, bool driven) const {
    const double low = component(domain_.min, a), high = component(domain_.max, a);
    double from = component(box.low, a), to = component(box.high, a);
    if (std::isinf(from) || std::isinf(to)) return spread_over(low, high - low, 0);  // on through periodic faces
    if (domain_.walled(a) && !driven)
      from = std::max(from, low), to = std::min(to, high);  // what is beyond belongs to the faces
    return spread_over(from, to - from, layers_);
  }

  /// Directions at right angles, the last along `up`.
  static void turn(SiteLattice& lattice, Vec3 up) {
    constexpr double kTurn = 0.908;  // [rad]
    const Vec3 other = std::fabs(up.x) < 0.7f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    Vec3 first = other - dot(other, up) * up;
    first = (1 / std::sqrt(length2(first))) * first;
    const Vec3 second{up.y * first.z - up.z * first.y, up.z * first.x - up.x * first.z,
                      up.x * first.y - up.y * first.x};
    const auto c = static_cast<float>(std::cos(kTurn)), s = static_cast<float>(std::sin(kTurn));
    lattice.direction[0] = c * first + s * second;
    lattice.direction[1] = c * second - s * first;
    lattice.direction[2] = up;
  }

  double places(std::size_t r) const {
    const SiteLattice lattice = lattice_of(r);
    double product = 1;
    for (const SiteAxis& axis : lattice.axis) product *= std::max(axis.count(), 0.0);
    return product;
  }

  /// Calls f(place, distance from the surface, places that it stands for) for places that may be in a layer. Beyond walled
  /// faces as many layers as inside are visited; of a periodic axis one period around the shape.
  template <class F>
  void visit(std::size_t r, std::int64_t stride, const F& f) const {
    const SiteLattice lattice = lattice_of(r);
    const bool driven = setup_.solid_regions[r].moves();
    const auto begin = [stride](const SiteAxis& axis) {
      return axis.first + std::min<std::int64_t>(stride, axis.last - axis.first + 1) / 2;
    };
    double weight = 1;
    for (int a = 0; a < domain_.dimension; ++a) weight *= double(stride);
    const SiteAxis &x = lattice.axis[0], &y = lattice.axis[1], &z = lattice.axis[2];
    // A step along the row changes a distance by no more than its length, so a place that is `clear` of all layers or of
    // the domain is followed by places that need no look.
    const auto next = [&](std::int64_t i, double clear) {
      const double steps = std::floor(clear / (x.step * double(stride)));
      return i + stride * static_cast<std::int64_t>(std::clamp(steps, 1.0, double(x.last - i + stride)));
    };
    const double margin = 0.01 * spacing_, deepest = 2 * layers_ * double{spacing_} + margin;
    for (std::int64_t k = begin(z); k <= z.last; k += stride)
      for (std::int64_t j = begin(y); j <= y.last; j += stride)
        for (std::int64_t i = begin(x); i <= x.last;) {
          Vec3 place = lattice.at(i, j, k);
          if (domain_.dimension == 2) place.z = 0;
          const float face = driven ? std::numeric_limits<float>::infinity()
                                    : face_distance(place) + spacing_ * static_cast<float>(layers_);
          const bool visited = !(face < 0) && !beyond_period(r, place);
          const float distance = visited ? distance_to(r, place) : 0;
          i = next(i, face < 0 ? -face - margin : std::fabs(double{distance}) - deepest);
          if (!visited || std::fabs(double{distance}) > deepest) continue;
          f(periodic_image(place, domain_), distance, weight);
        }
  }

  bool beyond_period(std::size_t r, Vec3 x) const {
    const Bounds& bounds = bounds_[r];
    for (int a = 0; a < domain_.dimension; ++a) {
      if (!domain_.periodic(a)) continue;
      const float low = component(bounds.min, a), high = component(bounds.max, a), at = component(x, a);
      if (std::isinf(low) || std::isinf(high)) {
        if (!one_period(r) && (at < component(domain_.min, a) || at >= component(domain_.max, a))) return true;
        continue;
      }
      if (std::fabs(at - 0.5f * (low + high)) > 0.5f * component(domain_.extent(), a)) return true;
    }
    return false;
  }

  /// Whether the lattice of what goes on through periodic faces has a whole number of places between them.
  bool one_period(std::size_t r) const {
    const SolidRegion& region = setup_.solid_regions[r];
    if (!region.with.empty()) return false;
    switch (region.shape) {
      case Shape::Box:
      case Shape::Plane: return true;
      case Shape::Cylinder:
      case Shape::Polygon: return domain_.dimension == 3;
      default: return false;
    }
  }

  const SimulationSetup& setup_;
  SamplingProgress progress_;
  Domain domain_;
  float spacing_;
  int layers_;
  std::vector<FlatRegions> flat_;
  std::vector<Bounds> bounds_;                  ///< (regions) of all its shapes; infinite where one is
  std::vector<std::vector<std::size_t>> near_;  ///< find_near_ones()
};

bool same_shape(const PlainShape& a, const PlainShape& b) {
  return a.shape == b.shape && a.min == b.min && a.max == b.max && a.center == b.center && a.radius == b.radius &&
         a.from == b.from && a.to == b.to && a.point == b.point && a.normal == b.normal && a.corners == b.corners &&
         a.axis == b.axis && a.low == b.low && a.high == b.high && a.surface == b.surface;
}

bool same_region(const SolidRegion& a, const SolidRegion& b) {
  return same_shape(a, b) && a.drive == b.drive && a.free.given == b.free.given &&
         std::equal(a.with.begin(), a.with.end(), b.with.begin(), b.with.end(), same_shape) &&
         std::equal(a.without.begin(), a.without.end(), b.without.begin(), b.without.end(), same_shape);
}

/// What samples are made from, and the samples while a simulation has them.
struct SampledBefore {
  Domain domain;
  float spacing = 0, support_ratio = 0;
  std::vector<SolidRegion> regions;
  std::vector<std::weak_ptr<const SolidSamples>> samples;

  bool serves(const SimulationSetup& setup) const {
    return domain == setup.domain && spacing == setup.spacing && support_ratio == setup.chosen_support_ratio() &&
           std::equal(regions.begin(), regions.end(), setup.solid_regions.begin(), setup.solid_regions.end(),
                      same_region);
  }
};

std::vector<std::shared_ptr<const SolidSamples>> sample(const SimulationSetup& setup, const StartProgress& progress) {
  const RegionSampler sampler(setup, progress, StartStage::Walls);
  std::vector<std::shared_ptr<const SolidSamples>> samples{std::make_shared<const SolidSamples>(sampler.faces())};
  for (std::size_t r = 0; r < sampler.count(); ++r)
    samples.push_back(std::make_shared<const SolidSamples>(sampler.region(r)));
  return samples;
}

/// Walls are shared by simulations that have the same samples, not merely equal ones.
std::vector<std::shared_ptr<const SolidSamples>> sampled_or_shared(const SimulationSetup& setup,
                                                                   const StartProgress& progress) {
  static std::mutex mutex;
  static std::vector<SampledBefore> before;
  const std::lock_guard lock(mutex);
  std::erase_if(before, [](const SampledBefore& entry) { return entry.samples[0].expired(); });
  for (const SampledBefore& entry : before) {
    if (!entry.serves(setup)) continue;
    std::vector<std::shared_ptr<const SolidSamples>> shared;
    for (const auto& samples : entry.samples) shared.push_back(samples.lock());
    if (std::all_of(shared.begin(), shared.end(), [](const auto& samples) { return samples != nullptr; }))
      return shared;
  }
  std::vector<std::shared_ptr<const SolidSamples>> made = sample(setup, progress);
  before.push_back(
      {setup.domain, setup.spacing, setup.chosen_support_ratio(), setup.solid_regions, {made.begin(), made.end()}});
  return made;
}

}  // namespace

SimulationSetup with_sampled_solids(const SimulationSetup& setup, const StartProgress& progress) {
  if (setup.solid_regions.empty()) return setup;
  SimulationSetup result = setup;
  result.solids.clear();
  if (!solver_info(setup).wall_particles) return result;
  for (std::shared_ptr<const SolidSamples>& samples : sampled_or_shared(setup, progress)) {
    Solid& solid = result.solids.emplace_back();
    solid.samples = std::move(samples);
    solid.group = 0;
  }
  for (std::size_t r = 0; r < setup.solid_regions.size(); ++r) {
    if (!setup.solid_regions[r].moves()) continue;
    std::size_t first = 0;
    while (!move_together(setup, first, r)) ++first;
    result.solids[r + 1].group = static_cast<int>(first) + 1;
    result.solids[r + 1].driven = true;
  }
  result.solids[0].belts = face_velocities(setup);
  return result;
}

bool has_lattice_of_its_own(const SolidRegion& region) {
  return region.plain() && (region.shape == Shape::Box || region.shape == Shape::Plane);
}

RegionSites count_region_sites(const SimulationSetup& setup, const StartProgress& progress) {
  RegionSites all;
  if (setup.solid_regions.empty() || !solver_info(setup).wall_particles) return all;
  const RegionSampler sampler(setup, progress, StartStage::Counting);
  for (std::size_t r = 0; r < sampler.count(); ++r) {
    const RegionSites sites = sampler.count_sites(r);
    all.wall = std::min(all.wall + sites.wall, static_cast<std::int64_t>(kMostRegionSites));
    all.behind = std::min(all.behind + sites.behind, static_cast<std::int64_t>(kMostRegionSites));
  }
  return all;
}

}  // namespace riffle
