#include "scenes/review/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/units.h"

namespace riffle::scenes {

bool Findings::intact(std::initializer_list<const char*> keys) const {
  return std::none_of(keys.begin(), keys.end(), [&](const char* key) { return problems_.touch(key); });
}

std::string length_text(const SimulationSetup& setup, double value) {
  return fmt::format("{:g} {}", value, units_of(setup).length);
}

std::string place_text(const SimulationSetup& setup, const Bounds& bounds, int axis) {
  const Domain& domain = setup.domain;
  return fmt::format("{} from {:g} to {}, the domain has {:g} to {}", kAxisNames[axis], component(bounds.min, axis),
                     length_text(setup, component(bounds.max, axis)), component(domain.min, axis),
                     length_text(setup, component(domain.max, axis)));
}

std::string place_text(const SimulationSetup& setup, Vec3 place) {
  std::string text;
  for (int a = 0; a < setup.domain.dimension; ++a) {
    const float x = component(place, a);
    const bool rounding = std::fabs(x) < 1e-6f * setup.spacing;  // -5e-18 of a turned mesh
    text += fmt::format("{}{:g}", a == 0 ? "[" : ", ", rounding ? 0 : x);
  }
  return text + "]";
}

}  // namespace riffle::scenes
