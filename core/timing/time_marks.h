#pragma once
/// Times between points of a sequence of launches: CUDA events on a GPU's stream, steady_clock on the CPU. Unlike
/// StageTimer it keeps every time, for benchmarks.

#include <memory>

#include "core/device/device.h"

namespace riffle {

class TimeMarks {
 public:
  TimeMarks(const Device& device, int count);
  ~TimeMarks();
  TimeMarks(TimeMarks&&) noexcept;

  /// Places mark k, 0..count-1, after everything that was enqueued so far.
  void set(int k);

  /// Time from mark a to mark b [ms]. Waits for b. Both must have been placed.
  double milliseconds(int a, int b) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace riffle
