#include "sim/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <unordered_map>

#include "core/device/particle_limit.h"
#include "core/error.h"
#include "core/math/periodic.h"
#include "neighbors/build_sorted.h"
#include "neighbors/search_memory.h"
#include "sim/automatic_choice.h"
#include "sim/bodies/body_energy.h"
#include "sim/bodies/free_bodies.h"
#include "sim/bodies/joints/joint_memory.h"
#include "sim/bodies/rigid_motion.h"
#include "sim/lattice_ball.h"
#include "sim/openings/openings.h"
#include "sim/reductions.h"
#include "sim/solver.h"
#include "sim/solver_info.h"
#include "sim/start/sampling.h"
#include "sim/start/start.h"
#include "sim/viscosity/viscosity_choice.h"
#include "sim/walls/boundary.h"
#include "sim/walls/domain_faces.h"
#include "sim/walls/inside_solids.h"
#include "sim/walls/solid_regions.h"
#include "sim/walls/solid_surfaces.h"

namespace riffle {

namespace {

/// One above the largest id: random numbers use the two that follow (sim/random/random.h).
constexpr std::uint32_t kIdsEnd = 0xfffffffeu;

bool one_fluid(const std::vector<std::uint32_t>& fluid) {
  return std::all_of(fluid.begin(), fluid.end(), [](std::uint32_t f) { return f == 0; });
}

ParticleSet make_particles(const Device& device, const FluidSamples& samples, const std::vector<std::uint32_t>& ids) {
  ParticleSet particles(device, static_cast<int>(samples.position.size()));
  // A fluid at rest has its pressures by its lattice: Impl::leave_sites().
  particles.add<Vec4>("position", Persistence::Carry).assign(samples.site.empty() ? samples.position : samples.site);
  particles.add<Vec4>("velocity", Persistence::Carry).assign(samples.velocity);
  particles.add<std::uint32_t>("id", Persistence::Carry).assign(ids);
  // With one fluid every entry is 0 in any order, so nothing has to be carried.
  particles.add<std::uint32_t>("fluid", one_fluid(samples.fluid) ? Persistence::Scratch : Persistence::Carry)
      .assign(samples.fluid);
  return particles;
}

/// Memory that make_particles() allocates per particle.
std::size_t common_particle_bytes(const SimulationSetup& setup) {
  return 2 * attribute_bytes<Vec4>(Persistence::Carry) + attribute_bytes<std::uint32_t>(Persistence::Carry) +
         attribute_bytes<std::uint32_t>(setup.fluids.size() == 1 ? Persistence::Scratch : Persistence::Carry);
}

}  // namespace

namespace {

/// Never the same twice in this process.
std::uint64_t next_moment() {
  static std::atomic<std::uint64_t> moments = 0;
  return ++moments;
}

/// The device, after a look at whether the start goes on.
const Device& looked(const Device& device, const StartProgress& progress) {
  look_at_progress(progress, {StartStage::Simulation}, "the simulation was made");
  return device;
}

}  // namespace

struct Simulation::Impl {
  SimulationSetup setup;
  Device device;
  ParticleSet particles;
  NeighborSearch search;
  std::unique_ptr<Solver> solver;
  Openings openings;
  StepControl control;
  StageTimer timer;
  std::uint64_t steps = 0;               ///< enqueued
  std::uint64_t moment = next_moment();  ///< Simulation::moment()
  bool knows_last_step = false;
  std::uint32_t next_id = 0;             ///< of the next new particle
  int most_searched = 0;                 ///< particles that the search in use is known to hold
  std::unique_ptr<NeighborTuner> tuner;  ///< with neighbors.automatic
  std::vector<NeighborMethod> methods_measured;
  std::optional<Stirring> stirring;
  double eased = 0;       ///< Simulation::ease()
  double step_share = 1;  ///< Simulation::shorten_steps()

  /// first_held: the id of the first of the particles that nozzles hold
  /// progress: asked between the parts, each of which may take seconds
  Impl(const SimulationSetup& s, const Device& d, const FluidSamples& samples, const std::vector<std::uint32_t>& ids,
       std::uint32_t first_held, const std::shared_ptr<PlacedWalls>& walls, const StartProgress& progress = {})
      : setup(s),
        device(d),
        particles(make_particles(d, samples, ids)),
        search(looked(d, progress), search_settings(s, s.neighbors)),
        solver(make_solver(s, particles, walls)),
        openings(looked(d, progress), s, first_held),
        control(d, step_bounds(s)),
        timer(d),
        next_id(above(ids)),
        most_searched(particles.count()) {
    control.set_fault_limits(fault_limits(s));
    openings.prepare(particles);
    if (openings.any_inlet() && s.fluids.size() > 1) particles.carry("fluid");
    if (s.neighbors.automatic) start_tuning(s.neighbors);
  }

  Impl(const SimulationSetup& s, const Device& d, const FluidSamples& samples, const StartProgress& progress)
      : Impl(s, d, samples, ascending(samples.position.size()),
             static_cast<std::uint32_t>(samples.position.size() - FilledNozzles(s).count()), nullptr, progress) {
    looked(d, progress);
    leave_sites(samples);
    take_compression(samples, 0);
  }

  Impl(const SimulationSetup& s, const Device& d, const SimulationState& state,
       const std::shared_ptr<PlacedWalls>& walls)
      : Impl(s, d, {*state.find<Vec4>("position"), *state.find<Vec4>("velocity"), *state.find<std::uint32_t>("fluid")},
             *state.find<std::uint32_t>("id"), 0, walls) {
    take(state);
  }

  SimulationSetup eased_setup() const {
    SimulationSetup result = setup;
    if (const auto ease = solver_info(setup).ease) ease(result, eased);
    // The solver has made this choice by the setup.
    result.wcsph.viscosity = viscosity::is_implicit(setup) ? ViscosityScheme::Implicit : ViscosityScheme::Explicit;
    return result;
  }

