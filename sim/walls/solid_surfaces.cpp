#include "sim/walls/solid_surfaces.h"

#include "sim/meshes/distance_grid.h"

namespace riffle {

namespace {

constexpr float kRounding = 1e-3f;  // [spacings]; coordinates of a thousand spacings are rounded to a ten-thousandth

}  // namespace

FlatRegions flat_solids(const SimulationSetup& setup) {
  std::vector<const Region*> regions;
  for (const SolidRegion& solid : setup.solid_regions) regions.push_back(&solid);
  return flatten(regions, setup.domain, setup.spacing);
}

std::size_t solid_grid_bytes(const SimulationSetup& setup) {
  std::size_t bytes = 0;
  for (const auto& grid : flat_solids(setup).grids) bytes += grid->bytes();
  return bytes;
}

SolidSurfaces::SolidSurfaces(const Device& device, const SimulationSetup& setup)
    : shapes_(device), corners_(device), dimension_(setup.domain.dimension), rounding_(kRounding * setup.spacing) {
  FlatRegions flat = flat_solids(setup);
  grids_ = DeviceGrids(device, flat);
  if (!flat.shapes.empty()) shapes_.assign(flat.shapes);
  if (!flat.corners.empty()) corners_.assign(flat.corners);
}

}  // namespace riffle
