#pragma once
/// Generated point clouds of the kinds that point searches are measured on (Zhu 2022, section 6.1), without a download.
/// A seed gives the same cloud on every machine, except for the rounding of sine and cosine.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/math/vec.h"

namespace riffle::bench {

enum class CloudKind { Lidar, Surface, Galaxies, Uniform };

struct CloudKindInfo {
  CloudKind kind;
  std::string_view name;  ///< "lidar"
  std::string_view text;  ///< what it is, for people
};
std::span<const CloudKindInfo> cloud_kinds();
std::optional<CloudKind> cloud_kind_from(std::string_view name);

/// (count) points. @throws InputError for a negative count and one above kMostParticles
std::vector<Vec4> generate_cloud(CloudKind kind, std::int64_t count, std::uint64_t seed);

/// The view of a spinning scanner with 64 beams from a car that drives through a street, turn after turn: rings on the
/// ground, walls, parked cars, poles. In metres, z up from the street; thin in z, and denser the nearer. In the order
/// of the beams.
std::vector<Vec4> lidar_cloud(std::int64_t count, std::uint64_t seed);

/// Points on a closed, bumpy surface about 1 from the origin, uniform on its area except for a scanner's noise of
/// 0.0002. In strips along z.
std::vector<Vec4> surface_cloud(std::int64_t count, std::uint64_t seed);

/// Clusters of clusters in a box of 500 (Soneira and Peebles 1978), with members distributed as in Plummer (1911): few
/// clusters have many members, many have few. A tenth of the points is everywhere. Cluster by cluster.
std::vector<Vec4> galaxy_cloud(std::int64_t count, std::uint64_t seed);

/// The unit cube.
std::vector<Vec4> uniform_points(std::int64_t count, std::uint64_t seed);

}  // namespace riffle::bench
