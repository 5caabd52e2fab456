#include "sim/openings/openings.h"

#include <algorithm>
#include <cmath>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "core/math/periodic.h"
#include "core/text/log_write.h"
#include "sim/openings/face_mouth.h"
#include "sim/random/philox.h"
#include "sim/solver.h"

namespace riffle {

namespace openings_kernels {

/// The stretch before a face in which an outlet moves all particles to it.
struct Outflow {
  Vec3 outwards{};            ///< unit vector along an axis
  float begin = 0;            ///< [m] coordinate along `outwards` from which on
  float speed = -1;           ///< [m/s]; negative: none
  float from = 0, until = 0;  ///< [s]

  RIFFLE_HD bool moves(double time) const { return speed >= 0 && time > from && time <= until; }
  RIFFLE_HD bool reaches(Vec3 x) const { return dot(x, outwards) >= begin; }
};

struct Advance {
  const NozzleFlow* inlets;
  int inlet_count, outlet_count;
  std::uint32_t standing;
  double per_second[kMostOutlets];  ///< particles; negative: all
  float from[kMostOutlets], until[kMostOutlets];
  const ClockState* clock;
  OpeningCounts* counts;

  RIFFLE_HD void operator()(std::int64_t) const {
    const double now = clock->time, before = counts->time;
    for (int i = 0; i < inlet_count; ++i) {
      const bool stands = (standing >> i & 1u) != 0;
      const auto flow = inlets[i].at(now);
      const double way = flow.way - inlets[i].at(before).way;
      if (!stands && way > 0) counts->way[i] += way;
      counts->speed[i] = stands ? 0 : flow.speed;
    }
    for (int k = 0; k < outlet_count; ++k) {
      counts->inside[k] = 0;
      counts->taken[k] += counts->marked[k];
      const double taken = counts->marked[k];
      counts->marked[k] = 0;
      if (per_second[k] < 0) continue;
      const bool open = now > from[k] && now <= until[k];
      const double share = open ? per_second[k] * (now - before) : 0;
      // What an outlet could not take because there was too little fluid it does not take later. Chance makes what is due
      // scatter by the square root of what is taken in a step: that must not be cut off, or it would take too little.
      const double due = counts->due[k] - taken;
      counts->due[k] = open ? fmin(due + share, share + 1 + 6 * sqrt(share + 1)) : fmin(due, 0.0);
    }
    counts->time = now;
  }
};

/// Puts the particles of nozzles where their layers are.
struct Hold {
  const NozzleFlow* inlets;
  const std::array<float, 2>* sites;
  const NozzleLayer* layers;  ///< (layer_count) by their first ids
  int layer_count;
  double spacing;
  Domain domain;
  const OpeningCounts* counts;
  const std::uint32_t* id;
  Vec4 *position, *velocity;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::uint32_t k = id[i];
    if (k < layers[0].first_id) return;
    int low = 0, high = layer_count;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (layers[middle].first_id <= k ? low : high) = middle;
    }
    const NozzleLayer layer = layers[low];
    const NozzleFlow& inlet = inlets[layer.inlet];
    const std::uint32_t site = k - layer.first_id;
    if (site >= inlet.sites) return;
    const double way = inlet.length + counts->way[layer.inlet] - (static_cast<double>(layer.number) + 0.5) * spacing;
    if (!(way < inlet.length)) return;
    const float* const at = reinterpret_cast<const float*>(sites + inlet.first_site + site);
    const Vec3 x = periodic_image(inlet.frame.at(way, at[0], at[1]), domain);
    const auto speed = counts->speed[layer.inlet];
    const Vec3 v{static_cast<float>(speed * inlet.frame.along[0]), static_cast<float>(speed * inlet.frame.along[1]),
                 static_cast<float>(speed * inlet.frame.along[2])};
    position[i] = make_vec4(x, position[i].w);
    velocity[i] = make_vec4(v, velocity[i].w);
  }
};

