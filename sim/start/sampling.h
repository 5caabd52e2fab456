#pragma once
/// Particles of a setup: bodies filled on their lattice, and the walls around the domain.

#include <cstdint>
#include <vector>

#include "core/math/vec.h"
#include "sim/setup.h"

namespace riffle {

struct FluidSamples {
  std::vector<Vec4> position;        ///< [m]
  std::vector<Vec4> velocity;        ///< [m/s]
  std::vector<std::uint32_t> fluid;  ///< index into SimulationSetup::fluids
};

/// Lattice sites at min + (k + 1/2) spacing: a box of n spacings holds n particles per axis. Deterministic in
/// setup.seed.
FluidSamples sample_bodies(const SimulationSetup& setup);

/// Particles that sample_bodies() would make; of huge bodies about; at most 10^12.
std::int64_t count_particles(const SimulationSetup& setup);

/// Sites of one lattice of about the spacing that runs through the domain's walled faces, half a step on either side of
/// them.
struct WallSamples {
  std::vector<Vec4> wall;   ///< outside the box, as many layers as fill the support radius of a particle at the face
  std::vector<Vec4> outer;  ///< as many layers beyond those
  std::vector<Vec4> inner;  ///< inside the box, as many layers from each walled face: where fluid at rest would be
};

/// WallSamples::wall, without making it: the wall particles of a simulation; at most 10^12.
std::int64_t count_boundary_particles(const SimulationSetup& setup);

/// WallSamples::outer, the longest of the three lists, without making it; at most 10^12.
std::int64_t count_sites_behind_walls(const SimulationSetup& setup);

/// Edges and corners between walled axes are filled once.
WallSamples sample_walls(const SimulationSetup& setup);

}  // namespace riffle
