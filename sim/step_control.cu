#include "sim/step_control.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "sim/guard/fault_notes.cuh"
#include "sim/halo.h"

namespace riffle {

namespace {

inline constexpr int kBlock = 128;
inline constexpr int kItemsPerThread = 8;

/// max |v|^2 and max |a|^2: block by block, then one atomic per block. A maximum does not depend on the order. It looks
/// for faults too, since the velocities are at hand: that adds 16 bytes of position and 7 comparisons per particle.
template <bool kFaults>
struct CollectMaxima {
  StepParticles particles;
  FaultLimits limits;
  ClockState* clock;  ///< nullptr: only faults
  FaultRecord* fault;

  struct Shared {
    float speed2[kBlock];
    float acceleration2[kBlock];
    float body_speed2[kBlock];
  };

  // NaN must win, or a simulation that has blown up would look calm.
  RIFFLE_HD static float larger(float a, float b) { return a >= b ? a : (b == b ? (a == a ? b : a) : b); }

  /// [m^2/s^2] Of the points of a body.
  RIFFLE_HD static float fastest2(const BodyState& body, double radius) {
    const double(&v)[3] = body.velocity, (&w)[3] = body.spin;
    const double speed =
        sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + radius * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    return static_cast<float>(speed * speed);
  }

  RIFFLE_HD void operator()(Block<kBlock>& block, Shared& shared) const {
    const StepParticles& p = particles;
    block.each_thread([&](int t) {
      float v2 = 0, a2 = 0, body2 = 0;
      const std::int64_t first = std::int64_t{block.index()} * kBlock * kItemsPerThread + t;
      for (int k = 0; k < kItemsPerThread; ++k) {
        const std::int64_t i = first + std::int64_t{k} * kBlock;
        if (i >= p.count) break;
        if (p.foreign && p.foreign[i] != 0) continue;
        const float speed2 = length2(xyz(p.velocity[i]));
        v2 = larger(v2, speed2);
        if (p.acceleration) a2 = larger(a2, length2(xyz(p.acceleration[i])));
        if constexpr (kFaults) {
          const Vec3 x = xyz(p.position[i]);
          if (!is_sound(limits, x, speed2)) note_particle(fault, limits, x, xyz(p.velocity[i]), speed2, p.id[i], i);
        }
      }
      for (int k = 0; k < kItemsPerThread; ++k) {
        const std::int64_t i = first + std::int64_t{k} * kBlock;
        if (i >= p.body_count) break;
        if constexpr (kFaults)
          if (!is_sound(p.bodies[i].end)) note_body(fault, i);
        if (p.body_radius) body2 = larger(body2, fastest2(p.bodies[i].end, p.body_radius[i]));
      }
      shared.speed2[t] = v2;
      shared.acceleration2[t] = a2;
      shared.body_speed2[t] = body2;
    });
    if (clock == nullptr) return;
    for (int stride = kBlock / 2; stride > 0; stride /= 2)
      block.each_thread([&](int t) {
        if (t >= stride) return;
        shared.speed2[t] = larger(shared.speed2[t], shared.speed2[t + stride]);
        shared.acceleration2[t] = larger(shared.acceleration2[t], shared.acceleration2[t + stride]);
        shared.body_speed2[t] = larger(shared.body_speed2[t], shared.body_speed2[t + stride]);
      });
    block.each_thread([&](int t) {
      if (t != 0) return;
      atomic_max_nonnegative(&clock->max_speed2_bits, fabsf(shared.speed2[0]));
      atomic_max_nonnegative(&clock->max_acceleration2_bits, fabsf(shared.acceleration2[0]));
      if (particles.body_radius) atomic_max_nonnegative(&clock->max_body_speed2_bits, fabsf(shared.body_speed2[0]));
    });
  }
};

struct CompleteFaults {
  const ClockState* clock;
  FaultRecord* fault;
  const Vec4 *position, *velocity;
  const std::uint32_t* fluid;

  RIFFLE_HD void operator()(std::int64_t) const { complete_faults(fault, *clock, position, velocity, fluid); }
};

struct AdvanceClock {
  StepBounds bounds;
  float body_way;  ///< [m]
  ClockState* clock;
  CompleteFaults faults;
  bool watches;

