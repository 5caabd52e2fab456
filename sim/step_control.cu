#include "sim/step_control.h"

#include <charconv>
#include <cmath>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "sim/halo.h"

namespace riffle {

namespace {

inline constexpr int kBlock = 128;
inline constexpr int kItemsPerThread = 8;

/// max |v|^2 and max |a|^2: block by block, then one atomic per block. A maximum does not depend on the order.
struct CollectMaxima {
  const Vec4* velocity;
  const Vec4* acceleration;
  const std::uint32_t* foreign;
  int count;
  ClockState* clock;

  struct Shared {
    float speed2[kBlock];
    float acceleration2[kBlock];
  };

  // NaN must win, or a simulation that has blown up would look calm.
  RIFFLE_HD static float larger(float a, float b) { return a >= b ? a : (b == b ? (a == a ? b : a) : b); }

  RIFFLE_HD void operator()(Block<kBlock>& block, Shared& shared) const {
    block.each_thread([&](int t) {
      float v2 = 0, a2 = 0;
      const std::int64_t first = std::int64_t{block.index()} * kBlock * kItemsPerThread + t;
      for (int k = 0; k < kItemsPerThread; ++k) {
        const std::int64_t i = first + std::int64_t{k} * kBlock;
        if (i >= count) break;
        if (foreign && foreign[i] != 0) continue;
        v2 = larger(v2, length2(xyz(velocity[i])));
        if (acceleration) a2 = larger(a2, length2(xyz(acceleration[i])));
      }
      shared.speed2[t] = v2;
      shared.acceleration2[t] = a2;
    });
    for (int stride = kBlock / 2; stride > 0; stride /= 2)
      block.each_thread([&](int t) {
        if (t >= stride) return;
        shared.speed2[t] = larger(shared.speed2[t], shared.speed2[t + stride]);
        shared.acceleration2[t] = larger(shared.acceleration2[t], shared.acceleration2[t + stride]);
      });
    block.each_thread([&](int t) {
      if (t != 0) return;
      atomic_max_nonnegative(&clock->max_speed2_bits, fabsf(shared.speed2[0]));
      atomic_max_nonnegative(&clock->max_acceleration2_bits, fabsf(shared.acceleration2[0]));
    });
  }
};

struct AdvanceClock {
  StepBounds bounds;
  ClockState* clock;

  RIFFLE_HD void operator()(std::int64_t) const {
    ClockState c = *clock;
    c.max_speed = sqrtf(float_from_bits(c.max_speed2_bits));
    c.max_acceleration = sqrtf(float_from_bits(c.max_acceleration2_bits));
    c.max_speed2_bits = c.max_acceleration2_bits = 0;
    float dt = bounds.fixed;
    if (!(dt > 0)) {
      dt = bounds.constant;
      const float cfl = bounds.cfl_length / (bounds.sound_speed + c.max_speed);
      if (cfl < dt) dt = cfl;
      const float force = sqrtf(bounds.force_length / (c.max_acceleration + bounds.acceleration));
      if (force < dt) dt = force;
      const float viscous = c.viscous_step > bounds.viscous_step ? c.viscous_step : bounds.viscous_step;
      if (bounds.viscous_step > 0 && viscous < dt) dt = viscous;
      dt *= c.step_share;
    }
    const double left = c.time_limit - c.time;
    // The last step ends at the limit. It may be a thousandth longer than allowed: the rounding errors of dt, a float,
    // add up, and their sum would otherwise be a step of its own.
    if (left <= double{dt} * 1.001) {
      dt = left > 0 ? static_cast<float>(left) : 0.0f;
      if (dt > 0) c.time = c.time_limit;
    } else {
      c.time += dt == bounds.fixed ? bounds.counted : double{dt};
    }
    c.dt = dt;
    if (dt > 0) {
      ++c.step;
      c.previous_dt = c.last_dt;
      c.last_dt = dt;
    }
    *clock = c;
  }
};

struct SetTimeLimit {
  ClockState* clock;
  double seconds;
  RIFFLE_HD void operator()(std::int64_t) const { clock->time_limit = seconds; }
};

}  // namespace

#if RIFFLE_WITH_CUDA
/// Pinned copies of the clock on their way to the host.
struct StepControl::Mailbox {
  ClockState* slots = nullptr;
  cudaEvent_t arrived[kReadAhead] = {};
  std::uint64_t posted = 0, read = 0;

