#include <algorithm>
#include <cmath>

#include "bench/clouds/cloud_random.h"
#include "bench/clouds/generated.h"

namespace riffle::bench {

namespace {

constexpr double kEdge = 500;  // of the box, as of a cosmological simulation [Mpc/h]
constexpr int kRegions = 48, kChildren = 6, kLevels = 5;
constexpr double kRegion = 60, kShrink = 2;  // radius of a region; of its parts, of their parts ...
constexpr double kField = 0.1;               // share of the points that belong to no cluster
constexpr double kCore = 0.06;               // Plummer radius of a cluster with one member, growing as its cube root
constexpr double kCut = 8;                   // farthest member, in Plummer radii

struct Place {
  double x[3];
};

Place within(const Place& center, double radius, CloudRandom& random) {
  double n[3];
  random.direction(n);
  const double r = radius * std::cbrt(random.unit());
  return {center.x[0] + r * n[0], center.x[1] + r * n[1], center.x[2] + r * n[2]};
}

/// The random path from a region down to one of its smallest parts. The tree of parts is not kept: a part's place
/// follows from its number.
Place cluster_center(std::uint64_t seed, CloudRandom& random) {
  std::uint64_t part = random.below(kRegions);
  CloudRandom region(seed_of_part(seed, part));
  Place place{{region.uniform(0, kEdge), region.uniform(0, kEdge), region.uniform(0, kEdge)}};
  double radius = kRegion;
  for (int level = 0; level < kLevels; ++level) {
    part = (part + 1) * 64 + random.below(kChildren);
    CloudRandom of_part(seed_of_part(seed, part));
    place = within(place, radius, of_part);
    radius /= kShrink;
  }
  return within(place, radius, random);
}

/// Radius in a Plummer sphere of radius 1, cut off.
double plummer_radius(CloudRandom& random) {
  for (;;) {
    const double mass = 1 - random.unit();  // 0 < mass <= 1
    const double r = 1 / std::sqrt(std::max(1e-12, std::pow(mass, -2.0 / 3) - 1));
    if (r < kCut) return r;
  }
}

}  // namespace

std::vector<Vec4> galaxy_cloud(std::int64_t count, std::uint64_t seed) {
  CloudRandom random(seed);
  std::vector<Vec4> points;
  points.reserve(static_cast<std::size_t>(count));
  const auto clustered = static_cast<std::int64_t>((1 - kField) * double(count));
  const double most = std::max(2.0, double(count) / 25);  // members of the largest
  while (static_cast<std::int64_t>(points.size()) < clustered) {
    const Place center = cluster_center(seed, random);
    // Clusters of m members are as m^-2: each doubling of m has as many points in all.
    const double members = std::min(most, 1 / (1 - random.unit()));
    const double core = kCore * std::cbrt(members);
    for (auto m = static_cast<std::int64_t>(members); m > 0 && static_cast<std::int64_t>(points.size()) < clustered;
         --m) {
      double n[3];
      random.direction(n);
      const double r = core * plummer_radius(random);
      points.push_back({static_cast<float>(center.x[0] + r * n[0]), static_cast<float>(center.x[1] + r * n[1]),
                        static_cast<float>(center.x[2] + r * n[2]), 0});
    }
  }
  while (static_cast<std::int64_t>(points.size()) < count) points.push_back(random.in_cube(0, kEdge));
  return points;
}

}  // namespace riffle::bench
