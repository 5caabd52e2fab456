#include "neighbors/points/query_bundles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace riffle {

namespace {

struct Bundle {
  double queries = 0, density = 0;  ///< density: sum of its queries' densities
  double width = 0;
  bool whole = false;
};

double cost_of(const Bundle& b, QueryEnd end, int capacity, int dimension, const BundleCosts& costs) {
  if (b.queries == 0) return 0;
  const double tests = end == QueryEnd::Nearest ? b.density * std::pow(b.width, dimension)
                                                : b.queries * capacity * (b.whole ? costs.whole : 1);
  return costs.build + costs.test * tests;
}

void add(Bundle& b, const QueryPartition& p, int capacity, int dimension) {
  b.queries += p.queries;
  b.density += p.queries * capacity / std::pow(p.cell, dimension);
  b.width = std::max(b.width, p.width);
  b.whole |= p.whole;
}

std::vector<std::size_t> sorted_by(std::span<const QueryPartition> partitions, double QueryPartition::*key) {
  std::vector<std::size_t> order(partitions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return partitions[a].*key < partitions[b].*key; });
  return order;
}

}  // namespace

double bundling_cost(std::span<const QueryPartition> partitions, const std::vector<int>& bundle, QueryEnd end,
                     int capacity, int dimension, const BundleCosts& costs) {
  std::vector<Bundle> bundles(partitions.size());
  for (std::size_t p = 0; p < partitions.size(); ++p)
    add(bundles[static_cast<std::size_t>(bundle[p])], partitions[p], capacity, dimension);
  double cost = 0;
  for (const Bundle& b : bundles) cost += cost_of(b, end, capacity, dimension, costs);
  return cost;
}

std::vector<int> bundle_partitions(std::span<const QueryPartition> partitions, QueryEnd end, int capacity,
                                   int dimension, const BundleCosts& costs) {
  const std::size_t n = partitions.size();
  const std::vector<std::size_t> by_width = sorted_by(partitions, &QueryPartition::width);
  std::vector<double> least(n + 1, std::numeric_limits<double>::infinity());  // cost of the n narrowest
  std::vector<std::size_t> from(n + 1, 0);                                    // where the last bundle begins
  least[0] = 0;
  for (std::size_t last = 1; last <= n; ++last) {
    Bundle b;
    for (std::size_t first = last; first-- > 0;) {
      add(b, partitions[by_width[first]], capacity, dimension);
      const double cost = least[first] + cost_of(b, end, capacity, dimension, costs);
      if (cost < least[last]) least[last] = cost, from[last] = first;
    }
  }
  std::vector<std::size_t> ends;
  for (std::size_t last = n; last > 0; last = from[last]) ends.push_back(last);
  std::vector<int> bundle(n, 0);
  std::size_t begin = 0;
  for (int number = 0; !ends.empty(); ++number, ends.pop_back())
    for (; begin < ends.back(); ++begin) bundle[by_width[begin]] = number;
  return bundle;
}

std::vector<int> bundle_by_query_counts(std::span<const QueryPartition> partitions, QueryEnd end, int capacity,
                                        int dimension, const BundleCosts& costs) {
  std::vector<std::size_t> by_queries = sorted_by(partitions, &QueryPartition::queries);
  std::reverse(by_queries.begin(), by_queries.end());
  std::vector<int> best(partitions.size(), 0), bundle(partitions.size());
  double least = bundling_cost(partitions, best, end, capacity, dimension, costs);
  for (std::size_t alone = 1; alone < partitions.size(); ++alone) {
    for (std::size_t k = 0; k < by_queries.size(); ++k) bundle[by_queries[k]] = static_cast<int>(std::min(k, alone));
    const double cost = bundling_cost(partitions, bundle, end, capacity, dimension, costs);
    if (cost < least) least = cost, best = bundle;
  }
  return best;
}

}  // namespace riffle