  Mailbox() {
    RIFFLE_CUDA_CHECK(cudaMallocHost(&slots, kReadAhead * sizeof(ClockState)));
    for (cudaEvent_t& event : arrived) RIFFLE_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  }
  ~Mailbox() {
    for (cudaEvent_t event : arrived)  // a copy may still be writing to the slots
      if (event) RIFFLE_CUDA_LOG(cudaEventSynchronize(event));
    for (cudaEvent_t event : arrived)
      if (event) RIFFLE_CUDA_LOG(cudaEventDestroy(event));
    if (slots) RIFFLE_CUDA_LOG(cudaFreeHost(slots));
  }
};
#else
struct StepControl::Mailbox {};
#endif

StepControl::StepControl(const Device& device, const StepBounds& bounds) : device_(device), state_(device, 1) {
  set_bounds(bounds);
  const ClockState initial;
  state_.assign({&initial, 1});
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) mailbox_ = std::make_unique<Mailbox>();
#endif
}

StepControl::~StepControl() = default;

void StepControl::set_bounds(const StepBounds& bounds) {
  bounds_ = bounds;
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, bounds.fixed).ptr;
  std::from_chars(digits, end, bounds_.counted);
}

void StepControl::choose_step(const Vec4* velocity, const Vec4* acceleration, int count, const std::uint32_t* foreign,
                              Halo* halo) {
  const int per_block = kBlock * kItemsPerThread;
  parallel_blocks<kBlock>(device_, "step maxima", (count + per_block - 1) / per_block,
                          CollectMaxima{velocity, acceleration, foreign, count, state_.data()});
  if (halo) halo->share_maxima(device_, state_.data());
  parallel_for(device_, "advance clock", 1, AdvanceClock{bounds_, state_.data()});
}

void StepControl::set_time_limit(double seconds) {
  if (seconds == time_limit_) return;
  time_limit_ = seconds;
  parallel_for(device_, "time limit", 1, SetTimeLimit{state_.data(), seconds});
}

bool StepControl::at_time_limit() {
  constexpr double kSafe = 4;  // a step is not so many times as long as the one that is known
  if (std::isinf(time_limit_)) return false;
  const ClockState& known = latest();
  if (known.last_dt > 0 && known.time + kSafe * (in_flight() + 1) * double{known.last_dt} < time_limit_) return false;
#if RIFFLE_WITH_CUDA
  if (mailbox_) {
    Mailbox& box = *mailbox_;
    while (box.posted != box.read) {
      const int slot = static_cast<int>(box.read % kReadAhead);
      RIFFLE_CUDA_CHECK(cudaEventSynchronize(box.arrived[slot]));
      newest_ = box.slots[slot];
      ++box.read;
    }
  }
#endif
  return newest_.time >= time_limit_;
}

void StepControl::restore(const ClockState& clock) {
  ClockState next = clock;
  next.time_limit = finish().time_limit;
  state_.assign({&next, 1});
  newest_ = next;
}

void StepControl::post() {
#if RIFFLE_WITH_CUDA
  if (mailbox_) {
    Mailbox& box = *mailbox_;
    if (box.posted - box.read == kReadAhead) {
      const int oldest = static_cast<int>(box.read % kReadAhead);
      RIFFLE_CUDA_CHECK(cudaEventSynchronize(box.arrived[oldest]));
      newest_ = box.slots[oldest];
      ++box.read;
    }
    const int slot = static_cast<int>(box.posted % kReadAhead);
    RIFFLE_CUDA_CHECK(cudaMemcpyAsync(&box.slots[slot], state_.data(), sizeof(ClockState), cudaMemcpyDeviceToHost,
                                      cuda_stream(device_)));
    RIFFLE_CUDA_CHECK(cudaEventRecord(box.arrived[slot], cuda_stream(device_)));
    ++box.posted;
    return;
  }
#endif
  newest_ = *state_.data();
}

const ClockState& StepControl::latest() {
#if RIFFLE_WITH_CUDA
  if (mailbox_) {
    Mailbox& box = *mailbox_;
    while (box.read < box.posted) {
      const int slot = static_cast<int>(box.read % kReadAhead);
      const cudaError_t code = cudaEventQuery(box.arrived[slot]);
      if (code == cudaErrorNotReady) break;
      RIFFLE_CUDA_CHECK(code);
      newest_ = box.slots[slot];
      ++box.read;
    }
  }
#endif
  return newest_;
}

int StepControl::in_flight() const {
#if RIFFLE_WITH_CUDA
  if (mailbox_) return static_cast<int>(mailbox_->posted - mailbox_->read);
#endif
  return 0;
}

const ClockState& StepControl::finish() {
  newest_ = state_.to_host()[0];
#if RIFFLE_WITH_CUDA
  if (mailbox_) mailbox_->read = mailbox_->posted;
#endif
  return newest_;
}

}  // namespace riffle
