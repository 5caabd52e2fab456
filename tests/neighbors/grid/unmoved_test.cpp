/// A search that knows which particles stay where they are gives what one gives that sorts all of them.

#include <numeric>

#include "neighbors/search_memory.h"
#include "tests/neighbors/every_search.h"

namespace riffle::test {
namespace {

class UnmovedParticles : public EverySearch {
 protected:
  SearchSettings wall_settings() const {
    SearchSettings settings = this->settings(/*deterministic=*/true);
    settings.static_sources = true;
    settings.spacing = 0.04f;
    return settings;
  }

  std::vector<std::uint32_t> order_of(const NeighborSearch& search) const {
    std::vector<std::uint32_t> order(static_cast<std::size_t>(search.count()));
    std::iota(order.begin(), order.end(), 0u);
    if (search.wants_reorder() && !order.empty())
      copy_to_host(device(), order.data(), search.order(), order.size() * sizeof order[0]);
    return order;
  }

  template <class T>
  std::vector<T> host(const T* from, std::int64_t count) const {
    std::vector<T> values(static_cast<std::size_t>(count));
    copy_to_host(device(), values.data(), from, values.size() * sizeof(T));
    return values;
  }

  /// Builds on x and compares order, cells and marks with those of a new search that sorts all of x, and neighbours with the
  /// oracle.
  void expect_as_whole(NeighborSearch& search, const std::vector<Vec4>& x, std::size_t unmoved, const Domain& domain,
                       float h) const {
    const auto count = static_cast<int>(x.size());
    const Buffer<Vec4> given(device(), x);
    search.build(given.data(), count, domain, h, static_cast<int>(unmoved));
    ASSERT_EQ(search.count(), count);
    const std::vector<std::uint32_t> order = order_of(search);
    if (GetParam().method == NeighborMethod::Hoetzlein) {
      NeighborSearch whole(device(), wall_settings());
      whole.build(given.data(), count, domain, h);
      EXPECT_EQ(order, order_of(whole));
      const GridView found = std::get<GridView>(search.method_view()), all = std::get<GridView>(whole.method_view());
      const std::int64_t cells = all.grid.cells();
      ASSERT_EQ(found.grid.cells(), cells);
      EXPECT_EQ(host(found.cell_start, cells + 1), host(all.cell_start, cells + 1));
      EXPECT_EQ(host(found.cell_has_neighbors, cells), host(all.cell_has_neighbors, cells));
    }
    std::vector<Vec4> sorted;
    for (const std::uint32_t i : order) sorted.push_back(x[i]);
    Random random(83);
    std::vector<Vec4> queries = uniform_cloud(random, box(dimension(), -0.4f, 1.4f), 300);
    queries.insert(queries.end(), x.begin(), x.begin() + std::min<std::ptrdiff_t>(100, count));
    queries.insert(queries.end(), x.end() - std::min<std::ptrdiff_t>(100, count), x.end());
    const Buffer<Vec4> sources(device(), sorted), asked(device(), queries);
    const Visits visits = visit_neighbors_of(search, sources.data(), asked.data(), static_cast<int>(queries.size()), h);
    EXPECT_TRUE(same_neighbors(expected_neighbors_of(sorted, queries, domain, h), visits.of));
  }

