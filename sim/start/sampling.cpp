#include "sim/start/sampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <unordered_set>

#include "sim/random/random.h"
#include "sim/shapes/spread_points.h"
#include "sim/solver_info.h"
#include "sim/start/fitting.h"
#include "sim/start/keep_out.h"

namespace riffle {

namespace {

// An extent that is a whole number of spacings except for rounding holds that number.
constexpr double kSiteTolerance = 1e-3;

constexpr double kMostSites = 4e9;  // per axis: more than can be numbered, and far below the overflow of a count

double sites(double extent, double spacing) { return std::max(0.0, std::floor(extent / spacing + kSiteTolerance)); }

struct Lattice {
  Vec3 origin;  ///< position of site (0, 0, 0)
  std::int64_t n[3] = {0, 0, 0};

  double sites() const { return double(n[0]) * double(n[1]) * double(n[2]); }
  bool has(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return x >= 0 && x < n[0] && y >= 0 && y < n[1] && z >= 0 && z < n[2];
  }
};

struct SiteNumber {
  std::int64_t x, y, z;

  friend bool operator==(const SiteNumber&, const SiteNumber&) = default;
  struct Hash {
    std::size_t operator()(const SiteNumber& s) const {
      const auto mixed = static_cast<std::uint64_t>(s.x) * 0x9e3779b97f4a7c15ull ^
                         static_cast<std::uint64_t>(s.y) * 0xc2b2ae3d27d4eb4full ^
                         static_cast<std::uint64_t>(s.z) * 0x165667b19e3779f9ull;
      return static_cast<std::size_t>(mixed ^ mixed >> 32);
    }
  };
};

/// The lattice of a union is that of its first shape, as far as all of them go: what two shapes have is filled once.
/// @param room the sites beyond it may be left out. A body may reach far beyond its domain: its lattice then begins beside the room,
/// where a float tells its sites apart.
Lattice body_lattice(const BodySetup& body, int dimension, float spacing, const Bounds& room) {
  constexpr double kFar = 1000;  // sites before the room; fewer stay, so that places are rounded as they always were
  const auto [low, high] = bounds_of(static_cast<const PlainShape&>(body));
  const Bounds all = bounds_of(body);
  Lattice lattice;
  float origin[3] = {0, 0, 0};
  for (int a = 0; a < 3; ++a) {
    if (a == 2 && dimension == 2) {
      lattice.n[a] = 1;
      continue;
    }
    const double extent = double{component(high, a)} - component(low, a);
    double count = sites(extent, spacing);
    // A sphere's lattice is centred on it; a box's starts at its lower corner, so that it lines up with walls there.
    const double margin = shape_info(body.shape).centred ? (extent - count * spacing) / 2 : 0;
    double first = component(low, a) + margin + 0.5 * spacing;
    if (!body.with.empty()) {
      first -= sites(first - component(all.min, a), spacing) * spacing;
      count = 1 + sites(component(all.max, a) - first, spacing);
    }
    if (const double before = std::floor((component(room.min, a) - first) / spacing) - 1; before > kFar) {
      first += before * spacing;
      count -= before;
    }
    count = std::min(count, std::ceil((component(room.max, a) - first) / spacing) + 2);
    lattice.n[a] = static_cast<std::int64_t>(std::clamp(count, 0.0, kMostSites));
    origin[a] = static_cast<float>(first);
  }
  lattice.origin = {origin[0], origin[1], origin[2]};
  return lattice;
}

/// Whether every site of its lattice is inside.
bool whole_box(const BodySetup& body) { return body.shape == Shape::Box && body.plain() && !body.particles; }

/// Visits the places of the particles that the body takes from its file, and their numbers in it.
template <class Visit>
void for_each_of_file(const BodySetup& body, int dimension, const KeepOut* keep_out, const SamplingProgress& progress,
                      const Visit& visit) {
  const FileParticles& cloud = *body.particles.from;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    progress.at_place();
    if (!body.particles.takes(i)) continue;
    Vec3 place = cloud.position[i];
    if (dimension == 2) place.z = 0;
    if (!in_any(body.without, place, dimension) && !(keep_out && keep_out->buries(place))) visit(place, i);
  }
}

bool contains_site(const BodySetup& body, Vec3 site, int dimension) {
  return whole_box(body) || contains(body, site, dimension);
}

/// Of a place of a body that is filled at random, or of any body without keep_out.
/// keep_out: of the setup's solids and walls; nullptr: they do not matter
bool has_place(const BodySetup& body, Vec3 place, int dimension, const KeepOut* keep_out) {
  return contains_site(body, place, dimension) && !(keep_out && keep_out->has(place));
}

/// Of a site of its lattice.
bool has_site(const BodySetup& body, Vec3 site, int dimension, const KeepOut* keep_out) {
  return contains_site(body, site, dimension) && (!keep_out || makes_particle(keep_out->fate(site)));
}

Vec3 site_of(const Lattice& lattice, float spacing, std::int64_t x, std::int64_t y, std::int64_t z) {
  return lattice.origin + Vec3{spacing * float(x), spacing * float(y), spacing * float(z)};
}

/// A block of a lattice's sites: `count` of them along each axis, from `first` on.
struct SiteBlock {
  std::int64_t first[3] = {0, 0, 0}, count[3] = {0, 0, 0};

