#pragma once
/// A functor that only counts neighbours. Private to neighbors/.

#include <cstdint>

#include "core/device/atomic.h"
#include "core/math/vec.h"

namespace riffle {

/// Number: type of the stored counts, for sums that do not fit 32 bits.
template <class Number>
struct CountNeighbors {
  Number* count;  ///< (queries) out, in the traversal's order

  struct State {
    std::uint32_t count;
  };
  RIFFLE_HD State begin(int) const { return {0}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3, float) const { ++state.count; }
  RIFFLE_HD void scatter(State& state, int, int, Vec3, float) const { atomic_add(&state.count, 1u); }
  RIFFLE_HD void end(State& state, int i) const { count[i] = state.count; }
};

}  // namespace riffle