/// Moves the particles that have come into the stretches before faces with a speed. The clock has gone on, the counts not yet.
struct HoldOutflow {
  Outflow outflows[kMostOutlets];
  int count;
  Domain domain;
  const ClockState* clock;
  const OpeningCounts* counts;
  Vec4* place;  ///< [m] of a particle that is moved; w: 1 + the number of its outlet, 0 for a free one
  Vec4 *position, *velocity;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const double now = clock->time;
    Vec4 held = place[i];
    int k = static_cast<int>(held.w) - 1;
    if (k >= count || (k >= 0 && !outflows[k].moves(now))) k = -1;
    if (k < 0) {
      for (int j = 0; j < count && k < 0; ++j)
        if (outflows[j].moves(now) && outflows[j].reaches(xyz(position[i]))) k = j;
      held = k < 0 ? Vec4{} : make_vec4(xyz(position[i]), static_cast<float>(k + 1));
    } else {
      const Vec3 way = static_cast<float>(outflows[k].speed * (now - counts->time)) * outflows[k].outwards;
      held = make_vec4(periodic_image(xyz(held) + way, domain), held.w);
      position[i] = make_vec4(xyz(held), position[i].w);
    }
    if (k >= 0) velocity[i] = make_vec4(outflows[k].speed * outflows[k].outwards, velocity[i].w);
    place[i] = held;
  }
};

struct Name {
  std::uint32_t first_id, fluid;
  float rest_density;
  std::uint32_t *id, *fluids;
  float* density;  ///< nullptr: the solver has none
  RIFFLE_HD void operator()(std::int64_t i) const {
    id[i] = first_id + static_cast<std::uint32_t>(i);
    fluids[i] = fluid;
    if (density != nullptr) density[i] = rest_density;
  }
};

struct Outlets {
  const FlatShape* shapes;
  const Corner2* corners;
  int shape_count, dimension;
  std::uint32_t limited;  ///< bit k: outlet k has a rate
  float from[kMostOutlets], until[kMostOutlets];

  /// The outlet that takes a particle at x now; -1: none.
  RIFFLE_HD int around(Vec3 x, double time) const {
    int found = -1;
    for_each_region(shapes, shape_count, corners, x, 0, dimension, [&](std::uint32_t k, SurfaceDistance d) {
      if (found < 0 && !(d.distance > 0) && time > from[k] && time <= until[k]) found = static_cast<int>(k);
    });
    return found;
  }
};

struct CountInside {
  Outlets outlets;
  const Vec4* position;
  const std::uint32_t* leaving;
  OpeningCounts* counts;
  RIFFLE_HD void operator()(std::int64_t i) const {
    if (leaving[i] != 0) return;
    const int k = outlets.around(xyz(position[i]), counts->time);
    if (k >= 0 && (outlets.limited >> k & 1u) != 0) atomic_add(&counts->inside[k], 1u);
  }
};

/// An outlet with a rate takes each particle in it with the same chance, by a number that follows from its id and the step.
struct MarkLeaving {
  Outlets outlets;
  std::uint64_t seed;
  std::uint32_t stamp;
  const Vec4* position;
  const std::uint32_t* id;
  std::uint32_t* leaving;
  OpeningCounts* counts;
  RIFFLE_HD void operator()(std::int64_t i) const {
    if (leaving[i] != 0) return;
    const int k = outlets.around(xyz(position[i]), counts->time);
    if (k < 0) return;
    if ((outlets.limited >> k & 1u) != 0) {
      const std::uint32_t bits = philox4x32_10({id[i], stamp, 0x6f75746cu, 0}, seed).x;
      if (!(bits * 0x1p-32 * counts->inside[k] < counts->due[k])) return;
    }
    leaving[i] = stamp;
    atomic_add(&counts->marked[k], 1u);
  }
};

struct FlagStamp {
  const std::uint32_t* leaving;
  std::uint32_t stamp;
  std::uint8_t* flags;
  RIFFLE_HD void operator()(std::int64_t i) const { flags[i] = leaving[i] == stamp ? 1 : 0; }
};

}  // namespace openings_kernels

using namespace openings_kernels;

