#include "scenes/review/review_wcsph.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/simulation.h"
#include "sim/start/sampling.h"
#include "sim/wcsph/surface_tension.h"

namespace riffle {

namespace {

void check_faces(SimulationSetup& setup, const Complaint& refuse, const Complaint& warn) {
  constexpr const char* kFaces[3][2] = {{"x_min", "x_max"}, {"y_min", "y_max"}, {"z_min", "z_max"}};
  bool moving = false;
  for (int a = 0; a < 3; ++a)
    for (int side = 0; side < 2; ++side) {
      Vec3& v = setup.wcsph.wall_velocity[a][side];
      if (setup.domain.dimension == 2) v.z = 0;
      if (length2(v) == 0) continue;
      const std::string key = std::string("solver.wall_velocity.") + kFaces[a][side];
      if (a >= setup.domain.dimension) {
        refuse(key, "means nothing in 2-D, which has no faces across z");
      } else if (!setup.domain.walled(a)) {
        refuse(key, fmt::format("there is no wall: the axis {} is not walled (domain.axes)", "xyz"[a]));
      } else if (component(v, a) != 0) {
        refuse(key, fmt::format("found {:g} m/s across the face; allowed: along it, 0 across, or the domain would "
                                "change its volume",
                                component(v, a)));
      }
      moving = true;
    }
  if (moving && setup.wcsph.walls == WallSlip::FreeSlip)
    warn("solver.wall_velocity", "has no effect: with solver.walls free_slip a wall does not drag the fluid along");
}

}  // namespace

void review_wcsph(const SceneDraft& draft, SimulationSetup& setup, const std::function<bool(const std::string&)>& given,
                  const Complaint& refuse, const Complaint& warn) {
  WcsphSetup& wcsph = setup.wcsph;
  check_faces(setup, refuse, warn);
  if (!fill_matrix(draft.interface_tension, setup.fluids, "solver.interface_tension", refuse, wcsph.interface_tension))
    return;
  const std::size_t n = setup.fluids.size();
  for (std::size_t f = 0; f < n; ++f) {
    float& own = wcsph.interface_tension.value[f][f];
    if (!draft.interface_tension.rows.empty() && own != 0) {
      refuse("solver.interface_tension",
             fmt::format("found {:g} for '{}' against itself; allowed: 0, as a fluid has no interface with itself", own,
                         setup.fluids[f].name));
      return;
    }
    own = 0;
  }
  if (given("solver.interface_tension") && n == 1)
    warn("solver.interface_tension", "has no effect: the scene has one fluid");
  if (given("solver.tension_model") && !wcsph::has_tension(setup))
    warn("solver.tension_model", "has no effect: no fluid and no pair of fluids has surface tension");
  bool free_surface = false;
  for (std::size_t f = 0; f < n; ++f) free_surface |= setup.fluids[f].surface_tension > 0;
  if (free_surface && wcsph.tension_model == TensionModel::Continuum && !wcsph.negative_pressure)
    warn("solver.negative_pressure",
         "is false: a free surface under surface tension then sheds particles, as nothing holds those that its curved "
         "parts pull outward; true holds them where there is no gravity");
  if (wcsph.negative_pressure && length2(setup.gravity) > 0) {
    double domain = 1;
    for (int a = 0; a < setup.domain.dimension; ++a) domain *= component(setup.domain.extent(), a);
    const double filled = static_cast<double>(count_particles(setup)) * setup.particle_volume() / domain;
    if (filled < 0.9)
      warn("solver.negative_pressure",
           fmt::format("is true, and fluid fills {:.0f} % of the domain: at a free surface under gravity pressure that "
                       "pulls tears particles about; true suits drops without gravity and boxes that are full",
                       100 * filled));
  }
  if (wcsph::has_tension(setup) && setup.support_ratio < 3)
    warn("particles.support_ratio",
         fmt::format("found {:g}, too few neighbours for a curvature; with surface tension 3 and more is stable",
                     setup.support_ratio));
  if (wcsph.shifting > 0 && setup.support_ratio < 2.5f)
    warn("particles.support_ratio",
         fmt::format("found {:g}: with solver.shifting 3 gives half the error of 2", setup.support_ratio));
}

}  // namespace riffle
