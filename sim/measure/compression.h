#pragma once
/// Compression of a fluid whose densities are sums over particles of equal volume.

#include <cstdint>

#include "core/device/buffer.h"
#include "neighbors/neighbor_search.h"
#include "sim/kernel.h"
#include "sim/measure/diagnostics.h"
#include "sim/particle_set.h"
#include "sim/setup.h"

namespace riffle {

class Boundary;

/// V_0 delta - 1 of every particle, and its number of neighbours within h, with walls. positions: in the order of
/// `search`, which must be exact for h there. rest_volume: V_0 [m^d]
void find_compression(const NeighborSearch& search, const Vec4* positions, const SmoothingKernel& kernel,
                      float rest_volume, const Boundary& boundary, Buffer<float>& compression,
                      Buffer<std::uint32_t>& neighbors);

/// (count) in the search's order: whether the particle is not foreign.
std::vector<bool> own_in_order(const ParticleSet& particles, const NeighborSearch& search);

/// At the present positions, by a search of its own: the running one may have been replaced since the last step. Waits.
/// mass: of a particle of each fluid [kg]; density: out, (N) [kg/m^3] in the particles' order
CompressionDiagnostics measure_compression(const ParticleSet& particles, const SimulationSetup& setup,
                                           const SmoothingKernel& kernel, const Boundary& boundary,
                                           const float (&mass)[kMaxFluids], Buffer<float>& density);

}  // namespace riffle