  /// The force's bound of the step is the root of its length.
  StepBounds shortened(StepBounds bounds) const {
    const auto share = static_cast<float>(step_share);
    bounds.fixed *= share;
    bounds.cfl_length *= share;
    bounds.force_length *= share * share;
    bounds.constant *= share;
    bounds.viscous_share = share;
    return bounds;
  }

  void choose_bounds() {
    const StepBounds bounds = shortened(step_bounds(eased_setup()));
    control.set_bounds(stirring ? with_stirring(bounds, *stirring) : bounds);
  }

  /// nullptr: the solver has no wall particles.
  Boundary* boundary() const { return solver->boundary(); }
  int wall_count() const { return boundary() ? boundary()->count() : 0; }
  std::shared_ptr<PlacedWalls> walls() const { return boundary() ? boundary()->shared() : nullptr; }

  void place_solids(std::span<const Placement> placements) {
    if (boundary() == nullptr) throw InputError("the solver has no wall particles, hence no solids to place");
    if (!setup.solid_regions.empty())
      throw InputError("solids made of regions are fixed and cannot be placed elsewhere");
    boundary()->place(placements);
    setup.solids = boundary()->solids();
  }

  /// Puts particles where they were fitted to solids, with what they carry there.
  void leave_sites(const FluidSamples& samples) {
    if (samples.site.empty()) return;
    particles.get<Vec4>("position").assign(samples.position);
    const auto off_sites = solver_info(setup).compression_off_sites;
    if (!off_sites || !particles.has("compression")) return;
    auto& compression = particles.get<float>("compression");
    compression.assign(off_sites(setup, samples, compression.to_host()));
  }

  /// Gives the compression of the samples to the particles from `first` on, if the solver's particles carry one.
  void take_compression(const FluidSamples& samples, int first) {
    if (samples.compression.empty() || !particles.has("compression")) return;
    auto& compression = particles.get<float>("compression");
    std::vector<float> values = compression.to_host();
    for (std::size_t k = 0; k < samples.compression.size(); ++k)
      if (!std::isnan(samples.compression[k])) values[static_cast<std::size_t>(first) + k] = samples.compression[k];
    compression.assign(values);
  }

  /// Allocates what take() needs; the particles stay as they are.
  void make_room(const SimulationState& state) {
    make_room(state.count);
    if (!one_fluid(*state.find<std::uint32_t>("fluid"))) particles.carry("fluid");
    if (state.find<std::uint32_t>("foreign") != nullptr && !particles.has("foreign"))
      particles.add<std::uint32_t>("foreign", Persistence::Carry);
    if ((sums_differ(state.setup, setup) || state.find<float>(Inheritance::kAttribute) != nullptr) &&
        !particles.has(Inheritance::kAttribute))
      particles.add<float>(Inheritance::kAttribute, Persistence::Carry);
  }

  /// state: checked.
  void take(const SimulationState& state) {
    const bool started = carries_on(state, setup);
    moment = next_moment();
    make_room(state);
    if (state.find<std::uint32_t>("foreign") == nullptr && particles.has("foreign"))
      particles.get<std::uint32_t>("foreign").fill_zero();
    particles.resize(0);  // what the state does not have is 0
    particles.resize(state.count);
    next_id = std::max(state.next_id, above(*state.find<std::uint32_t>("id")));
    for (const AttributeValues& attribute : state.attributes)
      if (particles.has(attribute.name)) particles.assign(attribute);
    if (!started) particles.get<Vec4>("velocity").assign(start_velocities(state));
    if (openings.any_outflow() && !same_faces(state.setup.outlets, setup.outlets))
      particles.get<Vec4>(Openings::kOutflowPlace).fill_zero();  // it has the numbers of outlets
    const bool kept = keep_pressures(state);
    inherit(state);
    search = NeighborSearch(device, search_settings(setup, setup.neighbors));
    keep_search(state);
    most_searched = state.count;
    solver->resume(started || kept);
    keep_bodies(state);
    openings.restore(openings_of(state), state.clock.time);
    knows_last_step = started && state.knows_last_step;
    control.restore(state.clock);
  }

  /// Free bodies are where the state has them, if they are those of the setup.
  void keep_bodies(const SimulationState& state) {
    const auto &from = state.setup.solid_regions, &to = setup.solid_regions;
    if (state.bodies.empty() ||
        !std::equal(from.begin(), from.end(), to.begin(), to.end(), [](const SolidRegion& a, const SolidRegion& b) {
          return static_cast<const Region&>(a) == b && a.free.given == b.free.given;
        }))
      return;
    KeptBodies kept = state.bodies;
    kept.contacts = memory_of_joints(std::move(kept.contacts), state.setup.joints, setup.joints);
    solver->restore_bodies(kept);
  }

  static bool same_faces(const std::vector<OutletSetup>& from, const std::vector<OutletSetup>& to) {
    return std::equal(from.begin(), from.end(), to.begin(), to.end(),
                      [](const OutletSetup& a, const OutletSetup& b) { return a.face == b.face; });
  }

  /// What other outlets than those of the setup have taken does not count.
  KeptOpenings openings_of(const SimulationState& state) const {
    KeptOpenings kept = state.openings;
    const auto &from = state.setup.outlets, &to = setup.outlets;
    for (std::size_t k = 0; k < kMostOutlets; ++k)
      if (k >= from.size() || k >= to.size() || from[k].name != to[k].name ||
          static_cast<const Region&>(from[k]) != static_cast<const Region&>(to[k]) || from[k].face != to[k].face)
        kept.counts.taken[k] = kept.counts.marked[k] = 0, kept.counts.due[k] = 0;
    return kept;
  }

  /// Densities of particles with these excesses; kNone counts as 0.
  void assume_densities(const SimulationState& state, const std::vector<float>& excess) {
    const std::vector<std::uint32_t>& fluid = *state.find<std::uint32_t>("fluid");
    std::vector<float> density;
    for (std::size_t i = 0; i < excess.size(); ++i)
      density.push_back(setup.fluids[fluid[i]].rest_density * (1 + (excess[i] == Inheritance::kNone ? 0 : excess[i])));
    particles.get<float>("density").assign(density);
  }

