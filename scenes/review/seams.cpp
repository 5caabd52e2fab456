#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "scenes/review/subjects.h"
#include "sim/solver_info.h"
#include "sim/start/sampling.h"

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

/// A lattice has whole numbers of sites. A thermal fluid fills the body all the same, with another density and pressure.
void warn_of_lattice_densities(const SimulationSetup& setup, const std::vector<std::size_t>& bodies, Findings& out) {
  constexpr double kSlack = 0.02;
  constexpr double kMostCounted = 1e6;  // half a layer of a hundred on each axis is less
  if (!solver_info(setup).thermal || !out.given("particles.number_density"))
    return;  // a spacing is that of the lattice
  for (const std::size_t i : bodies) {
    const BodySetup& body = setup.bodies[i];
    if (body.particles || body.filling != Filling::Lattice || !body.plain()) continue;
    if (is_cut_by_walls(setup.domain, bounds_of(body), setup.spacing)) continue;  // its volume is not known
    if (shape_info(body.shape).volume(body, setup.domain.dimension, setup.spacing) > kMostCounted) continue;
    SimulationSetup alone = without_contents(setup);
    alone.bodies = {body};
    const double wanted = shape_info(body.shape).volume(body, setup.domain.dimension, setup.spacing);
    const double share = static_cast<double>(count_particles(alone)) / wanted;
    if (!(wanted >= 1) || std::abs(share - 1) <= kSlack) continue;
    const double density = 1 / setup.particle_volume();
    out.warn(
        WarningKind::LatticeDensity, fmt::format("bodies[{}].filling", i),
        fmt::format("lattice: its sites have a number density of {:.4g}, where particles.number_density is {:.4g}; "
                    "filling: random has that number",
                    share * density, density));
  }
}

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
