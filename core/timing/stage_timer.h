#pragma once
/// Measures what each stage of a step costs. On a GPU it uses CUDA events, read late so that timing never waits; on the
/// CPU it uses steady_clock.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/device/device.h"

namespace riffle {

struct StageStats {
  std::string name;
  std::uint64_t count = 0;
  double mean_ms = 0;    ///< over all samples
  double median_ms = 0;  ///< over the last StageTimer::kWindow samples
  double p95_ms = 0;     ///< likewise
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
