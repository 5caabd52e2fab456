#include "scenes/review/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/units.h"

namespace riffle::scenes {

bool Findings::intact(std::initializer_list<const char*> keys) const {
  return std::none_of(keys.begin(), keys.end(), [&](const char* key) { return problems_.touch(key); });
}

std::string length_text(const SimulationSetup& setup, double value) {
  return fmt::format("{:g} {}", value, units_of(setup).length);
}

}  // namespace riffle::scenes
