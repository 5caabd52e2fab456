#pragma once
/// Changing gravity, a moving tank and a body force in a simulation: apparent gravity on the device, and its part in a
/// step.
///
/// Kernels of forces have the constant gravity. A GravityField adds the difference to the velocities, as a stage of its
/// own; with DPD the kernel of forces reads now().

#include <cstddef>

#include "core/device/buffer.h"
#include "sim/motion/apparent_gravity.h"
#include "sim/particle_set.h"
#include "sim/step_control.h"

namespace riffle {

struct SimulationSetup;

class GravityField {
 public:
  GravityField(const Device& device, const SimulationSetup& setup);

  bool changing() const { return sources_.changing(); }

  /// On the device, as the last find() left it; nullptr: there is only constant gravity.
  const ApparentGravity* now() const { return apparent_.data(); }

  enum class When {
    Now,          ///< at the clock's time
    Step,         ///< the mean over the step that ends at the clock's time
    AroundStart,  ///< the mean over a dt around the start of that step
    AroundEnd,    ///< the mean over a dt around the end of that step
  };

  /// With a dt of 0: at the clock's time. Asynchronous. Without changes it does nothing.
  void find(const ClockState* clock, When when);

  /// velocity += dt (a - g): what find() found, less the constant gravity. Foreign particles are unchanged. Asynchronous.
  void add_to_velocities(ParticleSet& particles, const ClockState* clock) const;

  std::size_t memory_bytes() const { return apparent_.bytes() + knots_.bytes(); }

 private:
  GravitySources sources_;            ///< with tables on the device
  Buffer<MotionKnot> knots_;          ///< of the tank, then of gravity; or empty
  Buffer<ApparentGravity> apparent_;  ///< (1), or empty
};

/// Of that setup, which keeps the tables.
GravitySources gravity_sources(const SimulationSetup& setup);

}  // namespace riffle