  /// From another solver the particles inherit how its densities differ (sim/inheritance/inheritance.h).
  void inherit(const SimulationState& state) {
    Inheritance& inheritance = solver->inheritance();
    inheritance.restore(state.inheritance);
    if (!state.started || !sums_differ(state.setup, setup)) return;
    const auto excess_under = solver_info(setup).excess_under(setup);
    const std::vector<float> pressure = left_pressures(state, setup);
    std::vector<float> expected(static_cast<std::size_t>(state.count), Inheritance::kNone);
    for (std::size_t i = 0; i < pressure.size(); ++i)
      if (pressure[i] > 0) expected[i] = static_cast<float>(excess_under(pressure[i]));
    particles.get<float>(Inheritance::kAttribute).assign(expected);
    if (!pressure.empty())
      for (const char* name : {"pressure", "constraint pressure"})
        if (particles.has(name)) particles.get<float>(name).assign(pressure);
    if (solver_info(setup).pressure) assume_densities(state, expected);
    inheritance.begin(state.clock.time);
  }

  /// Goes on with the lists that the state's search has kept, if they are of this search.
  void keep_search(const SimulationState& state) {
    const SimulationSetup& from = state.setup;
    if (state.search.empty() || from.neighbors.automatic || setup.neighbors.automatic) return;
    const bool same = static_cast<const MethodSettings&>(from.neighbors) == setup.neighbors &&
                      from.deterministic == setup.deterministic && from.domain == setup.domain;
    if (!same) return;
    search.restore(state.search, particles.get<Vec4>("position").data(), state.count, setup.domain,
                   search_radius(setup));
  }

  /// @return whether the particles' compressions were changed for that
  bool keep_pressures(const SimulationState& state) {
    const auto kept_compression = solver_info(setup).kept_compression;
    if (!kept_compression || !particles.has("compression")) return false;
    const std::vector<float> compression = kept_compression(state, setup);
    if (compression.empty()) return false;
    particles.get<float>("compression").assign(compression);
    if (!particles.has("density") || !state.find<float>("density")) return true;
    assume_densities(state, compression);
    return true;
  }

  /// Allocates for `count` particles, and for half as many again as there were if that fits.
  void make_room(int count) {
    const int before = particles.capacity();
    if (count <= before) return;
    const std::int64_t generous = std::int64_t{before} + before / 2;
    if (generous > count && generous <= kMostParticles && bytes_short(static_cast<int>(generous)) == 0) {
      try {
        return reserve(static_cast<int>(generous));
      } catch (const Unavailable&) {  // memory is in pieces, or another program has taken it
      }
    }
    reserve(count);
  }

  /// What a larger capacity takes; while the old arrays are copied, both exist.
  std::size_t bytes_of(int capacity) const {
    const bool walled = wall_count() > 0, marked = openings.any_outlet();
    const bool foreign = particles.has("foreign"), inherited = particles.has(Inheritance::kAttribute);
    const double per_particle =
        double(common_particle_bytes(setup) + solver_info(setup).particle_bytes(setup, walled) +
               ((foreign ? 1 : 0) + (marked ? 1 : 0)) * attribute_bytes<std::uint32_t>(Persistence::Carry) +
               (openings.any_outflow() ? attribute_bytes<Vec4>(Persistence::Carry) : 0) +
               (inherited ? attribute_bytes<float>(Persistence::Carry) : 0) + solver->growth_bytes(foreign));
    return static_cast<std::size_t>(capacity * per_particle);
  }
  std::size_t bytes_short(int capacity) const {
    const std::size_t needed = bytes_of(capacity), free = free_memory(device);
    return needed > free ? needed - free : 0;
  }

  void reserve(int capacity) {
    if (capacity <= particles.capacity()) return;
    if (bytes_short(capacity) > 0)
      throw Unavailable(fmt::format("room for {} particles instead of {} needs about {} bytes on the {}, {} are free",
                                    capacity, particles.capacity(), bytes_of(capacity), to_string(device.kind),
                                    free_memory(device)));
    solver->reserve(capacity);  // if the particles' arrays do not fit then, the solver's are too large and of use later
    particles.reserve(capacity);
  }

  std::vector<std::uint32_t> add(const FluidSamples& samples) {
    const int before = particles.count(), added = static_cast<int>(samples.position.size());
    std::vector<std::uint32_t> ids(samples.position.size());
    if (added == 0) return ids;
    std::iota(ids.begin(), ids.end(), next_id);
    make_room(before + added);
    if (!one_fluid(samples.fluid)) particles.carry("fluid");
    particles.append(added);
    particles.write<Vec4>("position", before, without_w(samples.position));
    particles.write<Vec4>("velocity", before, without_w(samples.velocity));
    particles.write<std::uint32_t>("id", before, ids);
    particles.write<std::uint32_t>("fluid", before, samples.fluid);
    try {
      if (particles.count() > most_searched) try_search(search_settings(setup, setup.neighbors));
    } catch (...) {
      particles.resize(before);
      throw;
    }
    next_id += static_cast<std::uint32_t>(added);
    number_changed(before);
    take_compression(samples, before);
    return ids;
  }

  /// (count) whether the particle is one of `ids`. @throws InputError for an id without a particle, or given twice.
  std::vector<bool> named(const char* what, std::span<const std::uint32_t> ids) const {
    const std::vector<std::uint32_t> present = particles.get<std::uint32_t>("id").to_host();
    std::unordered_map<std::uint32_t, bool> asked;  // whether there is a particle of that id
    for (const std::uint32_t id : ids)
      if (!asked.emplace(id, false).second)
        throw InputError(fmt::format("{}: id {} is given twice; allowed: once", what, id));
    std::vector<bool> found(present.size(), false);
    for (std::size_t i = 0; i < present.size(); ++i)
      if (const auto at = asked.find(present[i]); at != asked.end()) found[i] = at->second = true;
    for (const std::uint32_t id : ids)
      if (!asked[id])
        throw InputError(fmt::format("{}: no particle has the id {}; there are {} with ids below {}", what, id,
                                     present.size(), next_id));
    return found;
  }

