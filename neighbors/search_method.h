#pragma once
/// What a method implements. Private to neighbors/.

#include "neighbors/neighbor_search.h"

namespace riffle {

struct BuildInput {
  const Vec4* positions = nullptr;  ///< (count)
  int count = 0;
  Domain domain;
  float h = 0;
};

class SearchMethod {
 public:
  virtual ~SearchMethod() = default;
  virtual void build(const BuildInput& input) = 0;
  virtual SearchView view() const = 0;
  virtual const std::uint32_t* order() const = 0;  ///< nullptr: the particles stay where they are
  virtual OccupancyStats occupancy() const = 0;
  virtual std::size_t memory_bytes() const = 0;
};

std::unique_ptr<SearchMethod> make_hoetzlein_search(const Device& device, const SearchSettings& settings);

}  // namespace riffle