Openings::Openings(const Device& device, const SimulationSetup& setup, std::uint32_t first_id)
    : device_(device),
      domain_(setup.domain),
      spacing_(setup.spacing),
      volume_(setup.particle_volume()),
      outflow_length_(outflow_length(search_radius(setup), setup.spacing)),
      seed_(setup.seed),
      inlets_(device),
      sites_(device),
      knots_(device),
      outlets_(setup.outlets),
      shapes_(device),
      corners_(device),
      counts_(device),
      on_device_(device),
      flags_(device),
      places_(device),
      gone_(device),
      selected_(device),
      scratch_(device) {
  if (setup.inlets.empty() && setup.outlets.empty()) return;
  for (const FluidSetup& fluid : setup.fluids) rest_density_.push_back(fluid.rest_density);
  std::vector<std::array<float, 2>> sites;
  std::vector<MotionKnot> knots;
  std::vector<std::size_t> first_knot;
  std::uint32_t id = first_id;
  for (std::size_t k = 0; k < setup.inlets.size(); ++k) {
    const InletSetup& given = setup.inlets[k];
    const auto mouth = mouth_sites(given, setup.domain, setup.spacing);
    const double area = mouth_area(given, setup.domain, setup.spacing);
    const auto layers = static_cast<std::uint32_t>(nozzle_layers(setup, given));
    NozzleFlow inlet;
    inlet.frame = nozzle_frame(given, setup.domain);
    inlet.length = layers * spacing_;
    inlet.per_area = area > 0 ? 1 / area : 0;
    inlet.speed = double{given.speed} + inlet.per_area * given.rate;
    inlet.table.count = given.table.count;
    inlet.from = given.from, inlet.until = given.until, inlet.ramp = given.ramp;
    inlet.first_site = static_cast<std::uint32_t>(sites.size());
    inlet.sites = static_cast<std::uint32_t>(mouth.size());
    inlet.fluid = static_cast<std::uint32_t>(given.fluid);
    sites.insert(sites.end(), mouth.begin(), mouth.end());
    first_knot.push_back(knots.size());
    knots.insert(knots.end(), given.table.knots, given.table.knots + given.table.count);
    host_inlets_.push_back(inlet);
    mouths_.push_back(mouth);
    names_.push_back(inlet_name(setup, k));
    length_.push_back(layers);
    made_.push_back(layers);
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
      layers_.push_back({id, static_cast<std::uint32_t>(k), layer});
      id += inlet.sites;
    }
  }
  knots_.assign(knots);
  for (std::size_t k = 0; k < host_inlets_.size(); ++k) host_inlets_[k].table.knots = knots_.data() + first_knot[k];
  sites_.assign(sites);
  inlets_.assign(host_inlets_);
  paused_steps_.assign(setup.inlets.size(), 0);
  why_paused_.assign(setup.inlets.size(), "");
  for (OutletSetup& outlet : outlets_)
    if (outlet.face >= 0) outlet_at_face(outlet, setup.domain);
  std::vector<const Region*> regions;
  for (const OutletSetup& outlet : outlets_) regions.push_back(&outlet);
  const FlatRegions flat = flatten(regions, setup.domain, setup.spacing);
  shapes_.assign(flat.shapes);
  corners_.assign(flat.corners);
  counts_.assign(std::vector<OpeningCounts>(1));
  for (int k = 0; k <= kOpeningsLag; ++k) ring_.push_back(std::make_unique<LateCopy>(device));
  from_state_.resize(ring_.size());
  if (any_outlet()) selected_.resize(1);
  upload_layers();
}

Openings::~Openings() = default;

void Openings::prepare(ParticleSet& particles) const {
  if (any_outlet() && !particles.has("leaving")) particles.add<std::uint32_t>("leaving", Persistence::Carry);
  if (any_outflow() && !particles.has(kOutflowPlace)) particles.add<Vec4>(kOutflowPlace, Persistence::Carry);
}

void Openings::upload_layers() { on_device_.assign(layers_); }

const OpeningCounts* Openings::late_counts() const {
  if (turn_ <= static_cast<std::uint32_t>(kOpeningsLag)) return nullptr;
  const std::size_t slot = (turn_ - kOpeningsLag) % ring_.size();
  if (from_state_[slot]) return &*from_state_[slot];
  return static_cast<const OpeningCounts*>(ring_[slot]->wait());
}

