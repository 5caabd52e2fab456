/// A star-shaped surface: its distance r from the origin is a function of the direction. Directions are drawn uniformly
/// and accepted at random, with a probability proportional to the area that belongs to them.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "bench/clouds/cloud_random.h"
#include "bench/clouds/generated.h"

namespace riffle::bench {

namespace {

constexpr int kWaves = 10, kStrips = 400;
constexpr double kAmplitude = 0.03, kNoise = 2e-4;

/// r(n) = 1 + the sum of plane waves, on the unit sphere.
class BumpySphere {
 public:
  explicit BumpySphere(CloudRandom& random) {
    for (Wave& wave : waves_) {
      random.direction(wave.k);
      const double number = random.uniform(3, 15);
      for (double& k : wave.k) k *= number;
      wave.phase = random.uniform(0, 2 * std::numbers::pi);
      highest_ += kAmplitude;
      steepest_ += kAmplitude * number;
    }
  }

  /// @param area  out: of the surface per solid angle, r sqrt(r^2 + |gradient on the sphere|^2)
  double radius(const double (&n)[3], double& area) const {
    double r = 1, gradient[3] = {0, 0, 0};
    for (const Wave& wave : waves_) {
      const double phase = wave.k[0] * n[0] + wave.k[1] * n[1] + wave.k[2] * n[2] + wave.phase;
      r += kAmplitude * std::sin(phase);
      const double slope = kAmplitude * std::cos(phase);
      for (int a = 0; a < 3; ++a) gradient[a] += slope * wave.k[a];
    }
    const double along = gradient[0] * n[0] + gradient[1] * n[1] + gradient[2] * n[2];
    const double all = gradient[0] * gradient[0] + gradient[1] * gradient[1] + gradient[2] * gradient[2];
    area = r * std::sqrt(r * r + std::max(0.0, all - along * along));
    return r;
  }
  double most_area() const { return highest_ * std::sqrt(highest_ * highest_ + steepest_ * steepest_); }

 private:
  struct Wave {
    double k[3], phase;
  };
  Wave waves_[kWaves];
  double highest_ = 1, steepest_ = 0;
};

/// In the order of a scanner: strips along z, each round the axis.
void sort_in_strips(std::vector<Vec4>& points) {
  const auto place = [](const Vec4& p) {
    return std::pair(std::floor(0.25 * kStrips * (double{p.z} + 2)), std::atan2(p.y, p.x));
  };
  std::vector<std::pair<std::pair<double, float>, Vec4>> placed;
  placed.reserve(points.size());
  for (const Vec4& p : points) placed.emplace_back(place(p), p);
  std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = placed[i].second;
}

}  // namespace

std::vector<Vec4> surface_cloud(std::int64_t count, std::uint64_t seed) {
  CloudRandom random(seed);
  const BumpySphere surface(random);
  std::vector<Vec4> points;
  points.reserve(static_cast<std::size_t>(count));
  while (static_cast<std::int64_t>(points.size()) < count) {
    double n[3], area = 0;
    random.direction(n);
    const double radius = surface.radius(n, area);
    if (random.unit() * surface.most_area() >= area) continue;
    const double r = radius + kNoise * random.normal();
    points.push_back({static_cast<float>(r * n[0]), static_cast<float>(r * n[1]), static_cast<float>(r * n[2]), 0});
  }
  sort_in_strips(points);
  return points;
}

}  // namespace riffle::bench
