#pragma once
/// Whether laminar viscosity is explicit or implicit in a setup.

#include <string>

#include "sim/setup.h"

namespace riffle::viscosity {

/// [s] The longest step with which explicit viscosity is stable (Morris, Fox and Zhu 1997), in terms of h/2; infinite
/// without viscosity. Stress is continuous between fluids: the lightest particle may be dragged by the most viscous one.
float explicit_step(const SimulationSetup& setup);

/// `auto` takes the implicit one if the explicit one would make steps shorter by more than this factor. With WCSPH, whose
/// steps are short in any case, it always takes the explicit one: at walls that set a fluid at rest in motion, with 10
/// particles across a channel, that is twice as exact.
inline constexpr float kWorthwhile = 4;

struct Choice {
  bool implicit = false;
  float explicit_step = 0;  ///< [s]
  float other_step = 0;     ///< [s] that everything else allows at the expected speed
};

Choice choose(const SimulationSetup& setup);

/// For people: which one, and why; "" without viscosity.
std::string text(const Choice& choice, const SimulationSetup& setup);

/// [s] The least step that the accuracy of implicit viscosity may ask for, and the first one. Not below
/// other_step / kMostSteps with long_steps: the shorter a step of DFSPH, the faster it drives apart particles that begin
/// too close to each other.
inline constexpr float kMostSteps = 16;
float least_step(const SimulationSetup& setup);

inline bool is_implicit(const SimulationSetup& setup) { return choose(setup).implicit; }

}  // namespace riffle::viscosity
