#pragma once
/// The particles of a setup: bodies filled on their lattice, and the walls around the domain.

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

/// Sites of one lattice that continues through the domain's walled faces; its step is about the spacing, and each face
/// lies half a step from the sites on both sides.
struct WallSamples {
  std::vector<Vec4> wall;   ///< outside the box, as many layers as fill the support radius of a particle at the face
  std::vector<Vec4> outer;  ///< as many layers beyond those
  std::vector<Vec4> inner;  ///< inside the box, as many layers from each walled face: where fluid at rest would be
  static constexpr std::size_t kBytesPerParticle = 3 * sizeof(Vec4);  ///< of the wall's, about
};

/// Size of WallSamples::wall, the wall particles of a simulation; at most 10^12.
std::int64_t count_boundary_particles(const SimulationSetup& setup);

/// Size of WallSamples::outer, the longest of the three lists; at most 10^12.
std::int64_t count_sites_behind_walls(const SimulationSetup& setup);

/// The sites; edges and corners between walled axes are filled once.
WallSamples sample_walls(const SimulationSetup& setup);

}  // namespace riffle
