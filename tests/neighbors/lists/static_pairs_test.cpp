/// StaticPairs: rows of the particles beside walls, and of the walls' particles near them.

#include "neighbors/lists/static_pairs.h"

#include "tests/neighbors/every_search.h"

namespace riffle::test {
namespace {

SearchSettings wall_settings() {
  SearchSettings settings{{.method = NeighborMethod::Hoetzlein}, /*deterministic=*/true, /*static_sources=*/true};
  settings.spacing = 0.04f;
  return settings;
}

/// A floor of wall particles and a cloud above it.
class StaticPairsTest : public EverySearch {
 protected:
  static constexpr float kH = 0.1f;

  std::vector<Vec4> floor_of(const Domain& domain) const {
    std::vector<Vec4> wall;
    for (const Vec4& p : lattice(dimension(), domain.min, 0.04f, 30))
      if (p.y < domain.min.y + 0.12f && p.x < domain.max.x && (dimension() == 2 || p.z < domain.max.z))
        wall.push_back(p);
    return wall;
  }

  struct Pair {
    Pair(const EverySearch&, const Device& device, const SearchSettings& settings)
        : walls(device, wall_settings()), fluid(device, settings), pairs(device) {}
    SortedSearch walls, fluid;
    StaticPairs pairs;
  };

  void build(Pair& p, const std::vector<Vec4>& fluid, const Domain& domain) const {
    p.fluid.build(fluid, domain, kH);
    p.pairs.build(p.walls.search(), p.walls.positions(), p.fluid.search(), p.fluid.positions(), kH);
  }

  /// Rows of queries, in the order of `queries`, against the oracle; those without a row have no neighbour.
  void expect_rows(const RowView& rows, const SortedSearch& sources, const SortedSearch& queries, const Domain& domain,
                   std::size_t most_visited) const {
    const auto n = static_cast<int>(queries.original().size());
    const Visits visits =
        visit_rows(device(), rows, sources.positions(), queries.positions(), n, periodic_wrap(domain), kH);
    const auto host = [&](const SortedSearch& s) {
      std::vector<Vec4> x(s.original().size());
      copy_to_host(device(), x.data(), s.positions(), x.size() * sizeof x[0]);
      return x;
    };
    EXPECT_TRUE(same_neighbors(expected_neighbors_of(host(sources), host(queries), domain, kH), visits.of));
    std::size_t visited = 0;
    for (std::size_t i = 0; i < visits.begun.size(); ++i) {
      EXPECT_EQ(visits.begun[i], visits.ended[i]);
      EXPECT_LE(visits.begun[i], 1u);
      visited += visits.begun[i];
    }
    EXPECT_LE(visited, most_visited);
  }

