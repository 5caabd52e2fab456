#include "app/run/solid_meshes.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "sim/motion/drive_place.h"
#include "sim/shapes/mesh.h"

namespace riffle {

namespace {

std::uint64_t next_version() {
  static std::atomic<std::uint64_t> version{0};
  return ++version;
}

/// The domain, and more where the region reaches beyond it: a driven solid is drawn whole.
Domain around(const Region& region, Domain domain) {
  const Bounds bounds = bounds_of(region);
  const auto widen = [](float& low, float& high, float from, float to) {
    if (std::isfinite(from)) low = std::min(low, from);
    if (std::isfinite(to)) high = std::max(high, to);
  };
  widen(domain.min.x, domain.max.x, bounds.min.x, bounds.max.x);
  widen(domain.min.y, domain.max.y, bounds.min.y, bounds.max.y);
  if (domain.dimension == 3) widen(domain.min.z, domain.max.z, bounds.min.z, bounds.max.z);
  return domain;
}

render::MeshPose pose_of(const SimulationSetup& setup, std::size_t solid, const DrivenPlace& place) {
  const Bounds bounds = bounds_of(setup.solid_regions[solid]);
  const Vec3 middle = 0.5f * (bounds.min + bounds.max);
  render::MeshPose pose;
  double shift[3];
  for (int a = 0; a < 3; ++a) {
    const double* row = place.turn + 3 * a;
    pose.turn[a] = {static_cast<float>(row[0]), static_cast<float>(row[1]), static_cast<float>(row[2])};
    shift[a] = place.shift[a];
    if (!setup.domain.periodic(a)) continue;
    const double low = component(setup.domain.min, a), length = component(setup.domain.extent(), a);
    const double at = place.at(a, middle.x, middle.y, middle.z);
    shift[a] -= length * std::floor((at - low) / length);
  }
  pose.shift = {static_cast<float>(shift[0]), static_cast<float>(shift[1]), static_cast<float>(shift[2])};
  return pose;
}

}  // namespace

const render::Solids* SolidMeshes::of(const SimulationSetup& setup, double time, std::span<const DrivenPlace> free) {
  const std::vector<SolidRegion>& wanted = setup.solid_regions;
  const bool same_domain =
      domain_ == setup.domain && domain_.min == setup.domain.min && domain_.max == setup.domain.max;
  bool changed = wanted.size() != regions_.size();
  std::vector<render::SolidMesh> meshes(wanted.size());
  for (std::size_t s = 0; s < wanted.size(); ++s) {
    const Region& region = wanted[s];
    const bool same = same_domain && s < regions_.size() && region == static_cast<const Region&>(regions_[s]) &&
                      wanted[s].moves() == regions_[s].moves();
    if (same)
      meshes[s].mesh = std::move(solids_.meshes[s].mesh);
    else
      meshes[s].mesh = mesh_of(region, wanted[s].moves() ? around(region, setup.domain) : setup.domain);
    meshes[s].color = wanted[s].color;
    if (wanted[s].drive.given) meshes[s].pose = pose_of(setup, s, place_of(wanted[s].drive, time));
    if (wanted[s].free.given && s < free.size()) meshes[s].pose = pose_of(setup, s, free[s]);
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