int Openings::follow(ParticleSet& particles, const ClockState* clock) {
  const int n = particles.count();
  ++turn_;
  Advance advance{};
  advance.inlets = inlets_.data();
  advance.inlet_count = static_cast<int>(inlets_.size());
  advance.outlet_count = static_cast<int>(outlets_.size());
  advance.standing = standing_;
  advance.clock = clock;
  advance.counts = counts_.data();
  Outlets outlets{shapes_.data(), corners_.data(), static_cast<int>(shapes_.size()), domain_.dimension, 0, {}, {}};
  for (std::size_t k = 0; k < outlets_.size(); ++k) {
    advance.per_second[k] = outlets_[k].rate < 0 ? -1 : outlets_[k].rate / volume_;
    advance.from[k] = outlets.from[k] = outlets_[k].from;
    advance.until[k] = outlets.until[k] = outlets_[k].until;
    if (!(outlets_[k].rate < 0)) outlets.limited |= 1u << k;
  }
  if (any_outflow()) move_out(particles, clock);
  parallel_for(device_, "advance openings", 1, advance);
  if (!layers_.empty())
    parallel_for(device_, "hold nozzles", n,
                 Hold{inlets_.data(), sites_.data(), on_device_.data(), static_cast<int>(layers_.size()), spacing_,
                      domain_, counts_.data(), particles.get<std::uint32_t>("id").data(),
                      particles.get<Vec4>("position").data(), particles.get<Vec4>("velocity").data()});
  if (any_outlet()) {
    const Vec4* position = particles.get<Vec4>("position").data();
    std::uint32_t* leaving = particles.get<std::uint32_t>("leaving").data();
    if (outlets.limited != 0)
      parallel_for(device_, "count in outlets", n, CountInside{outlets, position, leaving, counts_.data()});
    parallel_for(device_, "mark leaving", n,
                 MarkLeaving{outlets, seed_, turn_, position, particles.get<std::uint32_t>("id").data(), leaving,
                             counts_.data()});
  }
  const std::size_t slot = turn_ % ring_.size();
  ring_[slot]->post(counts_.data(), sizeof(OpeningCounts));
  from_state_[slot].reset();
  asked_ = 0;
  const OpeningCounts* late = late_counts();
  if (late == nullptr) return 0;
  known_ = *late;
  for (std::size_t k = 0; k < made_.size(); ++k) paused_steps_[k] += standing_ >> k & 1u;
  const auto is_free = [&](const NozzleLayer& layer) {
    return !(known_.way[layer.inlet] - (static_cast<double>(layer.number) + 0.5) * spacing_ < 0);
  };
  if (std::erase_if(layers_, is_free) > 0) upload_layers();
  std::uint32_t leaving = 0;
  for (const std::uint32_t marked : known_.marked) leaving += marked;
  return any_outlet() ? static_cast<int>(leaving) : 0;
}

void Openings::move_out(ParticleSet& particles, const ClockState* clock) {
  HoldOutflow hold{{},
                   static_cast<int>(outlets_.size()),
                   domain_,
                   clock,
                   counts_.data(),
                   particles.get<Vec4>(kOutflowPlace).data(),
                   particles.get<Vec4>("position").data(),
                   particles.get<Vec4>("velocity").data()};
  for (std::size_t k = 0; k < outlets_.size(); ++k) {
    const OutletSetup& outlet = outlets_[k];
    if (!moves_out(outlet)) continue;
    Outflow& outflow = hold.outflows[k];
    outflow.outwards = -outlet.normal;
    outflow.begin = static_cast<float>(dot(outlet.point, outflow.outwards) - outflow_length_);
    outflow.speed = outlet.speed;
    outflow.from = outlet.from, outflow.until = outlet.until;
  }
  parallel_for(device_, "move to outlets", particles.count(), hold);
}

void Openings::take_out(ParticleSet& particles, int count) {
  const int n = particles.count();
  const auto size = static_cast<std::size_t>(n);
  flags_.resize(size);
  gone_.resize(size);
  if (places_.size() < size) {
    places_.resize(size);
    fill_iota(device_, places_.data(), size);
  }
  parallel_for(device_, "flag leaving", n,
               FlagStamp{particles.get<std::uint32_t>("leaving").data(), turn_ - kOpeningsLag, flags_.data()});
  select_flagged(device_, places_.data(), flags_.data(), gone_.data(), selected_.data(), size, scratch_);
  particles.take_out(gone_.data(), std::min(count, n - 1));
}

int Openings::next_due() {
  for (; asked_ < made_.size(); ++asked_) {
    const double layers = std::floor(length_[asked_] + 0.5 + known_.way[asked_] / spacing_);
    if (layers > double(made_[asked_])) return static_cast<int>(asked_);
  }
  return -1;
}

