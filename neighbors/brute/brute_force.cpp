/// Every pair is tested: nothing is built.

#include "neighbors/search_memory.h"
#include "neighbors/search_method.h"

namespace riffle {

namespace {

class BruteForceSearch : public SearchMethod {
 public:
  void build(const BuildInput& input) override { make_grid(input.domain, input.h); }  // only to run its checks
  SearchView view() override { return BruteForceView{}; }
  const std::uint32_t* order() const override { return nullptr; }
  OccupancyStats occupancy() const override { return {}; }
  std::size_t memory_bytes() const override { return 0; }
};

}  // namespace

NeighborMethodInfo brute_force_method() {
  return {.method = NeighborMethod::BruteForce,
          .name = "brute_force",
          .summary = "every pair, O(N^2): the oracle the others are held against",
          .color = "#7f7f7f",
          .has_cells = false,
          .options = {},
          .make = [](const Device&, const SearchSettings&) -> std::unique_ptr<SearchMethod> {
            return std::make_unique<BruteForceSearch>();
          },
          .memory = [](const SearchSettings&, const SearchLoad&) { return SearchMemory{}; }};
}

}  // namespace riffle
