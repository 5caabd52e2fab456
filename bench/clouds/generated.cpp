#include "bench/clouds/generated.h"

#include <fmt/format.h>

#include "bench/clouds/cloud_random.h"
#include "core/device/particle_limit.h"
#include "core/error.h"

namespace riffle::bench {

namespace {
constexpr CloudKindInfo kKinds[] = {
    {CloudKind::Lidar, "lidar", "a street as a spinning scanner of 64 beams sees it: rings, thin in z"},
    {CloudKind::Surface, "surface", "a closed bumpy surface, scanned: uniform on its area"},
    {CloudKind::Galaxies, "galaxies", "clusters of clusters, widely different in density"},
    {CloudKind::Uniform, "uniform", "uniform in the unit cube"},
};
}  // namespace

std::span<const CloudKindInfo> cloud_kinds() { return kKinds; }

std::optional<CloudKind> cloud_kind_from(std::string_view name) {
  for (const CloudKindInfo& info : kKinds)
    if (info.name == name) return info.kind;
  return std::nullopt;
}

std::vector<Vec4> generate_cloud(CloudKind kind, std::int64_t count, std::uint64_t seed) {
  if (count < 0 || count > kMostParticles)
    throw InputError(fmt::format("point cloud: {} points; allowed: 0 to {}", count, kMostParticles));
  switch (kind) {
    case CloudKind::Lidar: return lidar_cloud(count, seed);
    case CloudKind::Surface: return surface_cloud(count, seed);
    case CloudKind::Galaxies: return galaxy_cloud(count, seed);
    case CloudKind::Uniform: return uniform_points(count, seed);
  }
  return {};
}

std::vector<Vec4> uniform_points(std::int64_t count, std::uint64_t seed) {
  CloudRandom random(seed);
  std::vector<Vec4> points;
  points.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) points.push_back(random.in_cube(0, 1));
  return points;
}

}  // namespace riffle::bench
