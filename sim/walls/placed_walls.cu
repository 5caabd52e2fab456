#include "sim/walls/placed_walls.h"

#include <algorithm>

#include "core/device/parallel.cuh"
#include "core/math/periodic.h"
#include "neighbors/search_memory.h"
#include "sim/solver.h"
#include "sim/walls/domain_faces.h"
#include "sim/walls/solid_regions.h"
#include "sim/walls/solid_surfaces.h"
#include "sim/walls/wall_weights.h"

namespace riffle {

namespace {

RIFFLE_INLINE bool same_place(Vec4 a, Vec4 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

struct PlaceSites {
  const Pose* pose;
  const std::uint8_t* driven;  ///< (solids); nullptr: none
  Domain domain;
  const Vec4* site;
  const std::uint32_t* solid;
  std::int64_t first;  ///< of the sites to place
  Vec4* at;            ///< out
  Vec4* leader_at;     ///< (placed sites) out: the same places; nullptr: not wanted

  RIFFLE_HD static bool beyond(float x, float low, float high, Axis axis) {
    return axis == Axis::Walled && (x < low || x > high);
  }

  RIFFLE_HD void operator()(std::int64_t k) const {
    const std::int64_t s = first + k;
    Vec3 x = placed(pose[solid[s]], xyz(site[s]));
    float weight = site[s].w;
    if (driven != nullptr && driven[solid[s]] != 0) {
      x = periodic_image(x, domain);
      // What is beyond a walled face belongs to the face.
      if (beyond(x.x, domain.min.x, domain.max.x, domain.axis[0]) ||
          beyond(x.y, domain.min.y, domain.max.y, domain.axis[1]) ||
          (domain.dimension == 3 && beyond(x.z, domain.min.z, domain.max.z, domain.axis[2])))
        weight = 0;
    }
    at[s] = make_vec4(x, weight);
    if (leader_at != nullptr) leader_at[k] = at[s];
  }
};

/// Poses and motions of driven solids, of which solid s is region s - 1.
struct FollowFrames {
  const SurfaceFrame* frames;
  bool at_end;           ///< of the poses; motions are those at the start of the step
  Pose* pose;            ///< (solids) out
  SolidMotion* motions;  ///< (solids) out

  RIFFLE_HD void operator()(std::int64_t region) const {
    const SurfaceFrame& frame = frames[region];
    if (!frame.driven) return;
    pose[region + 1] = at_end ? frame.end : frame.start;
    motions[region + 1].placement = {frame.start, frame.motion};
  }
};

/// Sites that were at one place when they were weighed are one particle while they still are.
struct FlagLeaders {
  const Vec4* at;
  const std::uint32_t* first;
  std::uint8_t* leads;  ///< out

  RIFFLE_HD void operator()(std::int64_t s) const {
    bool leading = true;
    for (std::int64_t k = first[s]; k < s; ++k) leading = leading && !same_place(at[k], at[s]);
    leads[s] = leading ? 1 : 0;
  }
};

/// Only lists on a GPU are used after particles have moved.
float reach_of(const Device& device, const SimulationSetup& setup) {
  return device.is_cuda() ? search_radius(setup) : setup.support_radius();
}

struct SiteVelocities {
  const SolidMotion* motion;
  const std::uint8_t* driven;  ///< (solids); nullptr: none
  const Vec4* own;             ///< sites in the frames of their solids
  const Vec4* at;
  const std::uint32_t* solid;
  const std::uint32_t* first;  ///< nullptr: no place has several sites
  std::int64_t sites;

  RIFFLE_HD Vec3 of(std::int64_t s) const {
    const SolidMotion& m = motion[solid[s]];
    // A driven site may have been placed on the other side of a periodic face.
    const Vec3 x = driven != nullptr && driven[solid[s]] != 0 ? placed(m.placement.pose, xyz(own[s])) : xyz(at[s]);
    return velocity_at(m.placement.motion, x) + turned(m.placement.pose.rotation, m.belts.at(xyz(own[s])));
  }

  /// Of the particle at site s.
  RIFFLE_HD Vec4 operator()(std::int64_t s) const {
    Vec3 sum = of(s);
    int count = 1;
    for (std::int64_t k = s + 1; first != nullptr && k < sites && first[k] == first[s]; ++k) {
      if (!same_place(at[k], at[s])) continue;
      sum += of(k);
      ++count;
    }
    return make_vec4(count > 1 ? (1.0f / static_cast<float>(count)) * sum : sum);
  }
};

struct ParticleVelocities {
  SiteVelocities of;
  const std::uint32_t* site;  ///< of particles
  Vec4* velocity;             ///< out

  RIFFLE_HD void operator()(std::int64_t b) const { velocity[b] = of(site[b]); }
};

/// Particles in the search's order.
struct TakeParticles {
  const std::uint32_t* order;   ///< of the search
  const std::uint32_t* leader;  ///< the sites that the search is built on; nullptr: all sites
  const Vec4* at;
  const float* site_density;
  const std::uint32_t* site_solid;
  const float* site_bend;  ///< nullptr: all surfaces are flat
  std::uint32_t* site;     ///< this and what follows: out
  Vec4* particles;
  float* solid_density;
  std::uint32_t* solid;
  float* bend;     ///< unless all surfaces are flat
  Vec4* velocity;  ///< nullptr: not wanted
  SiteVelocities velocities;

  RIFFLE_HD void operator()(std::int64_t b) const {
    const std::uint32_t s = leader != nullptr ? leader[order[b]] : order[b];
    site[b] = s;
    particles[b] = at[s];
    solid_density[b] = site_density[s];
    solid[b] = site_solid[s];
    if (site_bend != nullptr) bend[b] = site_bend[s];
    if (velocity != nullptr) velocity[b] = velocities(s);
  }
};

struct BeltVelocities {
  FaceVelocities belts;
  const Vec4* particles;
  Vec4* velocity;  ///< out

  RIFFLE_HD void operator()(std::int64_t b) const { velocity[b] = make_vec4(belts.at(xyz(particles[b]))); }
};

}  // namespace

PlacedWalls::PlacedWalls(const Device& device, const SimulationSetup& setup, const SmoothingKernel& kernel)
    : memory_(device),
      domain_(setup.domain),
      spacing_(setup.spacing),
      support_ratio_(setup.chosen_support_ratio()),
      reach_(reach_of(device, setup)),
      kernel_(kernel.kind),
      solids_(setup.solids),
      search_(device, wall_search_settings(setup.spacing)) {
  if (!solids_.empty()) {
    sites_ = std::make_shared<const WallSites>(device, setup, kernel, solids_);
    place(placements_of(solids_));
    return;
  }
  const SolidSamples samples = sample_faces(setup);
  if (samples.wall.empty()) return;  // a box without walls may be too large for a table of its cells
  weigh_walls(device, setup.domain, setup.particle_volume(), kernel, reach_, samples, search_, particles_,
              solid_density_);
}

PlacedWalls::PlacedWalls(const PlacedWalls& other, std::span<const Placement> placements)
    : memory_(other.search_.device()),
      domain_(other.domain_),
      spacing_(other.spacing_),
      support_ratio_(other.support_ratio_),
      reach_(other.reach_),
      kernel_(other.kernel_),
      solids_(other.solids_),
      sites_(other.sites_),
      search_(other.search_.device(), wall_search_settings(other.spacing_)) {
  place(placements);
}

bool PlacedWalls::serves(const Device& device, const SimulationSetup& setup, const SmoothingKernel& kernel) const {
  const Device& own = search_.device();
  const auto driven = [](const Solid& solid) { return solid.driven; };
  if (std::any_of(solids_.begin(), solids_.end(), driven)) return false;
  if (std::any_of(setup.solids.begin(), setup.solids.end(), driven)) return false;
  return own == device && own.stream == device.stream && domain_ == setup.domain && spacing_ == setup.spacing &&
         support_ratio_ == setup.chosen_support_ratio() && reach_ == reach_of(device, setup) &&
         kernel_ == kernel.kind &&
         std::equal(solids_.begin(), solids_.end(), setup.solids.begin(), setup.solids.end(),
                    [](const Solid& a, const Solid& b) {
                      return a.samples == b.samples && a.placement.pose == b.placement.pose;
                    }) &&
         (!sites_ || std::equal(setup.solids.begin(), setup.solids.end(), sites_->weighed_at().begin(),
                                [](const Solid& a, const Pose& weighed) { return a.placement.pose == weighed; })) &&
         placed();
}

void PlacedWalls::place(std::shared_ptr<PlacedWalls>& walls, std::span<const Placement> placements) {
  if (walls.use_count() == 1)
    walls->place(placements);
  else
    walls = std::shared_ptr<PlacedWalls>(new PlacedWalls(*walls, placements));
}

void PlacedWalls::place(std::span<const Placement> placements) {
  reserve();
  if (most() > 0) place_sites(placements);
  for (std::size_t s = 0; s < solids_.size(); ++s) solids_[s].placement = placements[s];
}

void PlacedWalls::reserve() {
  const WallSites& sites = *sites_;
  const auto most = static_cast<std::size_t>(sites.count());
  pose_.resize(solids_.size());
  std::vector<std::uint8_t> driven;
  for (const Solid& solid : solids_) driven.push_back(solid.driven ? 1 : 0);
  if (std::count(driven.begin(), driven.end(), 1) > 0) driven_.assign(driven);
  for (Buffer<Vec4>* buffer : {&at_, &particles_}) buffer->resize(most);
  for (Buffer<std::uint32_t>* buffer : {&solid_, &site_}) buffer->resize(most);
  solid_density_.resize(most);
  if (sites.bend() != nullptr) bend_.resize(most);
  if (sites.first() == nullptr) return;
  leads_.resize(most);
  leader_.resize(most);
  leaders_.resize(1);
  leader_at_.resize(most);
}

void PlacedWalls::place_sites(std::span<const Placement> placements) {
  std::vector<Pose> poses;
  for (const Placement& placement : placements) poses.push_back(placement.pose);
  pose_.assign(poses);
  place_sites();
}

void PlacedWalls::drive(const SurfaceFrame* frames, bool at_end, Buffer<SolidMotion>& table, Buffer<Vec4>& velocity) {
  const Device& device = search_.device();
  parallel_for(device, "driven poses", static_cast<std::int64_t>(solids_.size()) - 1,
               FollowFrames{frames, at_end, pose_.data(), table.data()});
  if (most() == 0) return;
  const WallSites& sites = *sites_;
  const bool shared = sites.first() != nullptr;
  const int moving = sites.count() - sites.still();
  // No driven site is shared, so that each leads, and they are the last ones.
  parallel_for(device, "place wall sites", moving,
               PlaceSites{pose_.data(), driven_.data(), domain_, sites.site(), sites.solid(), sites.still(), at_.data(),
                          shared ? leader_at_.data() + stay_ : nullptr});
  search_.build(shared ? leader_at_.data() : at_.data(), stay_ + moving, domain_, reach_, stay_);
  velocity.resize(static_cast<std::size_t>(count()));
  take_particles(count(), velocity.data(), table.data());
}

void PlacedWalls::place_sites() {
  const Device& device = search_.device();
  const WallSites& sites = *sites_;
  auto count = static_cast<std::size_t>(sites.count());
  parallel_for(device, "place wall sites", sites.count(),
               PlaceSites{pose_.data(), driven_.empty() ? nullptr : driven_.data(), domain_, sites.site(),
                          sites.solid(), 0, at_.data(), nullptr});
  if (sites.first() != nullptr) {
    if (number_.empty()) {
      number_.resize(count);
      fill_iota(device, number_.data(), count);
    }
    parallel_for(device, "flag wall sites", sites.count(), FlagLeaders{at_.data(), sites.first(), leads_.data()});
    select_flagged(device, number_.data(), leads_.data(), leader_.data(), leaders_.data(), count, scratch_);
    count = leaders_.to_host()[0];
    const GatherArray places{at_.data(), leader_at_.data(), sizeof(Vec4)};
    gather(device, leader_.data(), count, &places, 1);
  }
  stay_ = static_cast<int>(count) - (sites.count() - sites.still());
  search_.build(sites.first() != nullptr ? leader_at_.data() : at_.data(), static_cast<int>(count), domain_, reach_);
  take_particles(static_cast<int>(count), nullptr, nullptr);
}

/// velocity: gets their velocities too; or nullptr
void PlacedWalls::take_particles(int count, Vec4* velocity, const SolidMotion* motion) {
  const WallSites& sites = *sites_;
  site_.resize(static_cast<std::size_t>(count));
  particles_.resize(static_cast<std::size_t>(count));
  solid_density_.resize(static_cast<std::size_t>(count));
  solid_.resize(static_cast<std::size_t>(count));
  if (sites.bend() != nullptr) bend_.resize(static_cast<std::size_t>(count));
  parallel_for(search_.device(), "take wall particles", count,
               TakeParticles{search_.order(), sites.first() != nullptr ? leader_.data() : nullptr, at_.data(),
                             sites.solid_density(), sites.solid(), sites.bend(), site_.data(), particles_.data(),
                             solid_density_.data(), solid_.data(), bend_.data(), velocity,
                             SiteVelocities{motion, driven_.empty() ? nullptr : driven_.data(), sites.site(),
                                            at_.data(), sites.solid(), sites.first(), sites.count()}});
}

void PlacedWalls::find_velocities(std::span<const Solid> solids, Buffer<SolidMotion>& table,
                                  Buffer<Vec4>& velocity) const {
  std::vector<SolidMotion> motion;
  for (const Solid& solid : solids) motion.push_back({solid.placement, solid.belts});
  table.assign(motion);
  velocity.resize(static_cast<std::size_t>(count()));
  parallel_for(
      search_.device(), "wall velocities", count(),
      ParticleVelocities{SiteVelocities{table.data(), driven_.empty() ? nullptr : driven_.data(), sites_->site(),
                                        at_.data(), sites_->solid(), sites_->first(), sites_->count()},
                         site_.data(), velocity.data()});
}

void PlacedWalls::find_velocities(const FaceVelocities& belts, Buffer<Vec4>& velocity) const {
  velocity.resize(static_cast<std::size_t>(count()));
  parallel_for(search_.device(), "wall velocities", count(), BeltVelocities{belts, particles_.data(), velocity.data()});
}

double PlacedWalls::estimate_bytes(const Device& device, const SimulationSetup& setup, std::int64_t count) {
  if (count == 0) return 0;
  constexpr std::size_t word = sizeof(std::uint32_t);
  std::size_t per_particle = sizeof(Vec4) + sizeof(float);  // particles_, solid_density_
  if (!setup.solids.empty() || !setup.solid_regions.empty())
    per_particle += WallSites::kBytesPerSite + sizeof(Vec4) + 2 * word;  // at_, solid_, site_
  const auto bent = [](const SolidRegion& region) { return !has_lattice_of_its_own(region); };
  if (std::any_of(setup.solid_regions.begin(), setup.solid_regions.end(), bent))
    per_particle += WallSites::kBytesPerSiteIfBent + sizeof(float);  // bend_
  if (setup.solids.size() > 1)                                       // as if they shared sites
    per_particle +=
        WallSites::kBytesPerSiteIfShared + sizeof(Vec4) + 2 * word + 1;  // leader_at_, number_, leader_, leads_
  const auto driven = [](const Solid& solid) { return solid.driven; };
  const bool drives =
      any_driven(setup) || std::any_of(setup.solids.begin(), setup.solids.end(), driven);  // most of it stays
  const SearchLoad load{.device = device,
                        .particles = count,
                        .domain = setup.domain,
                        .h = setup.support_radius(),
                        .unmoved = drives ? count : 0};
  return double(count) * double(per_particle) +
         double(estimate_search_memory(wall_search_settings(setup.spacing), load));
}

}  // namespace riffle
