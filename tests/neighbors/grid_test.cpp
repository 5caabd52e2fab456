/// Cells of coordinates. Most mistakes here are hidden from a search by clamping, or show only for rare coordinates.

#include "neighbors/grid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "core/error.h"
#include "support/clouds.h"

namespace riffle::test {
namespace {

int cell_x(const Grid& grid, float x) { return grid.cell({x, 0, 0}).x; }

TEST(GridCell, ACoordinateJustBelowAPeriodicBoxIsInTheLastCell) {
  // A cast to int would put -0.5 cells into cell 0.
  const Grid grid = make_grid(box(3, 0, 1, Axis::Periodic), 0.1f);
  ASSERT_GE(grid.size.x, 9);
  EXPECT_EQ(cell_x(grid, -0.01f), grid.size.x - 1);
  EXPECT_EQ(cell_x(grid, -1.01f), grid.size.x - 1);
  EXPECT_EQ(cell_x(grid, 0.01f), 0);
  EXPECT_EQ(cell_x(grid, 1.01f), 0);
  EXPECT_EQ(cell_x(grid, 1), 0);
  EXPECT_EQ(cell_x(grid, -1), 0);
  EXPECT_EQ(cell_x(grid, 3.005f), 0);
}

TEST(GridCell, ACoordinateOutsideAnOpenBoxIsInTheNearestCell) {
  const Grid grid = make_grid(box(3, -1, 1), 0.1f);
  EXPECT_EQ(cell_x(grid, -1.01f), 0);
  EXPECT_EQ(cell_x(grid, -100), 0);
  EXPECT_EQ(cell_x(grid, -3e38f), 0);
  EXPECT_EQ(cell_x(grid, 1), grid.size.x - 1);
  EXPECT_EQ(cell_x(grid, 100), grid.size.x - 1);
  EXPECT_EQ(cell_x(grid, 3e38f), grid.size.x - 1);
}

TEST(GridCell, EveryFloatHasACell) {
  Random random(81);
  for (const Axis axis : {Axis::Open, Axis::Periodic})
    for (int trial = 0; trial < 200; ++trial) {
      const float low = random.uniform(-1, 1) * std::pow(10.0f, random.uniform(-5, 6));
      const float extent = std::abs(low) * 0.01f + std::pow(10.0f, random.uniform(-3, 5));
      const float h = extent * random.uniform(1e-4f, 0.4f);
      const Domain domain = box(3, {low, 0, 0}, {low + extent, 4 * h, 4 * h}, axis);
      const Grid grid = make_grid(domain, h);
      const auto expect_in_range = [&](float x) {
        const int c = Grid::axis_cell(x, grid.origin.x, grid.inverse_cell.x, grid.size.x, grid.periodic_x);
        EXPECT_TRUE(c >= 0 && c < grid.size.x) << x;
      };
      for (const float x :
           {0.0f, -0.0f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
            -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::max(),
            std::numeric_limits<float>::lowest(), std::numeric_limits<float>::denorm_min(), domain.min.x, domain.max.x,
            std::nextafter(domain.max.x, 1e30f), std::nextafter(domain.min.x, -1e30f)})
        expect_in_range(x);
      for (int k = 0; k < 100; ++k) {
        const std::uint32_t bits = random.bits();
        float x;
        static_assert(sizeof x == sizeof bits);
        std::memcpy(&x, &bits, sizeof x);
        expect_in_range(x);
      }
    }
}

TEST(GridCell, CellsAreNumberedXFastest) {
  const Grid grid = make_grid(box(3, {0, 0, 0}, {3, 4, 5}), 0.99f);
  ASSERT_EQ(grid.size.x, 3);
  ASSERT_EQ(grid.size.y, 4);
  ASSERT_EQ(grid.size.z, 5);
  EXPECT_EQ(grid.index({0, 0, 0}), 0u);
  EXPECT_EQ(grid.index({1, 0, 0}), 1u);
  EXPECT_EQ(grid.index({0, 1, 0}), 3u);
  EXPECT_EQ(grid.index({0, 0, 1}), 12u);
  EXPECT_EQ(grid.index({2, 3, 4}), 59u);
  EXPECT_EQ(grid.cells(), 60);
}

TEST(GridCell, IndicesOfALargeGridDoNotOverflow) {
  Grid grid;
  grid.size = {40000, 40000, 1};
  EXPECT_EQ(grid.cells(), std::int64_t{1600000000});
  EXPECT_EQ(grid.index({39999, 39999, 0}), 1599999999u);
}

TEST(GridCell, ATwoDimensionalGridHasOneLayer) {
  const Grid grid = make_grid(box(2, 0, 1), 0.1f);
  EXPECT_EQ(grid.size.z, 1);
  EXPECT_EQ(grid.cell({0.5f, 0.5f, 0}).z, 0);
}

/// Pairs at the radius across a cell face, at every cell of a row and with every rounding near it.
void expect_pairs_in_adjacent_cells(const Domain& domain, float h, Random& random) {
  const Grid grid = make_grid(domain, h);
  const PeriodicWrap wrap = periodic_wrap(domain);
  const int size = grid.size.x;
  const double cell = double{domain.extent().x} / size;
  const auto cell_of = [&](float x) {
    return Grid::axis_cell(x, grid.origin.x, grid.inverse_cell.x, size, grid.periodic_x);
  };
  const auto check = [&](float x_i) {
    // The farthest x_j above x_i that is within h as floats see it.
    float x_j = static_cast<float>(double{x_i} + h);
    const auto within = [&](float x) { return squared_length(separation({x_i, 0, 0}, {x, 0, 0}, wrap)) < h * h; };
    for (int k = 0; k < 3; ++k) x_j = std::nextafter(x_j, std::numeric_limits<float>::infinity());
    for (int k = 0; k < 8 && !within(x_j); ++k) x_j = std::nextafter(x_j, -std::numeric_limits<float>::infinity());
    if (!within(x_j)) return;
    const CellSpan span = neighbor_span(cell_of(x_i), size, grid.periodic_x);
    const int offset = (cell_of(x_j) - span.first + size) % size;
    ASSERT_LT(offset, span.count) << "box " << domain.min.x << ".." << domain.max.x << ", h = " << h << ": " << x_i
                                  << " is in cell " << cell_of(x_i) << ", " << x_j << " in cell " << cell_of(x_j)
                                  << " of " << size;
  };
  for (int k = 0; k < 60; ++k) {
    // Near powers of two the spacing of floats changes, and rounding goes different ways on either side.
    const int c = k < 20 ? std::min(1 << k, size) + random.below(3) - 1 : random.below(size + 1);
    float x = static_cast<float>(double{domain.min.x} + c * cell);
    for (int step = 0; step < 4; ++step) x = std::nextafter(x, -std::numeric_limits<float>::infinity());
    for (int step = 0; step < 9; ++step) {
      check(x);
      x = std::nextafter(x, std::numeric_limits<float>::infinity());
    }
  }
}

TEST(GridCell, ParticlesWithinHAreNeverTwoCellsApart) {
  // Cells of exactly h fail this: (x - origin) * inverse_cell is rounded, one way for x_i and the other way for x_j.
  Random random(82);
  for (const Axis axis : {Axis::Open, Axis::Periodic})
    for (int trial = 0; trial < 3000; ++trial) {
      const float h = random.chance(0.3f) ? std::ldexp(1.0f, random.below(12) - 6) : random.uniform(0.001f, 2);
      const float low = random.chance(0.3f) ? 0 : random.uniform(-300, 300) * h;
      // Multiples of h leave the cells no slack.
      const float extent =
          h * static_cast<float>(random.chance(0.8f) ? 2 + random.below(5000) : 5000 + random.below(250000));
      Domain domain = box(2, {low, 0, 0}, {low + extent, 1, 0}, axis);
      domain.max.y = 4 * h;
      if (domain.extent().x < 2 * h) continue;
      expect_pairs_in_adjacent_cells(domain, h, random);
      if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(GridCell, CellsAreNeverSmallerThanH) {
  Random random(83);
  for (int trial = 0; trial < 5000; ++trial) {
    const float h = std::pow(10.0f, random.uniform(-4, 2));
    const float extent = h * random.uniform(0.1f, 2000);
    const Grid grid = make_grid(box(2, 0, extent), h);
    EXPECT_GE(grid.size.x, 1);
    if (grid.size.x > 1) {
      EXPECT_GE(double{extent} / grid.size.x, double{h});
    }
    // ... nor so large that a search looks at many more candidates than it needs.
    if (extent > 10 * h) {
      EXPECT_LT(double{extent} / grid.size.x, 1.15 * h);
    }
  }
}

TEST(NeighborSpan, EveryAdjacentCellIsCoveredOnce) {
  for (const bool periodic : {false, true})
    for (int size = 1; size <= 9; ++size)
      for (int c = 0; c < size; ++c) {
        std::multiset<int> expected;
        for (int d = -1; d <= 1; ++d) {
          const int n = c + d;
          if (periodic || (n >= 0 && n < size)) expected.insert((n + size) % size);
        }
        std::set<int> unique(expected.begin(), expected.end());
        std::multiset<int> covered;
        const CellSpan span = neighbor_span(c, size, periodic);
        EXPECT_GE(span.first, 0);
        EXPECT_LT(span.first, size);
        for (int k = 0; k < span.count; ++k) covered.insert((span.first + k) % size);
        EXPECT_EQ(covered, std::multiset<int>(unique.begin(), unique.end()))
            << "cell " << c << " of " << size << (periodic ? ", periodic" : ", open");
      }
}

TEST(MakeGrid, AFewCellsTooManyAreRefusedBeforeTheyOverflow) {
  // 46341^2 > 2^31 - 1.
  EXPECT_THROW(make_grid(box(2, 0, 60000), 1), Unavailable);
  EXPECT_NO_THROW(make_grid(box(2, 0, 30000), 1));
}

}  // namespace
}  // namespace riffle::test
