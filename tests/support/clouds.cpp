#include "support/clouds.h"

#include <cmath>
#include <limits>

namespace riffle::test {

Domain box(int dimension, Vec3 low, Vec3 high, Axis axis) {
  Domain domain;
  domain.dimension = dimension;
  domain.min = low;
  domain.max = high;
  for (Axis& a : domain.axis) a = axis;
  if (dimension == 2) domain.min.z = domain.max.z = 0;
  return domain;
}

Domain box(int dimension, float low, float high, Axis axis) {
  return box(dimension, Vec3{low, low, low}, Vec3{high, high, high}, axis);
}

Vec4 particle(int dimension, Vec3 x) {
  return {x.x, x.y, dimension == 2 ? 0 : x.z, std::numeric_limits<float>::quiet_NaN()};
}

Vec3 uniform_in(Random& random, const Domain& domain) {
  const float x = random.uniform(domain.min.x, domain.max.x);
  const float y = random.uniform(domain.min.y, domain.max.y);
  const float z = random.uniform(domain.min.z, domain.max.z);
  return {x, y, z};
}

Vec3 uniform_in_ball(Random& random, int dimension) {
  for (;;) {
    const Vec3 x = uniform_in(random, box(dimension, -1, 1));
    if (length2(x) < 1) return x;
  }
}

Vec3 direction(Random& random, int dimension) {
  for (;;) {
    const Vec3 x = uniform_in_ball(random, dimension);
    if (length2(x) > 0.01f) return (1 / std::sqrt(length2(x))) * x;
  }
}

std::vector<Vec4> uniform_cloud(Random& random, const Domain& domain, int count) {
  std::vector<Vec4> cloud;
  for (int i = 0; i < count; ++i) cloud.push_back(particle(domain.dimension, uniform_in(random, domain)));
  return cloud;
}

std::vector<Vec4> lattice(int dimension, Vec3 low, float spacing, int per_axis) {
  std::vector<Vec4> cloud;
  for (int k = 0; k < (dimension == 3 ? per_axis : 1); ++k)
    for (int j = 0; j < per_axis; ++j)
      for (int i = 0; i < per_axis; ++i)
        cloud.push_back(particle(
            dimension, low + spacing * Vec3{static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)}));
  return cloud;
}

void add_coincident(std::vector<Vec4>& cloud, int dimension, Vec3 x, int count) {
  cloud.insert(cloud.end(), count, particle(dimension, x));
}

}  // namespace riffle::test