  void remove(std::span<const std::uint32_t> ids) {
    if (openings.any_outlet())
      throw InputError("remove particles: found a scene with outlets, which take particles out; allowed: one without");
    const std::vector<bool> gone = named("remove particles", ids);
    std::vector<std::uint32_t> places;
    for (std::size_t i = 0; i < gone.size(); ++i)
      if (!gone[i]) places.push_back(static_cast<std::uint32_t>(i));
    if (ids.empty()) return;
    if (places.empty())
      throw InputError(fmt::format("remove particles: all {} are given; one at least must stay", gone.size()));
    const Buffer<std::uint32_t> kept(device, places);
    particles.keep(kept.data(), static_cast<int>(places.size()));
    number_changed(particles.count());
  }

  void set_foreign(std::span<const std::uint32_t> ids, bool foreign) {
    const std::vector<bool> meant = named("foreign particles", ids);
    if (!particles.has("foreign")) particles.add<std::uint32_t>("foreign", Persistence::Carry);
    auto& flags = particles.get<std::uint32_t>("foreign");
    std::vector<std::uint32_t> next = flags.to_host();
    std::vector<std::uint32_t> own_again(next.size(), 0);
    for (std::size_t i = 0; i < meant.size(); ++i)
      if (meant[i]) {
        own_again[i] = !foreign && next[i] != 0 ? 1 : 0;
        next[i] = foreign ? 1 : 0;
      }
    const Buffer<std::uint32_t> changed(device, own_again);
    solver->follow_foreign(particles, changed.data());
    flags.assign(next);
  }

  /// first_new: see Solver::follow().
  void number_changed(int first_new) {
    moment = next_moment();
    most_searched = std::max(most_searched, particles.count());
    search.forget();
    solver->follow(particles, first_new);
    // The methods worth measuring depend on the number.
    if (tuner && sensible_methods(particles.count()) != methods_measured) start_tuning(setup.neighbors);
  }

  void start_tuning(const NeighborSetup& neighbors) {
    if (const char* why = why_no_automatic_choice(setup.deterministic))
      throw InputError(std::string("neighbors.method: found ") + why + "; a deterministic run needs a method by name");
    methods_measured = sensible_methods(particles.count());
    tuner = std::make_unique<NeighborTuner>(neighbors, methods_measured, 0.01f * riffle::signal_speed(setup));
    setup.neighbors.automatic = true;
  }

  void use(const NeighborSetup& neighbors) {
    const SearchSettings settings = search_settings(setup, neighbors);
    try_search(settings);
    search = NeighborSearch(device, settings);
    setup.neighbors = neighbors;
    most_searched = particles.count();
  }

  /// Only a build shows whether the tables fit. This search is then destroyed: the particles do not follow its order,
  /// which the next build would assume if the search keeps a list, or changes its cells only where particles moved.
  void try_search(const SearchSettings& settings) const {
    NeighborSearch trial(device, settings);
    trial.build(particles.get<Vec4>("position").data(), particles.count(), setup.domain, search_radius(setup));
  }

  void step() {
    moment = next_moment();
    timer.begin_step();
    solver->step(particles, search, control, timer);
    if (openings.any() && !control.at_time_limit()) follow_openings();
    control.post();
    ++steps;
    knows_last_step = true;
  }

  /// The end of a step: layers of inlets come, particles in outlets go.
  void follow_openings() {
    auto timing = timer.scope("openings");
    const int before = particles.count();
    const int leaving = openings.follow(particles, control.state());
    if (leaving > 0) openings.take_out(particles, leaving);
    const int first_new = particles.count();
    for (int inlet = openings.next_due(); inlet >= 0; inlet = openings.next_due()) {
      const int size = openings.layer_size(inlet), first = particles.count();
      if (const std::string why = why_no_room(size); !why.empty()) {
        openings.pause(inlet, why);
        continue;
      }
      particles.append(size);
      openings.place_layer(particles, first, inlet, next_id);
      next_id += static_cast<std::uint32_t>(size);
    }
    if (leaving > 0 || particles.count() != before) number_changed(first_new);
  }

  /// Makes room for more particles. @return "" or why there is none
  std::string why_no_room(int more) {
    const std::int64_t wanted = std::int64_t{particles.count()} + more;
    if (setup.most_particles > 0 && wanted > setup.most_particles)
      return fmt::format("particles.limit is {}, and there are {}", setup.most_particles, particles.count());
    if (wanted > kMostParticles) return fmt::format("at most {} particles can be numbered", kMostParticles);
    if (static_cast<std::uint32_t>(more) > kIdsEnd - next_id) return "no number is left for a new particle";
    if (wanted <= particles.capacity()) return "";
    const std::size_t search_grows = search.memory_bytes() / 2;  // as the particles, by half
    const std::size_t free = free_memory(device);
    const auto needed = bytes_of(static_cast<int>(wanted)) + search_grows;
    if (needed > free)
      return fmt::format("room for {} particles needs about {} bytes, {} are free", wanted, needed, free);
    try {
      make_room(static_cast<int>(wanted));
    } catch (const Unavailable& lack) {
      return lack.what();
    }
    return "";
  }

  void tuned_step() {
    while (!try_tuned_step()) {
    }
  }

