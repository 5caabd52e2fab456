/// for_each_neighbor_of: particles find their neighbours among other particles, as a fluid does among its walls.

#include "tests/neighbors/every_search.h"

namespace riffle::test {
namespace {

class StaticSources : public EverySearch {
 protected:
  /// @return queries that were not visited
  std::size_t expect_exact_of(const std::vector<Vec4>& sources, const std::vector<Vec4>& queries, const Domain& domain,
                              float h_build, float h, bool static_sources) const {
    SearchSettings settings = this->settings();
    settings.static_sources = static_sources;
    SortedSearch sorted(device(), settings);
    sorted.build(sources, domain, h_build);
    const Buffer<Vec4> device_queries(device(), queries);
    Visits visits = visit_neighbors_of(sorted.search(), sorted.positions(), device_queries.data(),
                                       static_cast<int>(queries.size()), h);
    for (auto& set : visits.of)
      for (Neighbor& n : set) n.j = sorted.original()[n.j];
    EXPECT_TRUE(same_neighbors(expected_neighbors_of(sources, queries, domain, h), visits.of))
        << (static_sources ? "static" : "not static");
    std::size_t unvisited = 0;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      EXPECT_EQ(visits.begun[i], visits.ended[i]);
      EXPECT_LE(visits.begun[i], 1u);
      unvisited += visits.begun[i] == 0;
    }
    return unvisited;
  }

  /// Only ranges of a grid's cells are marked: linked lists and the oracle visit every query.
  bool leaves_queries_out() const {
    NeighborSearch search(device(), settings());
    search.build(nullptr, 0, box(dimension(), 0, 1), 0.1f);
    return std::holds_alternative<GridView>(search.view());
  }

  std::vector<Vec4> floor_of_the_box() const {
    std::vector<Vec4> wall;
    for (const Vec4& p : lattice(dimension(), {-0.1f, 0, -0.1f}, 0.05f, 25))
      if (p.y < 0.12f) wall.push_back(p);
    return wall;
  }
};

TEST_P(StaticSources, AFluidFindsItsWall) {
  Random random(61);
  for (const Axis axis : {Axis::Open, Axis::Periodic})
    for (const bool static_sources : {false, true}) {
      const Domain domain = box(dimension(), -0.1f, 1.1f, axis);
      const std::vector<Vec4> queries = uniform_cloud(random, domain, 600);
      const std::size_t unvisited = expect_exact_of(floor_of_the_box(), queries, domain, 0.1f, 0.1f, static_sources);
      EXPECT_EQ(expect_exact_of(floor_of_the_box(), queries, domain, 0.15f, 0.1f, false), 0u);
      if (!static_sources) {
        EXPECT_EQ(unvisited, 0u);
      }
      if (static_sources && leaves_queries_out()) {
        EXPECT_GT(unvisited, queries.size() / 3) << "queries far from the wall are to be left out";
      }
    }
}

TEST_P(StaticSources, AQueryAtASourceFindsIt) {
  // Here i == j only means that two numberings coincide, not that it is the same particle.
  Random random(62);
  const Domain domain = box(dimension(), 0, 1);
  const std::vector<Vec4> x = uniform_cloud(random, domain, 300);
  for (const bool static_sources : {false, true}) expect_exact_of(x, x, domain, 0.1f, 0.1f, static_sources);
}

TEST_P(StaticSources, QueriesOutsideTheBoxAreAnswered) {
  Random random(63);
  for (const Axis axis : {Axis::Open, Axis::Periodic})
    for (const bool static_sources : {false, true}) {
      const Domain domain = box(dimension(), 0, 1, axis);
      const std::vector<Vec4> sources = uniform_cloud(random, box(dimension(), -0.2f, 1.2f), 400);
      const std::vector<Vec4> queries = uniform_cloud(random, box(dimension(), -2, 3), 800);
      expect_exact_of(sources, queries, domain, 0.12f, 0.12f, static_sources);
    }
}

TEST_P(StaticSources, APeriodicBoxOfFewCellsIsMarkedCompletely) {
  Random random(64);
  for (const float ratio : {2.0f, 2.5f, 3.0f, 4.0f, 5.0f}) {
    const Domain domain = box(dimension(), 0, ratio * 0.25f, Axis::Periodic);
    const std::vector<Vec4> queries = uniform_cloud(random, domain, 400);
    expect_exact_of({particle(dimension(), {0.01f, 0.01f, 0.01f})}, queries, domain, 0.25f, 0.25f, true);
    expect_exact_of({particle(dimension(), {0.99f * domain.max.x, 0.5f * domain.max.x, 0.01f})}, queries, domain, 0.25f,
                    0.25f, true);
  }
}

TEST_P(StaticSources, NoSourcesAndNoQueriesAreNoError) {
  Random random(65);
  const Domain domain = box(dimension(), 0, 1);
  const std::vector<Vec4> x = uniform_cloud(random, domain, 20);
  for (const bool static_sources : {false, true}) {
    expect_exact_of({}, x, domain, 0.1f, 0.1f, static_sources);
    expect_exact_of(x, {}, domain, 0.1f, 0.1f, static_sources);
    expect_exact_of({}, {}, domain, 0.1f, 0.1f, static_sources);
  }
}

TEST_P(StaticSources, MoreQueriesThanSourcesAndFewerAreAnswered) {
  Random random(66);
  const Domain domain = box(dimension(), 0, 1);
  const std::vector<Vec4> few = uniform_cloud(random, domain, 3), many = uniform_cloud(random, domain, 1000);
  for (const bool static_sources : {false, true}) {
    expect_exact_of(few, many, domain, 0.3f, 0.3f, static_sources);
    expect_exact_of(many, few, domain, 0.3f, 0.3f, static_sources);
  }
}

TEST_P(StaticSources, ARadiusBeyondTheBuiltOneIsAnError) {
  const std::vector<Vec4> x{particle(dimension(), {0.5f, 0.5f, 0.5f})};
  EXPECT_THROW(expect_exact_of(x, x, box(dimension(), 0, 1), 0.1f, 0.2f, true), std::logic_error);
}

RIFFLE_INSTANTIATE_EVERY_SEARCH(StaticSources);

}  // namespace
}  // namespace riffle::test
