/// Every method with settings that are not its own choice: cells of other sizes and numbers, a folded table, the rounds
/// of the iterative insertion, chunks of pairs, lists of everything. Random configurations, exact against the oracle.

#include <functional>
#include <numeric>

#include "every_search.h"
#include "support/random_configuration.h"

namespace riffle::test {
namespace {

struct Variant {
  std::string name;
  SearchSettings settings;
};

/// Variants of one method; each takes another path through the code.
std::vector<Variant> variants_of(NeighborMethod method) {
  std::vector<Variant> variants;
  const auto add = [&](const char* name, const std::function<void(SearchSettings&)>& change) {
    Variant variant{name, {}};
    variant.settings.method = method;
    change(variant.settings);
    variants.push_back(variant);
  };
  add("list_always", [](auto& s) { s.list_always = true; });
  add("list_always, deterministic", [](auto& s) { s.list_always = s.deterministic = true; });
  if (method == NeighborMethod::Rtnn) {
    add("always made anew", [](auto& s) { s.tree_rebuild = TreeRebuild::Always; });
    for (const int leaf : {1, 3, 32})
      add(("leaves of " + std::to_string(leaf)).c_str(), [&](auto& s) { s.tree_leaf = leaf; });
  }
  if (!method_info(method).has_cells) return variants;

  for (const float ratio : {0.25f, 0.5f, 2.0f, 4.0f})
    add(("cells of " + std::to_string(ratio) + " h").c_str(), [&](auto& s) { s.cell_ratio = ratio; });
  add("7 x 5 x 3 cells", [](auto& s) { s.cell_count = {7, 5, 3}; });
  add("18 x 18 x 18 cells", [](auto& s) { s.cell_count = {18, 18, 18}; });
  add("one cell", [](auto& s) { s.cell_count = {1, 1, 1}; });
  add("cells of h / 2, deterministic", [](auto& s) {
    s.cell_ratio = 0.5f;
    s.deterministic = true;
  });
  add("7 x 5 x 3 cells, deterministic, list_always", [](auto& s) {
    s.cell_count = {7, 5, 3};
    s.deterministic = s.list_always = true;
  });

  if (method == NeighborMethod::Green) {
    add("folded", [](auto& s) { s.table = GridTable::Folded; });
    add("folded, deterministic, list_always", [](auto& s) {
      s.table = GridTable::Folded;
      s.deterministic = s.list_always = true;
    });
    // More cells than the smallest table has slots: cells of several laps meet.
    add("folded, 18 x 18 x 18 cells", [](auto& s) {
      s.table = GridTable::Folded;
      s.cell_count = {18, 18, 18};
    });
    add("folded, 200 x 90 x 30 cells", [](auto& s) {
      s.table = GridTable::Folded;
      s.cell_count = {200, 90, 30};
    });
  }
  if (method == NeighborMethod::Bucket)
    for (const bool deterministic : {false, true})
      for (const Int3 cells : {Int3{}, Int3{18, 18, 18}, Int3{1, 2, 1}})
        add(deterministic ? "iterative, deterministic" : "iterative", [&](auto& s) {
          s.insertion = BucketInsertion::Iterative;
          s.deterministic = deterministic;
          s.cell_count = cells;
        });
  if (method == NeighborMethod::ThrustPairs)
    for (const bool deterministic : {false, true})
      for (const float ratio : {0.0f, 0.25f, 4.0f})
        add(deterministic ? "pairs in 8 KiB, deterministic" : "pairs in 8 KiB", [&](auto& s) {
          s.pair_memory = 8 << 10;
          s.deterministic = deterministic;
          s.cell_ratio = ratio;
        });
  return variants;
}

class Variants : public EverySearch {
 protected:
  /// @return directed pairs
  std::size_t expect_every_variant_exact(const Cloud& cloud, Random& random, bool elsewhere) const {
    const NeighborSets expected = expected_neighbors(cloud.x, cloud.domain, cloud.h);
    const float smaller = cloud.h * random.uniform(0.3f, 1);
    const NeighborSets expected_smaller = expected_neighbors(cloud.x, cloud.domain, smaller);
    std::vector<Vec4> queries;
    for (int q = 0; q < 60; ++q) queries.push_back(particle(dimension(), 3 * cloud.h * direction(random, dimension())));
    for (std::size_t i = 0; i < cloud.x.size(); i += 5) queries.push_back(cloud.x[i]);
    const NeighborSets expected_of = expected_neighbors_of(cloud.x, queries, cloud.domain, cloud.h);
    const Buffer<Vec4> device_queries(device(), queries);

    for (const Variant& variant : variants_of(GetParam().method)) {
      SCOPED_TRACE(variant.name);
      SearchSettings settings = variant.settings;
      settings.structure = GetParam().structure;
      settings.sections = GetParam().sections;
      SortedSearch sorted(device(), settings);
      sorted.build(cloud.x, cloud.domain, cloud.h);
      EXPECT_TRUE(same_neighbors(expected, sorted.find(cloud.h))) << "from cells";
      const bool listed = sorted.search().settings().list_always || GetParam().device == DeviceKind::Cuda;
      sorted.list_neighbors();
      if (listed) {
        EXPECT_TRUE(same_neighbors(expected, sorted.find(cloud.h))) << "from lists";
      }
      EXPECT_TRUE(same_neighbors(expected_smaller, sorted.find(smaller))) << "within " << smaller / cloud.h << " h";
      if (cloud.x.empty() || !elsewhere) continue;
      NeighborSets found = visit_neighbors_of(sorted.search(), sorted.positions(), device_queries.data(),
                                              static_cast<int>(queries.size()), cloud.h)
                               .of;
      for (auto& set : found)
        for (Neighbor& n : set) n.j = sorted.original()[n.j];
      EXPECT_TRUE(same_neighbors(expected_of, found)) << "from elsewhere";
      if (HasFailure()) break;
    }
    return pair_count(expected);
  }

  void expect_configurations_exact(std::uint32_t first, std::uint32_t count) const {
    // Thousands of coarse cells, nearly all empty and each with a fine grid: on the CPU they take ten times as long.
    if (GetParam().method == NeighborMethod::Fenns && GetParam().device == DeviceKind::Cpu) count /= 3;
    std::size_t pairs = 0;
    for (std::uint32_t seed = first; seed < first + count; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      Random random(seed);
      pairs += expect_every_variant_exact(random_configuration(seed, dimension()), random, seed % 3 == 0);
      if (HasFailure()) break;
    }
    EXPECT_GT(pairs, 50u * count) << "the configurations are trivial";
  }
};

TEST_P(Variants, TwentyConfigurationsAreExactWhateverTheSettings) { expect_configurations_exact(2000, 20); }

class LongVariants : public Variants {};

TEST_P(LongVariants, AThousandConfigurationsAreExactWhateverTheSettings) { expect_configurations_exact(200000, 1000); }

RIFFLE_INSTANTIATE_EVERY_SEARCH(Variants);
RIFFLE_INSTANTIATE_EVERY_SEARCH(LongVariants);

}  // namespace
}  // namespace riffle::test