  /// @return false after a change of the search, or if the search refused: the step has not been done.
  bool try_tuned_step() {
    const NeighborTuner::Task task = tuner->next(steps, control.latest().max_speed);
    const std::uint64_t version = search.version();
    if (task.change || task.timed) synchronize(device);
    const auto begin = std::chrono::steady_clock::now();
    try {
      if (task.change)
        use(*task.change);
      else
        step();
    } catch (const Unavailable& lack) {
      if (!task.change && !solver_info(setup).retries_step) throw;
      tuner->refused(lack.what());
      return false;
    } catch (const InputError& unfit) {  // a periodic axis that is too short with the skin
      if (!task.change) throw;
      tuner->refused(unfit.what());
      return false;
    }
    if (task.change || task.timed) synchronize(device);
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (task.change) tuner->changed(ms);
    if (task.timed) tuner->timed(ms, search.version() != version);
    if (task.look) tuner->seen(search.occupancy());
    return !task.change;
  }

  static std::uint32_t above(const std::vector<std::uint32_t>& ids) {
    return std::min(*std::max_element(ids.begin(), ids.end()), kIdsEnd - 1) + 1;
  }

  static std::vector<Vec4> without_w(std::vector<Vec4> values) {
    for (Vec4& value : values) value.w = 0;
    return values;
  }

  static std::vector<std::uint32_t> ascending(std::size_t count) {
    std::vector<std::uint32_t> id(count);
    std::iota(id.begin(), id.end(), 0u);
    return id;
  }
};

namespace {

/// Bytes that a Simulation with that many fluid and wall particles allocates.
std::size_t estimate_memory(const SimulationSetup& setup, const Device& device, std::int64_t count, std::int64_t walls);

void check_memory(const SimulationSetup& setup, const Device& device, std::int64_t count,
                  const StartProgress& progress = {}) {
  const WallCounts walls = count_walls(setup, progress);
  if (std::max({count, walls.wall, walls.behind}) > kMostParticles)
    throw Unavailable(fmt::format(
        "{} fluid and {} wall particles, with {} sites behind these: at most {} of each can be numbered; use "
        "a larger spacing or a smaller domain",
        count, walls.wall, walls.behind, kMostParticles));
  std::size_t needed = estimate_memory(setup, device, count, walls.wall);
  const std::size_t free = free_memory(device);
  // Samples are made in the host's memory, which on the CPU is the same memory.
  if (device.is_cpu())
    needed += static_cast<std::size_t>(count) * (FluidSamples::kBytesPerParticle + sizeof(std::uint32_t)) +
              static_cast<std::size_t>(walls.wall) * SolidSamples::kBytesPerParticle;
  if (needed > free)
    throw Unavailable(
        fmt::format("{} fluid and {} wall particles need about {} bytes on the {}, {} are free; use a larger spacing "
                    "or a smaller domain",
                    count, walls.wall, needed, to_string(device.kind), free));
}

void check_solids(const SimulationSetup& setup) {
  if (setup.solid_regions.empty() && !setup.solids.empty() && !solver_info(setup).wall_particles)
    throw InputError(fmt::format("solver {} has no wall particles, of which solids are made", to_string(setup.solver)));
}

void check_face(const SimulationSetup& setup, int face, const std::string& name) {
  const Domain& domain = setup.domain;
  if (face < 0 || face >= 2 * domain.dimension || domain.axis[face / 2] != Axis::Open)
    throw InputError(fmt::format("'{}' is at face {}, which is not open; allowed: faces across open axes, from 0 to {}",
                                 name, face, 2 * domain.dimension - 1));
}

void check_openings(const SimulationSetup& setup) {
  for (std::size_t k = 0; k < setup.outlets.size(); ++k)
    if (setup.outlets[k].face >= 0) check_face(setup, setup.outlets[k].face, outlet_name(setup, k));
  if (setup.inlets.empty()) return;
  if (const char* why = solver_info(setup).why_no_inlets)
    throw InputError(fmt::format("solver {} has no inlets: {}", to_string(setup.solver), why));
  if (setup.inlets.size() > kMostInlets || setup.outlets.size() > kMostOutlets)
    throw InputError(fmt::format("{} inlets and {} outlets; allowed: up to {} and {}", setup.inlets.size(),
                                 setup.outlets.size(), kMostInlets, kMostOutlets));
  for (std::size_t k = 0; k < setup.inlets.size(); ++k)
    if (setup.inlets[k].mouth == Mouth::Face) check_face(setup, setup.inlets[k].face, inlet_name(setup, k));
}

/// The particles of bodies, and behind them those that nozzles hold.
FluidSamples with_nozzles(const SimulationSetup& setup, FluidSamples samples) {
  FilledNozzles(setup).for_each([&](std::size_t inlet, Vec3 x) {
    samples.position.push_back(make_vec4(periodic_image(x, setup.domain)));
    samples.velocity.push_back(Vec4{});
    samples.fluid.push_back(static_cast<std::uint32_t>(setup.inlets[inlet].fluid));
  });
  for (std::size_t k = samples.site.size(); !samples.site.empty() && k < samples.position.size(); ++k)
    samples.site.push_back(samples.position[k]);
  if (!samples.compression.empty()) samples.compression.resize(samples.position.size(), 0.0f);
  if (!samples.thermal.empty()) samples.thermal.resize(samples.position.size(), std::uint8_t{0});
  return samples;
}

void check_start(const SimulationSetup& setup, const Device& device, const StartProgress& progress) {
  check_solids(setup);
  check_openings(setup);
  const std::int64_t count = count_particles(setup, progress) + static_cast<std::int64_t>(FilledNozzles(setup).count());
  if (count == 0) throw InputError("the scene has no particle: every body is smaller than the particle spacing");
  check_memory(setup, device, count, progress);
}

void check_start(const SimulationSetup& setup, const Device& device, const SimulationState& state) {
  check_state(state, setup);
  check_solids(setup);
  check_openings(setup);
  check_memory(setup, device, state.count);
}

/// Throws where Simulation::add_particles() says so.
void check_new(const FluidSamples& samples, const SimulationSetup& setup, int present, std::uint32_t next_id) {
  const std::size_t count = samples.position.size();
  if (!samples.compression.empty() && samples.compression.size() != count)
    throw InputError(fmt::format("new particles: {} positions and {} compressions; allowed: as many, or none", count,
                                 samples.compression.size()));
  if (samples.velocity.size() != count || samples.fluid.size() != count)
    throw InputError(fmt::format("new particles: {} positions, {} velocities and {} fluids; allowed: as many of each",
                                 count, samples.velocity.size(), samples.fluid.size()));
  if (count > static_cast<std::size_t>(kMostParticles - present))
    throw Unavailable(fmt::format("new particles: {} beside the present {}; at most {} can be numbered", count, present,
                                  kMostParticles));
  const std::size_t ids_left = next_id < kIdsEnd ? kIdsEnd - next_id : 0;
  if (count > ids_left)
    throw InputError(fmt::format("new particles: {}; allowed: {}, for which ids are left, since none is used twice",
                                 count, ids_left));
  const Domain& domain = setup.domain;
  const SolidsAtRest solids(setup);
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3 x = xyz(samples.position[k]), v = xyz(samples.velocity[k]);
    const auto refuse = [&](const char* what, Vec3 found, const std::string& allowed) {
      throw InputError(fmt::format("new particle {}: {} ({:g}, {:g}, {:g}); allowed: {}", k, what, found.x, found.y,
                                   found.z, allowed));
    };
    if (!is_finite(x)) refuse("position", x, "finite numbers");
    if (!is_finite(v)) refuse("velocity", v, "finite numbers");
    if (!samples.compression.empty() && (samples.compression[k] <= -1 || std::isinf(samples.compression[k])))
      throw InputError(
          fmt::format("new particle {}: compression {:g}; allowed: finite numbers above -1, and NaN if it is not known",
                      k, double{samples.compression[k]}));
    for (int a = 0; a < domain.dimension; ++a) {
      const float at = component(x, a), low = component(domain.min, a), high = component(domain.max, a);
      if (domain.axis[a] != Axis::Open && !(at >= low && at <= high))
        refuse("position", x, fmt::format("{} from {:g} to {:g}", "xyz"[a], low, high));
    }
    if (domain.dimension == 2 && (x.z != 0 || v.z != 0)) refuse("position or velocity", x.z != 0 ? x : v, "z 0 in 2-D");
    if (const auto solid = solids.around(x))
      refuse("position", x, fmt::format("outside of the solids; it lies in '{}'", solid_name(setup, *solid)));
    if (samples.fluid[k] >= setup.fluids.size())
      throw InputError(
          fmt::format("new particle {}: fluid {}; allowed: 0 to {}", k, samples.fluid[k], setup.fluids.size() - 1));
  }
}

/// clock: as latest() or finish() has just returned it
StepReport report(const ClockState& clock, const StepControl& control) {
  return {clock.step,
          clock.time,
          clock.dt,
          clock.last_dt,
          clock.max_speed,
          clock.contained,
          clock.unconverged,
          clock.viscous_unconverged,
          control.fault().complete != 0};
}

}  // namespace

