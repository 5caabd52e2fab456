#include "core/timing/stage_timer.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <numeric>
#include <utility>

#if RIFFLE_WITH_CUDA
#include <nvtx3/nvToolsExt.h>

#include "core/device/cuda_check.h"
#endif

namespace riffle {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kNotMeasured = -1;  ///< in place of a scope's slot

#if RIFFLE_WITH_CUDA
/// From one measured step to the next [ms], on average. The events of one cost some 0.05 ms.
constexpr double kMeasuredEvery = 2;

/// Between 0.5 and 1.5, so that what recurs with a step's period is measured in proportion.
double jitter(std::uint64_t step) {
  std::uint64_t x = step * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
  return 0.5 + static_cast<double>(x >> 40) * 0x1p-24;
}
#endif

}  // namespace

struct StageTimer::Impl {
  /// Running mean of all samples, and the last kWindow of them for the quantiles.
  struct Stage {
    std::string name;
    std::uint64_t samples = 0;
    std::vector<float> window;
    bool opened = false;        ///< for a call that is measured
    std::uint64_t skipped = 0;  ///< calls since the last measured one
    std::uint64_t count = 0;    ///< calls before those of the newest measured step
    double sum_ms = 0;
    /// Of the newest measured step.
    struct {
      std::uint64_t step = 0, calls = 0, skipped = 0;
      double ms = 0;
    } newest;

    /// @param skipped_calls since the measured call before this one
    void add(double ms, std::uint64_t step, std::uint64_t skipped_calls) {
      if (window.size() < StageTimer::kWindow)
        window.push_back(static_cast<float>(ms));
      else
        window[samples % StageTimer::kWindow] = static_cast<float>(ms);
      ++samples;
      if (step != newest.step) {
        count = all_calls();
        sum_ms = all_ms();
        newest = {};
        newest.step = step;
      }
      ++newest.calls;
      newest.skipped += skipped_calls;
      newest.ms += ms;
    }
    std::uint64_t all_calls() const { return count + newest.calls + newest.skipped; }
    double all_ms() const {
      const auto calls = static_cast<double>(newest.calls), skipped_calls = static_cast<double>(newest.skipped);
      return sum_ms + (newest.calls > 0 ? newest.ms * (1 + skipped_calls / calls) : 0);
    }
  };

  /// A scope whose time is not known yet.
  struct Pending {
    int stage = 0;
    std::uint64_t step = 0, skipped = 0;
    Clock::time_point begin;
#if RIFFLE_WITH_CUDA
    cudaEvent_t events[2] = {nullptr, nullptr};
#endif
  };

  Device device;
  std::vector<Stage> stages;
  std::vector<Pending> slots;
  std::vector<int> free_slots;
  std::deque<int> in_flight;  ///< closed scopes in order, CUDA only
  bool measures = true;       ///< the present step
  std::uint64_t step = 0;
  Clock::time_point next_measured;  ///< when the next one is; long ago while nothing is known

  explicit Impl(const Device& d) : device(d) {}

  ~Impl() {
#if RIFFLE_WITH_CUDA
    for (const Pending& slot : slots)
      for (cudaEvent_t event : slot.events)
        if (event) RIFFLE_CUDA_LOG(cudaEventDestroy(event));
#endif
  }

  int stage_index(const char* name) {
    for (std::size_t s = 0; s < stages.size(); ++s)
      if (stages[s].name == name) return static_cast<int>(s);
    stages.push_back({});
    stages.back().name = name;
    return static_cast<int>(stages.size()) - 1;
  }

  int take_slot() {
    if (free_slots.empty()) {
      slots.emplace_back();
#if RIFFLE_WITH_CUDA
      if (device.is_cuda())
        for (cudaEvent_t& event : slots.back().events) RIFFLE_CUDA_CHECK(cudaEventCreate(&event));
#endif
      free_slots.push_back(static_cast<int>(slots.size()) - 1);
    }
    const int slot = free_slots.back();
    free_slots.pop_back();
    return slot;
  }

