#pragma once
/// A search together with its particles in the search's order, and the map back to the caller's indices.

#include <vector>

#include "neighbors/neighbor_search.h"
#include "support/visit_neighbors.h"

namespace riffle::test {

class SortedSearch {
 public:
  SortedSearch(const Device& device, const SearchSettings& settings) : search_(device, settings), positions_(device) {}

  /// x may be in any order; that order becomes the caller's order.
  /// @throws std::logic_error when the search's order is not a permutation, and whatever build throws.
  void build(const std::vector<Vec4>& x, const Domain& domain, float h);

  /// The particles have moved; x in the caller's order.
  void move(const std::vector<Vec4>& x);

  void list_neighbors() { search_.list_neighbors(positions_.data()); }

  /// In the caller's indices. Fails the running test if begin or end was not called exactly once for a particle.
  NeighborSets find(float h) const;

  const Vec4* positions() const { return positions_.data(); }  ///< (count) in the search's order, on its device
  /// (count) the caller's index for each index of the search
  const std::vector<std::uint32_t>& original() const { return original_; }
  const NeighborSearch& search() const { return search_; }
  NeighborSearch& search() { return search_; }

 private:
  NeighborSearch search_;
  Buffer<Vec4> positions_;
  std::vector<std::uint32_t> original_;
};

}  // namespace riffle::test
