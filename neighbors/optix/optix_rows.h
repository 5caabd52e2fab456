#pragma once
/// Rows of neighbours found by rays. Private to neighbors/, and only in builds with CUDA.

#include "core/device/algorithms.h"
#include "core/device/workspace.h"
#include "neighbors/optix/optix_context.h"
#include "neighbors/optix/optix_launch.h"
#include "neighbors/search_memory.h"
#include "neighbors/search_view.h"

namespace riffle {

class OptixRows {
 public:
  explicit OptixRows(const Device& device);

  /// Begins a trace: everything that was found out is 0. The caller may put what it finds out into sums() before trace().
  void begin();
  OptixSums* sums() { return sums_.data(); }  ///< (1) on the device

  /// Counts, then writes the counted neighbours with a second ray on the same path. `launch`: all but its output. Waits
  /// once. ascending: sorts each row, so that sums over neighbours do not depend on the driver's trees.
  /// most_moved: with more moved particles nothing is counted.
  /// @return what was found out; rows were written if it has no more moved particles
  /// @throws Unavailable if the rows do not fit; a very large number is refused without counting
  OptixSums trace(OptixContext& optix, OptixLaunch launch, int queries, bool ascending, int most_moved);

  CsrView view() const {
    return {.grid = {}, .start = start_.data(), .end = start_.data() + 1, .neighbor = neighbor_.data()};
  }
  /// Approximate [bytes] of the rows of such particles.
  static double estimate(const SearchLoad& load);
  std::uint64_t pairs() const { return pairs_; }
  std::size_t memory_bytes() const { return memory_.bytes(); }

 private:
  void run(OptixContext& optix, const OptixLaunch& launch, int threads);
  void sample(OptixContext& optix, OptixLaunch launch, int queries);
  void require_room(double pairs, int queries, std::size_t free) const;

  Device device_;
  std::uint64_t pairs_ = 0;
  Workspace memory_{device_};
  Buffer<std::uint64_t>& start_ = memory_.make();     ///< (queries + 1)
  Buffer<std::uint32_t>& neighbor_ = memory_.make();  ///< (pairs, and some)
  Buffer<OptixLaunch>& launch_ = memory_.make();      ///< (1)
  Buffer<std::byte>& records_ = memory_.make();       ///< OptixContext::records()
  Buffer<OptixSums>& sums_ = memory_.make();          ///< (1)
  Buffer<double>& partial_ = memory_.make();          ///< of a reduction
  ScratchMemory& scratch_ = memory_.make();
};

}  // namespace riffle
