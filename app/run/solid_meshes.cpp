#include "app/run/solid_meshes.h"

#include <atomic>

#include "sim/shapes/mesh.h"

namespace riffle {

namespace {

std::uint64_t next_version() {
  static std::atomic<std::uint64_t> version{0};
  return ++version;
}

}  // namespace

const render::Solids* SolidMeshes::of(const SimulationSetup& setup) {
  const std::vector<SolidRegion>& wanted = setup.solid_regions;
  const bool same_domain =
      domain_ == setup.domain && domain_.min == setup.domain.min && domain_.max == setup.domain.max;
  bool changed = wanted.size() != regions_.size();
  std::vector<render::SolidMesh> meshes(wanted.size());
  for (std::size_t s = 0; s < wanted.size(); ++s) {
    const Region& region = wanted[s];
    const bool same = same_domain && s < regions_.size() && region == static_cast<const Region&>(regions_[s]);
    if (same)
      meshes[s].mesh = std::move(solids_.meshes[s].mesh);
    else
      meshes[s].mesh = mesh_of(region, setup.domain);
    meshes[s].color = wanted[s].color;
    changed |= !same || !(wanted[s].color == regions_[s].color);
  }
  solids_.meshes = std::move(meshes);
  if (changed) {
    solids_.version = next_version();
    domain_ = setup.domain;
    regions_ = wanted;
  }
  return present();
}

}  // namespace riffle