  /// 400 particles that stay and then `moving` others.
  std::vector<Vec4> mixed(Random& random, int moving) const {
    std::vector<Vec4> x = uniform_cloud(random, box(dimension(), -0.1f, 0.5f), 400);
    const std::vector<Vec4> others = uniform_cloud(random, box(dimension(), 0.1f, 0.4f), moving);
    x.insert(x.end(), others.begin(), others.end());
    return x;
  }
};

constexpr std::size_t kStay = 400;

TEST_P(UnmovedParticles, AreFoundWithThoseThatMoveFar) {
  Random random(81);
  for (const Axis axis : {Axis::Open, Axis::Walled, Axis::Periodic}) {
    const Domain domain = box(dimension(), 0, 1.2f, axis);
    NeighborSearch search(device(), wall_settings());
    std::vector<Vec4> x = mixed(random, 150);
    for (int build = 0; build < 6; ++build) {
      SCOPED_TRACE(build);
      expect_as_whole(search, x, kStay, domain, 0.1f);
      for (std::size_t i = kStay; i < x.size(); ++i) {  // across the box and out of it
        x[i].x += 0.27f;
        if (build == 3) x[i] = particle(dimension(), uniform_in(random, box(dimension(), -0.3f, 1.5f)));
      }
    }
  }
}

TEST_P(UnmovedParticles, AreSortedAgainWhereTheCallerSaysSo) {
  Random random(82);
  const Domain domain = box(dimension(), 0, 1.2f);
  NeighborSearch search(device(), wall_settings());
  expect_as_whole(search, mixed(random, 60), kStay, domain, 0.1f);
  const std::vector<Vec4> others = mixed(random, 60);
  expect_as_whole(search, others, 0, domain, 0.1f);  // ends the row
  expect_as_whole(search, others, kStay, domain, 0.1f);
  search.forget();
  expect_as_whole(search, mixed(random, 60), kStay, domain, 0.1f);
  const std::vector<Vec4> more = mixed(random, 80);
  expect_as_whole(search, more, kStay + 20, domain, 0.1f);
  expect_as_whole(search, more, kStay + 20, domain, 0.15f);
  expect_as_whole(search, more, kStay + 20, box(dimension(), -0.2f, 1.0f), 0.15f);
  expect_as_whole(search, more, kStay + 20, box(dimension(), -0.2f, 1.0f, Axis::Periodic), 0.15f);
}

TEST_P(UnmovedParticles, MayBeAllOfThemOrOneAndTheOthersMayChangeInNumber) {
  Random random(84);
  const Domain domain = box(dimension(), 0, 1.2f);
  for (const std::size_t unmoved : {kStay, std::size_t{1}}) {
    NeighborSearch search(device(), wall_settings());
    std::vector<Vec4> x = mixed(random, 0);
    for (const int moving : {0, 30, 0, 700}) {
      x.resize(kStay);
      for (int i = 0; i < moving; ++i)
        x.push_back(particle(dimension(), uniform_in(random, box(dimension(), 0, 0.2f))));
      expect_as_whole(search, x, unmoved, domain, 0.1f);
      expect_as_whole(search, x, unmoved, domain, 0.1f);
    }
  }
}

TEST_P(UnmovedParticles, AreNotMoreThanThereAre) {
  const std::vector<Vec4> x{particle(dimension(), {0.5f, 0.5f, 0.5f})};
  const Buffer<Vec4> given(device(), x);
  NeighborSearch search(device(), wall_settings());
  EXPECT_THROW(search.build(given.data(), 1, box(dimension(), 0, 1), 0.1f, 2), std::logic_error);
  EXPECT_THROW(search.build(given.data(), 1, box(dimension(), 0, 1), 0.1f, -1), std::logic_error);
}

// Where a part moves, the builds take no more memory than was estimated, and later builds allocate nothing.
TEST_P(UnmovedParticles, TakeTheMemoryThatIsEstimated) {
  if (GetParam().method != NeighborMethod::Hoetzlein) GTEST_SKIP() << "other methods sort all particles";
  Random random(85);
  const Domain domain = box(dimension(), 0, 1.2f);
  const std::vector<Vec4> x = mixed(random, 5000);
  const Buffer<Vec4> given(device(), x);
  const auto count = static_cast<int>(x.size());
  NeighborSearch search(device(), wall_settings());
  search.build(given.data(), count, domain, 0.02f, int(kStay));
  const std::size_t bytes = search.memory_bytes();
  const auto estimate = double(estimate_search_memory(
      wall_settings(),
      {.device = device(), .particles = count, .domain = domain, .h = 0.02f, .unmoved = std::int64_t(kStay)}));
  EXPECT_NEAR(double(bytes), estimate, 0.2 * estimate);
  search.build(given.data(), count, domain, 0.02f, int(kStay));
  EXPECT_EQ(search.memory_bytes(), bytes);
}

RIFFLE_INSTANTIATE_EVERY_SEARCH(UnmovedParticles);

}  // namespace
}  // namespace riffle::test
