#pragma once
/// Measures what each stage of a step costs. On a GPU it uses CUDA events, read late so that timing never waits; on the
/// CPU it uses steady_clock.
///
/// An event between two kernels keeps them from overlapping (core/device/launch.cuh): a step of 0.15 ms takes a third
/// longer. On a GPU a step is measured about every 2 ms. The calls of a stage in it stand for those since the measured step
/// before it. A stage's first call is always measured.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/device/device.h"

namespace riffle {

struct StageStats {
  std::string name;
  std::uint64_t count = 0;  ///< calls, up to the last one that was measured
  double mean_ms = 0;       ///< over all calls
  double median_ms = 0;     ///< over the last StageTimer::kWindow samples
  double p95_ms = 0;        ///< likewise
};

class StageTimer {
 public:
  static constexpr int kWindow = 4096;

  explicit StageTimer(const Device& device);
  ~StageTimer();
  StageTimer(StageTimer&&) noexcept;
  StageTimer& operator=(StageTimer&&) noexcept;

  /// Measures the time from its construction to its destruction on the device's stream. It is an NVTX range too.
  class Scope {
   public:
    Scope(StageTimer& timer, const char* stage);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    StageTimer& timer_;
    int slot_;
  };
  [[nodiscard]] Scope scope(const char* stage) { return Scope(*this, stage); }

  /// The stages from here on belong to another step, which is measured or not. Without any call all stages are measured.
  void begin_step();

  /// Reads the times that the device has finished. With `wait`, waits for the rest.
  void collect(bool wait);

  /// Discards every sample, for example after a warm-up.
  void reset();

  std::vector<StageStats> stats() const;  ///< in order of first use; call collect(true) first to include the last steps

 private:
  friend class Scope;
  int open(const char* stage);
  void close(int slot);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace riffle
