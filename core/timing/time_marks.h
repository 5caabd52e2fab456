#pragma once
/// Times between points of a sequence of launches: CUDA events on a GPU's stream, steady_clock on the CPU. Unlike
/// StageTimer it keeps every single time, for benchmarks.

#include <memory>

#include "core/device/device.h"

namespace riffle {

class TimeMarks {
 public:
  TimeMarks(const Device& device, int count);
  ~TimeMarks();
  TimeMarks(TimeMarks&&) noexcept;

  /// Everything enqueued so far comes before mark k, 0..count-1; everything later after it.
  void set(int k);

  /// From mark a to mark b [ms]; waits for b. Both have been set.
  double milliseconds(int a, int b) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace riffle
