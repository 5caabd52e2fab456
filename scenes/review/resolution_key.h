#pragma once
/// The key by which a scene says how finely it is resolved, for messages about it.

#include <string>

#include "scenes/review/findings.h"
#include "sim/setup.h"

namespace riffle::scenes {

inline std::string resolution_key(const Findings& out) {
  return out.given("particles.number_density") ? "particles.number_density" : "particles.spacing";
}

/// "smaller particles.spacing": what resolves more
inline std::string finer_resolution(const Findings& out) {
  return out.given("particles.number_density") ? "larger particles.number_density" : "smaller particles.spacing";
}

/// "larger particles.spacing": what needs fewer particles
inline std::string coarser_resolution(const Findings& out) {
  return out.given("particles.number_density") ? "smaller particles.number_density" : "larger particles.spacing";
}

/// The value of that key. @param number_density  as given
inline double resolution_value(const SimulationSetup& setup, float number_density) {
  return number_density > 0 ? double{number_density} : double{setup.spacing};
}

}  // namespace riffle::scenes
