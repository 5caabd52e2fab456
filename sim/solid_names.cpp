#include "sim/solid_names.h"

#include "sim/setup.h"

namespace riffle {

int solid_named(const SimulationSetup& setup, const std::string& name) {
  for (std::size_t s = 0; s < setup.solid_regions.size(); ++s)
    if (solid_name(setup, s) == name) return static_cast<int>(s);
  return -1;
}

}  // namespace riffle
