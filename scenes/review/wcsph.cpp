#include <fmt/format.h>

#include <algorithm>

#include "scenes/review/pair_matrix.h"
#include "scenes/review/subjects.h"
#include "sim/simulation.h"
#include "sim/solver.h"
#include "sim/start/sampling.h"
#include "sim/wcsph/surface_tension.h"

namespace riffle {

namespace {

void review_faces(SimulationSetup& setup, Findings& out) {
  constexpr const char* kFaces[3][2] = {{"x_min", "x_max"}, {"y_min", "y_max"}, {"z_min", "z_max"}};
  bool moving = false;
  for (int a = 0; a < 3; ++a)
    for (int side = 0; side < 2; ++side) {
      Vec3& v = setup.wcsph.wall_velocity[a][side];
      if (setup.domain.dimension == 2) v.z = 0;
      if (length2(v) == 0) continue;
      const std::string key = std::string("solver.wall_velocity.") + kFaces[a][side];
      if (a >= setup.domain.dimension) {
        out.refuse(key, "means nothing in 2-D, which has no faces across z");
      } else if (!setup.domain.walled(a)) {
        out.refuse(key, fmt::format("there is no wall: the axis {} is not walled (domain.axes)", "xyz"[a]));
      } else if (component(v, a) != 0) {
        out.refuse(key, fmt::format("found {:g} m/s across the face; allowed: along it, 0 across, or the domain would "
                                    "change its volume",
                                    component(v, a)));
      }
      moving = true;
    }
  if (moving && setup.wcsph.walls == WallSlip::FreeSlip)
    out.warn("solver.wall_velocity", "has no effect: with solver.walls free_slip a wall does not drag the fluid along");
}

/// Fills the matrix of surface tensions. @return false when it was refused
bool review_interface_tension(const SceneDraft& draft, SimulationSetup& setup, Findings& out) {
  WcsphSetup& wcsph = setup.wcsph;
  if (!fill_matrix(draft.interface_tension, setup.fluids, "solver.interface_tension", out, wcsph.interface_tension))
    return false;
  const std::size_t n = setup.fluids.size();
  for (std::size_t f = 0; f < n; ++f) {
    float& own = wcsph.interface_tension.value[f][f];
    if (!draft.interface_tension.rows.empty() && own != 0) {
      out.refuse("solver.interface_tension",
                 fmt::format("found {:g} for '{}' against itself; allowed: 0, as a fluid has no interface with itself",
                             own, setup.fluids[f].name));
      return false;
    }
    own = 0;
  }
  if (out.given("solver.interface_tension") && n == 1)
    out.warn("solver.interface_tension", "has no effect: the scene has one fluid");
  if (out.given("solver.tension_model") && !wcsph::has_tension(setup))
    out.warn("solver.tension_model", "has no effect: no fluid and no pair of fluids has surface tension");
  return true;
}

void review_negative_pressure(const SimulationSetup& setup, Findings& out) {
  const WcsphSetup& wcsph = setup.wcsph;
  bool free_surface = false;
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) free_surface |= setup.fluids[f].surface_tension > 0;
  if (free_surface && wcsph.tension_model == TensionModel::Continuum && !wcsph.negative_pressure)
    out.warn(
        "solver.negative_pressure",
        "is false: a free surface under surface tension then loses particles, because nothing holds those that its "
        "curved parts push outward; true holds them if there is no gravity");
  if (wcsph.negative_pressure && length2(setup.gravity) > 0) {
    double domain = 1;
    for (int a = 0; a < setup.domain.dimension; ++a) domain *= component(setup.domain.extent(), a);
    const double filled = static_cast<double>(count_particles(setup)) * setup.particle_volume() / domain;
    if (filled < 0.9)
      out.warn(
          "solver.negative_pressure",
          fmt::format("is true, and fluid fills {:.0f} % of the domain: under gravity, negative pressure at a free "
                      "surface tears particles apart; true suits drops without gravity and full boxes",
                      100 * filled));
  }
}

void review_neighbor_count(const SimulationSetup& setup, Findings& out) {
  if (wcsph::has_tension(setup) && setup.support_ratio < 3)
    out.warn(
        "particles.support_ratio",
        fmt::format("found {:g}, which gives too few neighbours for a curvature; with surface tension 3 and above is "
                    "stable",
                    setup.support_ratio));
  if (setup.wcsph.shifting > 0 && setup.support_ratio < 2.5f)
    out.warn("particles.support_ratio",
             fmt::format("found {:g}: with solver.shifting 3 gives half the error of 2", setup.support_ratio));
}

void review_damping(const WcsphSetup& wcsph, Findings& out) {
  const bool rate = wcsph.damping_rate > 0, time = wcsph.damping_time > 0;
  if (rate && !time) out.warn("solver.damping_rate", "has no effect without a solver.damping_time");
  if (time && !rate) out.warn("solver.damping_time", "has no effect without a solver.damping_rate");
}

}  // namespace

void review_wcsph(SceneDraft& draft, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  if (setup.wcsph.speed_of_sound == 0)  // who gives it knows how fast the fluid gets
    warn_of_endless_fall(setup,
                         ", and the automatic speed of sound does not know how fast it gets; give "
                         "solver.speed_of_sound",
                         out);
  if (out.intact({"dimension", "domain", "particles"})) warn_of_support_ratio(setup, out);
  if (out.intact({"solver"})) review_damping(setup.wcsph, out);
  if (!out.intact({"solver", "fluids", "particles", "dimension", "domain"})) return;
  review_faces(setup, out);
  if (!review_interface_tension(draft, setup, out)) return;
  review_negative_pressure(setup, out);
  review_neighbor_count(setup, out);
}

void review_wcsph_step(const SimulationSetup& setup, Findings& out) {
  const StepBounds bounds = step_bounds(setup);
  const double stable = std::min(bounds.constant, bounds.cfl_length / bounds.sound_speed);
  if (setup.step.fixed > stable)
    out.warn("time.step",
             fmt::format("{:g} s is above the stable step of {:.3g} s (cfl {:g} at the speed of sound, and "
                         "viscosity): particles may fly apart",
                         setup.step.fixed, stable, setup.step.cfl));
}

}  // namespace riffle
