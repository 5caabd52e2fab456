#pragma once
/// Rows of neighbours found by rays. Private to neighbors/, and only in builds with CUDA.

#include "core/device/algorithms.h"
#include "core/device/workspace.h"
#include "neighbors/optix/optix_context.h"
#include "neighbors/search_memory.h"
#include "neighbors/search_view.h"

namespace riffle {

class OptixRows {
 public:
  explicit OptixRows(const Device& device);

  /// Counts, then writes the counted neighbours with a second ray on the same path. `launch`: all but its output. Waits
  /// for the counts' sum. ascending: sorts each row, so that sums over neighbours do not depend on the driver's trees.
  /// @throws Unavailable if the rows do not fit; a very large number is refused without counting
  void trace(OptixContext& optix, OptixLaunch launch, int queries, bool ascending);

  /// @param pairs  about how many pairs there are to list
  /// @throws Unavailable if they far exceed the free memory
  void require_room(double pairs, int queries) const;

  CsrView view() const {
    return {.grid = {}, .start = start_.data(), .end = start_.data() + 1, .neighbor = neighbor_.data()};
  }
  /// Approximate [bytes] of the rows of such particles.
  static double estimate(const SearchLoad& load);
  std::uint64_t pairs() const { return pairs_; }
  std::size_t memory_bytes() const { return memory_.bytes(); }

 private:
  void run(OptixContext& optix, const OptixLaunch& launch, int threads);
  void require_feasible(OptixContext& optix, OptixLaunch launch, int queries);

  Device device_;
  std::uint64_t pairs_ = 0;
  Workspace memory_{device_};
  Buffer<std::uint64_t>& start_ = memory_.make();     ///< (queries + 1)
  Buffer<std::uint32_t>& neighbor_ = memory_.make();  ///< (pairs, and some)
  Buffer<OptixLaunch>& launch_ = memory_.make();      ///< (1)
  Buffer<std::byte>& records_ = memory_.make();       ///< OptixContext::records()
  ScratchMemory& scratch_ = memory_.make();
};

}  // namespace riffle
