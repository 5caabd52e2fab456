#include "core/timing/stage_timer.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <numeric>

#if RIFFLE_WITH_CUDA
#include <nvtx3/nvToolsExt.h>

#include "core/device/cuda_check.h"
#endif

namespace riffle {

namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

struct StageTimer::Impl {
  /// Running mean of all samples, and the last kWindow of them for the quantiles.
  struct Stage {
    std::string name;
    std::uint64_t count = 0;
    double sum_ms = 0;
    std::vector<float> window;

    void add(double ms) {
      if (window.size() < StageTimer::kWindow)
        window.push_back(static_cast<float>(ms));
      else
        window[count % StageTimer::kWindow] = static_cast<float>(ms);
      ++count;
      sum_ms += ms;
    }
  };

  /// A scope whose time is not known yet.
  struct Pending {
    int stage = 0;
    bool closed = false;
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
    stages.push_back({name, 0, 0, {}});
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
      stages[slot.stage].add(ms);
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
  const int slot = impl.take_slot();
  impl.slots[slot].stage = impl.stage_index(stage);
#if RIFFLE_WITH_CUDA
  nvtxRangePushA(stage);
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
  if (impl.device.is_cuda()) {
    // Runs in a destructor, also while an exception propagates: a failure is logged and the sample is lost.
    const cudaError_t code = cudaEventRecord(impl.slots[slot].events[1], cuda_stream(impl.device));
    RIFFLE_CUDA_LOG(code);
    (code == cudaSuccess ? impl.in_flight.push_back(slot) : impl.free_slots.push_back(slot));
    return;
  }
#endif
  impl.stages[impl.slots[slot].stage].add(
      std::chrono::duration<double, std::milli>(end - impl.slots[slot].begin).count());
  impl.free_slots.push_back(slot);
}

void StageTimer::collect(bool wait) { impl_->collect(wait); }

void StageTimer::reset() {
  collect(true);
  for (Impl::Stage& stage : impl_->stages) stage = {stage.name, 0, 0, {}};
}

std::vector<StageStats> StageTimer::stats() const {
  std::vector<StageStats> result;
  for (const Impl::Stage& stage : impl_->stages) {
    if (stage.count == 0) continue;
    std::vector<float> sorted = stage.window;
    std::sort(sorted.begin(), sorted.end());
    const auto quantile = [&](double q) {
      return double{sorted[static_cast<std::size_t>(q * (sorted.size() - 1) + 0.5)]};
    };
    result.push_back({stage.name, stage.count, stage.sum_ms / stage.count, quantile(0.5), quantile(0.95)});
  }
  return result;
}

}  // namespace riffle
