#pragma once
/// A running simulation: particles, walls, neighbour search, solver and clock, on one device.

#include <cstdint>
#include <memory>
#include <string>

#include "core/device.h"
#include "core/stage_timer.h"
#include "sim/diagnostics.h"
#include "sim/particle_set.h"
#include "sim/setup.h"

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
  std::string method;
  std::size_t memory_bytes = 0;  ///< what the search allocates beyond the particles
  double mean = 0;               ///< fluid neighbours within h per particle
  std::uint32_t min = 0, max = 0;
};

class Simulation {
 public:
  /// @throws InputError when the setup has no particle; Unavailable when the device has too little memory, with the
  /// bytes.
  Simulation(const SimulationSetup& setup, const Device& device);
  ~Simulation();
  Simulation(Simulation&&) noexcept;

  /// Enqueues one time step; on CUDA it returns before the step is done.
  void step();

  /// Steps stop advancing at this simulated time: the step that would pass it is shortened to reach it exactly,
  /// and later ones do nothing and are not counted. Infinity at the start.
  void set_time_limit(double seconds);

  StepReport latest() const;  ///< the newest step known without waiting; on CUDA one or two steps late
  StepReport finish();        ///< waits for everything enqueued

  const SimulationSetup& setup() const;
  const Device& device() const;
  const ParticleSet& particles()
      const;                     ///< fluid particles; order changes from step to step, attribute "id" identifies them
  int particle_count() const;    ///< fluid particles
  int boundary_count() const;    ///< wall particles
  float speed_of_sound() const;  ///< [m/s], the automatic one resolved
  float stable_dt() const;       ///< [s], the bound for particles at rest

  Diagnostics diagnostics();          ///< waits; evaluated on the particles as they are now
  NeighborReport neighbors();         ///< waits
  const StageTimer& timings() const;  ///< waits for the last steps' times
  void reset_timings();               ///< forgets the samples so far: after warm-up
  std::size_t memory_bytes() const;   ///< allocated by this simulation on its device

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Particles that the setup's bodies will have, without making them.
std::int64_t count_particles(const SimulationSetup& setup);

/// Wall particles the domain's walled axes will have.
std::int64_t count_boundary_particles(const SimulationSetup& setup);

/// Bytes that a Simulation of this setup allocates on such a device, within about 20 %.
std::size_t estimate_memory(const SimulationSetup& setup, const Device& device);

}  // namespace riffle
