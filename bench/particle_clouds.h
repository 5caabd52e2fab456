#pragma once
/// Particles for benchmarks. A seed gives the same particles with every standard library.

#include <cstdint>
#include <string>
#include <vector>

#include "core/math/domain.h"
#include "core/math/vec.h"

namespace riffle::bench {

struct BenchCloud {
  std::string text;  ///< what it is, for people
  Domain domain;
  float h = 0;
  float spacing = 0;         ///< of neighbouring particles; 0: there is no usual one
  std::vector<Vec4> now;     ///< the particles
  std::vector<Vec4> before;  ///< (now's size) where they were one step ago; empty if not needed
};

enum class CloudOrder { Shuffled, InOrder, Previous };
std::string to_string(CloudOrder order);  ///< "shuffled", "in order", "nearly in order"

/// A cube of that edge from the origin, open axes, uniform at random.
BenchCloud uniform_cloud(std::int64_t count, float edge, float h, std::uint64_t seed);

/// nx * ny * nz particles, x fastest, on a lattice of spacing h / 2, each moved by up to 0.2 spacings along each axis;
/// the box ends half a spacing outside the lattice, and its axes are open.
BenchCloud dense_lattice(int nx, int ny, int nz, std::uint64_t seed);

/// The unit cube: 95 % of the particles in 200 Gaussian clumps of equal number, their standard deviations spread
/// evenly in logarithm from 0.004 to 0.06 and their centres uniform in the middle 0.8 of each axis; the rest uniform.
BenchCloud clustered_cloud(std::int64_t count, float h, std::uint64_t seed);

/// Particles of a grid of cells^3 unit cells, `per_cell` in each on average, uniform at random, h = 1.
BenchCloud cell_cloud(std::int64_t count, int cells, std::uint64_t seed);

/// Shuffles the particles, or keeps their order.
void arrange(BenchCloud& cloud, CloudOrder order, std::uint64_t seed);

/// `before`: each particle up to 0.01 h away along each axis, which is what a step of weakly compressible SPH moves.
void move_by_a_step(BenchCloud& cloud, std::uint64_t seed);

/// Copies `now` to `before`, then moves `moved` particles of `now` to places in other cells of the cells^3 unit cells.
void move_to_other_cells(BenchCloud& cloud, int cells, std::int64_t moved, std::uint64_t seed);

}  // namespace riffle::bench
