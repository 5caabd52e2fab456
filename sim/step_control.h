#pragma once
/// The clock of a simulation. Time and dt live on the device. The host reads them a step late, so that no step waits.

#include <cstdint>
#include <limits>
#include <memory>

#include "core/device/buffer.h"
#include "core/math/vec.h"
#include "sim/guard/fault.h"

namespace riffle {

class Halo;
struct MovingBody;

/// How a pressure solve of the last step ended. Errors are shares of the rest density.
struct SolveReport {
  std::uint64_t all_iterations = 0;  ///< of all steps so far
  std::uint32_t iterations = 0;
  float mean_error = 0;     ///< over the particles
  float largest_error = 0;  ///< of a particle
};

/// Lives on the device; kernels take a pointer to it.
struct ClockState {
  double time = 0;                                              ///< [s]
  double time_limit = std::numeric_limits<double>::infinity();  ///< [s]
  std::uint64_t step = 0;
  float dt = 0;                              ///< [s] of the current step; 0 once the limit is reached
  float last_dt = 0;                         ///< [s] of the last step that was longer than 0
  float previous_dt = 0;                     ///< [s] of the one before that
  float max_speed = 0;                       ///< [m/s] over fluid particles, when dt was chosen
  float max_acceleration = 0;                ///< [m/s^2] likewise
  std::uint32_t max_speed2_bits = 0;         ///< of this step so far, as float_bits
  std::uint32_t max_acceleration2_bits = 0;  ///< likewise
  float max_body_speed = 0;                ///< [m/s] over the points of bodies that bound the step, when dt was chosen
  std::uint32_t max_body_speed2_bits = 0;  ///< of this step so far
  std::uint32_t contained = 0;             ///< how often a particle crossed a wall and was put back on it

  // Of solvers that solve for pressure.
  SolveReport density_solve, divergence_solve;  ///< of the last step that was longer than 0
  SolveReport viscous_solve;                    ///< of implicit viscosity; both errors: shares of the impulses
  std::uint32_t unconverged = 0;                ///< solves that ended without reaching their bounds
  std::uint32_t viscous_unconverged = 0;        ///< the same of implicit viscosity
  float viscous_step = 0;  ///< [s] that implicit viscosity wants for its accuracy; 0: not known yet
  float step_share = 1;    ///< by which an adaptive step is shortened, because solves did not converge
};

/// How the next dt follows from the state: dt = min(bounds).
struct StepBounds {
  float fixed = 0;  ///< [s]; > 0: that is dt
  /// [s] The decimal number that `fixed` rounds. The clock counts it: 50 steps of 0.02 make 1. StepControl fills it.
  double counted = 0;
  float cfl_length = 0;                                     ///< [m] dt <= cfl_length / (sound_speed + |v|max)
  float sound_speed = 0;                                    ///< [m/s]
  float force_length = 0;                                   ///< [m] dt <= sqrt(force_length / (|a|max + acceleration))
  float acceleration = 0;                                   ///< [m/s^2] added to the largest of the particles
  float constant = std::numeric_limits<float>::infinity();  ///< [s] viscous and user-given bounds
  float viscous_step = 0;   ///< [s] with implicit viscosity: the least that its accuracy may ask for, and the first one
  float viscous_share = 1;  ///< of the step that its accuracy asks for
};

/// What the length of a step depends on, and what may have a fault. Arrays on the device.
struct StepParticles {
  int count = 0;
  const Vec4 *position = nullptr, *velocity = nullptr;  ///< (count)
  const Vec4* acceleration = nullptr;                   ///< (count); nullptr: the step does not depend on it
  const std::uint32_t *id = nullptr, *fluid = nullptr;  ///< (count)
  const std::uint32_t* foreign = nullptr;               ///< (count) flags of those that do not count; nullptr: none
  const MovingBody* bodies = nullptr;
  int body_count = 0;
  const double* body_radius =
      nullptr;  ///< (body_count) [m] of balls that hold them; nullptr: their speeds do not count
  float body_way = std::numeric_limits<float>::infinity();  ///< [m] no point of a body goes further in an adaptive step
};

class StepControl {
 public:
  StepControl(const Device& device, const StepBounds& bounds);
  ~StepControl();

  /// Finds the maxima of velocity and acceleration and looks for faults in the state that the last step has left, then
  /// chooses dt and advances the clock. Positions and velocities are those at the end of that step. halo: shares the
  /// maxima; or nullptr. Asynchronous, as far as the halo is.
  void choose_step(const StepParticles& particles, Halo* halo);

  /// Looks for faults alone, in the present state. Asynchronous.
  void look_for_faults(const StepParticles& particles);

  /// Values beyond them are faults from the next step on. At the start only those that are not finite.
  void set_fault_limits(const FaultLimits& limits) { limits_ = limits; }

  /// Whether choose_step() looks for faults, as it does at the start. Without it a benchmark measures what that costs.
  void watch_faults(bool watch) { watches_ = watch; }

  const ClockState* state() const { return &page_.data()->clock; }  ///< on the device
  ClockState* state() { return &page_.data()->clock; }

  void set_time_limit(double seconds);  ///< as it is: does nothing

  /// Whether the step that choose_step() has chosen has no length, because the time limit was reached before. Waits only near
  /// the limit.
  bool at_time_limit();

  /// Takes effect with the next step.
  void set_bounds(const StepBounds& bounds);

  /// Replaces the clock, except for the time limit, and forgets the fault. Waits.
  void restore(const ClockState& clock);

  /// Queues a copy of the clock for the host. Waits only while kReadAhead earlier copies have not arrived: that bounds
  /// how far the host can run ahead of the device.
  void post();
  const ClockState& latest();  ///< the newest copy that has arrived
  const ClockState& finish();  ///< waits for the device
  int in_flight() const;       ///< copies that latest() has not seen yet

  /// As latest() or finish() last saw it.
  const FaultRecord& fault() const { return newest_.fault; }

  const StepBounds& bounds() const { return bounds_; }
  static constexpr std::size_t memory_bytes() { return sizeof(Page); }

 private:
  static constexpr int kReadAhead = 4;
  struct Mailbox;
  /// What the host gets a copy of after every step.
  struct Page {
    ClockState clock;
    FaultRecord fault;
  };
  Device device_;
  StepBounds bounds_;
  double time_limit_ = std::numeric_limits<double>::infinity();  ///< [s] of state_
  FaultLimits limits_;
  bool watches_ = true;
  Buffer<Page> page_;
  Page newest_;
  std::unique_ptr<Mailbox> mailbox_;
};

}  // namespace riffle
