#include "sim/walls/solid_surfaces.h"

namespace riffle {

namespace {

constexpr float kRounding = 1e-3f;  // [spacings]; coordinates of a thousand spacings are rounded to a ten-thousandth

}  // namespace

FlatRegions flat_solids(const SimulationSetup& setup) {
  std::vector<const Region*> regions;
  for (const SolidRegion& solid : setup.solid_regions) regions.push_back(&solid);
  return flatten(regions, setup.domain);
}

SolidSurfaces::SolidSurfaces(const Device& device, const SimulationSetup& setup)
    : shapes_(device), corners_(device), dimension_(setup.domain.dimension), rounding_(kRounding * setup.spacing) {
  const FlatRegions flat = flat_solids(setup);
  if (!flat.shapes.empty()) shapes_.assign(flat.shapes);
  if (!flat.corners.empty()) corners_.assign(flat.corners);
}

}  // namespace riffle
