#include "sim/start/origin.h"

#include <algorithm>

#include "sim/solver.h"

namespace riffle {

std::optional<double> time_of_files(const SimulationSetup& setup) {
  std::optional<double> time;
  for (const BodySetup& body : setup.bodies) {
    if (!body.particles || !body.particles.from->time) return std::nullopt;
    if (time && *time != *body.particles.from->time) return std::nullopt;
    time = body.particles.from->time;
  }
  return time;
}

float pictured_speed(const SimulationSetup& setup) {
  float fastest = 0;
  for (const BodySetup& body : setup.bodies) {
    if (!body.particles || !body.particles.from->expected_speed) return expected_speed(setup);
    fastest = std::max(fastest, *body.particles.from->expected_speed);
  }
  return setup.bodies.empty() ? expected_speed(setup) : fastest;
}

}  // namespace riffle
