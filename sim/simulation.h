#pragma once
/// A running simulation: particles, walls, neighbour search, solver and clock, on one device.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/device/device.h"
#include "core/timing/stage_timer.h"
#include "neighbors/search_stats.h"
#include "sim/bodies/body_grip.h"
#include "sim/guard/fault.h"
#include "sim/measure/diagnostics.h"
#include "sim/neighbor_tuner.h"
#include "sim/particle_set.h"
#include "sim/setup.h"
#include "sim/start/stirring.h"
#include "sim/start_progress.h"
#include "sim/state.h"

namespace riffle {

struct ClockState;
struct DrivenPlace;
class Halo;
class NeighborSearch;
struct FluidSamples;

/// The clock at the end of a step.
struct StepReport {
  std::uint64_t step = 0;  ///< steps finished
  double time = 0;         ///< [s] simulated
  float dt = 0;            ///< [s] of the last step; 0 once the time limit is reached
  float last_dt = 0;       ///< [s] of the last step that was longer than 0
  /// [m/s] of the fastest particle before the last step; NaN once a particle's speed is NaN
  float max_speed = 0;
  std::uint32_t contained = 0;            ///< how often a particle crossed a wall and was put back on it
  std::uint32_t unconverged = 0;          ///< pressure solves that ended without reaching their bounds
  std::uint32_t viscous_unconverged = 0;  ///< likewise, of implicit viscosity
  bool faulty = false;                    ///< Simulation::fault() knows a fault
};

/// Facts for the user about the search on the present particles.
struct NeighborReport {
  std::string method;            ///< in use
  std::string structure;         ///< what rtnn searches its boxes with: "lbvh" or "optix"; "" with the other methods
  float skin = 0;                ///< [support radii] in use
  std::size_t memory_bytes = 0;  ///< what the search allocates beyond the particles
  double mean = 0;               ///< fluid neighbours within h per particle
  std::uint32_t min = 0, max = 0;
  double walls = 0;  ///< wall particles within h per particle
  ListStats lists;   ///< of the running search
  /// Of its last build: cells, and what its method counts.
  SearchStats search;

  /// 1e9 pairs within h per second, where each particle of a pair counts it. GPIPS, as DualSPHysics has it: once per
  /// step, however often the solver visits a pair.
  double fluid_gpips(double particle_steps_per_second) const { return 1e-9 * mean * particle_steps_per_second; }
  double all_gpips(double particle_steps_per_second) const { return 1e-9 * (mean + walls) * particle_steps_per_second; }

  std::string name() const;  ///< "hoetzlein with skin 0.1", "rtnn by OptiX"
};

class Simulation {
 public:
  /// @throws InputError if the setup has no particle, has solids that its solver cannot have or that fail
  /// check_placement(), or asks for a deterministic run with a search chosen by time;
  /// Unavailable if the device has too little memory, with the bytes; StartGivenUp if the progress says so.
  Simulation(const SimulationSetup& setup, const Device& device, const StartProgress& progress = {});

  /// Continues from a state with another setup, perhaps on another device: no body is sampled and nothing is
  /// equilibrated. Positions, velocities, ids, fluids, the time and the number of steps carry over; so does what the
  /// solver carries from step to step, if the state has it. If it does not, the solver starts as at time 0:
  /// - DPD after a change of its forces or of the integrator computes the present forces again: its first step has a
  ///   second search and force evaluation, and waits.
  /// From another solver, kernel or support radius the pressures carry over, as far as the state's last step left some,
  /// and what the densities differ by is inherited and decays (sim/inheritance/inheritance.h): a fluid at rest stays at
  /// rest, and swells or sinks slowly to the volume that the new solver gives it.
  /// There is no time limit and no stirring, and `auto` begins to measure.
  /// Solids are weighed, and share sites, where the setup places them: a state does not say where its simulation
  /// weighed them. If they had moved there since, weights may differ from that simulation's, and so does the run.
  /// walls_of: a simulation whose walls are shared if they are the same (device, domain, solids and their poses, which
  /// are those of its start, spacing, support radius and kernel), since making them takes most of the time; it may be
  /// destroyed afterwards. The run is the same with and without it.
  /// Meant for parameters that change with each movement of a slider.
  /// @throws as the other constructor, and InputError as check_state().
  Simulation(const SimulationSetup& setup, const Device& device, const SimulationState& state,
             const Simulation* walls_of = nullptr);
  ~Simulation();
  Simulation(Simulation&&) noexcept;

