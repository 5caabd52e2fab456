#pragma once
/// What a solver is: one time step over particles that a neighbour search indexes.

#include <memory>
#include <optional>

#include "core/timing/stage_timer.h"
#include "neighbors/neighbor_search.h"
#include "sim/measure/diagnostics.h"
#include "sim/particle_set.h"
#include "sim/setup.h"
#include "sim/start/stirring.h"
#include "sim/step_control.h"

namespace riffle {

class Boundary;

class Solver {
 public:
  virtual ~Solver() = default;

  /// Advances by one step. Asynchronous on CUDA; no read-back.
  virtual void step(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer) = 0;

  /// The state after the last step. `search` is the one that step used. Waits.
  virtual Diagnostics measure(const ParticleSet& particles, const NeighborSearch& search, const ClockState& clock) = 0;

  /// Whether the attributes it has added hold what the next step expects to find. False before the first step, for a
  /// solver whose steps begin with what the last one has left at the particles.
  virtual bool started() const { return true; }

  /// The particles are others now, from positions on. started: so are the attributes it has added, and they belong to
  /// them; else its next step makes what it needs from positions and velocities, as a first one.
  virtual void resume(bool /*started*/) {}

  /// nullopt: none.
  void set_stirring(const std::optional<Stirring>& stirring) { stirring_ = stirring; }

  virtual int boundary_count() const { return 0; }  ///< wall particles
  virtual std::shared_ptr<const Boundary> walls() const { return nullptr; }
  virtual std::size_t memory_bytes() const = 0;  ///< beyond the particles' attributes

 protected:
  explicit Solver(const Domain& domain) : domain_(domain) {}

  /// What a hand in the fluid adds to the velocities in this step: after its dt is chosen, before particles move.
  void stir(ParticleSet& particles, const StepControl& control, StageTimer& timer) const;

 private:
  Domain domain_;
  std::optional<Stirring> stirring_;
};

/// The setup's solver. Adds the attributes it needs to the particles, which have "position", "velocity", "id" and "fluid".
/// walls: of another solver, shared where they are the same; or nullptr.
std::unique_ptr<Solver> make_solver(const SimulationSetup& setup, ParticleSet& particles,
                                    const std::shared_ptr<const Boundary>& walls);

/// How its time step is bounded.
StepBounds step_bounds(const SimulationSetup& setup);

/// The step for particles at rest [s].
float stable_dt(const SimulationSetup& setup);

/// Speed [m/s] that no particle comes near while all is well: WCSPH's numerical speed of sound, or what takes its place.
float signal_speed(const SimulationSetup& setup);

/// [m/s] Ten times the largest speed that the setup can reach: that of the bodies, and that of a fall from the highest fluid
/// to the lowest point of the domain.
float automatic_signal_speed(const SimulationSetup& setup);

/// Speed [m/s] that fast particles of the scene are expected to have.
float expected_speed(const SimulationSetup& setup);

/// For which its neighbours are searched [m]: h, or more where particles move before the last traversal of a step.
float search_radius(const SimulationSetup& setup);

/// Builds the search on the particles and has them follow its order: the first stages of a step.
void find_neighborhoods(ParticleSet& particles, NeighborSearch& search, const Domain& domain, float h,
                        StageTimer& timer);

}  // namespace riffle
