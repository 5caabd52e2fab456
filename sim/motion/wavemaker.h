#pragma once
/// Wavemakers by linear theory: the stroke that makes regular waves of a given height and period in water of a given depth.
///
/// Dean and Dalrymple, Water Wave Mechanics for Engineers and Scientists (1991), sections 3.4 and 6.2.

#include "core/math/vec.h"
#include "core/text/words.h"

namespace riffle {

enum class WavemakerKind {
  Piston,  ///< an upright wall that goes back and forth
  Flap     ///< an upright wall that swings about a hinge at the floor
};
inline constexpr Word<WavemakerKind> kWavemakerWords[] = {
    {WavemakerKind::Piston, "piston", "an upright wall that goes back and forth"},
    {WavemakerKind::Flap, "flap", "an upright wall that swings about `hinge`"},
};
constexpr std::span<const Word<WavemakerKind>> words_of(WavemakerKind) { return kWavemakerWords; }

struct WavemakerSetup {
  bool given = false;
  WavemakerKind kind = WavemakerKind::Piston;
  float height = 0;         ///< H [m] of the waves, from trough to crest
  float period = 0;         ///< T [s]
  float depth = 0;          ///< d [m] of the still water
  Vec3 direction{1, 0, 0};  ///< in which the waves go; of any length above 0, level
  bool hinged = false;      ///< the scene gives a hinge
  Vec3 hinge{};             ///< [m] of a flap: a point on its axis, at the floor

  friend bool operator==(const WavemakerSetup&, const WavemakerSetup&) = default;
};

struct SolidDrive;

namespace wavemaker {

/// [1/m] k of omega^2 = g k tanh(k d). @param gravity  g [m/s^2], above 0
double wave_number(double period, double depth, double gravity);

/// H/S far from the wavemaker. @param kd  above 0
double height_over_stroke(WavemakerKind kind, double kd);

/// [m] S: from one end to the other; of a flap at the level of the still water.
double stroke(const WavemakerSetup& wave, double gravity);

/// H/L at which waves break, by Miche 1944: 0.142 tanh(k d).
double breaking_steepness(double kd);

/// H/d at which a solitary wave breaks, by McCowan 1894.
inline constexpr double kBreakingDepthRatio = 0.78;

/// Sets the drive's sway, or its rotation, to what `drive.wave` asks for.
void apply(SolidDrive& drive, double gravity);

}  // namespace wavemaker

}  // namespace riffle
