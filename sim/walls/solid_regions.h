#pragma once
/// The wall particles of a scene's solids: samples of SimulationSetup::solid_regions.
///
/// A box has its own lattice, fitted between its faces, and a plane its own, along it. Around any other surface sites lie in
/// layers at half a spacing, one and a half and so on from it, on both sides, evenly spread (sim/walls/spread_sites.h): a fluid
/// at rest beside a solid has such layers, and the solid's surface is as smooth for the fluid as its shape. Domain faces and all
/// regions that stand still leave each other's places out: a place inside two belongs to the first, and a place in
/// front of several to the nearest. So do regions that are driven alike, among themselves; they are sampled whole,
/// beyond faces too.

#include <cstdint>
#include <vector>

#include "sim/setup.h"
#include "sim/start_progress.h"

namespace riffle {

/// The setup with `solids` of its regions, if it has regions and its solver has wall particles; then the first is the
/// domain's faces, and solid r + 1 is region r. Samples that another simulation of this process has are shared.
/// @throws StartGivenUp if the progress says so
SimulationSetup with_sampled_solids(const SimulationSetup& setup, const StartProgress& progress = {});

/// Whether its sites are those of a lattice along its faces, which are flat.
bool has_lattice_of_its_own(const SolidRegion& region);

/// Wall particles of the regions, without the domain's faces, and sites behind them: counted, or of large regions
/// estimated from every so many places. At most 10^12.
struct RegionSites {
  std::int64_t wall = 0, behind = 0;
};
RegionSites count_region_sites(const SimulationSetup& setup, const StartProgress& progress = {});

}  // namespace riffle
