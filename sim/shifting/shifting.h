#pragma once
/// Particle shifting after Lind, Xu, Stansby and Rogers 2012: particles drift from where they are dense to where they
/// are sparse, dx_i = -D grad C_i, so that they do not line up along stretching directions. The diffusion is tied to
/// the flow as in Skillen, Lind, Stansby and Rogers 2013, D = A h |v|max dt, so that it does not depend on the step.
/// Velocities stay as they are, and with them the momentum. Nothing within reach of a free surface is shifted.
///
/// A solver adds the displacements to the positions at the end of its step. They follow from positions and volumes of the
/// step's start, which are up to date at foreign particles, so that shifting has no refresh point of its own
/// (sim/halo.h).

#include <limits>

#include "core/device/buffer.h"
#include "neighbors/neighbor_search.h"
#include "sim/kernel.h"
#include "sim/particle_set.h"
#include "sim/setup.h"
#include "sim/step_control.h"
#include "sim/walls/boundary.h"

namespace riffle::shifting {

/// Whether the setup wants it.
inline bool is_on(const SimulationSetup& setup) { return setup.wcsph.shifting > 0; }

class Shifting {
 public:
  /// kernel: the solver's. most_diffusion: upper bound of D / h^2 in a step, for solvers of long steps.
  Shifting(const SimulationSetup& setup, const ParticleSet& particles, const SmoothingKernel& kernel,
           float most_diffusion = std::numeric_limits<float>::infinity());

  struct Step {
    const ParticleSet& particles;
    const NeighborSearch& search;
    const Boundary& boundary;
    const Vec4* volume;  ///< position; w: volume by the sum over neighbours [m^d], of foreign particles too
    const ClockState* clock;
  };
  /// (N) the step's displacements [m], on the device, in the search's order.
  const Vec4* find(const Step& step);

  void reserve(int capacity);
  std::size_t memory_bytes() const { return shift_.bytes(); }
  /// Bytes per fluid particle.
  static constexpr std::size_t kParticleBytes = sizeof(Vec4);

 private:
  float coefficient_;
  float most_drift_;  ///< upper bound of D / h [m]
  float spacing_;
  float rest_volume_;  ///< V_0 [m^d]
  SmoothingKernel kernel_;
  Buffer<Vec4> shift_;  ///< (N) and more
};

}  // namespace riffle::shifting
