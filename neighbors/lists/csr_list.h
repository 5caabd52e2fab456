#pragma once
/// Neighbour lists of any search, one particle after the other. A Verlet list uses them where the step's own lists
/// (neighbors/lists/neighbor_list.h) are not available. Private to neighbors/.

#include <memory>
#include <vector>

#include "core/device/algorithms.h"
#include "core/device/workspace.h"
#include "neighbors/search_memory.h"
#include "neighbors/search_view.h"

namespace riffle {

class NeighborSearch;

/// Makes room for `pairs` entries of rows, and for some more if it must grow. Growing loses the contents.
void grow_csr_entries(Buffer<std::uint32_t>& entries, std::uint64_t pairs);

class CsrList {
 public:
  explicit CsrList(const Device& device);

  /// Lists the pairs within the search's radius, by traversing it. positions: (count) in the order the search wants.
  /// Waits, because the lengths of the lists determine the size of the memory.
  /// @throws Unavailable if they do not fit
  void build(const NeighborSearch& search, const Vec4* positions);

  CsrView view() const {
    return {.grid = {}, .start = start_.data(), .end = end_.data(), .neighbor = neighbor_.data()};
  }
  /// Approximate [bytes] of lists of such particles.
  static double estimate(const SearchLoad& load);
  std::size_t memory_bytes() const { return memory_.bytes(); }

 private:
  void build_in_two_passes(const NeighborSearch& search, const Vec4* positions);
  void build_in_one_pass(const NeighborSearch& search, const GridView& grid, const Vec4* positions);

  Device device_;
  Workspace memory_{device_};
  Buffer<std::uint64_t>& start_ = memory_.make();     ///< (count + 1)
  Buffer<std::uint64_t>& end_ = memory_.make();       ///< (count)
  Buffer<std::uint32_t>& neighbor_ = memory_.make();  ///< (pairs, and some)
  Buffer<std::uint64_t>& count_ = memory_.make();     ///< (count + 1)
  ScratchMemory& scratch_ = memory_.make();
};

}  // namespace riffle
