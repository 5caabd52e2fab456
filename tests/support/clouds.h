#pragma once
/// Particles for neighbour tests. 2-D clouds have z = 0; w is NaN because the search must not read it.

#include <vector>

#include "core/math/domain.h"
#include "core/math/vec.h"
#include "support/random.h"

namespace riffle::test {

struct Cloud {
  Domain domain;
  float h = 0;
  std::vector<Vec4> x;
};

/// low..high on every axis; in 2-D z is 0..0.
Domain box(int dimension, float low, float high, Axis axis = Axis::Open);
Domain box(int dimension, Vec3 low, Vec3 high, Axis axis = Axis::Open);

/// A particle at (x, y, z), in 2-D at (x, y, 0).
Vec4 particle(int dimension, Vec3 x);

Vec3 uniform_in(Random& random, const Domain& domain);
/// Uniform in the unit ball (in 2-D: disc).
Vec3 uniform_in_ball(Random& random, int dimension);
/// A unit vector.
Vec3 direction(Random& random, int dimension);

std::vector<Vec4> uniform_cloud(Random& random, const Domain& domain, int count);
/// per_axis^d particles at low + spacing * (i, j, k)
std::vector<Vec4> lattice(int dimension, Vec3 low, float spacing, int per_axis);

/// Adds `count` particles at x.
void add_coincident(std::vector<Vec4>& cloud, int dimension, Vec3 x, int count);

}  // namespace riffle::test
