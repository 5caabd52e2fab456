/// Cells of coordinates. Most mistakes here are hidden from a search by clamping, or show only for rare coordinates.

#include "neighbors/grid/grid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "core/error.h"
#include "neighbors/grid/cell_table.h"
#include "neighbors/separation.h"
#include "support/clouds.h"

namespace riffle::test {
namespace {

int cell_x(const Grid& grid, float x) { return grid.cell_of({x, 0, 0}).x; }

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

TEST(GridCell, CellsAreNumberedAlongRowsThatRunToAndFro) {
  const Grid grid = make_grid(box(3, {0, 0, 0}, {3, 4, 5}), 0.99f);
  ASSERT_EQ(grid.size.x, 3);
  ASSERT_EQ(grid.size.y, 4);
  ASSERT_EQ(grid.size.z, 5);
  EXPECT_EQ(grid.cells(), 60);
  std::vector<Int3> by_number(60, Int3{-1, -1, -1});
  for (int z = 0; z < 5; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 3; ++x) {
        const std::uint32_t number = grid.index({x, y, z});
        ASSERT_LT(number, 60u);
        EXPECT_EQ(by_number[number].x, -1) << "two cells have number " << number;
        by_number[number] = {x, y, z};
        const Int3 back = grid.cell_at(number);
        EXPECT_TRUE(back.x == x && back.y == y && back.z == z) << number;
      }
  for (std::size_t c = 1; c < 60; ++c) {  // the next cell shares a face
    const Int3 a = by_number[c - 1], b = by_number[c];
    EXPECT_EQ(std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.z - b.z), 1) << c;
  }
}

TEST(GridCell, IndicesOfALargeGridDoNotOverflow) {
  Grid grid;
  grid.size = {40000, 40000, 1};
  EXPECT_EQ(grid.cells(), std::int64_t{1600000000});
  EXPECT_EQ(grid.index({0, 39999, 0}), 1599999999u);
  grid.size = {1 << 20, 1 << 20, 1 << 20};
  EXPECT_EQ(grid.linear({0, 0, (1 << 20) - 1}), (std::int64_t{1} << 60) - 1);
}

TEST(GridCell, ATwoDimensionalGridHasOneLayer) {
  const Grid grid = make_grid(box(2, 0, 1), 0.1f);
  EXPECT_EQ(grid.size.z, 1);
  EXPECT_EQ(grid.cell_of({0.5f, 0.5f, 0}).z, 0);
}

/// Pairs at the radius across a cell face, at every cell of a row and with every rounding near it.
void expect_pairs_in_reach(const Domain& domain, float h, const CellSize& cell_size, Random& random) {
  const Grid grid = make_grid(domain, h, cell_size);
  const PeriodicWrap wrap = periodic_wrap(domain);
  const int size = grid.size.x;
  const double cell = double{domain.extent().x} / size;
  const auto check = [&](float x_i) {
    // The farthest x_j above x_i that is within h in float arithmetic.
    float x_j = static_cast<float>(double{x_i} + h);
    const auto within = [&](float x) { return squared_length(separation({x_i, 0, 0}, {x, 0, 0}, wrap)) < h * h; };
    for (int k = 0; k < 3; ++k) x_j = std::nextafter(x_j, std::numeric_limits<float>::infinity());
    for (int k = 0; k < 8 && !within(x_j); ++k) x_j = std::nextafter(x_j, -std::numeric_limits<float>::infinity());
    if (!within(x_j)) return;
    const auto expect_seen = [&](float from, float to) {
      const Vec3 u = grid.coordinates({from, 0, 0});
      const int c = grid.cell_of({to, 0, 0}).x;
      bool seen = false;
      for_each_row(grid, {u, u}, [&](int y, int z, const CellSpan& span) {
        if (y != 0 || z != 0) return;
        for (int k = 0; k < span.count; ++k) seen |= wrapped(span.first + k, size) == c;
      });
      ASSERT_TRUE(seen) << "box " << domain.min.x << ".." << domain.max.x << ", h = " << h << ": " << from
                        << " does not look into cell " << c << " of " << size << ", where " << to << " is";
    };
    expect_seen(x_i, x_j);
    expect_seen(x_j, x_i);
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

TEST(GridCell, ParticlesWithinHAreInEachOthersReach) {
  // Without the margin this fails: (x - origin) * inverse_cell is rounded, one way for x_i and the other way for x_j.
  Random random(82);
  for (const Axis axis : {Axis::Open, Axis::Periodic})
    for (const float ratio : {0.25f, 0.5f, 1.0f, 2.0f})
      for (int trial = 0; trial < 800; ++trial) {
        const float h = random.chance(0.3f) ? std::ldexp(1.0f, random.below(12) - 6) : random.uniform(0.001f, 2);
        const float low = random.chance(0.3f) ? 0 : random.uniform(-300, 300) * h;
        // Multiples of h leave the cells no slack.
        const float extent =
            h * static_cast<float>(random.chance(0.8f) ? 2 + random.below(5000) : 5000 + random.below(250000));
        Domain domain = box(2, {low, 0, 0}, {low + extent, 1, 0}, axis);
        domain.max.y = 4 * h;
        if (domain.extent().x < 2 * h) continue;
        expect_pairs_in_reach(domain, h, {.ratio = {ratio, ratio, ratio}}, random);
        if (testing::Test::HasFatalFailure()) return;
      }
}

TEST(GridCell, CellsAreAsLargeAsWasAsked) {
  Random random(83);
  for (int trial = 0; trial < 5000; ++trial) {
    const float h = std::pow(10.0f, random.uniform(-4, 2)), ratio = random.uniform(0.25f, 4);
    const float extent = h * random.uniform(0.1f, 2000);
    const Grid grid = make_grid(box(2, 0, extent), h, {.ratio = {ratio, 1, 1}});
    EXPECT_GE(grid.size.x, 1);
    if (grid.size.x > 1) {
      EXPECT_GE(double{extent} / grid.size.x, double{h} * ratio * (1 - 1e-6));
    }
    // ... nor so large that a search tests many more candidates than it needs.
    if (extent > 10 * h * ratio) {
      EXPECT_LT(double{extent} / grid.size.x, 1.15 * h * ratio);
    }
  }
}

TEST(GridCell, AGivenNumberOfCellsIsTaken) {
  const Grid grid = make_grid(box(3, 0, 180), 0.2f, {.count = {18, 9, 30}});
  EXPECT_EQ(grid.size.x, 18);
  EXPECT_EQ(grid.size.y, 9);
  EXPECT_EQ(grid.size.z, 30);
  EXPECT_EQ(make_grid(box(2, 0, 180), 0.2f, {.count = {18, 9, 30}}).size.z, 1) << "2-D has one layer";
}

TEST(GridCell, NoAxisHasMoreCellsThanFloatsTellApart) { EXPECT_EQ(make_grid(box(2, 0, 1e9f), 1).size.x, 1 << 21); }

TEST(NeighborSpan, CoversEveryCellWithinReachOnce) {
  Random random(84);
  for (const bool periodic : {false, true})
    for (int trial = 0; trial < 20000; ++trial) {
      const int size = 1 + random.below(12);
      const float low = random.uniform(0, static_cast<float>(size)), reach = random.uniform(0.1f, 6);
      const float high = std::min(static_cast<float>(size), low + (random.chance(0.5f) ? 0 : random.uniform(0, 3)));
      std::set<int> expected;
      for (int c = periodic ? -40 : 0; c < (periodic ? 40 : size); ++c) {
        const float distance = std::max({0.0f, static_cast<float>(c) - high, low - static_cast<float>(c + 1)});
        if (distance < reach) expected.insert(((c % size) + size) % size);
      }
      const CellSpan span = neighbor_span(low, high, reach, size, periodic);
      std::multiset<int> covered;
      for (int k = 0; k < span.count; ++k) covered.insert(wrapped(span.first + k, size));
      for (const int c : expected) EXPECT_EQ(covered.count(c), 1u) << c << " of " << size;
      for (const int c : covered) EXPECT_EQ(covered.count(c), 1u) << c << " of " << size;
    }
}

TEST(Rows, EveryCellThatABallTouchesIsVisitedOnce) {
  // Against every cell's distance from the box, in two and three dimensions.
  Random random(85);
  for (int trial = 0; trial < 3000; ++trial) {
    const int dimension = 2 + random.below(2);
    Domain domain = box(dimension, 0, 1);
    for (int a = 0; a < dimension; ++a) domain.axis[a] = random.chance(0.5f) ? Axis::Periodic : Axis::Open;
    const float h = random.uniform(0.12f, 0.5f), ratio = random.uniform(0.25f, 3);
    const Grid grid = make_grid(domain, h, {.ratio = {ratio * 0.5f, ratio, ratio}});
    const Vec3 a = grid.coordinates(xyz(particle(dimension, uniform_in(random, domain))));
    QueryBox query{a, a};
    if (random.chance(0.5f)) query.high = a + 0.5f * Vec3{random.uniform(0, 1), random.uniform(0, 1), 0};
    query.high = {std::min(query.high.x, float(grid.size.x)), std::min(query.high.y, float(grid.size.y)), query.high.z};
    std::vector<int> visited(static_cast<std::size_t>(grid.cells()), 0);
    for_each_row(grid, query, [&](int y, int z, const CellSpan& span) {
      for (int k = 0; k < span.count; ++k) ++visited[grid.index({wrapped(span.first + k, grid.size.x), y, z})];
    });
    for (int z = 0; z < grid.size.z; ++z)
      for (int y = 0; y < grid.size.y; ++y)
        for (int x = 0; x < grid.size.x; ++x) {
          const auto gap = [&](int c, float low, float high, int size, bool periodic, float edge) {
            float least = 1e9f;
            for (int image = periodic ? -1 : 0; image <= (periodic ? 1 : 0); ++image) {
              const float u = static_cast<float>(c + image * size);
              least = std::min(least, std::max({0.0f, u - high, low - (u + 1)}));
            }
            return least * edge;
          };
          const float dx = gap(x, query.low.x, query.high.x, grid.size.x, grid.periodic_x, grid.cell.x);
          const float dy = gap(y, query.low.y, query.high.y, grid.size.y, grid.periodic_y, grid.cell.y);
          const float dz = gap(z, query.low.z, query.high.z, grid.size.z, grid.periodic_z, grid.cell.z);
          const int times = visited[grid.index({x, y, z})];
          EXPECT_LE(times, 1);
          if (dx * dx + dy * dy + dz * dz < h * h) {
            EXPECT_EQ(times, 1);
          }
        }
    if (HasFailure()) return;
  }
}

TEST(CellTable, AFewCellsTooManyAreRefusedBeforeTheyOverflow) {
  // 46341^2 > 2^31 - 1.
  EXPECT_THROW(require_cell_table(Device{}, make_grid(box(2, 0, 60000), 1), 1, 0), Unavailable);
  EXPECT_NO_THROW(require_cell_table(Device{}, make_grid(box(2, 0, 30000), 1), 1, 0));
}

TEST(CellTable, ATableThatDoesNotFitIsRefusedWithItsBytesAndWhatWouldFit) {
  const Grid grid = make_grid(box(3, 0, 1000), 1);
  try {
    require_cell_table(Device{}, grid, std::size_t{1} << 20, 0);
    FAIL() << "10^15 bytes were granted";
  } catch (const Unavailable& error) {
    const std::string message = error.what();
    for (const char* part : {"1000 x 1000 x 1000", "1048576000000000 bytes", "folded", "fenns"})
      EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
  }
}

}  // namespace
}  // namespace riffle::test
