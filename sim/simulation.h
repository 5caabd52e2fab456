#pragma once
/// A running simulation: particles, walls, neighbour search, solver and clock, on one device.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/device/device.h"
#include "core/timing/stage_timer.h"
#include "sim/measure/diagnostics.h"
#include "sim/neighbor_tuner.h"
#include "sim/particle_set.h"
#include "sim/setup.h"
#include "sim/start/start_progress.h"
#include "sim/start/stirring.h"
#include "sim/state.h"

namespace riffle {

/// Where the clock stood at the end of a step.
struct StepReport {
  std::uint64_t step = 0;  ///< steps finished
  double time = 0;         ///< [s] simulated
  float dt = 0;            ///< [s] of the last step
  float max_speed =
      0;  ///< [m/s] of the fastest particle before the last step; NaN once a particle is no longer a number
  std::uint32_t contained = 0;  ///< times a particle had crossed a wall and was put back on it
};

/// Counts a user would ask of a search on the particles as they are now.
struct NeighborReport {
  std::string method;            ///< in use
  std::string structure;         ///< of rtnn, what its boxes are searched with: "lbvh" or "optix"; "" with the others
  float skin = 0;                ///< [support radii] likewise
  std::size_t memory_bytes = 0;  ///< what the search allocates beyond the particles
  double mean = 0;               ///< fluid neighbours within h per particle
  std::uint32_t min = 0, max = 0;

  std::string name() const;  ///< "hoetzlein with skin 0.1", "rtnn by OptiX"
};

class Simulation {
 public:
  /// @throws InputError when the setup has no particle, or asks for a deterministic run on a search chosen by time;
  /// Unavailable when the device has too little memory, with the bytes; StartGivenUp when the progress says so.
  Simulation(const SimulationSetup& setup, const Device& device, const StartProgress& progress = {});

  /// Goes on from a state with another setup, perhaps on another device: no body is sampled and nothing equilibrated.
  /// Positions, velocities, ids, fluids, the time and the number of steps carry over, and what the solver carries from
  /// step to step where the state has it. Where it has not, the solver starts as at time 0:
  /// - DPD after a change of its forces or of the integrator makes the forces at hand anew, which costs the first step
  ///   a second search and force evaluation and a wait;
  /// - PBF after WCSPH loses nothing, since its steps begin with positions and velocities alone;
  /// - WCSPH after PBF finds the compression that PBF's iterations have left, percents where WCSPH has a hundredth, and
  ///   turns it into pressure: energy that nothing has earned, up to the speed of sound times that compression.
  /// There is no time limit, nobody stirs, and `auto` begins to measure.
  /// walls_of: a simulation whose walls are shared where they are the same (device, domain, spacing, support radius and
  /// kernel), since making them takes most of the time; it need not live on. For parameters that change at each movement of
  /// a slider.
  /// @throws as the other constructor, and InputError as check_state().
  Simulation(const SimulationSetup& setup, const Device& device, const SimulationState& state,
             const Simulation* walls_of = nullptr);
  ~Simulation();
  Simulation(Simulation&&) noexcept;

  /// Enqueues one time step; on CUDA it returns before the step is done.
  /// With neighbors.automatic a few steps now and then are timed, and those wait.
  void step();

  /// Goes on with another neighbour search from the next step on. The particles stay as they are, and what is found is
  /// the same with every search. Memory of the old one is freed once the new one is known to serve: both are there until then.
  /// @throws Unavailable when the new search cannot serve these particles on this device (a table that does not fit),
  /// InputError as make_grid() and for an automatic choice in a deterministic run; nothing has then changed.
  void set_neighbors(const NeighborSetup& neighbors);

  /// Everything that it takes to go on from here. Waits. The run itself takes no notice.
  SimulationState save_state() const;

  /// Goes back, or forth, to a state of the same solver: a state of this simulation, or of another with the same setup or
  /// one that differs in parameters. The search starts afresh as after set_neighbors(); what `auto` has measured, the time
  /// limit and the stirring stay. Waits.
  /// A run goes on bit by bit as it did after it was saved, where runs are equal from one to the next at all (on the CPU,
  /// or `deterministic`), unless the search keeps something from build to build, a list with a skin or bucket's lists:
  /// there the order of sums is another one.
  /// @throws InputError as check_state(), for another number of particles and for another solver or random stream, which
  /// the constructor takes; nothing has then changed.
  void restore_state(const SimulationState& state);

  /// From the next step on; nullopt: nobody stirs, as at the start. Each step then adds dt times the acceleration to the
  /// velocities before particles move. A step that adapts itself is short enough for it.
  /// @throws InputError as check_stirring(); nothing has then changed.
  void set_stirring(const std::optional<Stirring>& stirring);

  /// Steps stop advancing at this simulated time: the step that would pass it is shortened to reach it exactly,
  /// and later ones do nothing and are not counted. Infinity at the start.
  void set_time_limit(double seconds);

  StepReport latest() const;  ///< the newest step known without waiting; on CUDA one or two steps late
  StepReport finish();        ///< waits for everything enqueued

  const SimulationSetup& setup() const;  ///< with the neighbour search in use
  const Device& device() const;
  const ParticleSet& particles()
      const;                   ///< fluid particles; order changes from step to step, attribute "id" identifies them
  int particle_count() const;  ///< fluid particles
  int boundary_count() const;  ///< wall particles
  float signal_speed() const;  ///< [m/s] that no particle comes near while all is well (sim/solver.h)
  float stable_dt() const;     ///< [s], the bound for particles at rest

  /// In use, as the last step built it: positions have moved since. Not built between set_neighbors() and the next step.
  const NeighborSearch& neighbor_search() const;

  /// What neighbors.automatic has found so far; nullptr where the search is given.
  const TuningReport* tuning() const;

  Diagnostics diagnostics();          ///< waits; evaluated on the particles as they are now
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