  /// Enqueues one time step; on CUDA it returns before the step is done.
  /// With neighbors.automatic a few steps are timed now and then; those steps wait.
  void step();

  /// Uses another neighbour search from the next step on. The particles stay as they are, and every search finds the
  /// same neighbours. The old search's memory is freed once the new one is known to work: until then both exist.
  /// @throws Unavailable if the new search cannot work on these particles and this device (a table that does not fit),
  /// InputError as make_grid() and for an automatic choice in a deterministic run; nothing has then changed.
  void set_neighbors(const NeighborSetup& neighbors);

  /// All that is needed to go on from here. Waits. It does not affect the run.
  SimulationState save_state() const;

  /// The same without `attributes`.
  SimulationState save_all_but_attributes() const;

  /// Goes back or forward to a state of the same solver: a state of this simulation, or of one whose setup is the same
  /// or differs in parameters. The number of particles and the next id become the state's. The search is new, as after
  /// set_neighbors(); what `auto` has measured, the time limit and the stirring stay; solids are placed as they were.
  /// Waits.
  /// The run then repeats what followed the saved state bit by bit, provided that runs repeat at all: on the CPU, or
  /// `deterministic`, and without an automatic choice of the search. What the search keeps from build to build is in the
  /// state.
  /// @throws InputError as check_state(), and for other solids, another solver or kind of random numbers, which
  /// need the constructor; Unavailable if memory is short; nothing has then changed, except that with solids
  /// place_solids() may have failed and says what holds then.
  void restore_state(const SimulationState& state);

  /// Adds particles between two steps, with positions and velocities of the present time (`position` w and `velocity` w
  /// do not matter). They stand behind the others until a search changes the order. Waits; takes the time of a build of
  /// the search while the number is larger than ever before.
  /// - Memory grows by half when it is full, or as far as reserve_particles() said.
  /// - A list with a skin and bucket's lists are made again in the next step. With other searches particles that are
  ///   added and removed before the next step leave no trace.
  /// - WCSPH and PBF carry nothing else from step to step. DPD: sim/dpd/dpd.h.
  /// - Pointers into particles() become invalid. particle_count() is the new number from here on; a copy made earlier
  ///   (a progress line, the rates of a benchmark) keeps the old number.
  /// - The step's bounds and an automatic speed of sound come from the setup's bodies. New particles that are faster,
  ///   or fall from higher, than any body compress the fluid more than usual: keep them below a tenth of
  ///   signal_speed() with WCSPH and PBF. Speeds are not checked.
  /// @return their ids, in the order given: ascending and larger than all that were ever used, so that none belongs to
  /// two particles. After restore_state() they go on from the state's.
  /// @throws InputError for arrays of different lengths, a position outside of a face that is not open, in a solid of
  /// the scene, or not finite, a velocity that is not finite, in 2-D a z other than 0, an unknown fluid, with WCSPH a fluid that no
  /// body is of, since stiffness and step come from the bodies, and when ids are used up;
  /// Unavailable if memory is short, or the search cannot hold so many; nothing has then changed.
  std::vector<std::uint32_t> add_particles(const FluidSamples& samples);

  /// Removes the particles with these ids between two steps; the others keep their order. Memory stays allocated.
  /// Waits. inspect(), neighbors_of() and the like no longer know the ids. What stands above of searches and pointers
  /// holds.
  /// @throws InputError for an id that no particle has or that is given twice, if none would be left, and with outlets, which
  /// count what they take; Unavailable if memory is short; nothing has then changed.
  void remove_particles(std::span<const std::uint32_t> ids);

  /// Allocates memory for that many particles, so that adding does not. @throws Unavailable if memory is short; nothing
  /// has then changed.
  void reserve_particles(int capacity);

  /// Makes particles foreign, or own again: foreign ones belong to another device; steps read them and do not move them
  /// (sim/halo.h). Their velocities and forces do not count for the length of a step, nor do diagnostics know them;
  /// particle_count(), neighbors() and pictures do. They are part of a saved state. The w of a position is the solver's
  /// and may change at a foreign particle too.
  /// @throws InputError for an id that no particle has, Unavailable if memory is short; nothing has then changed.
  void set_foreign(std::span<const std::uint32_t> ids, bool foreign);

  /// Who brings foreign particles up to date in the midst of a step; nullptr, as at the start: nobody.
  /// @throws InputError with free solids, which know the forces of one device alone
  void set_halo(std::shared_ptr<Halo> halo);

