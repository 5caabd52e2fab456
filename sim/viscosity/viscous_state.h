#pragma once
/// What the solve of implicit viscosity keeps on the device between its iterations.

#include <cmath>
#include <cstdint>

#include "core/math/vec.h"

namespace riffle::viscosity {

/// Norms are r D^-1 r [kg m^2/s^2] with the diagonal blocks D.
/// Sums over particles, all doubles: Halo::share_sums().
struct Sums {
  double product = 0;          ///< of two fields
  double x = 0, y = 0, z = 0;  ///< mass times a velocity
  double mass = 0;

  RIFFLE_HD Vec3 mean() const {
    return mass > 0 ? Vec3{static_cast<float>(x / mass), static_cast<float>(y / mass), static_cast<float>(z / mass)}
                    : Vec3{0, 0, 0};
  }
};
inline constexpr int kSums = 5;

/// Sums over particles of the step's end, all doubles.
struct StepSums {
  double change = 0;           ///< mass times change of acceleration from step to step times velocity
  double speed2 = 0;           ///< mass times squared speed
  double x = 0, y = 0, z = 0;  ///< mass times velocity
  double mass = 0;
};
inline constexpr int kStepSums = 6;

/// Errors are measured against at least that share of the expected speed: fluid that has come to rest may take long steps.
inline constexpr float kLeastSpeed = 0.01f;

/// The last pressure may change the velocity that viscosity acts on by that share of the expected speed. A pressure of a
/// short step, where particles collided, would throw them in the next, longer one.
inline constexpr float kMostPush = 0.1f;

/// By which factors the step that accuracy asks for changes from step to step.
inline constexpr float kMostShrinkage = 0.5f, kMostGrowth = 1.5f;

/// Density that is missing at a free surface, as a share of the rest density. The outermost layer lacks about 0.12.
inline constexpr float kRoom = 0.08f;

/// The norm of the impulses counts as at least that share of the first residual's.
inline constexpr double kLeastReduction = 1e-4;

struct ViscousState {
  Sums sums;                      ///< that a reduction has just found
  double given = 0;               ///< norm of the impulses that the start velocities would cause
  double left = 0;                ///< norm of the residual
  Vec3 mean{};                    ///< velocity that is taken out of the next direction [m/s]
  float length = 0;               ///< of the step along the direction
  float kept = 0;                 ///< share of the direction in the next one
  std::uint32_t along_pairs = 0;  ///< 1: forces act along r_ij
  std::uint32_t done = 0;
  std::uint32_t iterations = 0;

  /// Residual over the impulses, both by the square roots of their norms.
  RIFFLE_HD float error() const { return given > 0 ? static_cast<float>(sqrt(left / given)) : 0.0f; }
};

}  // namespace riffle::viscosity
