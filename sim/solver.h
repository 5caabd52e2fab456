#pragma once
/// The interface of a solver: one time step over particles that a neighbour search indexes.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

#include "core/timing/stage_timer.h"
#include "neighbors/neighbor_search.h"
#include "sim/bodies/free_bodies.h"
#include "sim/halo.h"
#include "sim/inheritance/inheritance.h"
#include "sim/measure/diagnostics.h"
#include "sim/motion/gravity_field.h"
#include "sim/particle_set.h"
#include "sim/setup.h"
#include "sim/start/stirring.h"
#include "sim/step_control.h"

namespace riffle {

class Boundary;
class PlacedWalls;

class Solver {
 public:
  virtual ~Solver() = default;

  /// Advances by one step. Asynchronous on CUDA; no read-back.
  virtual void step(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer) = 0;

  /// The state after the last step. `search` is the one that step used. Waits.
  virtual Diagnostics measure(const ParticleSet& particles, const NeighborSearch& search, const ClockState& clock) = 0;

  /// Whether the attributes that it added hold the values that the next step expects. False before the first step of a
  /// solver whose steps start from values of the previous step at the particles.
  virtual bool started() const { return true; }

  /// Takes over what SolverInfo::ease changes, from the next step on. Only with solvers that have such settings.
  virtual void adopt(const SimulationSetup& /*eased*/) {}

  /// Called after all particle arrays were replaced. started: the attributes that it added were replaced too and match
  /// the particles; otherwise its next step starts from positions and velocities, like a first step.
  virtual void resume(bool /*started*/) {}

  /// Makes its own buffers for that many particles; fewer than before change nothing. @throws Unavailable if memory is
  /// short; nothing has then changed.
  virtual void reserve(int /*capacity*/) {}

  /// Called between steps after particles were added behind the others, or removed; there is room for all of them. New
  /// ones are those from `first_new` on, with "position", "velocity", "id" and "fluid"; all else at them is 0.
  virtual void follow(ParticleSet& /*particles*/, int /*first_new*/) {}

  /// Called between steps before particles become foreign or own again. own_again: (count) on the device, 1 for a
  /// foreign particle that becomes own, else 0. @throws Unavailable if memory is short; nothing has then changed.
  virtual void follow_foreign(ParticleSet& /*particles*/, const std::uint32_t* /*own_again*/) {}

  /// Whether its constants, the bounds of the step among them, hold for particles of that fluid of the setup too.
  virtual bool knows_fluid(std::uint32_t /*fluid*/) const { return true; }

  /// Bytes per particle beyond SolverInfo::particle_bytes that a growing number needs, with or without foreign ones.
  virtual std::size_t growth_bytes(bool /*foreign*/) const { return 0; }

  /// nullopt: none.
  void set_stirring(const std::optional<Stirring>& stirring) { stirring_ = stirring; }

  /// nullptr: none.
  void set_halo(std::shared_ptr<Halo> halo) { halo_ = std::move(halo); }

  /// StepControl::look_for_faults() at the particles and bodies as they are between steps.
  void look_for_faults(const ParticleSet& particles, StepControl& control);

  Inheritance& inheritance() { return inheritance_; }

  virtual Boundary* boundary() { return nullptr; }  ///< nullptr: it has no wall particles
  virtual FreeBodies* bodies() = 0;
  /// Whether the step must follow the speeds of free bodies as it follows those of particles; otherwise sound does.
  virtual bool bodies_bound_step() const { return false; }
  /// Of the bodies, and what the solver itself carries for them. Wait.
  virtual KeptBodies kept_bodies() { return bodies()->kept(); }
  virtual void restore_bodies(const KeptBodies& kept) { bodies()->restore(kept); }  ///< after resume()
  virtual std::size_t memory_bytes() const = 0;  ///< beyond the particles' attributes

 protected:
  Solver(const SimulationSetup& setup, const Device& device);

  /// Adds the stirring of this step to the velocities. Call it after dt is chosen and before particles move.
  void stir(ParticleSet& particles, const StepControl& control, StageTimer& timer) const;

  /// Relaxes the velocities in damping zones. Call it where stir() is called.
  void damp(ParticleSet& particles, const StepControl& control, StageTimer& timer) const;

  /// Finds apparent gravity, see sim/motion/gravity_field.h. Call it before a kernel reads apparent_gravity().
  void find_apparent_gravity(const StepControl& control, GravityField::When when, StageTimer& timer);
  const ApparentGravity* apparent_gravity() const {
    return gravity_field_.now();
  }  ///< on the device; nullptr: constant

  /// Adds what gravity and the tank's motion change in this step to the velocities. Call it where stir() is called.
  void add_apparent_gravity(ParticleSet& particles, const StepControl& control, StageTimer& timer);

  /// StepControl::choose_step() for the own particles of all devices. acceleration: nullptr if it does not matter.
  void choose_step(const ParticleSet& particles, const Vec4* acceleration, StepControl& control);

  /// Halo::share_errors(), if there is a halo.
  void share_errors(const Device& device, SolveErrors* errors) const;

  Halo* halo() const { return halo_.get(); }  ///< nullptr: none

  /// A refresh point: Halo::refresh() of arrays with one element per particle, if there is a halo.
  void refresh(const ParticleSet& particles, std::initializer_list<HaloField> fields) const;
  template <class T>
  static HaloField field(const char* name, Buffer<T>& values) {
    return {name, values.data(), sizeof(T)};
  }

 private:
  StepParticles step_particles(const ParticleSet& particles, const Vec4* acceleration);

  Domain domain_;
  std::vector<DampingZone> damping_;
  GravityField gravity_field_;
  Inheritance inheritance_;
  std::shared_ptr<Halo> halo_;
  std::optional<Stirring> stirring_;
};

/// The setup's solver. Adds the attributes it needs to the particles, which have "position", "velocity", "id", "fluid".
/// walls: those of another solver, which are shared if they are the same; or nullptr.
std::unique_ptr<Solver> make_solver(const SimulationSetup& setup, ParticleSet& particles,
                                    const std::shared_ptr<PlacedWalls>& walls);

/// The bounds of its time step.
StepBounds step_bounds(const SimulationSetup& setup);

/// The step for particles at rest [s]; with implicit viscosity, once nothing changes any more.
float stable_dt(const SimulationSetup& setup);

/// [m/s] Upper bound of particle speeds in normal operation: WCSPH's numerical speed of sound, or what takes its place.
float signal_speed(const SimulationSetup& setup);

/// [m/s] Of a fall from the highest fluid or free solid to the lowest point of the domain, in the worst direction that gravity has.
double fastest_fall(const SimulationSetup& setup);

/// [m/s] Ten times the largest speed that the setup can reach: that of the bodies and of driven solids, that of a fall from the highest fluid to
/// the lowest point of the domain, and that which the pressure under surface tension could give: sqrt(2 p / rho) with
/// p = sigma / R in 2-D and 2 sigma / R in 3-D, R half of a body's least extent.
float automatic_signal_speed(const SimulationSetup& setup);

/// [m/s] Expected speed of the fast particles of the scene.
float expected_speed(const SimulationSetup& setup);

/// [m] Radius of the neighbour search: h, or more if particles move before the last traversal of a step.
float search_radius(const SimulationSetup& setup);

/// Builds the search on the particles and reorders them as it wants: the first stages of a step.
void find_neighborhoods(ParticleSet& particles, NeighborSearch& search, const Domain& domain, float h,
                        StageTimer& timer);

}  // namespace riffle