  /// Takes effect with the next step; nullopt, as at the start: no stirring. Each step adds dt times the acceleration
  /// to the velocities before particles move. An adaptive step is short enough for it.
  /// @throws InputError as check_stirring(); nothing has then changed.
  void set_stirring(const std::optional<Stirring>& stirring);

  /// A hand holds a free solid from the next step on; nullopt, as at the start: none does.
  /// @throws InputError as check_grip(); nothing has then changed
  void set_grip(const std::optional<BodyGrip>& grip);

  /// Trades accuracy for speed from the next step on, by SolverInfo::ease: 0, as at the start, is the setup, 1 its
  /// limits. setup() stays as it is.
  void ease(double share);
  double eased() const;  ///< the share in force

  /// Multiplies every bound of the step from the next step on, also one that the setup fixes. 1 at the start; a state does not
  /// have it. @param share above 0
  void shorten_steps(double share);
  double step_share() const;  ///< the share in force

  /// Places setup().solids elsewhere or changes how they move, from the next step on: one placement for each. Steps do
  /// not move solids. sim/walls/boundary.h says what is computed again. Fluid where a solid is placed is pushed out as
  /// if it were compressed. The time step does not depend on the solids' speed.
  /// @throws InputError as Boundary::place(): nothing has then changed; Unavailable if memory is short: setup() is then
  /// as before, and steps may throw until place_solids() succeeds, with the old placements for example.
  void place_solids(std::span<const Placement> placements);

  /// Steps stop advancing at this simulated time: the step that would pass it is shortened to reach it exactly,
  /// and later ones do nothing and are not counted. Infinity at the start.
  void set_time_limit(double seconds);

  StepReport latest() const;    ///< the newest step known without waiting; on CUDA one or two steps late
  StepReport finish();          ///< waits for everything enqueued
  int steps_in_flight() const;  ///< enqueued after the one that latest() last returned

  /// The first fault since the start, or since the last restored state, as far as latest() or finish() last saw. A step
  /// looks for those that the step before it has left, so it does not know its own.
  std::optional<Fault> fault() const;

  /// Looks for faults in the present state, those of the last step. Asynchronous; finish() then knows them.
  void look_for_faults();

  /// Whether steps look for faults, as they do at the start. Without it a benchmark measures what that costs.
  void watch_faults(bool watch);

  const SimulationSetup& setup() const;  ///< with the neighbour search in use
  const Device& device() const;
  /// Fluid particles. Their order changes from step to step; attribute "id" identifies them.
  const ParticleSet& particles() const;
  /// A number that changes whenever particles may have moved, come or gone, and that no other simulation has had.
  std::uint64_t moment() const;
  /// Whether particles have what a step leaves: densities, pressures. Not at the start, nor after going on from the state of
  /// another solver, until the next step.
  bool knows_last_step() const;
  /// On the device, as of the last step that was enqueued.
  const ClockState* clock() const;
  int particle_count() const;     ///< fluid particles
  std::uint32_t next_id() const;  ///< of the next new particle: above all ids so far
  int boundary_count() const;     ///< wall particles
  float signal_speed() const;     ///< [m/s] upper bound in normal operation (sim/solver.h)
  float stable_dt() const;        ///< [s], the bound for particles at rest

  /// The search in use, as the last step built it: positions have moved since. Not built from set_neighbors(),
  /// add_particles(), remove_particles() or restore_state() until the next step.
  const NeighborSearch& neighbor_search() const;

  /// What neighbors.automatic has found so far; nullptr if the setup names the search.
  const TuningReport* tuning() const;

  /// What inlets and outlets have done so far. Waits.
  OpeningsReport openings() const;

  /// Waits; evaluated on the particles as they are now. It looks for faults too.
  Diagnostics diagnostics();
  std::vector<BodyState> bodies() const;  ///< (solids) where one is free, otherwise empty; waits
  /// (solids) where free ones were `earlier` [s] ago; empty if none is free. The others are where they began. Waits.
  std::vector<DrivenPlace> body_places(double earlier = 0) const;
  NeighborReport neighbors();         ///< waits
  const StageTimer& timings() const;  ///< waits for the last steps' times
  void reset_timings();               ///< forgets the samples so far: after warm-up
  std::size_t memory_bytes() const;   ///< allocated by this simulation on its device

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Cells of the grid that the setup's search lays over the domain.
double count_cells(const SimulationSetup& setup);

/// Bytes that a Simulation of this setup allocates on such a device, within about 20 %.
std::size_t estimate_memory(const SimulationSetup& setup, const Device& device);

}  // namespace riffle
