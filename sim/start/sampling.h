#pragma once
/// The particles of a setup: bodies filled on their lattice. sim/walls/domain_faces.h samples the walls.

#include <cstdint>
#include <vector>

#include "core/math/vec.h"
#include "sim/setup.h"

namespace riffle {

struct FluidSamples {
  std::vector<Vec4> position;        ///< [m]
  std::vector<Vec4> velocity;        ///< [m/s]
  std::vector<std::uint32_t> fluid;  ///< index into SimulationSetup::fluids
  static constexpr std::size_t kBytesPerParticle = 2 * sizeof(Vec4) + sizeof(std::uint32_t);
};

/// Lattice sites at min + (k + 1/2) spacing: a box of n spacings holds n particles per axis. Deterministic in
/// setup.seed.
FluidSamples sample_bodies(const SimulationSetup& setup);

/// Number of particles that sample_bodies() makes (of huge bodies: about); at most 10^12.
std::int64_t count_particles(const SimulationSetup& setup);

}  // namespace riffle
