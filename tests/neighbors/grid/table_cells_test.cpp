/// Cells of a table grow where the box is nearly empty, and only there.

#include "neighbors/grid/table_cells.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../every_search.h"

namespace riffle::test {
namespace {

double cells_of(const SearchSettings& settings, float extent, std::int64_t particles, int dimension = 3) {
  const Domain domain = box(dimension, 0, extent);
  return count_cells(domain, 1, cube_size(settings, domain, 1, particles));
}

TEST(TableCells, AreFewerInABoxThatIsNearlyEmpty) {
  for (const int dimension : {2, 3})
    for (const std::int64_t particles : {1, 1000, 100000}) {
      SCOPED_TRACE(testing::Message() << dimension << "-D, " << particles << " particles");
      const float extent = dimension == 2 ? 50000 : 900;
      const double cells = cells_of({}, extent, particles, dimension);
      const double of_h = std::pow(double{extent}, dimension);
      EXPECT_LE(cells, std::max(32768.0, 400 * double(particles)));
      EXPECT_GE(cells, std::min(of_h / 1e6, double(particles)));
    }
}

TEST(TableCells, AreOfTheSupportRadiusInAFluidThoughItsBoxIsMuchLarger) {
  SearchSettings fluid;
  fluid.spacing = 0.5f;
  // 1,000,000 particles fill 50^3 of them.
  EXPECT_EQ(cells_of(fluid, 200, 1000000), 200.0 * 200 * 200);
  EXPECT_EQ(table_cell_edge(fluid, box(3, 0, 50), 1, 1000000), 1);
  EXPECT_LT(cells_of(fluid, 1200, 1000000), 1200.0 * 1200 * 1200) << "1,728 cells per particle";
}

TEST(TableCells, AreOfTheSupportRadiusInClustersWhoseDensityIsNotKnown) {
  // 30 neighbours on average in 4 % of the box.
  EXPECT_EQ(cells_of({}, 297, 1000000), 297.0 * 297 * 297);
}

TEST(TableCells, AreThoseThatWereAskedFor) {
  SearchSettings settings;
  settings.cell_ratio = 1;
  EXPECT_EQ(cells_of(settings, 900, 1000), 900.0 * 900 * 900);
  settings.cell_ratio = 0;
  settings.cell_count = {18, 18, 18};
  EXPECT_EQ(cells_of(settings, 900, 1000), 18.0 * 18 * 18);
}

TEST(TableCells, OfStillSourcesStaySmallWhileTheyFit) {
  SearchSettings walls;
  walls.static_sources = true;
  EXPECT_EQ(cells_of(walls, 400, 1000), 400.0 * 400 * 400);
  EXPECT_LE(cells_of(walls, 2000, 1000), 1 << 27);
  EXPECT_GE(cells_of(walls, 2000, 1000), 1 << 24);
}

TEST(TableCells, CanBeNumberedHoweverLargeTheBox) {
  SearchSettings fluid;
  fluid.spacing = 0.1f;
  EXPECT_LE(cells_of(fluid, 1e6f, 2000000000), 2147483646.0);
}

class SparseBox : public EverySearch {};

TEST_P(SparseBox, IsSearchedCompletelyWithALittleMemory) {
  // Pairs and chains of particles, far from each other, in a box of 10^12 or 10^9 cells of the support radius.
  for (const Axis axis : {Axis::Open, Axis::Periodic}) {
    const float extent = dimension() == 2 ? 30000 : 10000;
    Random random(7);
    std::vector<Vec4> x;
    while (x.size() < 600) {
      const Vec3 place = uniform_in(random, box(dimension(), 0, extent));
      for (int k = 0; k < 4; ++k)
        x.push_back(particle(dimension(), place + Vec3{0.6f * float(k), 0.3f * float(k % 2), 0}));
    }
    // Within the box also where it ends.
    x.push_back(particle(dimension(), {0.1f, 0.1f, 0.1f}));
    x.push_back(particle(dimension(), {extent - 0.1f, 0.1f, 0.1f}));
    expect_exact({box(dimension(), 0, extent, axis), 1, x});
    SortedSearch sorted(device(), settings());
    sorted.build(x, box(dimension(), 0, extent, axis), 1);
    EXPECT_LT(sorted.search().memory_bytes(), std::size_t{64} << 20);
  }
}

RIFFLE_INSTANTIATE_EVERY_SEARCH(SparseBox);

}  // namespace
}  // namespace riffle::test