  RIFFLE_HD void operator()(std::int64_t) const {
    if (watches) faults(0);  // of the step that the clock still shows
    ClockState c = *clock;
    c.max_speed = sqrtf(float_from_bits(c.max_speed2_bits));
    c.max_acceleration = sqrtf(float_from_bits(c.max_acceleration2_bits));
    c.max_body_speed = sqrtf(float_from_bits(c.max_body_speed2_bits));
    c.max_speed2_bits = c.max_acceleration2_bits = c.max_body_speed2_bits = 0;
    float dt = bounds.fixed;
    if (!(dt > 0)) {
      dt = bounds.constant;
      const float fastest = c.max_body_speed > c.max_speed ? c.max_body_speed : c.max_speed;
      const float cfl = bounds.cfl_length / (bounds.sound_speed + fastest);
      if (cfl < dt) dt = cfl;
      const float body = body_way / c.max_body_speed;  // infinite where none moves
      if (body < dt) dt = body;
      const float force = sqrtf(bounds.force_length / (c.max_acceleration + bounds.acceleration));
      if (force < dt) dt = force;
      const float viscous =
          bounds.viscous_share * (c.viscous_step > bounds.viscous_step ? c.viscous_step : bounds.viscous_step);
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

int blocks_for(const StepParticles& particles) {
  constexpr int per_block = kBlock * kItemsPerThread;
  return (std::max(particles.count, particles.body_count) + per_block - 1) / per_block;
}

struct SetTimeLimit {
  ClockState* clock;
  double seconds;
  RIFFLE_HD void operator()(std::int64_t) const { clock->time_limit = seconds; }
};

}  // namespace

#if RIFFLE_WITH_CUDA
/// Pinned copies of the clock on their way to the host.
struct StepControl::Mailbox {
  Page* slots = nullptr;
  cudaEvent_t arrived[kReadAhead] = {};
  std::uint64_t posted = 0, read = 0;

  Mailbox() {
    RIFFLE_CUDA_CHECK(cudaMallocHost(&slots, kReadAhead * sizeof(Page)));
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

StepControl::StepControl(const Device& device, const StepBounds& bounds) : device_(device), page_(device, 1) {
  set_bounds(bounds);
  page_.assign({&newest_, 1});
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

void StepControl::choose_step(const StepParticles& p, Halo* halo) {
  FaultRecord* const fault = &page_.data()->fault;
  if (watches_)
    parallel_blocks<kBlock>(device_, "step maxima", blocks_for(p), CollectMaxima<true>{p, limits_, state(), fault});
  else
    parallel_blocks<kBlock>(device_, "step maxima", blocks_for(p), CollectMaxima<false>{p, limits_, state(), fault});
  if (halo) halo->share_maxima(device_, state());
  parallel_for(device_, "advance clock", 1,
               AdvanceClock{bounds_, p.body_way, state(), {state(), fault, p.position, p.velocity, p.fluid}, watches_});
}

void StepControl::look_for_faults(const StepParticles& p) {
  FaultRecord* const fault = &page_.data()->fault;
  parallel_blocks<kBlock>(device_, "look for faults", blocks_for(p), CollectMaxima<true>{p, limits_, nullptr, fault});
  parallel_for(device_, "complete faults", 1, CompleteFaults{state(), fault, p.position, p.velocity, p.fluid});
}

void StepControl::set_time_limit(double seconds) {
  if (seconds == time_limit_) return;
  time_limit_ = seconds;
  parallel_for(device_, "time limit", 1, SetTimeLimit{state(), seconds});
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
  return newest_.clock.time >= time_limit_;
}

void StepControl::restore(const ClockState& clock) {
  Page next{clock, {}};
  next.clock.time_limit = finish().time_limit;
  page_.assign({&next, 1});
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
    RIFFLE_CUDA_CHECK(
        cudaMemcpyAsync(&box.slots[slot], page_.data(), sizeof(Page), cudaMemcpyDeviceToHost, cuda_stream(device_)));
    RIFFLE_CUDA_CHECK(cudaEventRecord(box.arrived[slot], cuda_stream(device_)));
    ++box.posted;
    return;
  }
#endif
  newest_ = *page_.data();
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
  return newest_.clock;
}

int StepControl::in_flight() const {
#if RIFFLE_WITH_CUDA
  if (mailbox_) return static_cast<int>(mailbox_->posted - mailbox_->read);
#endif
  return 0;
}

const ClockState& StepControl::finish() {
  newest_ = page_.to_host()[0];
#if RIFFLE_WITH_CUDA
  if (mailbox_) mailbox_->read = mailbox_->posted;
#endif
  return newest_.clock;
}

}  // namespace riffle
