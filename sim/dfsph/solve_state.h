#pragma once
/// What a pressure solve of DFSPH keeps on the device between its iterations.

#include <cmath>
#include <cstdint>

#include "core/platform.h"

namespace riffle {

/// Errors of the particles in one iteration of a pressure solve.
struct SolveErrors {
  std::uint64_t sum = 0;           ///< [dfsph::kErrorUnit]
  std::uint64_t count = 0;         ///< of particles
  std::uint32_t largest_bits = 0;  ///< as float_bits
};

}  // namespace riffle

namespace riffle::dfsph {

/// Which of the two solves of a step.
enum class SolveKind { Divergence, Density };

/// The share of an excess of density that a step takes away is kCorrectionPerWay times the mean way of the particles in the
/// step over h, at least kCalmCorrection, and at most all of it. The velocity that takes an excess away is there in the next
/// step too, and has to be taken back: with a share of 1, water at rest simmers. In a fluid that moves, every particle soon has
/// other neighbours, and a larger share costs fewer iterations: bounds of errors are what is taken away of an excess of their
/// size. A dam break took less than half of them, and was compressed less. The mean way counts, so that a fast drop stirs no
/// pool. Of an excess beyond kMostCorrection a step takes kMostCorrection, or kCalmCorrection of it, whichever is more: all of
/// such an excess, of a start for instance, would become motion.
inline constexpr float kCalmCorrection = 0.2f, kCorrectionPerWay = 20, kMostCorrection = 0.005f;

/// That share. way: mean of the particles [m]; reach: h [m]. Rounded, so that it hardly ever depends on how a sum was divided
/// among devices.
RIFFLE_INLINE float correction_share(float way, float reach) {
  const float share = fminf(fmaxf(kCorrectionPerWay * way / reach, kCalmCorrection), 1.0f);
  constexpr float unit = 0x1p-10f;
  return share > kCalmCorrection ? unit * floorf(share / unit + 0.5f) : kCalmCorrection;
}

/// What a step takes away of an excess of either sign.
RIFFLE_INLINE float correction(float excess, float share) {
  const float size = fabsf(excess);
  return copysignf(fmaxf(fminf(share * size, kMostCorrection), kCalmCorrection * size), excess);
}

/// t of Nesterov's sequence at the start of a density solve whose share is 1. A sequence that starts from 1 takes five
/// iterations until it extrapolates by half of the last change, and in a fluid in motion a solve has hardly more.
inline constexpr float kFirstWeight = 5;

/// t at the start of a density solve.
RIFFLE_INLINE float first_weight(float share) {
  return 1 + (kFirstWeight - 1) * (share - kCalmCorrection) / (1 - kCalmCorrection);
}

/// Where a density solve starts is the mean of the pressures so far. The last one alone contains what took away the last
/// step's error, and the next step would have to take that back. In the mean the last one has a share of the way of the
/// fastest particle in the step over h, within these bounds: the pressure of a fluid at rest does not change, and the
/// fewer of its errors are in the mean, the nearer the solve starts to the end. A step that is cut short counts less.
/// With implicit viscosity the share is always the larger one: a fluid that creeps shows an error of the mean too late.
inline constexpr float kCalmShare = 0.05f, kNewShare = 0.2f;

/// Errors are summed in units of this; one particle counts kLargestError at most. The sum over 2^28 particles fits.
inline constexpr double kErrorUnit = 0x1p-30;
inline constexpr float kLargestError = 32;

/// A fluid in which no particle has less than this excess of density leaves no room: there is no free surface, whose
/// outermost layer has about -0.12.
inline constexpr float kRoom = -0.08f;

/// Sums over particles.
struct FillSums {
  double excess = 0, roomy = 0, count = 0;  ///< roomy: particles with less than kRoom
  double speed = 0;                         ///< [m/s]
};

/// How full the domain is, and how the fluid in it moves.
struct Fill {
  FillSums sums;
  float offset = 0;               ///< the excess that cannot be avoided
  float share = kCalmCorrection;  ///< correction_share()
};

struct SolveState {
  SolveErrors errors;      ///< of this iteration
  std::uint32_t done = 0;  ///< 1: the impulses stay as they are
  std::uint32_t iterations = 0;
  float extrapolation = 0;  ///< share of the last change that is added to an iterate
  float weight = 1;         ///< t of Nesterov's sequence
  float mean = 0;           ///< errors of the last iteration
  float largest = 0;
};

/// A wall particle in a solve.
struct WallConstraint {
  float excess = 0;    ///< s - 1
  float inverse = 0;   ///< 1 / diagonal; 0: no fluid within reach
  float pressure = 0;  ///< mean of the fluid around it: where the density solve starts [Pa]
  float residual = 0;  ///< [1/s]
  float impulse = 0;   ///< of the last iterate, not extrapolated [Pa s]
  float present = 0;   ///< extrapolated [Pa s]
};

}  // namespace riffle::dfsph
