#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "scenes/review/subjects.h"
#include "sim/solver_info.h"

namespace riffle::scenes {

namespace {

/// Four digits: the spacing is a float.
double rounded(double value) { return std::stod(fmt::format("{:.4g}", value)); }

/// Distance between the last particle of the body's lattice and the image of its first one [spacing].
double gap_of(const SimulationSetup& setup, const BodySetup& body, int axis) {
  constexpr double kRounding = 1e-3;  // as sim/start/sampling.cpp counts sites
  const Bounds bounds = bounds_of(body);
  const double extent = double{component(bounds.max, axis)} - component(bounds.min, axis);
  const double sites = std::floor(extent / setup.spacing + kRounding);
  return component(setup.domain.extent(), axis) / setup.spacing - (sites - 1);
}

}  // namespace

/// Particles of a thermal fluid leave their lattice at once.
void warn_of_seams(const SimulationSetup& setup, const std::vector<std::size_t>& bodies, Findings& out) {
  constexpr double kSlack = 0.01;  // [spacing] that nobody notices
  if (solver_info(setup).thermal) return;
  for (int a = 0; a < setup.domain.dimension; ++a) {
    if (!setup.domain.periodic(a)) continue;
    for (const std::size_t i : bodies) {
      const BodySetup& body = setup.bodies[i];
      if (body.particles || body.filling != Filling::Lattice || shape_info(body.shape).centred) continue;
      const double gap = gap_of(setup, body, a);
      if (gap > 2 - kSlack || std::abs(gap - 1) < kSlack) continue;
      const double extent = component(setup.domain.extent(), a), fitting = std::floor(extent / setup.spacing + 1e-3);
      out.warn(
          WarningKind::PeriodicSeam, "domain.max",
          fmt::format("the lattice of bodies[{}] does not fit into the periodic axis {}, which is {} long: at its "
                      "ends particles are {} apart instead of {}; lengths that fit: {:g} and {}",
                      i, kAxisNames[a], length_text(setup, extent), length_text(setup, rounded(gap * setup.spacing)),
                      length_text(setup, setup.spacing), rounded(fitting * setup.spacing),
                      length_text(setup, rounded((fitting + 1) * setup.spacing))));
      break;  // once for each axis
    }
  }
}

}  // namespace riffle::scenes
