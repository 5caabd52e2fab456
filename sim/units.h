#pragma once
/// The units of a simulation's numbers, as text.

#include "sim/solver_info.h"

namespace riffle {

/// Names, in UTF-8.
struct Units {
  const char* length;
  const char* time;
  const char* speed;
  const char* acceleration;
};

inline constexpr Units kSiUnits{"m", "s", "m/s", "m/s^2"};
/// DPD's if cutoff and temperature are 1: r_c, m and kT are the units, and tau is r_c sqrt(m / kT).
inline constexpr Units kReducedUnits{"r_c", "\u03c4", "r_c/\u03c4", "r_c/\u03c4^2"};

/// DPD's otherwise: the numbers shown are then not multiples of r_c and tau.
inline constexpr Units kNamelessUnits{"length units", "time units", "reduced units", "reduced units"};

inline const Units& units_of(const SimulationSetup& setup) {
  const SolverInfo& solver = solver_info(setup);
  return solver.si() ? kSiUnits : solver.reduced_units(setup);
}

}  // namespace riffle
