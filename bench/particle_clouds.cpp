#include "bench/particle_clouds.h"

#include <fmt/format.h>

#include <cmath>

#include "bench/clouds/cloud_random.h"
#include "neighbors/brute/all_pairs.h"

namespace riffle::bench {

namespace {

Domain open_box(Vec3 max) {
  Domain domain;
  domain.max = max;
  return domain;
}

}  // namespace

std::string to_string(CloudOrder order) {
  switch (order) {
    case CloudOrder::Shuffled: return "shuffled";
    case CloudOrder::InOrder: return "in order";
    case CloudOrder::Previous: return "nearly in order";
  }
  return "unknown";
}

BenchCloud uniform_cloud(std::int64_t count, float edge, float h, std::uint64_t seed) {
  BenchCloud cloud{.text = fmt::format("uniform at random in a box of {:g}^3", edge),
                   .domain = open_box({edge, edge, edge}),
                   .h = h,
                   .now = {},
                   .before = {}};
  CloudRandom random(seed);
  cloud.now.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) cloud.now.push_back(random.in_cube(0, edge));
  return cloud;
}

BenchCloud dense_lattice(int nx, int ny, int nz, std::uint64_t seed) {
  constexpr double spacing = 0.5, jitter = 0.2;  // h = 1
  BenchCloud cloud{.text = fmt::format("lattice of {} x {} x {}, spacing h/2, jitter 0.2 spacings", nx, ny, nz),
                   .domain = open_box({static_cast<float>(spacing * nx), static_cast<float>(spacing * ny),
                                       static_cast<float>(spacing * nz)}),
                   .h = 1,
                   .spacing = static_cast<float>(spacing),
                   .now = {},
                   .before = {}};
  CloudRandom random(seed);
  cloud.now.reserve(static_cast<std::size_t>(nx) * ny * nz);
  const auto at = [&](int k) { return static_cast<float>(spacing * (k + 0.5 + random.uniform(-jitter, jitter))); };
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const float x = at(i), y = at(j), z = at(k);
        cloud.now.push_back({x, y, z, 0});
      }
  return cloud;
}

BenchCloud clustered_cloud(std::int64_t count, float h, std::uint64_t seed) {
  constexpr int clumps = 200;
  constexpr double narrowest = 0.004, widest = 0.06, share = 0.95;
  BenchCloud cloud{
      .text = "200 Gaussian clumps of 0.004 to 0.06 in the unit cube, 5 % of the particles uniform between them",
      .domain = open_box({1, 1, 1}),
      .h = h,
      .now = {},
      .before = {}};
  CloudRandom random(seed);
  cloud.now.reserve(static_cast<std::size_t>(count));
  const auto in_clumps = static_cast<std::int64_t>(share * double(count));
  for (int c = 0; c < clumps; ++c) {
    const Vec4 center = random.in_cube(0.1, 0.9);
    const double width = narrowest * std::pow(widest / narrowest, double(c) / (clumps - 1));
    for (std::int64_t i = in_clumps * c / clumps; i < in_clumps * (c + 1) / clumps; ++i) {
      const double x = random.normal(), y = random.normal(), z = random.normal();
      cloud.now.push_back({static_cast<float>(center.x + width * x), static_cast<float>(center.y + width * y),
                           static_cast<float>(center.z + width * z), 0});
    }
  }
  while (static_cast<std::int64_t>(cloud.now.size()) < count) cloud.now.push_back(random.in_cube(0, 1));
  return cloud;
}

BenchCloud cell_cloud(std::int64_t count, int cells, std::uint64_t seed) {
  const auto edge = static_cast<float>(cells);
  BenchCloud cloud = uniform_cloud(count, edge, 1, seed);
  cloud.text = fmt::format("uniform at random over {}^3 cells of edge h", cells);
  return cloud;
}

void arrange(BenchCloud& cloud, CloudOrder order, std::uint64_t seed) {
  if (order == CloudOrder::InOrder) return;
  CloudRandom random(seed);
  for (std::size_t i = cloud.now.size(); i > 1; --i) std::swap(cloud.now[i - 1], cloud.now[random.below(i)]);
}

void move_by_a_step(BenchCloud& cloud, std::uint64_t seed) {
  CloudRandom random(seed);
  const double reach = 0.01 * cloud.h;
  cloud.before = cloud.now;
  for (Vec4& x : cloud.before) {
    x.x += static_cast<float>(random.uniform(-reach, reach));
    x.y += static_cast<float>(random.uniform(-reach, reach));
    if (cloud.domain.dimension == 3) x.z += static_cast<float>(random.uniform(-reach, reach));
  }
}

void move_to_other_cells(BenchCloud& cloud, int cells, std::int64_t moved, std::uint64_t seed) {
  CloudRandom random(seed);
  cloud.before = cloud.now;
  const auto cell = [](Vec4 x) { return Vec3{std::floor(x.x), std::floor(x.y), std::floor(x.z)}; };
  for (const std::uint32_t i : random_particles(static_cast<int>(cloud.now.size()), static_cast<int>(moved), seed)) {
    const Vec3 old = cell(cloud.before[i]);
    do cloud.now[i] = random.in_cube(0, cells);
    while (cell(cloud.now[i]) == old);
  }
}

}  // namespace riffle::bench
