#pragma once
/// Where a solve goes next: conjugate gradients, of which every second point is evaluated.
///
/// A solve keeps a base: impulses, their residuals, and the last change of the base with what that took from the residuals. The
/// trial is the base, corrected by its residuals. Its own residuals are summed over neighbours, and show whether the solve may
/// end. If not, the next base is where the energy, whose gradient the residuals are, is least in the plane of two directions:
/// from the base to the trial, and along the last change. Residuals are linear between points where nothing is clamped, so the
/// residuals of the next base need no sum over neighbours. Without clamping the bases are those of conjugate gradients.
///
/// A particle whose impulse is clamped at the next base forgets its last change: the residuals that it would have had are not
/// known, and the next trial finds them. Where errors have grown, the next base is the trial, and what changed before it is forgotten
/// (O'Donoghue and Candes 2015). Wall particles take the same shares, and do not count in the sums: they are not
/// divided among devices, and solves take fewer iterations without them.

#include <cstdint>

#include "core/math/vec.h"
#include "sim/dfsph/dfsph_kernels.cuh"
#include "sim/dfsph/solve_state.h"

namespace riffle::dfsph {

/// Sums of SearchSums over own particles.
struct AlongChange {
  const SolveState* state;
  const std::uint32_t* foreign;  ///< nullptr: none
  const Vec4* record;            ///< w: trial
  const float* residual;         ///< at the trial
  const Base* base;

  RIFFLE_HD static SearchSums identity() { return {}; }
  RIFFLE_HD static SearchSums combine(const SearchSums& a, const SearchSums& b) {
    return {a.own + b.own, a.mixed + b.mixed, a.last + b.last, a.own_slope + b.own_slope, a.last_slope + b.last_slope};
  }
  RIFFLE_HD SearchSums operator()(std::int64_t i) const {
    if (state->done != 0 || state->iterations == 0 || (foreign && foreign[i] != 0)) return {};
    const Base b = base[i];
    const double own = double{record[i].w} - b.impulse, last = b.change;
    const double pull = double{b.residual} - residual[i];
    return {own * pull, last * pull, last * b.pull, own * b.residual, last * b.residual};
  }
};

/// The next base. impulse, residual: of the trial
RIFFLE_INLINE Base next_base(const Base& b, float impulse, float residual, const SolveState& state, bool clamped) {
  if (state.iterations <= 1) return {impulse, residual, 0, 0};
  const float pull = state.own * (b.residual - residual) + state.last * b.pull;
  const float next = b.impulse + state.own * (impulse - b.impulse) + state.last * b.change;
  if (clamped && !(next > 0)) return {0, b.residual - pull, 0, 0};
  return {next, b.residual - pull, next - b.impulse, pull};
}

/// How far a trial goes, in steps that would be safe without a search. At rest solves mostly end with their first trial, whose
/// short waves a longer one would stir.
inline constexpr float kTrial = 1.6f;
RIFFLE_INLINE float trial_length(const Fill& fill) {
  return 1 + (kTrial - 1) * (fill.share - kCalmCorrection) / (1 - kCalmCorrection);
}

/// The next base and the next trial.
struct Advance {
  float relaxation;
  bool clamped;
  const SolveState* state;
  const Fill* fill;
  const std::uint32_t* foreign;
  const float* residual;
  const float* inverse;
  Vec4* record;
  Base* base;

  RIFFLE_HD void operator()(std::int64_t i) const {
    if (state->done != 0 || (foreign && foreign[i] != 0)) return;
    const Base next = next_base(base[i], record[i].w, residual[i], *state, clamped);
    base[i] = next;
    record[i].w = corrected(next.impulse, next.residual, inverse[i], trial_length(*fill) * relaxation, clamped);
  }
};

struct AdvanceWall {
  float relaxation;
  bool clamped;
  const SolveState* state;
  const Fill* fill;
  WallConstraint* constraint;
  Base* base;

  RIFFLE_HD void operator()(std::int64_t b) const {
    if (state->done != 0) return;
    WallConstraint& c = constraint[b];
    const Base next = next_base(base[b], c.present, c.residual, *state, clamped);
    base[b] = next;
    c.present = corrected(next.impulse, next.residual, c.inverse, trial_length(*fill) * relaxation, clamped);
  }
};

}  // namespace riffle::dfsph
