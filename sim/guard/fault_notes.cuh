#pragma once
/// How kernels note faults (sim/guard/fault.h). Include it only from .cu files.

#include "core/device/atomic.h"
#include "sim/bodies/free_bodies.h"
#include "sim/guard/fault.h"

namespace riffle {

RIFFLE_INLINE bool is_sound(const FaultLimits& limits, Vec3 x, float speed2) {
  return speed2 <= limits.speed2 && x.x >= limits.low.x && x.x <= limits.high.x && x.y >= limits.low.y &&
         x.y <= limits.high.y && x.z >= limits.low.z && x.z <= limits.high.z;
}

/// A particle that is not sound. Each slot keeps the smallest key that comes to it and passes the other on, so that the
/// slots have the smallest ones in the end, whatever the order in which threads come.
RIFFLE_HD inline void note_particle(FaultRecord* record, const FaultLimits& limits, Vec3 x, Vec3 v, float speed2,
                                    std::uint32_t id, std::int64_t index) {
  if (atomic_load(&record->complete) != 0) return;
  const StateFault kind = !is_finite(x) || !is_finite(v) ? StateFault::NonFinite
                          : !(speed2 <= limits.speed2)   ? StateFault::TooFast
                                                         : StateFault::Outside;
  const auto row = static_cast<std::uint32_t>(kind);
  atomic_add(&record->count[row], 1u);
  std::uint64_t key = std::uint64_t{id} << 32 | static_cast<std::uint64_t>(index);
  if (atomic_load(&record->named[row][FaultRecord::kNamed - 1]) < key) return;
  for (int k = 0; k < FaultRecord::kNamed; ++k) {
    const std::uint64_t before = atomic_min(&record->named[row][k], key);
    if (before > key) key = before;
  }
}

RIFFLE_HD inline bool is_sound(const BodyState& body) {
  double sum = 0;  // a difference of a number from itself is 0, unless it is NaN or infinite
  for (int a = 0; a < 3; ++a)
    sum += (body.center[a] - body.center[a]) + (body.velocity[a] - body.velocity[a]) + (body.spin[a] - body.spin[a]);
  for (int a = 0; a < 4; ++a) sum += body.turn[a] - body.turn[a];
  return sum == 0;
}

RIFFLE_HD inline void note_body(FaultRecord* record, std::int64_t region) {
  if (atomic_load(&record->complete) != 0) return;
  atomic_add(&record->bodies, 1u);
  atomic_min(&record->body, static_cast<std::uint64_t>(region));
}

/// After all have been noted: the clock's step is the one at whose end they are there. One thread.
RIFFLE_HD inline void complete_faults(FaultRecord* record, const ClockState& clock, const Vec4* position,
                                      const Vec4* velocity, const std::uint32_t* fluid) {
  if (record->complete != 0) return;
  int first = 0;
  while (first < kParticleFaults && record->count[first] == 0) ++first;
  if (first == kParticleFaults && record->bodies == 0) return;
  record->complete = 1;
  record->step = clock.step;
  record->time = clock.time;
  if (first == kParticleFaults) return;
  for (int k = 0; k < FaultRecord::kNamed; ++k) {
    if (record->named[first][k] == FaultRecord::kNobody) break;
    const auto i = static_cast<std::uint32_t>(record->named[first][k]);
    record->position[k] = position[i];
    record->velocity[k] = velocity[i];
    record->fluid[k] = fluid[i];
  }
}

}  // namespace riffle
