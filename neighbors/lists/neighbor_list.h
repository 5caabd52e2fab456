#pragma once
/// Neighbour lists of one step, with a length that follows the particles. Private to neighbors/.

#include "core/device/workspace.h"
#include "neighbors/lists/late_count.h"
#include "neighbors/query.h"
#include "neighbors/search_memory.h"
#include "neighbors/search_view.h"

namespace riffle {

class NeighborList {
 public:
  explicit NeighborList(const Device& device);

  /// Lists the neighbours of every query particle. Returns false if
  /// there are too many for lists to pay, or if memory is too short
  /// for them. Waits only the first time and when lists had to grow.
  bool build(const GridView& grid, const NeighborQuery& query);

  ListView view(const GridView& grid) const { return {grid, entries_.data(), count_.data(), width_}; }
  /// Approximate [bytes] of lists of such particles.
  static double estimate(const SearchLoad& load);
  std::size_t memory_bytes() const { return memory_.bytes(); }

 private:
  bool build_lists(const GridView& grid, const NeighborQuery& query);
  void launch(const GridView& grid, const NeighborQuery& query);
  void resize(int width, int particles);
  void give_up();  ///< permanently: there are too many neighbours for lists to pay

  Device device_;
  int width_ = 0;
  Workspace memory_{device_};
  Buffer<std::uint32_t>& entries_ = memory_.make();  ///< ListView::entries
  Buffer<std::uint32_t>& count_ = memory_.make();    ///< (count)
  Buffer<std::uint32_t>& longest_ = memory_.make();  ///< (1)
  LateCount longest_known_;
};

}  // namespace riffle
