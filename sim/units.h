#pragma once
/// What the numbers of a simulation are in, for whoever shows one.

#include "sim/setup.h"

namespace riffle {

/// Names, in UTF-8.
struct Units {
  const char* length;
  const char* time;
  const char* speed;
  const char* acceleration;
};

inline constexpr Units kSiUnits{"m", "s", "m/s", "m/s^2"};
/// DPD's: the cut-off radius r_c, a mass m and kT are 1, tau is r_c sqrt(m / kT).
inline constexpr Units kReducedUnits{"r_c", "\u03c4", "r_c/\u03c4", "r_c/\u03c4^2"};

constexpr const Units& units_of(SolverKind solver) { return solver == SolverKind::Dpd ? kReducedUnits : kSiUnits; }

}  // namespace riffle
