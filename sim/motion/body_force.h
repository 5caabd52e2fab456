#pragma once
/// A force per mass on the fluid that varies across the domain and is constant in time. With periodic faces it drives
/// flows whose profile gives the viscosity: two opposite Poiseuille flows, or a sine.

#include <cmath>

#include "core/math/vec.h"
#include "core/platform.h"
#include "core/text/words.h"

namespace riffle {

enum class ForceProfile { Halves, Sine };
inline constexpr Word<ForceProfile> kForceProfileWords[] = {
    {ForceProfile::Halves, "halves", "all of it in the lower half of a wave, and its opposite in the upper half"},
    {ForceProfile::Sine, "sine", "it times sin(2 pi s), s from 0 to 1 along a wave"},
};
constexpr std::span<const Word<ForceProfile>> words_of(ForceProfile) { return kForceProfileWords; }

struct BodyForceSetup {
  Vec3 acceleration{};                          ///< [m/s^2] the largest
  int across = 1;                               ///< the axis along which it varies: 0, 1 or 2
  ForceProfile profile = ForceProfile::Halves;  ///< how it varies
  int waves = 1;                                ///< in the domain, from 1 on
  bool given = false;                           ///< otherwise there is none, whatever stands above

  friend bool operator==(const BodyForceSetup&, const BodyForceSetup&) = default;
};

/// What kernels read of it.
struct BodyForce {
  Vec3 acceleration{};  ///< [m/s^2]
  int axis = 1;
  bool sine = false;
  float low = 0;               ///< [m] where the first wave begins
  float waves_per_length = 0;  ///< [1/m]; 0: there is no force

  RIFFLE_HD bool given() const { return waves_per_length > 0; }

  /// [m/s^2]
  RIFFLE_HD Vec3 at(Vec3 x) const {
    const float waves = (component(x, axis) - low) * waves_per_length;
    const float s = waves - floorf(waves);
    if (sine) return sinf(6.28318530718f * s) * acceleration;
    return s < 0.5f ? acceleration : -acceleration;
  }

  friend bool operator==(const BodyForce&, const BodyForce&) = default;
};

/// @param low, high  [m] the domain's faces across `setup.across`
inline BodyForce make_body_force(const BodyForceSetup& setup, float low, float high) {
  if (!setup.given) return {};
  return {setup.acceleration, setup.across, setup.profile == ForceProfile::Sine, low,
          static_cast<float>(setup.waves) / (high - low)};
}

}  // namespace riffle