  double sites() const { return double(count[0]) * double(count[1]) * double(count[2]); }
  bool has(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return x >= first[0] && x < first[0] + count[0] && y >= first[1] && y < first[1] + count[1] && z >= first[2] &&
           z < first[2] + count[2];
  }
};

/// Every so many sites along each axis, for at most most_visits of them in all. An axis with fewer sites than that has one visit, and the
/// others share what it leaves.
std::array<std::int64_t, 3> strides_of(const SiteBlock& block, int dimension, double most_visits) {
  std::array<std::int64_t, 3> stride{1, 1, 1};
  bool once[3] = {false, false, false};
  for (int round = 0; round <= dimension; ++round) {
    double sites = 1;
    int axes = 0;
    for (int a = 0; a < dimension; ++a)
      if (!once[a]) sites *= double(block.count[a]), ++axes;
    if (axes == 0) break;
    const double wanted = std::ceil(std::pow(sites / most_visits, 1.0 / axes));
    const auto each = static_cast<std::int64_t>(std::max(1.0, wanted));
    bool shorter = false;
    for (int a = 0; a < dimension; ++a) {
      if (once[a]) continue;
      stride[static_cast<std::size_t>(a)] = std::max<std::int64_t>(1, std::min(each, block.count[a]));
      if (block.count[a] < each) once[a] = shorter = true;
    }
    if (!shorter) break;
  }
  return stride;
}

/// Number of the block's sites for which is_counted(x, y, z) holds: counted, or of huge blocks estimated from every so
/// many.
template <class IsCounted>
double count_in(const SiteBlock& block, int dimension, double most_visits, const SamplingProgress& progress,
                const IsCounted& is_counted) {
  const auto [along_x, along_y, along_z] = strides_of(block, dimension, most_visits);
  std::int64_t visited = 0, counted = 0;
  for (std::int64_t z = along_z / 2; z < block.count[2]; z += along_z)
    for (std::int64_t y = along_y / 2; y < block.count[1]; y += along_y)
      for (std::int64_t x = along_x / 2; x < block.count[0]; x += along_x) {
        ++visited;
        progress.at_place();
        if (is_counted(block.first[0] + x, block.first[1] + y, block.first[2] + z)) ++counted;
      }
  const bool every = along_x == 1 && along_y == 1 && along_z == 1;
  return visited == 0 ? 0 : every ? double(counted) : block.sites() * double(counted) / double(visited);
}

/// The sites of the lattice within bounds, and one more on each side for rounding.
SiteBlock block_within(const Lattice& lattice, const Bounds& bounds, int dimension, float spacing) {
  SiteBlock block;
  for (int a = 0; a < 3; ++a) {
    block.count[a] = lattice.n[a];
    if (a >= dimension) continue;
    const double origin = component(lattice.origin, a), most = double(lattice.n[a]);
    const double low = std::floor((double{component(bounds.min, a)} - origin) / spacing) - 1;
    const double high = std::ceil((double{component(bounds.max, a)} - origin) / spacing) + 1;
    block.first[a] = static_cast<std::int64_t>(std::clamp(low, 0.0, most));
    block.count[a] = static_cast<std::int64_t>(std::clamp(high + 1, 0.0, most)) - block.first[a];
    block.count[a] = std::max<std::int64_t>(block.count[a], 0);
  }
  return block;
}

const Bounds& room_of(const KeepOut* keep_out) { return keep_out ? keep_out->room() : kEverywhere; }
const Bounds& lattice_room_of(const KeepOut* keep_out) { return keep_out ? keep_out->lattice_room() : kEverywhere; }

/// Number of the body's sites. Of a whole box all but those left out for solids, which are looked for near them alone.
double count_sites(const BodySetup& body, int dimension, float spacing, const KeepOut* keep_out, double most_visits,
                   const SamplingProgress& progress) {
  const Lattice lattice = body_lattice(body, dimension, spacing, lattice_room_of(keep_out));
  if (!whole_box(body))
    return count_in({{0, 0, 0}, {lattice.n[0], lattice.n[1], lattice.n[2]}}, dimension, most_visits, progress,
                    [&](std::int64_t x, std::int64_t y, std::int64_t z) {
                      return has_site(body, site_of(lattice, spacing, x, y, z), dimension, keep_out);
                    });
  if (!keep_out) return lattice.sites();
  std::vector<SiteBlock> blocks;
  double near = 0;
  for (const Bounds& bounds : keep_out->bounds()) {
    const SiteBlock block = block_within(lattice, bounds, dimension, spacing);
    if (block.sites() > 0) blocks.push_back(block), near += block.sites();
  }
  double left_out = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    left_out += count_in(blocks[b], dimension, most_visits * blocks[b].sites() / near, progress,
                         [&](std::int64_t x, std::int64_t y, std::int64_t z) {
                           for (std::size_t before = 0; before < b; ++before)
                             if (blocks[before].has(x, y, z)) return false;
                           return !makes_particle(keep_out->fate(site_of(lattice, spacing, x, y, z)));
                         });
  return std::max(0.0, lattice.sites() - left_out);
}

constexpr double kMostCounted = 1e8;  ///< sites of a sphere
/// Corners of polygons and further shapes make a visit dearer.
double most_visits(const BodySetup& body, const KeepOut* keep_out) {
  double all = keep_out ? keep_out->cost() : 0;
  if (!whole_box(body) || !keep_out) all += visit_cost(body.corners.size());
  for (const PlainShape& part : body.with) all += visit_cost(part.corners.size());
  for (const PlainShape& cut : body.without) all += visit_cost(cut.corners.size());
  return std::max(1e4, kMostCounted / all);
}

/// Those of the shapes whose bounds have a place in common with these.
std::vector<PlainShape> those_that_meet(const std::vector<PlainShape>& shapes, const Bounds& bounds, int dimension) {
  std::vector<PlainShape> near;
  for (const PlainShape& shape : shapes) {
    const Bounds own = bounds_of(shape);
    bool meet = true;
    for (int a = 0; a < dimension; ++a)
      meet = meet && component(own.min, a) <= component(bounds.max, a) &&
             component(own.max, a) >= component(bounds.min, a);
    if (meet) near.push_back(shape);
  }
  return near;
}

/// The part of the bounds that is not beyond walled faces, if nearly all of them are: random places are then drawn from there.
std::optional<Bounds> small_part_within(const Bounds& bounds, const Bounds& room, int dimension) {
  constexpr double kSmallShare = 0.1;
  float low[3] = {bounds.min.x, bounds.min.y, bounds.min.z}, high[3] = {bounds.max.x, bounds.max.y, bounds.max.z};
  double share = 1;
  for (int a = 0; a < dimension; ++a) {
    const double whole = double{high[a]} - low[a];
    low[a] = std::max(low[a], component(room.min, a));
    high[a] = std::max(low[a], std::min(high[a], component(room.max, a)));
    share *= (double{high[a]} - low[a]) / whole;
  }
  if (!(share < kSmallShare)) return std::nullopt;
  return Bounds{{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

/// Number of particles of a body filled at random: its volume times the mean density. The share that `without` and solids
/// leave of a shape, and of one of `with` those before it, is counted by points that know no lattice: beside a slab between two
/// layers of sites, sites would be wrong by the share of half a layer.
std::int64_t random_count(const BodySetup& body, int dimension, float spacing, const KeepOut* keep_out,
                          const SamplingProgress& progress) {
  constexpr double kPerSite = 16, kFewest = 1 << 14, kMost = 1 << 20;  // points
  double all = 0;
  const double most = std::max(1e4, most_visits(body, keep_out) / double(1 + body.with.size()));  // for each part
  std::vector<PlainShape> parts;  // those before the part
  for_each_part(body, [&](const PlainShape& part) {
    double sites = shape_info(part.shape).volume(part, dimension, spacing);
    const std::optional<Bounds> clipped = small_part_within(bounds_of(part), room_of(keep_out), dimension);
    const Bounds bounds = clipped.value_or(bounds_of(part));
    const std::vector<PlainShape> before = those_that_meet(parts, bounds, dimension),
                                  without = those_that_meet(body.without, bounds, dimension);
    if (!before.empty() || !without.empty() || keep_out) {
      double drawn_from = 1;  // [sites]
      for (int a = 0; a < dimension; ++a)
        drawn_from *= (double{component(bounds.max, a)} - component(bounds.min, a)) / spacing;
      const double points = std::min(std::clamp(kPerSite * (clipped ? drawn_from : sites), kFewest, kMost), most);
      double whole = 0, left = 0;
      for (std::uint64_t k = 0; static_cast<double>(k) < points; ++k) {
        progress.at_place();
        const Vec3 x = spread_point(k, bounds.min, bounds.max, dimension);
        if (!shape_info(part.shape).contains(part, x, dimension)) continue;
        ++whole;
        left +=
            !in_any(before, x, dimension) && !in_any(without, x, dimension) && !(keep_out && keep_out->has(x)) ? 1 : 0;
      }
      if (clipped)
        sites = drawn_from * left / std::ceil(points);
      else
        sites *= whole > 0 ? left / whole : 0;
    }
    parts.push_back(part);
    all += sites;
  });
  return static_cast<std::int64_t>(std::clamp(std::round(all), 0.0, 1e12));
}

/// Random places in a body.
class RandomSites {
 public:
  RandomSites(const BodySetup& body, int dimension, float spacing, const KeepOut* keep_out,
              const SamplingProgress& progress, std::uint64_t seed)
      : body_(body),
        bounds_(small_part_within(bounds_of(body), room_of(keep_out), dimension).value_or(bounds_of(body))),
        dimension_(dimension),
        spacing_(spacing),
        keep_out_(keep_out),
        progress_(progress),
        seed_(seed) {}

  /// Place number k of all that are drawn: the first of several draws from the bounds that lies inside. Where none does,
  /// a draw from the cell of a site that is inside.
  Vec3 operator()(std::uint64_t k) {
    const Vec3 extent = bounds_.max - bounds_.min;
    Vec3 site;
    for (std::uint64_t t = 0; t < kTries; ++t) {
      progress_.at_place();
      const Vec3 u = uniform3(seed_, kStream, k * kTries + t);
      site = bounds_.min + Vec3{u.x * extent.x, u.y * extent.y, u.z * extent.z};
      if (dimension_ == 2) site.z = 0;
      if (has_place(body_, site, dimension_, keep_out_)) return site;
    }
    return in_some_cell(k);
  }

 private:
  static constexpr std::uint32_t kStream = 0x706c6163, kCellStream = 0x63656c6c;  // any numbers no other stream has
  static constexpr std::uint64_t kTries = 64;  // of a sphere at least half of the draws lie inside

  Vec3 in_some_cell(std::uint64_t k) {
    if (!listed_) {
      const Lattice lattice = body_lattice(body_, dimension_, spacing_, room_of(keep_out_));
      for (std::int64_t z = 0; z < lattice.n[2]; ++z)
        for (std::int64_t y = 0; y < lattice.n[1]; ++y)
          for (std::int64_t x = 0; x < lattice.n[0]; ++x) {
            progress_.at_place();
            const Vec3 site = site_of(lattice, spacing_, x, y, z);
            if (has_place(body_, site, dimension_, keep_out_)) cells_.push_back(site);
          }
      listed_ = true;
    }
    if (cells_.empty()) return 0.5f * (bounds_.min + bounds_.max);
    const Vec3 which = uniform3(seed_, kCellStream, k * kTries);
    const Vec3 cell = cells_[std::min(static_cast<std::size_t>(which.x * double(cells_.size())), cells_.size() - 1)];
    for (std::uint64_t t = 1; t < kTries; ++t) {
      const Vec3 u = uniform3(seed_, kCellStream, k * kTries + t);
      Vec3 site = cell + spacing_ * (u - Vec3{0.5f, 0.5f, 0.5f});
      if (dimension_ == 2) site.z = 0;
      if (has_place(body_, site, dimension_, keep_out_)) return site;
    }
    return cell;
  }

  const BodySetup& body_;
  Bounds bounds_;
  int dimension_;
  float spacing_;
  const KeepOut* keep_out_;
  const SamplingProgress& progress_;
  std::uint64_t seed_;
  bool listed_ = false;
  std::vector<Vec3> cells_;
};

/// Visits the sites that make a particle, and notes those that surfaces cut.
template <class Visit>
void for_each_site(const BodySetup& body, const Lattice& lattice, int dimension, float spacing, const KeepOut* keep_out,
                   const SamplingProgress& progress, std::vector<SiteNumber>& cuts, const Visit& visit) {
  for (std::int64_t z = 0; z < lattice.n[2]; ++z)
    for (std::int64_t y = 0; y < lattice.n[1]; ++y)
      for (std::int64_t x = 0; x < lattice.n[0]; ++x) {
        progress.at_place();
        const Vec3 site = site_of(lattice, spacing, x, y, z);
        if (!contains_site(body, site, dimension)) continue;
        const SiteFate fate = keep_out ? keep_out->fate(site) : SiteFate::Kept;
        if (is_cut(fate)) cuts.push_back({x, y, z});
        if (makes_particle(fate)) visit(site);
      }
}

/// The sites near cuts that lie outside of the body, or where a nozzle has its particles.
void add_sites_beyond(const BodySetup& body, const Lattice& lattice, int dimension, float spacing,
                      const KeepOut& keep_out, const std::vector<SiteNumber>& cuts, const SamplingProgress& progress,
                      std::vector<Vec3>& beyond) {
  constexpr auto kReach = static_cast<std::int64_t>(kFitted + kFittedSupport + 1);
  const bool only_outside = whole_box(body) && !keep_out.any_nozzle();  // all of the lattice's sites are the body's
  std::unordered_set<SiteNumber, SiteNumber::Hash> looked;
  for (const SiteNumber& cut : cuts) {
    progress.at_place();
    const std::int64_t reach_z = dimension == 3 ? kReach : 0;
    const auto well_inside = [&](std::int64_t k, int a, std::int64_t reach) {
      return k - reach >= 0 && k + reach < lattice.n[a];
    };
    if (only_outside && well_inside(cut.x, 0, kReach) && well_inside(cut.y, 1, kReach) &&
        well_inside(cut.z, 2, reach_z))
      continue;
    for (std::int64_t z = cut.z - reach_z; z <= cut.z + reach_z; ++z)
      for (std::int64_t y = cut.y - kReach; y <= cut.y + kReach; ++y)
        for (std::int64_t x = cut.x - kReach; x <= cut.x + kReach; ++x) {
          const std::int64_t far2 = (x - cut.x) * (x - cut.x) + (y - cut.y) * (y - cut.y) + (z - cut.z) * (z - cut.z);
          if (far2 > kReach * kReach) continue;
          if (only_outside && lattice.has(x, y, z)) continue;
          if (!looked.insert({x, y, z}).second) continue;
          const Vec3 site = site_of(lattice, spacing, x, y, z);
          const bool own = lattice.has(x, y, z) && contains_site(body, site, dimension);
          if (own && !keep_out.any_nozzle()) continue;
          const SiteFate fate = own ? keep_out.fate(site) : keep_out.fate_beyond(site);
          if (fate == SiteFate::Nozzle || (!own && makes_particle(fate))) beyond.push_back(site);
        }
  }
}

}  // namespace

bool is_cut_by_walls(const Domain& domain, const Bounds& bounds, float spacing) {
  for (int a = 0; a < domain.dimension; ++a)
    if (domain.walled(a) && (is_below(component(bounds.min, a), component(domain.min, a), spacing) ||
                             is_below(component(domain.max, a), component(bounds.max, a), spacing)))
      return true;
  return false;
}

float solid_clearance(const SimulationSetup& setup) {
  constexpr float kRounding = 1e-3f;
  return solver_info(setup).thermal ? kRounding : kSolidClearance;
}

FluidSamples sample_bodies(const SimulationSetup& setup, const StartProgress& progress) {
  constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
  FluidSamples samples;
  const auto count = static_cast<std::size_t>(count_particles(setup, progress));
  const SamplingProgress placing(progress, StartStage::Particles, "bodies were filled", count);
  samples.position.reserve(count);
  samples.velocity.reserve(count);
  samples.fluid.reserve(count);
  const int dimension = setup.domain.dimension;
  KeepOut no_fluid(setup);
  std::mt19937_64 random(setup.seed);
  // Written out because std::uniform_real_distribution may differ between standard libraries.
  const auto symmetric = [&] { return static_cast<float>((double(random() >> 11) * 0x1p-53 - 0.5) * 2.0); };
  std::uint64_t placed = 0;
  LatticeSites sites;
  for (const BodySetup& body : setup.bodies) {
    no_fluid.begin(body);
    const KeepOut* const keep_out = no_fluid.any() ? &no_fluid : nullptr;
    const FileParticles* file = body.particles.from.get();
    const std::size_t first = samples.position.size();
    const auto place = [&](Vec3 site, Vec3 own_velocity) {
      if (body.jitter > 0) {
        const float reach = body.jitter * setup.spacing;
        const Vec3 on_lattice = site;
        site.x += reach * symmetric();
        site.y += reach * symmetric();
        if (dimension == 3) site.z += reach * symmetric();
        if (keep_out && keep_out->has(site)) site = on_lattice;
      }
      samples.position.push_back(make_vec4(site));
      Vec3 velocity = body.velocity + own_velocity;
      if (body.flow.flow != Flow::None) velocity += flow_velocity(body.flow, site);
      if (dimension == 2) velocity.z = 0;
      samples.velocity.push_back(make_vec4(velocity));
      samples.fluid.push_back(static_cast<std::uint32_t>(body.fluid));
      placing.placed_one();
    };
    const auto place_at_rest = [&](Vec3 site) { place(site, {}); };
    if (file != nullptr) {
      for_each_of_file(body, dimension, keep_out, placing, [&](Vec3 site, std::size_t i) {
        place(site, file->velocity.empty() ? Vec3{} : file->velocity[i]);
        if (!file->velocity.empty()) {
          samples.thermal.resize(samples.position.size());
          samples.thermal.back() = 1;
        }
        if (file->compression.empty()) return;
        samples.compression.resize(samples.position.size(), kUnknown);
        samples.compression.back() = file->compression[i];
      });
      continue;
    }
    if (body.filling == Filling::Lattice) {
      const Lattice lattice = body_lattice(body, dimension, setup.spacing, lattice_room_of(keep_out));
      std::vector<SiteNumber> cuts;
      for_each_site(body, lattice, dimension, setup.spacing, keep_out, placing, cuts, place_at_rest);
      if (cuts.empty()) continue;
      sites.kind.resize(first);
      sites.kind.resize(samples.position.size(), LatticeSites::kOfLattice | keep_out->faces());
      for (const SiteNumber& cut : cuts) sites.cuts.push_back(site_of(lattice, setup.spacing, cut.x, cut.y, cut.z));
      add_sites_beyond(body, lattice, dimension, setup.spacing, *keep_out, cuts, placing, sites.beyond);
      continue;
    }
    const std::int64_t wanted = random_count(body, dimension, setup.spacing, keep_out, placing);
    RandomSites random_site(body, dimension, setup.spacing, keep_out, placing, setup.seed);
    for (std::int64_t k = 0; k < wanted; ++k) place_at_rest(random_site(placed++));
  }
  if (!sites.cuts.empty()) {
    sites.kind.resize(samples.position.size());
    std::vector<Vec4> site = samples.position;
    if (fit_to_solids(setup, no_fluid.solids(), sites, samples.position, placing)) samples.site = std::move(site);
  }
  if (!samples.compression.empty()) samples.compression.resize(samples.position.size(), kUnknown);
  if (!samples.thermal.empty()) samples.thermal.resize(samples.position.size());
  return samples;
}

std::int64_t count_particles(const SimulationSetup& setup, const StartProgress& progress) {
  constexpr double kTooMany = 1e12;  // more than any machine holds: no need to walk the sites
  double total = 0;
  const SamplingProgress counting(progress, StartStage::Counting, "particles were counted");
  counting.look();
  KeepOut no_fluid(setup);
  for (const BodySetup& body : setup.bodies) {
    no_fluid.begin(body);
    const KeepOut* const keep_out = no_fluid.any() ? &no_fluid : nullptr;
    if (body.particles) {
      for_each_of_file(body, setup.domain.dimension, keep_out, counting, [&](Vec3, std::size_t) { total += 1; });
      continue;
    }
    if (body.filling == Filling::Random) {
      total += double(random_count(body, setup.domain.dimension, setup.spacing, keep_out, counting));
      continue;
    }
    total += count_sites(body, setup.domain.dimension, setup.spacing, keep_out, most_visits(body, keep_out), counting);
  }
  return static_cast<std::int64_t>(std::min(total, kTooMany));
}

double fastest_start(const BodySetup& body) {
  const double own = body.particles ? double{body.particles.from->fastest} : 0;
  return std::sqrt(double{length2(body.velocity)}) + fastest_flow(body.flow, bounds_of(body)) + own;
}

std::optional<Vec3> site_within(const BodySetup& body, const Region& region, int dimension, float spacing,
                                std::int64_t& visits) {
  constexpr double kMostLookedAt = 1 << 16;
  for (const Region* each : {static_cast<const Region*>(&body), &region})
    for_each_part(*each, [&](const PlainShape& part) { visits -= 1 + static_cast<std::int64_t>(part.corners.size()); });
  if (body.particles) {
    std::optional<Vec3> found;
    visits -= static_cast<std::int64_t>(body.particles.from->size());
    const SamplingProgress unasked({}, StartStage::Counting, "");
    for_each_of_file(body, dimension, nullptr, unasked, [&](Vec3 place, std::size_t) {
      if (!found && contains(region, place, dimension)) found = place;
    });
    return found;
  }
  const Lattice lattice = body_lattice(body, dimension, spacing, kEverywhere);
  const Bounds other = bounds_of(region);
  std::int64_t first[3] = {0, 0, 0}, count[3] = {1, 1, 1};
  double places = 1;
  for (int a = 0; a < dimension; ++a) {
    const double low = (double{component(other.min, a)} - component(lattice.origin, a)) / spacing - kSiteTolerance;
    const double high = (double{component(other.max, a)} - component(lattice.origin, a)) / spacing + kSiteTolerance;
    const double last = double(lattice.n[a] - 1);
    if (!(low <= last) || !(high >= 0) || lattice.n[a] == 0) return std::nullopt;
    first[a] = static_cast<std::int64_t>(std::ceil(std::max(low, 0.0)));
    count[a] = static_cast<std::int64_t>(std::floor(std::min(high, last))) - first[a] + 1;
    if (count[a] <= 0) return std::nullopt;
    places *= double(count[a]);
  }
  const auto stride = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::ceil(std::pow(places / kMostLookedAt, 1.0 / dimension))));
  for (std::int64_t z = 0; z < count[2]; z += stride)
    for (std::int64_t y = 0; y < count[1]; y += stride)
      for (std::int64_t x = 0; x < count[0]; x += stride) {
        if (visits-- <= 0) return std::nullopt;
        const Vec3 site = site_of(lattice, spacing, first[0] + x, first[1] + y, first[2] + z);
        if (has_site(body, site, dimension, nullptr) && contains(region, site, dimension)) return site;
      }
  return std::nullopt;
}

}  // namespace riffle
