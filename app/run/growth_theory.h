#pragma once
/// The prediction of linear theory for a scene's interface: the curve beside the measured amplitude.

#include <string>

#include "sim/setup.h"

namespace riffle {

/// a(t) = amplitude (decay exp(rate t) + rate exp(-decay t)) / (rate + decay), of an interface that starts from rest: a mode
/// that grows and one that decays. Without viscosity both rates are the same, and a(t) = amplitude cosh(rate t). With it the
/// product of the rates is taken for that without viscosity, as when viscosity only damps the inviscid flow; the growing
/// rate is exact.
struct GrowthTheory {
  double amplitude = 0;  ///< at time 0 [m]
  double rate = 0;       ///< [1/s]; 0: there is no curve
  double decay = 0;      ///< [1/s] of the other mode
  double limit = 0;      ///< [m]: a tenth of the wavelength, where growth ceases to be linear
  std::string label;     ///< "linear theory"
  std::string basis;     ///< what the rate was computed from
  std::string why_none;  ///< "the interface is flat"; "" where there is a curve

  bool applies() const { return why_none.empty(); }
  double at(double time) const;  ///< [m]
  double end() const;            ///< [s] when the limit is reached

  friend bool operator==(const GrowthTheory&, const GrowthTheory&) = default;
};

/// "a(t) = 0.01 (0.5 e^(1.2 t) + 0.5 e^(-1.2 t)), until a = 0.1", of a theory that applies.
std::string theory_text(const GrowthTheory& theory);

/// Exact rates between free-slip walls (validation/rayleigh_taylor_theory.h) with what the setup says of its fluids:
/// - WCSPH: its viscosities and interface tension, if nothing else (artificial viscosity, no-slip walls) adds to them;
/// - DPD: the viscosity and tension that were measured for the fluids of the reference runs, for no others;
/// - PBF, with a viscosity that its iterations determine: the inviscid rate, which no viscosity exceeds.
/// @param particles that the setup has: bodies must fill the box
GrowthTheory growth_theory(const SimulationSetup& setup, int particles);

}  // namespace riffle
