#pragma once
/// The units of a simulation's numbers, as text.

#include <string>
#include <utility>

#include "sim/solver_info.h"

namespace riffle {

/// Names, in UTF-8.
struct Units {
  const char* length;
  const char* time;
  const char* speed;
  const char* acceleration;
  const char* energy;
  bool of_cutoff = false;  ///< the unit of length is DPD's cut-off radius, and the others follow from it
  bool si = false;

  bool named() const { return si || of_cutoff; }  ///< otherwise numbers are not multiples of anything with a name
};

inline constexpr Units kSiUnits{"m", "s", "m/s", "m/s^2", "J", false, true};
/// DPD's if cutoff and temperature are 1: r_c, m and kT are the units, and tau is r_c sqrt(m / kT).
inline constexpr Units kReducedUnits{"r_c", "\u03c4", "r_c/\u03c4", "r_c/\u03c4^2", "kT", true};
/// DPD's if kT is a multiple of the unit of energy, which is then called eps; tau is r_c sqrt(m / eps).
inline constexpr Units kEpsilonUnits{"r_c", "\u03c4", "r_c/\u03c4", "r_c/\u03c4^2", "\u03b5", true};

/// DPD's if the cutoff is a multiple of the unit of length, which has no name: the numbers shown are then not multiples
/// of r_c and tau.
inline constexpr Units kNamelessUnits{"length units", "time units", "reduced units", "reduced units", "kT"};
inline constexpr Units kNamelessEpsilonUnits{"length units", "time units", "reduced units", "reduced units", "\u03b5"};

inline const Units& units_of(const SimulationSetup& setup) {
  const SolverInfo& solver = solver_info(setup);
  return solver.si() ? kSiUnits : solver.reduced_units(setup);
}

/// For files: tau and eps in place of the Greek letters.
inline std::string plain_unit(std::string unit) {
  for (const auto& [greek, plain] : {std::pair("\u03c4", "tau"), std::pair("\u03b5", "eps")})
    for (std::size_t at; (at = unit.find(greek)) != std::string::npos;) unit.replace(at, 2, plain);
  return unit;
}

}  // namespace riffle
