#pragma once
/// Whether the iterations of a DFSPH solve have converged, decided on the device.

#include <cmath>
#include <cstdint>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "core/math/vec.h"
#include "sim/dfsph/dfsph_kernels.cuh"
#include "sim/dfsph/solve_state.h"
#include "sim/step_control.h"

namespace riffle::dfsph {

/// Sums the errors of own particles.
inline constexpr int kAssessBlock = 128;
struct Assess {
  int count;
  int items;  ///< particles per thread
  float relaxation;
  bool clamped;
  const ClockState* clock;
  const std::uint32_t* foreign;  ///< nullptr: none
  const Vec4* record;
  const float* residual;
  const float* inverse;
  SolveState* state;

  struct Shared {
    std::uint64_t sum[kAssessBlock];
    std::uint32_t count[kAssessBlock];
    float largest[kAssessBlock];
  };

  RIFFLE_HD void operator()(Block<kAssessBlock>& block, Shared& shared) const {
    block.each_thread([&](int t) {
      std::uint64_t sum = 0;
      std::uint32_t own = 0;
      float largest = 0;
      const std::int64_t first = std::int64_t{block.index()} * kAssessBlock * items + t;
      for (int k = 0; k < items; ++k) {
        const std::int64_t i = first + std::int64_t{k} * kAssessBlock;
        if (i >= count) break;
        if (foreign && foreign[i] != 0) continue;
        ++own;
        if (!(inverse[i] > 0)) continue;
        const float present = record[i].w;
        const float change = corrected(present, residual[i], inverse[i], relaxation, clamped) - present;
        float error = clock->dt * fabsf(change) / (relaxation * inverse[i]);
        if (!(error < kLargestError)) error = kLargestError;
        sum += static_cast<std::uint64_t>(static_cast<double>(error) * (1 / kErrorUnit));
        if (error > largest) largest = error;
      }
      shared.sum[t] = sum;
      shared.count[t] = own;
      shared.largest[t] = largest;
    });
    for (int stride = kAssessBlock / 2; stride > 0; stride /= 2)
      block.each_thread([&](int t) {
        if (t >= stride) return;
        shared.sum[t] += shared.sum[t + stride];
        shared.count[t] += shared.count[t + stride];
        if (shared.largest[t + stride] > shared.largest[t]) shared.largest[t] = shared.largest[t + stride];
      });
    block.each_thread([&](int t) {
      if (t != 0 || state->done != 0) return;
      atomic_add(&state->errors.sum, shared.sum[0]);
      atomic_add(&state->errors.count, std::uint64_t{shared.count[0]});
      atomic_max_nonnegative(&state->errors.largest_bits, shared.largest[0]);
    });
  }
};

/// How a solve that did not converge, and then each one that did, change the length of the next step.
inline constexpr float kShorter = 0.5f, kLonger = 1.1f, kLeastShare = 1.0f / 16;

/// Whether that was the last iteration, and how far the next iterate is extrapolated.
struct Decide {
  SolveKind kind;
  float mean_bound, largest_bound;  ///< of a density solve: the excess that may stay
  int least_iterations, most_iterations;
  const Fill* fill;
  ClockState* clock;
  SolveState* state;

  RIFFLE_HD void operator()(std::int64_t) const {
    if (state->done != 0) return;
    SolveState s = *state;
    const float before = s.mean;
    s.mean =
        s.errors.count > 0
            ? static_cast<float>(static_cast<double>(s.errors.sum) * kErrorUnit / static_cast<double>(s.errors.count))
            : 0.0f;
    s.largest = float_from_bits(s.errors.largest_bits);
    s.errors = {};
    const bool grown = s.iterations > 0 && s.mean > before;
    ++s.iterations;
    bool within = s.mean <= mean_bound && s.largest <= largest_bound;
    if (kind == SolveKind::Density)
      within = s.mean <= correction(mean_bound, fill->share) && s.largest <= correction(largest_bound, fill->share);
    const int iterations = static_cast<int>(s.iterations);
    if ((within && iterations > least_iterations) || iterations > most_iterations || !(clock->dt > 0)) {
      s.done = 1;
      SolveReport& report = kind == SolveKind::Density ? clock->density_solve : clock->divergence_solve;
      if (clock->dt > 0) {
        report.iterations = s.iterations - 1;
        report.all_iterations += report.iterations;
        report.mean_error = s.mean;
        report.largest_error = s.largest;
        if (!within) ++clock->unconverged;
        if (kind == SolveKind::Density)
          clock->step_share =
              within ? fminf(1, kLonger * clock->step_share) : fmaxf(kShorter * clock->step_share, kLeastShare);
      }
    }
    if (grown) s.weight = 1;
    const float next = 0.5f * (1 + sqrtf(1 + 4 * s.weight * s.weight));
    s.extrapolation = (s.weight - 1) / next;
    s.weight = next;
    *state = s;
  }
};

}  // namespace riffle::dfsph
