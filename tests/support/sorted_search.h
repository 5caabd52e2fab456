#pragma once
/// A search together with its particles in the order it wants, and the way back to the caller's indices.

#include <vector>

#include "neighbors/neighbor_search.h"
#include "support/visit_neighbors.h"

namespace riffle::test {

class SortedSearch {
 public:
  SortedSearch(const Device& device, const SearchSettings& settings) : search_(device, settings), positions_(device) {}

  /// x: any order; that order is the caller's from now on.
  /// @throws std::logic_error when the search's order is not a permutation; what build throws.
  void build(const std::vector<Vec4>& x, const Domain& domain, float h);

  /// The particles have moved; x in the caller's order.
  void move(const std::vector<Vec4>& x);

  void list_neighbors() { search_.list_neighbors(positions_.data()); }

  /// In the caller's indices. Fails the running test when begin or end was not called exactly once for a particle.
  NeighborSets find(float h) const;

  const Vec4* positions() const { return positions_.data(); }  ///< (count) in the search's order, on its device
  const std::vector<std::uint32_t>& original() const {
    return original_;
  }  ///< (count) caller's index by search's index
  const NeighborSearch& search() const { return search_; }
  NeighborSearch& search() { return search_; }

 private:
  NeighborSearch search_;
  Buffer<Vec4> positions_;
  std::vector<std::uint32_t> original_;
};

}  // namespace riffle::test
