#include "support/random_configuration.h"

#include <cmath>

#include "neighbors/grid/grid.h"

namespace riffle::test {

Cloud random_configuration(std::uint32_t seed, int dimension) {
  Random random(seed);
  Cloud cloud;
  cloud.h = std::pow(10.0f, random.uniform(-3, 2));
  const float center = random.chance(0.3f) ? 0 : random.uniform(-50, 50) * cloud.h;
  Vec3 low, high;
  const auto side = [&](float& l, float& h) {
    l = center + random.uniform(-3, 3) * cloud.h;
    h = l + cloud.h * (random.chance(0.2f) ? static_cast<float>(2 + random.below(6)) : random.uniform(2.05f, 12));
  };
  side(low.x, high.x);
  side(low.y, high.y);
  side(low.z, high.z);
  cloud.domain = box(dimension, low, high);
  for (int a = 0; a < dimension; ++a)  // rounding may have put an extent of exactly k h below 2h
    if (component(cloud.domain.extent(), a) >= 2 * cloud.h) cloud.domain.axis[a] = static_cast<Axis>(random.below(3));

  const Grid grid = make_grid(cloud.domain, cloud.h);
  const float outside = random.chance(0.5f) ? 0 : random.uniform(0, 1.5f);
  const int count = random.below(300);
  const auto coordinate = [&](int a) {
    const float min = component(cloud.domain.min, a), extent = component(cloud.domain.extent(), a);
    float x = random.uniform(min - outside * extent, min + extent + outside * extent);
    if (random.chance(0.25f)) {  // onto the nearest cell face, or one step beside it
      const float cells = static_cast<float>(component(grid.size, a));
      x = min + std::round((x - min) / extent * cells) * extent / cells;
      if (random.chance(0.5f)) x = std::nextafter(x, random.chance(0.5f) ? 1e9f : -1e9f);
    }
    return x;
  };
  for (int i = 0; i < count; ++i) {
    if (i > 0 && random.chance(0.05f)) {
      cloud.x.push_back(cloud.x[static_cast<std::size_t>(random.below(i))]);
    } else if (i > 0 && random.chance(0.1f)) {  // at h from another one, within rounding
      const Vec3 other = xyz(cloud.x[static_cast<std::size_t>(random.below(i))]);
      cloud.x.push_back(particle(dimension, other + cloud.h * direction(random, dimension)));
    } else {
      const float x = coordinate(0), y = coordinate(1), z = dimension == 3 ? coordinate(2) : 0;
      cloud.x.push_back(particle(dimension, {x, y, z}));
    }
  }
  return cloud;
}

}  // namespace riffle::test
