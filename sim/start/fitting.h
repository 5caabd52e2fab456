#pragma once
/// The particles of lattices beside solids, fitted to the surfaces.
///
/// A surface cuts a lattice anywhere. Which of the sites that it cuts make a particle is decided by sim/start/keep_out.h, so that
/// the particles have the volume of the fluid. Here they are given room: particles near such sites move down the gradient of the
/// density that the fluid and the solids have together, until it is about even. Without that a particle beside a solid would be as
/// near to its neighbours as to the site that it was moved from.

#include <cstdint>
#include <vector>

#include "core/math/vec.h"
#include "sim/setup.h"
#include "sim/start_progress.h"
#include "sim/walls/inside_solids.h"

namespace riffle {

/// What sample_bodies() knows of lattices.
struct LatticeSites {
  /// Of each particle: 0 it stays (it comes from a file, or from a random place), else kOfLattice and the faces that cut its body.
  std::vector<std::uint8_t> kind;
  std::vector<Vec3> cuts;  ///< [m] sites that surfaces cut, whether they made a particle or not
  std::vector<Vec3>
      beyond;  ///< [m] sites near those that lie outside of their body: they keep its free surface where it is

  static constexpr std::uint8_t kOfLattice = 1;
  /// Of a walled face that the body goes on behind.
  static constexpr std::uint8_t face_bit(int axis, bool upper) {
    return static_cast<std::uint8_t>(2 << (2 * axis + (upper ? 1 : 0)));
  }
};

inline constexpr float kFitted = 2.5f;      ///< [spacings] particles as near to a cut site move
inline constexpr float kFittedSupport = 2;  ///< [spacings] support radius of the density that is made even
inline constexpr float kFittedGap = 0.3f;   ///< [spacings] no particle is nearer to a solid after that

/// Moves particles of lattices near cut sites. The same on every device: it runs on the CPU.
/// position: (particles) in the order of LatticeSites::kind
/// @return whether any was moved
bool fit_to_solids(const SimulationSetup& setup, const SolidsAtRest& solids, const LatticeSites& sites,
                   std::vector<Vec4>& position, const SamplingProgress& progress);

}  // namespace riffle