  bool by_grid() const {
    const SearchView view = NeighborSearch(device(), settings()).method_view();
    const auto* grid = std::get_if<GridView>(&view);
    return grid != nullptr;
  }
};

TEST_P(StaticPairsTest, HaveEveryPairAndLeaveOutWhatIsFarAway) {
  Random random(71);
  for (const Axis axis : {Axis::Open, Axis::Periodic}) {
    const Domain domain = box(dimension(), 0, 1.2f, axis);
    Pair p(*this, device(), settings());
    p.walls.build(floor_of(domain), domain, kH);
    std::vector<Vec4> fluid = uniform_cloud(random, domain, 3000);
    for (Vec4& x : fluid)
      if (x.x > 0.6f) x.y = 0.6f + 0.3f * x.y / 1.2f;  // half of the floor is dry
    for (int build = 0; build < 3; ++build) {
      this->build(p, fluid, domain);
      const RowView* near = p.pairs.of_moving(p.fluid.search());
      if (GetParam().device == DeviceKind::Cpu) {
        EXPECT_EQ(near, nullptr);
        EXPECT_EQ(p.pairs.of_statics(p.fluid.search()), nullptr);
        continue;
      }
      ASSERT_NE(near, nullptr);
      expect_rows(*near, p.walls, p.fluid, domain, fluid.size() / 2);
      const RowView* wet = p.pairs.of_statics(p.fluid.search());
      EXPECT_EQ(wet != nullptr, by_grid());
      if (wet) {
        expect_rows(*wet, p.fluid, p.walls, domain, p.walls.original().size() * 3 / 4);
      }
    }
  }
}

TEST_P(StaticPairsTest, StayExactWhileParticlesMoveWithinTheRadius) {
  if (GetParam().device == DeviceKind::Cpu) GTEST_SKIP() << "nothing is kept on the CPU";
  Random random(72);
  const Domain domain = box(dimension(), 0, 1.2f);
  Pair p(*this, device(), settings());
  p.walls.build(floor_of(domain), domain, 1.4f * kH);
  const std::vector<Vec4> fluid = uniform_cloud(random, domain, 3000);
  p.fluid.build(fluid, domain, 1.4f * kH);
  p.pairs.build(p.walls.search(), p.walls.positions(), p.fluid.search(), p.fluid.positions(), 1.4f * kH);
  std::vector<Vec4> moved = fluid;
  for (Vec4& x : moved) x.y += 0.15f * kH * random.uniform(-1, 1);
  p.fluid.move(moved);
  expect_rows(*p.pairs.of_moving(p.fluid.search()), p.walls, p.fluid, domain, fluid.size());
  if (const RowView* wet = p.pairs.of_statics(p.fluid.search()))
    expect_rows(*wet, p.fluid, p.walls, domain, p.walls.original().size());
}

TEST_P(StaticPairsTest, FollowMoreParticlesThanThereWereAtFirstAndCrowds) {
  if (GetParam().device == DeviceKind::Cpu) GTEST_SKIP() << "nothing is kept on the CPU";
  Random random(73);
  const Domain domain = box(dimension(), 0, 1.2f);
  Pair p(*this, device(), settings());
  p.walls.build(floor_of(domain), domain, kH);
  std::vector<Vec4> fluid = uniform_cloud(random, domain, 6000);
  for (Vec4& x : fluid) x.y = 0.5f + 0.5f * x.y;  // nothing is near the floor
  build(p, fluid, domain);
  expect_rows(*p.pairs.of_moving(p.fluid.search()), p.walls, p.fluid, domain, 0);
  for (Vec4& x : fluid) x.y = 0.2f * (x.y - 0.5f);                                                 // all are, and
  for (int i = 0; i < 700; ++i) fluid[static_cast<std::size_t>(i)] = {0.5f, 0.1f, fluid[0].z, 0};  // 700 at one place
  for (int again = 0; again < 4; ++again) {
    build(p, fluid, domain);
    expect_rows(*p.pairs.of_moving(p.fluid.search()), p.walls, p.fluid, domain, fluid.size());
    if (const RowView* wet = p.pairs.of_statics(p.fluid.search()))
      expect_rows(*wet, p.fluid, p.walls, domain, p.walls.original().size());
  }
}

// Which rows lie beyond the lists depends on the timing of threads, and their sums are rounded differently.
TEST_P(StaticPairsTest, OfADeterministicSearchEveryRowHasAListWhenNumbersGrow) {
  if (GetParam().device == DeviceKind::Cpu) GTEST_SKIP() << "nothing is kept on the CPU";
  SearchSettings exact = settings();
  exact.deterministic = true;
  Random random(79);
  const Domain domain = box(dimension(), 0, 1.2f);
  Pair p(*this, device(), exact);
  p.walls.build(floor_of(domain), domain, kH);
  std::vector<Vec4> fluid = uniform_cloud(random, domain, 60000);
  for (Vec4& x : fluid) x.y = 0.5f + 0.5f * x.y;  // nothing is near the floor
  std::size_t low = 0;
  for (int again = 0; again < 6; ++again) {
    for (; low < fluid.size() * static_cast<std::size_t>(again) / 5; ++low)
      fluid[low].y = 0.2f * (fluid[low].y - 0.5f);  // a fifth more are, in each build
    build(p, fluid, domain);
    const RowView& rows = *p.pairs.of_moving(p.fluid.search());
    std::uint32_t chosen = 0;
    copy_to_host(device(), &chosen, rows.rows, sizeof chosen);
    EXPECT_GE(chosen, static_cast<std::uint32_t>(low) / 2);
    EXPECT_GE(rows.capacity, static_cast<int>(chosen)) << again;
  }
}

// The lists keep their sizes while walls move through the fluid, from where they are dry to where they are crowded.
TEST_P(StaticPairsTest, FollowWallsThatMove) {
  if (GetParam().device == DeviceKind::Cpu) GTEST_SKIP() << "nothing is kept on the CPU";
  Random random(75);
  const Domain domain = box(dimension(), 0, 1.2f);
  Pair p(*this, device(), settings());
  std::vector<Vec4> fluid = uniform_cloud(random, domain, 3000), walls = floor_of(domain);
  for (Vec4& x : fluid) x.y = x.y < 0.3f ? 0.02f * x.y + 0.7f : x.y;  // a crowd, and nothing below 0.3
  const std::vector<Vec4> stay = lattice(dimension(), {0.3f, 1.0f, 0}, 0.04f, 4);
  for (const float height : {0.0f, 0.2f, 0.65f, 1.3f, 0.4f}) {
    std::vector<Vec4> moved = stay;
    for (Vec4 x : walls) x.y += height, moved.push_back(x);
    p.walls.build(moved, domain, kH);
    p.pairs.outdate();
    build(p, fluid, domain);
    expect_rows(*p.pairs.of_moving(p.fluid.search()), p.walls, p.fluid, domain, fluid.size());
    if (const RowView* wet = p.pairs.of_statics(p.fluid.search()))
      expect_rows(*wet, p.fluid, p.walls, domain, p.walls.original().size());
  }
}

TEST_P(StaticPairsTest, ServeOnlyTheBuildThatTheyAreOf) {
  Random random(74);
  const Domain domain = box(dimension(), 0, 1.2f);
  Pair p(*this, device(), settings()), other(*this, device(), settings());
  p.walls.build(floor_of(domain), domain, kH);
  const std::vector<Vec4> fluid = uniform_cloud(random, domain, 300);
  build(p, fluid, domain);
  other.fluid.build(fluid, domain, kH);
  EXPECT_EQ(p.pairs.of_moving(other.fluid.search()), nullptr);
  EXPECT_EQ(p.pairs.of_moving(p.fluid.search()) != nullptr, GetParam().device == DeviceKind::Cuda);
  p.pairs.outdate();  // the walls have moved
  EXPECT_EQ(p.pairs.of_moving(p.fluid.search()), nullptr);
  EXPECT_EQ(p.pairs.of_statics(p.fluid.search()), nullptr);
  build(p, fluid, domain);
  EXPECT_EQ(p.pairs.of_moving(p.fluid.search()) != nullptr, GetParam().device == DeviceKind::Cuda);
  p.fluid.build(fluid, domain, kH);
  EXPECT_EQ(p.pairs.of_moving(p.fluid.search()), nullptr);
  const auto too_far = [&] {
    p.pairs.build(p.walls.search(), p.walls.positions(), p.fluid.search(), p.fluid.positions(), 2 * kH);
  };
  if (GetParam().device == DeviceKind::Cuda) {
    EXPECT_THROW(too_far(), std::logic_error);
  } else {
    EXPECT_NO_THROW(too_far()) << "nothing is kept there";
  }
  build(p, {}, domain);
  EXPECT_EQ(p.pairs.of_moving(p.fluid.search()), nullptr) << "no particles, no rows";
}

RIFFLE_INSTANTIATE_EVERY_SEARCH(StaticPairsTest);

// Four bytes for each entry of a list and each query, and little more: a list has room to grow.
TEST(StaticPairsEstimate, IsThatOfTheListsOfBothKindsOnAGpuAndNothingOnTheCpu) {
  const Device cpu, gpu{DeviceKind::Cuda};
  const StaticPairs::Load tank{.device = gpu,
                               .by_grid = false,
                               .moving = 1e6,
                               .near = 1e5,
                               .statics = 5e5,
                               .wet = 2e5,
                               .longest = 64,
                               .longest_wet = 40};
  const double fluid = 4 * (1e5 * 64 + 1e6), walls = 4 * (2e5 * 40 + 5e5);
  const double without = StaticPairs::estimate(tank);
  EXPECT_GT(without, fluid);
  EXPECT_LT(without, 1.6 * fluid);
  StaticPairs::Load both = tank;
  both.by_grid = true;
  EXPECT_GT(StaticPairs::estimate(both) - without, walls);
  EXPECT_LT(StaticPairs::estimate(both) - without, 1.8 * walls);
  StaticPairs::Load all = tank, more = tank;
  all.near = all.moving;
  more.near = 5 * more.moving;
  EXPECT_EQ(StaticPairs::estimate(all), StaticPairs::estimate(more)) << "there are no more lists than particles";
  const StaticPairs::Load none{.device = cpu,
                               .by_grid = true,
                               .moving = 1e6,
                               .near = 1e5,
                               .statics = 5e5,
                               .wet = 2e5,
                               .longest = 64,
                               .longest_wet = 40};
  EXPECT_EQ(StaticPairs::estimate(none), 0);
}

}  // namespace
}  // namespace riffle::test
