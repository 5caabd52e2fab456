/// A scanner of 64 beams that turns on the roof of a car (as in the KITTI recordings), in an endless street: each block
/// of it is generated from its number when a beam may reach it.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/clouds/cloud_random.h"
#include "bench/clouds/generated.h"

namespace riffle::bench {

namespace {

constexpr double kHeight = 1.73;                   // of the scanner above the street [m]
constexpr int kBeams = 64, kAzimuths = 1800;       // of one turn
constexpr double kLowest = -24.8, kHighest = 2.0;  // elevations [degrees]
constexpr double kNearest = 2, kFarthest = 80;     // what it sees [m]
constexpr double kRangeNoise = 0.02, kDrive = 1;   // standard deviation; per turn [m]
constexpr double kBlock = 15;                      // along the street [m]

/// Standing on the ground, its sides along the axes.
struct Obstacle {
  double x0, x1, y0, y1, top;
};

/// The objects in block number `block` of the street along x: a house on either side, cars at the kerbs, poles.
void add_block(std::int64_t block, std::uint64_t seed, std::vector<Obstacle>& obstacles) {
  CloudRandom random(seed_of_part(seed, static_cast<std::uint64_t>(block)));
  const double x = kBlock * double(block);
  for (const double side : {-1.0, 1.0}) {
    const auto add = [&](double from, double length, double near, double depth, double top) {
      const double a = side * near, b = side * (near + depth);
      obstacles.push_back({x + from, x + from + length, std::min(a, b), std::max(a, b), top});
    };
    if (random.unit() < 0.8) add(0, random.uniform(9, kBlock), random.uniform(8, 14), 12, random.uniform(4, 14));
    for (double at = random.uniform(0, 4); at < kBlock - 5; at += random.uniform(5, 9))
      if (random.unit() < 0.6) add(at, random.uniform(3.6, 4.8), random.uniform(3.9, 4.2), 1.8, random.uniform(1.4, 2));
    add(random.uniform(0, kBlock - 0.3), 0.25, 6.4, 0.25, 6);
  }
}

/// The part of a ray, in the plane, that is over an obstacle.
struct Crossing {
  double begin, end, top;
};

bool crosses(const Obstacle& o, double x, double y, double dx, double dy, Crossing& crossing) {
  double begin = 0, end = kFarthest;
  const auto cut = [&](double from, double direction, double low, double high) {
    if (std::abs(direction) < 1e-12) {
      if (from < low || from > high) end = -1;
      return;
    }
    const double a = (low - from) / direction, b = (high - from) / direction;
    begin = std::max(begin, std::min(a, b));
    end = std::min(end, std::max(a, b));
  };
  cut(x, dx, o.x0, o.x1);
  cut(y, dy, o.y0, o.y1);
  crossing = {begin, end, o.top};
  return begin < end;
}

/// How far along the ground a beam of that slope reaches: to the street, a side or a roof.
double reach_of(double slope, const std::vector<Crossing>& crossings) {
  double reach = slope < 0 ? -kHeight / slope : 1e9;
  for (const Crossing& c : crossings) {
    if (c.begin >= reach) continue;
    if (kHeight + slope * c.begin <= c.top)
      reach = c.begin;
    else if (const double roof = (c.top - kHeight) / slope; slope < 0 && roof < c.end)
      reach = std::min(reach, roof);
  }
  return reach;
}

}  // namespace

std::vector<Vec4> lidar_cloud(std::int64_t count, std::uint64_t seed) {
  double slope[kBeams];
  for (int beam = 0; beam < kBeams; ++beam)
    slope[beam] = std::tan((kLowest + (kHighest - kLowest) * beam / (kBeams - 1)) * std::numbers::pi / 180);
  CloudRandom random(seed);
  std::vector<Vec4> points;
  points.reserve(static_cast<std::size_t>(count));
  std::vector<Obstacle> obstacles;
  std::vector<Crossing> crossings;
  for (std::int64_t turn = 0; static_cast<std::int64_t>(points.size()) < count; ++turn) {
    const double x = kDrive * double(turn), y = -1.6;  // in the right lane
    obstacles.clear();
    const auto first = static_cast<std::int64_t>(std::floor((x - kFarthest) / kBlock)) - 1;
    const auto last = static_cast<std::int64_t>(std::floor((x + kFarthest) / kBlock));
    for (std::int64_t block = first; block <= last; ++block) add_block(block, seed, obstacles);
    for (int azimuth = 0; azimuth < kAzimuths && static_cast<std::int64_t>(points.size()) < count; ++azimuth) {
      const double angle = 2 * std::numbers::pi * (azimuth + random.unit()) / kAzimuths;
      const double dx = std::cos(angle), dy = std::sin(angle);
      crossings.clear();
      for (const Obstacle& obstacle : obstacles)
        if (Crossing c; crosses(obstacle, x, y, dx, dy, c)) crossings.push_back(c);
      for (int beam = 0; beam < kBeams && static_cast<std::int64_t>(points.size()) < count; ++beam) {
        const double reach = reach_of(slope[beam], crossings);
        const double longer = std::sqrt(1 + slope[beam] * slope[beam]);
        if (reach * longer < kNearest || reach * longer > kFarthest) continue;  // nothing comes back
        const double at = reach + kRangeNoise / longer * random.normal();
        points.push_back({static_cast<float>(x + at * dx), static_cast<float>(y + at * dy),
                          static_cast<float>(kHeight + at * slope[beam]), 0});
      }
    }
  }
  return points;
}

}  // namespace riffle::bench
