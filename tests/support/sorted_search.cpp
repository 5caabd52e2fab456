#include "support/sorted_search.h"

#include <numeric>
#include <stdexcept>

namespace riffle::test {

void SortedSearch::build(const std::vector<Vec4>& x, const Domain& domain, float h) {
  const Buffer<Vec4> unsorted(search_.device(), x);
  search_.build(unsorted.data(), static_cast<int>(x.size()), domain, h);
  original_.resize(x.size());
  if (search_.wants_reorder() && !x.empty())
    copy_to_host(search_.device(), original_.data(), search_.order(), original_.size() * sizeof(std::uint32_t));
  else
    std::iota(original_.begin(), original_.end(), 0u);
  std::vector<bool> seen(x.size(), false);
  for (const std::uint32_t p : original_) {
    if (p >= seen.size() || seen[p]) throw std::logic_error("the order is not a permutation: " + std::to_string(p));
    seen[p] = true;
  }
  move(x);
}

void SortedSearch::move(const std::vector<Vec4>& x) {
  std::vector<Vec4> sorted(x.size());
  for (std::size_t p = 0; p < x.size(); ++p) sorted[p] = x[original_[p]];
  positions_.assign(sorted);
}

NeighborSets SortedSearch::find(float h) const {
  const Visits visits = visit_neighbors(search_, positions_.data(), h);
  NeighborSets sets(visits.of.size());
  int wrong = 0;
  for (std::size_t p = 0; p < visits.of.size(); ++p) {
    if (visits.begun[p] != 1 || visits.ended[p] != 1) ++wrong;
    auto& set = sets[original_[p]];
    for (const Neighbor& n : visits.of[p]) set.push_back({original_[n.j], n.r_ij, n.r2});
  }
  EXPECT_EQ(wrong, 0) << "particles did not get exactly one begin and one end";
  return sets;
}

}  // namespace riffle::test
