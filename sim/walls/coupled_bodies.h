#pragma once
/// How free bodies move while a solver finds pressure: in each iteration as the present pressure gives. A solver that would find
/// the pressure against bodies that keep their velocity, and then move them by it, throws a body that is lighter than the water
/// which it sets in motion to and fro.
///
/// Sums are integers, as those of sim/bodies/solid_impulses.h.

#include "core/device/buffer.h"
#include "sim/bodies/coupled_body.h"
#include "sim/bodies/free_bodies.h"
#include "sim/kernel.h"
#include "sim/walls/boundary.h"
#include "sim/walls/solid_forces.h"

namespace riffle {

class CoupledBodies {
 public:
  /// known: as for SolidForces; otherwise bodies move by what is not the fluid's
  CoupledBodies(const Device& device, const SimulationSetup& setup, bool known);

  bool any() const { return !bodies_.empty(); }
  CoupledView view(const Boundary& boundary, const SolidForces& forces) const;

  /// Their velocities before a solve. wall_velocity: (wall particles) out, at those of free bodies. gravity: as for
  /// FreeBodies::advance()
  void begin(const FreeBodies& bodies, const StepControl& control, const SolidForces& forces,
             const ApparentGravity* gravity, BodyStart start, const Boundary& boundary, Vec4* wall_velocity);

  /// (wall particles) zeros: impulses of an iterate [N s]
  Vec4* reactions(const Boundary& boundary);

  /// The velocities that an iterate's impulses on wall particles give, likewise. over: nullptr, or a clock: then ways [m] over
  /// the time by which position based fluids divide theirs. Asynchronous.
  void follow(const Boundary& boundary, const SolidForces& forces, const Vec4* reaction, const ClockState* over,
              Vec4* wall_velocity);

  /// How much the diagonal of an iteration needs beside bodies and at their wall particles, see sim/bodies/body_rows.h.
  /// volume: V_0 [m^d]. gain: (particles) out, but far from walls. wall_gain: (wall particles) out, of those of bodies
  void find_gains(const NeighborSearch& search, const Boundary& boundary, const SolidForces& forces,
                  const SmoothingKernel& kernel, float volume, const Vec4* position, float* gain, float* wall_gain);

  /// Of one of the wall particles, as `reactions` need it; 0 where no solid is free.
  static std::size_t wall_particle_bytes(const SimulationSetup& setup);
  std::size_t memory_bytes() const { return bodies_.bytes() + sums_.bytes() + rows_.bytes() + reaction_.bytes(); }

 private:
  float spacing_;               ///< [m]
  Buffer<CoupledBody> bodies_;  ///< (regions), or empty
  Buffer<std::uint64_t> sums_;  ///< (1 + regions, 6) of an iterate
  Buffer<std::uint64_t> rows_;  ///< (regions, 6)
  Buffer<Vec4> reaction_;       ///< (wall particles)
};

}  // namespace riffle
