#pragma once
/// Forces and torques of the fluid on each solid: gathered from the wall particles and from contact, in every step, and
/// summed over the steps. A mean force over some time is the difference of two impulses over that time, whatever sound
/// does in between.
///
/// Pressure, viscous drag and contact are measured, and with DPD the reflections. Surface tension has no part: its forces are no
/// sums over pairs of fluid and wall. The drag of implicit viscosity is not known pair by pair either, so with it nothing is measured.
///
/// Of foreign particles (sim/halo.h) nothing counts: with a fluid divided among devices, a solid's force is the sum over them.

#include <vector>

#include "core/device/buffer.h"
#include "sim/bodies/solid_impulses.h"
#include "sim/step_control.h"
#include "sim/walls/boundary.h"
#include "sim/walls/solid_load.h"

namespace riffle {

class SolidForces {
 public:
  /// Solid 0 is the domain's faces, whose forces are measured only with SimulationSetup::face_forces, and solid r + 1 is
  /// region r. With a setup without regions and without face forces there is nothing to measure.
  /// known: whether the solver knows its forces pair by pair; otherwise there is nothing either.
  SolidForces(const Device& device, const SimulationSetup& setup, bool known);

  bool any() const { return !loads_.empty(); }

  /// foreign: flags of fluid particles (sim/halo.h)
  MeasuredSolids measured(const Boundary& boundary, const std::uint32_t* foreign) const {
    return {boundary.solid(), impulses_.faces, foreign};
  }

  /// For contact. Adds nothing if there are no solids.
  SolidImpulses impulses(const std::uint32_t* fluid) const;

  /// For forces whose second half acts at the start of the next step: that half, over a step of nominal length. Sums as
  /// impulses() does; add_later() adds them.
  SolidImpulses later(const std::uint32_t* fluid) const;
  /// Times the step's dt over the nominal one; a step without length adds nothing.
  void add_later(const ClockState* clock, float nominal);

  /// What add_later() will add, in units: a run from a saved state goes on with it. Waits.
  std::vector<std::uint64_t> later_sums() const { return later_.to_host(); }
  void set_later(const std::vector<std::uint64_t>& sums) {
    if (sums.size() == later_.size()) later_.assign(sums);
  }

  /// (wall particles) zeros, to which a traversal adds the force on each [N], or its impulse [N s].
  Vec4* begin_reactions(const Boundary& boundary);

  enum class Of { Force, Impulse };
  /// The reactions are complete. A force acts for the step's dt, which has been chosen by now.
  void add_reactions(const Boundary& boundary, Of of, const ClockState* clock);

  /// Adds the reactions [N s] on the regions' wall particles to other sums (1 + regions, 6), in the units of impulses().
  void sum_of_regions(const Boundary& boundary, const Vec4* reaction, std::uint64_t* sums) const;

  /// Torques are about the middles of the bounds, which move with driven solids; of free bodies about the centres of mass.
  /// Both are those at the end of the step that the frames are of: impulses that are measured from then on act on free bodies
  /// that are there, so that angular momentum is kept.
  void drive(const SolidSurfaces& surfaces);

  /// At the end of a step. untaken: gets what free bodies have not taken
  void finish_step(const ClockState* clock, const UntakenImpulses& untaken = {});

  void restart();  ///< the measurement begins again
  /// solids: the domain's faces together, then the solids; empty if nothing is measured. faces: 2 axis + (1 for the upper
  /// one), with torques about the domain's middle; empty if they are not measured.
  void read(std::vector<SolidLoad>& solids, std::vector<SolidLoad>& faces) const;
  std::size_t memory_bytes() const {
    return loads_.bytes() + sums_.bytes() + later_.bytes() + center_.bytes() + period_.bytes() + reaction_.bytes();
  }

 private:
  std::size_t solid_count() const { return loads_.empty() ? 0 : loads_.size() - (impulses_.faces ? kFaces : 0); }

  static constexpr std::size_t kFaces = 6;
  Domain domain_;
  SolidImpulses impulses_;   ///< without pointers to particles
  Buffer<SolidLoad> loads_;  ///< of the solids, then of the faces if they are measured
  Buffer<std::uint64_t> sums_;
  Buffer<std::uint64_t> later_;  ///< as sums_, over a step of nominal length
  Buffer<Vec3> center_;
  Buffer<Vec3> period_;
  Buffer<Vec4> reaction_;
};

}  // namespace riffle