  void collect(bool wait) {
#if RIFFLE_WITH_CUDA
    while (!in_flight.empty()) {
      Pending& slot = slots[in_flight.front()];
      if (wait) RIFFLE_CUDA_CHECK(cudaEventSynchronize(slot.events[1]));
      const cudaError_t code = cudaEventQuery(slot.events[1]);
      if (code == cudaErrorNotReady) return;
      RIFFLE_CUDA_CHECK(code);
      float ms = 0;
      RIFFLE_CUDA_CHECK(cudaEventElapsedTime(&ms, slot.events[0], slot.events[1]));
      stages[slot.stage].add(ms, slot.step, slot.skipped);
      free_slots.push_back(in_flight.front());
      in_flight.pop_front();
    }
#endif
    (void)wait;
  }
};

StageTimer::StageTimer(const Device& device) : impl_(std::make_unique<Impl>(device)) {}
StageTimer::~StageTimer() = default;
StageTimer::StageTimer(StageTimer&&) noexcept = default;
StageTimer& StageTimer::operator=(StageTimer&&) noexcept = default;

StageTimer::Scope::Scope(StageTimer& timer, const char* stage) : timer_(timer), slot_(timer.open(stage)) {}
StageTimer::Scope::~Scope() { timer_.close(slot_); }

int StageTimer::open(const char* stage) {
  Impl& impl = *impl_;
  impl.collect(false);
#if RIFFLE_WITH_CUDA
  nvtxRangePushA(stage);
#endif
  const int index = impl.stage_index(stage);
  Impl::Stage& of = impl.stages[index];
  if (!impl.measures && of.opened) {
    ++of.skipped;
    return kNotMeasured;
  }
  of.opened = true;
  const int slot = impl.take_slot();
  impl.slots[slot].stage = index;
  impl.slots[slot].skipped = std::exchange(of.skipped, 0);
  impl.slots[slot].step = impl.step;
#if RIFFLE_WITH_CUDA
  if (impl.device.is_cuda()) {
    RIFFLE_CUDA_CHECK(cudaEventRecord(impl.slots[slot].events[0], cuda_stream(impl.device)));
    return slot;
  }
#endif
  impl.slots[slot].begin = Clock::now();
  return slot;
}

void StageTimer::close(int slot) {
  Impl& impl = *impl_;
  const auto end = Clock::now();
#if RIFFLE_WITH_CUDA
  nvtxRangePop();
#endif
  if (slot == kNotMeasured) return;
#if RIFFLE_WITH_CUDA
  if (impl.device.is_cuda()) {
    // Runs in a destructor, also while an exception propagates: a failure is logged and the sample is lost.
    const cudaError_t code = cudaEventRecord(impl.slots[slot].events[1], cuda_stream(impl.device));
    RIFFLE_CUDA_LOG(code);
    (code == cudaSuccess ? impl.in_flight.push_back(slot) : impl.free_slots.push_back(slot));
    return;
  }
#endif
  impl.stages[impl.slots[slot].stage].add(
      std::chrono::duration<double, std::milli>(end - impl.slots[slot].begin).count(), impl.slots[slot].step,
      impl.slots[slot].skipped);
  impl.free_slots.push_back(slot);
}

void StageTimer::collect(bool wait) { impl_->collect(wait); }

void StageTimer::reset() {
  collect(true);
  for (Impl::Stage& stage : impl_->stages) {
    Impl::Stage fresh;
    fresh.name = stage.name;
    stage = std::move(fresh);
  }
  impl_->next_measured = {};
}

void StageTimer::begin_step() {
#if RIFFLE_WITH_CUDA
  Impl& impl = *impl_;
  if (!impl.device.is_cuda()) return;
  ++impl.step;
  const Clock::time_point now = Clock::now();
  impl.measures = now >= impl.next_measured;
  if (impl.measures)
    impl.next_measured = now + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double, std::milli>(kMeasuredEvery * jitter(impl.step)));
#endif
}

std::vector<StageStats> StageTimer::stats() const {
  std::vector<StageStats> result;
  for (const Impl::Stage& stage : impl_->stages) {
    if (stage.samples == 0) continue;
    std::vector<float> sorted = stage.window;
    std::sort(sorted.begin(), sorted.end());
    const auto quantile = [&](double q) {
      return double{sorted[static_cast<std::size_t>(q * (sorted.size() - 1) + 0.5)]};
    };
    const std::uint64_t calls = stage.all_calls();
    result.push_back({stage.name, calls, stage.all_ms() / static_cast<double>(calls), quantile(0.5), quantile(0.95)});
  }
  return result;
}

}  // namespace riffle