void Openings::place_layer(ParticleSet& particles, int first, int inlet, std::uint32_t first_id) {
  const auto k = static_cast<std::size_t>(inlet);
  const int size = layer_size(inlet);
  std::uint32_t* id = particles.get<std::uint32_t>("id").data() + first;
  const auto fluid = host_inlets_[k].fluid;
  parallel_for(device_, "name layer", size,
               Name{first_id, fluid, static_cast<float>(rest_density_[fluid]), id,
                    particles.get<std::uint32_t>("fluid").data() + first,
                    particles.has("density") ? particles.get<float>("density").data() + first : nullptr});
  layers_.push_back({first_id, static_cast<std::uint32_t>(inlet), made_[k]++});
  upload_layers();
  parallel_for(device_, "place layer", size,
               Hold{inlets_.data(), sites_.data(), on_device_.data(), static_cast<int>(layers_.size()), spacing_,
                    domain_, counts_.data(), id, particles.get<Vec4>("position").data() + first,
                    particles.get<Vec4>("velocity").data() + first});
  standing_ &= ~(1u << k);
  why_paused_[k].clear();
}

void Openings::pause(int inlet, const std::string& why) {
  const auto k = static_cast<std::size_t>(inlet);
  ++asked_;
  standing_ |= 1u << k;
  if (paused_steps_[k] == 0 && why_paused_[k].empty())
    log::write(log::Level::Warning, "inlet '" + names_[k] + "' pauses, and goes on once there is room: " + why);
  why_paused_[k] = why;
}

OpeningsReport Openings::report() const {
  OpeningsReport report;
  if (!any()) return report;
  const OpeningCounts now = counts_.to_host()[0];
  for (std::size_t k = 0; k < made_.size(); ++k) {
    const double layers = std::min(std::floor(now.way[k] / spacing_ + 0.5), double(made_[k]));
    const auto particles = static_cast<std::uint64_t>(layers) * mouths_[k].size();
    report.inlets.push_back({particles, double(particles) * volume_, paused_steps_[k], why_paused_[k]});
  }
  for (std::size_t k = 0; k < outlets_.size(); ++k) {
    const std::uint64_t taken = now.taken[k] + now.marked[k];
    report.outlets.push_back({taken, double(taken) * volume_});
  }
  return report;
}

KeptOpenings Openings::kept() const {
  KeptOpenings kept;
  if (!any()) return kept;
  kept.counts = counts_.to_host()[0];
  for (std::uint32_t back = kOpeningsLag; back-- > 0;) {
    if (turn_ < back + 1) continue;
    const std::size_t slot = (turn_ - back) % ring_.size();
    kept.late.push_back(from_state_[slot] ? *from_state_[slot]
                                          : *static_cast<const OpeningCounts*>(ring_[slot]->wait()));
  }
  kept.layers = layers_;
  kept.made = made_;
  kept.length = length_;
  kept.paused_steps = paused_steps_;
  kept.turn = turn_;
  kept.standing = standing_;
  return kept;
}

void Openings::restore(const KeptOpenings& kept, double time) {
  if (!any()) return;
  known_ = {};
  for (auto& slot : from_state_) slot.reset();
  if (kept.empty()) {
    OpeningCounts counts;
    counts.time = time;
    counts_.assign(std::vector<OpeningCounts>{counts});
    turn_ = 0;
    return;
  }
  counts_.assign(std::vector<OpeningCounts>{kept.counts});
  turn_ = kept.turn;
  for (std::size_t k = 0; k < kept.late.size(); ++k)
    from_state_[(turn_ - (kept.late.size() - 1 - k)) % ring_.size()] = kept.late[k];
  if (!any_inlet()) return;  // nozzles that the state has are ordinary fluid now
  layers_ = kept.layers;
  upload_layers();
  made_ = kept.made;
  length_ = kept.length;
  for (std::size_t k = 0; k < host_inlets_.size(); ++k) host_inlets_[k].length = length_[k] * spacing_;
  inlets_.assign(host_inlets_);
  paused_steps_ = kept.paused_steps;
  standing_ = kept.standing;
  for (std::size_t k = 0; k < why_paused_.size(); ++k)
    why_paused_[k] = (standing_ >> k & 1u) != 0 ? "as in the state that the run goes on from" : "";
}

std::size_t Openings::memory_bytes() const {
  return inlets_.bytes() + sites_.bytes() + knots_.bytes() + shapes_.bytes() + corners_.bytes() + counts_.bytes() +
         on_device_.bytes() + flags_.bytes() + places_.bytes() + gone_.bytes() + selected_.bytes() + scratch_.bytes();
}

}  // namespace riffle