// Memory is checked before anything is sampled.
Simulation::Simulation(const SimulationSetup& setup, const Device& device, const StartProgress& progress) {
  check_start(setup, device, progress);
  const SimulationSetup with_walls = with_sampled_solids(setup, progress);
  FluidSamples samples = with_nozzles(setup, start_samples(setup, device, progress));
  looked(device, progress);
  impl_ = std::make_unique<Impl>(with_walls, device, std::move(samples), progress);
}
Simulation::Simulation(const SimulationSetup& setup, const Device& device, const SimulationState& state,
                       const Simulation* walls_of) {
  check_start(setup, device, state);
  impl_ =
      std::make_unique<Impl>(with_sampled_solids(setup), device, state, walls_of ? walls_of->impl_->walls() : nullptr);
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

void Simulation::step() {
  if (impl_->tuner)
    impl_->tuned_step();
  else
    impl_->step();
}

void Simulation::set_neighbors(const NeighborSetup& neighbors) {
  if (neighbors.automatic) {
    impl_->start_tuning(neighbors);
  } else {
    impl_->use(neighbors);
    impl_->tuner.reset();
  }
}

SimulationState Simulation::save_state() const {
  SimulationState state = save_all_but_attributes();
  state.attributes = impl_->particles.to_host();
  return state;
}

SimulationState Simulation::save_all_but_attributes() const {
  SimulationState state;
  state.setup = impl_->setup;
  state.clock = impl_->control.finish();
  state.started = impl_->solver->started();
  state.knows_last_step = impl_->knows_last_step;
  state.count = impl_->particles.count();
  state.next_id = impl_->next_id;
  if (!impl_->setup.neighbors.automatic) state.search = impl_->search.kept();
  state.bodies = impl_->solver->kept_bodies();
  state.openings = impl_->openings.kept();
  state.inheritance = impl_->solver->inheritance().kept();
  return state;
}

void Simulation::restore_state(const SimulationState& state) {
  Impl& impl = *impl_;
  check_state(state, impl.setup);
  const SimulationSetup &from = state.setup, &to = impl.setup;
  if (from.solver != to.solver)
    throw InputError(fmt::format("the state is of solver {} and the simulation runs {}: it takes a new simulation",
                                 to_string(from.solver), to_string(to.solver)));
  if (const auto why_not_restored = solver_info(to).why_not_restored)
    if (const std::string why = why_not_restored(from, to); !why.empty())
      throw InputError(why + ": it takes a new simulation");
  if (from.solid_regions != to.solid_regions)
    throw InputError("the state is of other solids than the simulation has: it takes a new simulation");
  if (from.solids.size() != to.solids.size())
    throw InputError(fmt::format("the state has {} solids and the simulation {}: it takes a new simulation",
                                 from.solids.size(), to.solids.size()));
  impl.make_room(state);
  if (!from.solids.empty() && from.solid_regions.empty()) impl.place_solids(placements_of(from.solids));
  impl.take(state);
}

void Simulation::place_solids(std::span<const Placement> placements) { impl_->place_solids(placements); }

std::vector<std::uint32_t> Simulation::add_particles(const FluidSamples& samples) {
  check_new(samples, impl_->setup, impl_->particles.count(), impl_->next_id);
  for (std::size_t k = 0; k < samples.fluid.size(); ++k)
    if (!impl_->solver->knows_fluid(samples.fluid[k]))
      throw InputError(fmt::format(
          "new particle {}: fluid {}; allowed with solver {}: fluids of the bodies, from which its constants come", k,
          samples.fluid[k], to_string(impl_->setup.solver)));
  return impl_->add(samples);
}

void Simulation::remove_particles(std::span<const std::uint32_t> ids) { impl_->remove(ids); }
void Simulation::reserve_particles(int capacity) { impl_->reserve(capacity); }

void Simulation::set_foreign(std::span<const std::uint32_t> ids, bool foreign) { impl_->set_foreign(ids, foreign); }
void Simulation::set_halo(std::shared_ptr<Halo> halo) {
  if (halo && impl_->openings.any())
    throw InputError("the fluid is divided among devices, and inlets and outlets change the particles of one");
  if (halo && impl_->solver->bodies()->any())
    throw InputError(
        "the fluid is divided among devices, and a free solid would move on each of them by a part of its forces");
  impl_->solver->set_halo(std::move(halo));
}

void Simulation::set_stirring(const std::optional<Stirring>& stirring) {
  if (stirring) check_stirring(*stirring, impl_->setup);
  impl_->solver->set_stirring(stirring);
  impl_->stirring = stirring;
  impl_->choose_bounds();
}

void Simulation::set_grip(const std::optional<BodyGrip>& grip) {
  if (grip) check_grip(*grip, impl_->setup);
  impl_->solver->bodies()->hold(grip.value_or(BodyGrip{}));
}

void Simulation::ease(double share) {
  if (!(share >= 0 && share <= 1)) throw std::logic_error("an easing outside of 0 to 1");
  const auto ease = solver_info(impl_->setup).ease;
  if (ease == nullptr || share == impl_->eased) return;
  impl_->eased = share;
  impl_->solver->adopt(impl_->eased_setup());
  impl_->choose_bounds();
}

double Simulation::eased() const { return impl_->eased; }

void Simulation::shorten_steps(double share) {
  if (!(share > 0)) throw std::logic_error("steps of no length");
  impl_->step_share = share;
  impl_->choose_bounds();
}

double Simulation::step_share() const { return impl_->step_share; }

const NeighborSearch& Simulation::neighbor_search() const { return impl_->search; }
const TuningReport* Simulation::tuning() const { return impl_->tuner ? &impl_->tuner->report() : nullptr; }

void Simulation::set_time_limit(double seconds) { impl_->control.set_time_limit(seconds); }
StepReport Simulation::latest() const { return report(impl_->control.latest(), impl_->control); }
int Simulation::steps_in_flight() const { return impl_->control.in_flight(); }
StepReport Simulation::finish() { return report(impl_->control.finish(), impl_->control); }
std::optional<Fault> Simulation::fault() const { return fault_of(impl_->control.fault()); }
void Simulation::watch_faults(bool watch) { impl_->control.watch_faults(watch); }
void Simulation::look_for_faults() { impl_->solver->look_for_faults(impl_->particles, impl_->control); }

const SimulationSetup& Simulation::setup() const { return impl_->setup; }
const Device& Simulation::device() const { return impl_->device; }
const ParticleSet& Simulation::particles() const { return impl_->particles; }
std::uint64_t Simulation::moment() const { return impl_->moment; }
bool Simulation::knows_last_step() const { return impl_->knows_last_step; }
const ClockState* Simulation::clock() const { return std::as_const(impl_->control).state(); }
int Simulation::particle_count() const { return impl_->particles.count(); }
std::uint32_t Simulation::next_id() const { return impl_->next_id; }
int Simulation::boundary_count() const { return impl_->wall_count(); }
float Simulation::signal_speed() const { return riffle::signal_speed(impl_->setup); }

float Simulation::stable_dt() const { return riffle::stable_dt(impl_->setup); }

Diagnostics Simulation::diagnostics() {
  look_for_faults();
  Diagnostics all = impl_->solver->measure(impl_->particles, impl_->search, impl_->control.finish());
  all.bodies = bodies();
  all.bodies_energy = energy_of(all.bodies, impl_->solver->bodies()->host_masses(), impl_->setup, latest().time);
  all.contact = impl_->solver->bodies()->report();
  all.openings = openings();
  return all;
}
std::vector<DrivenPlace> Simulation::body_places(double earlier) const {
  std::vector<DrivenPlace> places;
  const std::vector<BodyState> states = bodies();
  const std::vector<BodyMass>& masses = impl_->solver->bodies()->host_masses();
  for (std::size_t r = 0; r < states.size(); ++r)
    places.push_back(rigid_motion::place_of(masses[r], rigid_motion::before(states[r], earlier)));
  return places;
}
std::vector<BodyState> Simulation::bodies() const { return impl_->solver->bodies()->read(); }

std::string NeighborReport::name() const { return search_name(method, structure == "optix", skin); }

NeighborReport Simulation::neighbors() {
  const SimulationSetup& setup = impl_->setup;
  const ParticleSet& particles = impl_->particles;
  // A separate search on a copy: the running one is out of date once particles have moved, and rebuilding it would
  // reorder them.
  SearchSettings settings = search_settings(setup, setup.neighbors);
  settings.skin = 0;
  settings.list_always = false;
  settings.structure = TreeStructure::Lbvh;  // nothing is measured for a count
  NeighborSearch search(impl_->device, settings);
  Buffer<Vec4> sorted(impl_->device);
  const float h = setup.support_radius();
  build_sorted(search, particles.get<Vec4>("position").data(), particles.count(), setup.domain, h, sorted);
  const NeighborCountSummary counts = count_neighbors(search, sorted.data(), h);
  const Boundary* boundary = impl_->boundary();
  return {std::string(to_string(setup.neighbors.method)),
          std::string(impl_->search.structure()),
          setup.neighbors.skin,
          impl_->search.memory_bytes(),
          counts.mean,
          counts.min,
          counts.max,
          boundary ? mean_wall_neighbors(*boundary, sorted.data(), particles.count(), h) : 0,
          impl_->search.list_stats(),
          impl_->search.stats()};
}

OpeningsReport Simulation::openings() const { return impl_->openings.report(); }

const StageTimer& Simulation::timings() const {
  impl_->timer.collect(true);
  return impl_->timer;
}

void Simulation::reset_timings() { impl_->timer.reset(); }

std::size_t Simulation::memory_bytes() const {
  return impl_->particles.memory_bytes() + impl_->search.memory_bytes() + impl_->solver->memory_bytes() +
         impl_->openings.memory_bytes() + impl_->solver->inheritance().memory_bytes() + StepControl::memory_bytes();
}

namespace {

/// Mean number of sites within the search radius of one in a lattice at rest that fills the domain. A face that is not
/// periodic leaves a site at a distance z < R the part of its circle or ball that lies inside; over z that misses
/// 2 R / (3 pi) of a circle and 3 R / 16 of a ball.
double neighbors_at_rest(const SimulationSetup& setup) {
  const bool flat = setup.domain.dimension == 2;
  const double radius = search_radius(setup), reach = radius / setup.spacing;
  double neighbors = sites_in_ball(setup.domain.dimension, reach);
  for (int a = 0; a < setup.domain.dimension; ++a)
    if (!setup.domain.periodic(a))
      neighbors *= 1 - 2 * (flat ? 2 / (3 * std::numbers::pi) : 3.0 / 16) *
                           std::min(1.0, radius / component(setup.domain.extent(), a));
  return neighbors;
}

/// With `auto`, searches whose tables do not fit are left out, so the search with the least memory counts.
double search_bytes(const SimulationSetup& setup, const Device& device, std::int64_t particles, bool spare_lists) {
  SearchSettings settings = search_settings(setup, setup.neighbors);
  if (setup.neighbors.automatic) {
    static_cast<MethodSettings&>(settings) = {.method = NeighborMethod::Green, .table = GridTable::Folded};
  }
  return double(estimate_search_memory(settings, {.device = device,
                                                  .particles = particles,
                                                  .domain = setup.domain,
                                                  .h = search_radius(setup),
                                                  .neighbors = neighbors_at_rest(setup),
                                                  .listed = true,
                                                  .spare_lists = spare_lists}));
}

}  // namespace

double count_cells(const SimulationSetup& setup) {
  const NeighborSetup& n = setup.neighbors;
  const double reach = n.automatic ? 1.0 : 1.0 + n.skin;
  const float ratio = n.cell_ratio > 0 ? n.cell_ratio : 1.0f;
  return count_cells(setup.domain, static_cast<float>(search_radius(setup) * reach),
                     {{ratio, ratio, ratio}, n.cell_count});
}

namespace {

/// As for a fluid that is spread evenly over the domain. In a corner all but an eighth of a ball is wall, and a wall particle
/// has less than half a ball of fluid. Half of the outermost layer of walls counts as dry.
double wall_pair_bytes(const SimulationSetup& setup, const Device& device, std::int64_t count, std::int64_t walls) {
  const int dimension = setup.domain.dimension;
  const double radius = search_radius(setup), sites = sites_in_ball(dimension, radius / setup.spacing);
  double inside = 1, volume = 1;
  for (int a = 0; a < dimension; ++a) {
    const double extent = component(setup.domain.extent(), a);
    volume *= extent;
    if (!setup.domain.periodic(a)) inside *= std::max(0.0, 1 - 2 * radius / extent);
  }
  const double full = std::min(1.0, double(count) * setup.particle_volume() / volume);
  const NeighborSearch search(device, search_settings(setup, setup.neighbors));
  return StaticPairs::estimate(
      {.device = device,
       .by_grid = std::holds_alternative<GridView>(search.method_view()) && setup.neighbors.table != GridTable::Folded,
       .moving = double(count),
       .near = double(count) * (1 - inside),
       .statics = double(walls),
       .wet = double(walls) * full * (1 - 0.5 / std::ceil(radius / setup.spacing)),
       .longest = (dimension == 2 ? 0.75 : 0.875) * sites,
       .longest_wet = 0.47 * sites});
}

std::size_t estimate_memory(const SimulationSetup& setup, const Device& device, std::int64_t count,
                            std::int64_t walls) {
  const SolverInfo& solver = solver_info(setup);
  const bool moved = std::any_of(setup.outlets.begin(), setup.outlets.end(), moves_out);
  const std::size_t marked = (setup.outlets.empty() ? 0 : Openings::kBytesPerParticle) +
                             (moved ? attribute_bytes<Vec4>(Persistence::Carry) : 0);
  const double per_particle = double(common_particle_bytes(setup) + solver.particle_bytes(setup, walls > 0) + marked);
  const std::size_t wall_bytes = solver.wall_particle_bytes ? solver.wall_particle_bytes(setup) : 0;
  const double without_search = double(count) * per_particle + double(walls) * double(wall_bytes) +
                                Boundary::estimate_bytes(device, setup, walls) +
                                (solver.wall_particles ? wall_pair_bytes(setup, device, count, walls) : 0) +
                                double(solid_grid_bytes(setup));
  const double with_all_lists = without_search + search_bytes(setup, device, count, true);
  if (with_all_lists <= double(free_memory(device))) return static_cast<std::size_t>(with_all_lists);
  return static_cast<std::size_t>(without_search + search_bytes(setup, device, count, false));
}

}  // namespace

std::size_t estimate_memory(const SimulationSetup& setup, const Device& device) {
  return estimate_memory(setup, device,
                         count_particles(setup) + static_cast<std::int64_t>(FilledNozzles(setup).count()),
                         count_boundary_particles(setup));
}

}  // namespace riffle
