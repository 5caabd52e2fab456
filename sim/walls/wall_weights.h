#pragma once
/// Weights of wall particles. They follow from a lattice without gaps: the walls, the sites behind them and fluid at
/// rest in front of them.

#include "core/device/buffer.h"
#include "neighbors/neighbor_search.h"
#include "sim/kernel.h"
#include "sim/setup.h"

namespace riffle {

/// The walls' own search: it always wants its particles in its order, and the order repeats from run to run.
SearchSettings wall_search_settings(float spacing);

/// Builds `search`, which has those settings, on sites.wall and computes in its order
/// - particles: (count) position; w is V_b / V_0 with V_b = 1 / sum_k W_bk over all sites;
/// - solid_density: (count) [1/m^d] 1 / V_0 minus the sum of W_bk over the sites in front.
/// reach: [m] that the search is built for, at least h
/// sites: in the domain's frame, each place once; at least one of the wall
/// domain: that the search is built in: all sites lie in it, or beyond its faces
/// particle_volume: [m^d] V_0
void weigh_walls(const Device& device, const Domain& domain, double particle_volume, const SmoothingKernel& kernel,
                 float reach, const SolidSamples& sites, NeighborSearch& search, Buffer<Vec4>& particles,
                 Buffer<float>& solid_density);

}  // namespace riffle
