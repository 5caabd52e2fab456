#pragma once
/// Rows of neighbours that rays have found. Private to neighbors/, and only in builds with CUDA.

#include "core/device/algorithms.h"
#include "core/device/workspace.h"
#include "neighbors/optix/optix_context.h"
#include "neighbors/search_memory.h"
#include "neighbors/search_view.h"

namespace riffle {

class OptixRows {
 public:
  explicit OptixRows(const Device& device);

  /// Counts, and then writes what was counted, with a second ray along the same way. `launch`: all but its output. Waits,
  /// for the counts' sum. ascending: each row in order, so that the driver's trees do not show in sums over neighbours.
  /// @throws Unavailable when the rows do not fit; very many are not counted for that
  void trace(OptixContext& optix, OptixLaunch launch, int queries, bool ascending);

  /// @param pairs  about how many there are to be listed
  /// @throws Unavailable when they are far more than there is room for
  void require_room(double pairs, int queries) const;

  CsrView view() const {
    return {.grid = {}, .start = start_.data(), .end = start_.data() + 1, .neighbor = neighbor_.data()};
  }
  /// [bytes] that the rows of such particles take, about.
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
