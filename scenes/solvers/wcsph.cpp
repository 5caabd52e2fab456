#include <fmt/format.h>

#include <algorithm>

#include "scenes/format/format_keys.h"
#include "scenes/review/pair_matrix.h"
#include "scenes/review/subjects.h"
#include "scenes/solver_scene.h"
#include "sim/solver.h"
#include "sim/start/sampling.h"
#include "sim/wcsph/surface_tension.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

Key sph_key(Key key) { return only_where(&SolverInfo::has_density, std::move(key)); }

/// Tangential velocity of a face; the review refuses a component across the face.
Key face_key(const char* name, int axis, int side) {
  Key key = optional(
      name, {spatial(bounded("m/s"))}, WcsphSetup{}.wall_velocity[axis][side],
      std::string("Velocity of the ") + (side == 0 ? "lower" : "upper") + " face across " + "xyz"[axis] +
          ", along the face.",
      [axis, side](SceneDraft& d, const Value& v) { wcsph_setup(d).wall_velocity[axis][side] = v.vector(); },
      [axis, side](SceneDraft& d) -> Value { return wcsph_setup(d).wall_velocity[axis][side]; });
  key.needs_third_axis = axis == 2;
  return key;
}

Record wall_velocity_record() {
  return {{face_key("x_min", 0, 0), face_key("x_max", 0, 1), face_key("y_min", 1, 0), face_key("y_max", 1, 1),
           face_key("z_min", 2, 0), face_key("z_max", 2, 1)}};
}

std::vector<Key> make_wcsph_keys() {
  const WcsphSetup standard;
  return {
      sph_key(and_in(pbf_setup, &PbfSetup::kernel,
                     choice("kernel", wcsph_setup, &WcsphSetup::kernel, "Smoothing kernel."))),
      choice("density", wcsph_setup, &WcsphSetup::density, "Where the density comes from."),
      field_or("auto", "speed_of_sound", number_above(0, "m/s"), wcsph_setup, &WcsphSetup::speed_of_sound,
               "Numerical speed of sound, of the densest fluid; lighter fluids are as stiff. `auto`: ten "
               "times the largest speed that gravity, the bodies' velocities and surface tension allow."),
      field("tait_exponent", number_from(1, 20, ""), wcsph_setup, &WcsphSetup::tait_exponent,
            "Exponent of the Tait equation of state."),
      field("artificial_viscosity", number_from(0, 10, ""), wcsph_setup, &WcsphSetup::artificial_viscosity,
            "Monaghan's alpha."),
      sph_key(and_in(pbf_setup, &PbfSetup::negative_pressure,
                     field("negative_pressure", flag(), wcsph_setup, &WcsphSetup::negative_pressure,
                           "Whether pressure may pull. `false` clamps it (with `pbf` the constraint) at 0, as a free "
                           "surface needs; `true` suits full periodic boxes."))),
      field("damping_rate", number_from(0, 1e4, "1/s"), wcsph_setup, &WcsphSetup::damping_rate,
            "Velocities decay at this rate until `damping_time`, so that a start from a lattice settles."),
      field("damping_time", number_from(0, kNoLimit, "s"), wcsph_setup, &WcsphSetup::damping_time,
            "Simulated time at which the damping ends."),
      choice("walls", wcsph_setup, &WcsphSetup::walls, "Whether walls drag the fluid along."),
      section("wall_velocity", "Faces that move along themselves, like a belt.", wall_velocity_record()),
      pair_matrix("interface_tension", "N/m", &SceneDraft::interface_tension, standard.interface_tension,
                  "Surface tension between fluids: one number for all pairs, or a row for every fluid with a "
                  "column for every fluid, whose diagonal is 0. A fluid's own `surface_tension` is against "
                  "empty space."),
      choice("tension_model", wcsph_setup, &WcsphSetup::tension_model,
             "Model of surface tension. Neither is exact: docs/validation.md."),
      field("shifting", number_from(0, 10, ""), wcsph_setup, &WcsphSetup::shifting,
            "Coefficient of particle shifting, which keeps particles evenly spread in flows without a free "
            "surface; 5 with a support_ratio of 3 is good. Near a free surface nothing is shifted."),
  };
}

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
  if (setup.wcsph.walls == WallSlip::FreeSlip)
    out.idle(
        WarningKind::WallVelocityFreeSlip,
        {"solver.wall_velocity", "has no effect: with solver.walls free_slip a wall does not drag the fluid along"},
        moving);
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
  if (n == 1)
    out.idle(WarningKind::TensionOfOneFluid, {"solver.interface_tension", "has no effect: the scene has one fluid"},
             out.given("solver.interface_tension"));
  bool between = false;
  for (std::size_t f = 0; f < n; ++f)
    for (std::size_t g = 0; g < f; ++g) between |= wcsph.interface_tension.value[f][g] > 0;
  if (between)
    out.warn(WarningKind::TensionInexact, "solver.interface_tension",
             "is not exact: drops of one fluid within another oscillated at 0.5 to 1.1 of the exact frequency, with a "
             "support_ratio of 2 at 0.4 to 0.7");
  if (wcsph::has_tension(setup) && wcsph.tension_model == TensionModel::Akinci)
    out.warn(WarningKind::TensionAkinci, "solver.tension_model",
             "is akinci: it orders the particles as in a crystal, and a drop creeps back to its shape instead of "
             "oscillating; continuum has the frequency within 5 %");
  if (!wcsph::has_tension(setup))
    out.idle(WarningKind::TensionModelUnused,
             {"solver.tension_model", "has no effect: no fluid and no pair of fluids has surface tension"},
             out.given("solver.tension_model"));
  return true;
}

void review_negative_pressure(const SimulationSetup& setup, Findings& out) {
  const WcsphSetup& wcsph = setup.wcsph;
  bool free_surface = false;
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) free_surface |= setup.fluids[f].surface_tension > 0;
  if (free_surface && wcsph.tension_model == TensionModel::Continuum && !wcsph.negative_pressure)
    out.warn(
        WarningKind::NegativePressureMissing, "solver.negative_pressure",
        "is false: a free surface under surface tension then loses particles, because nothing holds those that its "
        "curved parts push outward; true holds them if there is no gravity");
  if (wcsph.negative_pressure && length2(setup.gravity) > 0) {
    double domain = 1;
    for (int a = 0; a < setup.domain.dimension; ++a) domain *= component(setup.domain.extent(), a);
    const double filled = static_cast<double>(count_particles(setup)) * setup.particle_volume() / domain;
    if (filled < 0.9)
      out.warn(
          WarningKind::NegativePressureTears, "solver.negative_pressure",
          fmt::format("is true, and fluid fills {:.0f} % of the domain: under gravity, negative pressure at a free "
                      "surface tears particles apart; true suits drops without gravity and full boxes",
                      100 * filled));
  }
}

void review_neighbor_count(const SimulationSetup& setup, Findings& out) {
  if (setup.wcsph.shifting > 0 && setup.chosen_support_ratio() < 2.5f)
    out.warn(WarningKind::ShiftingSupportRatio, "particles.support_ratio",
             fmt::format("found {:g}: with solver.shifting 3 gives half the error of 2", setup.chosen_support_ratio()));
}

void review_damping(const WcsphSetup& wcsph, Findings& out) {
  const bool rate = wcsph.damping_rate > 0, time = wcsph.damping_time > 0;
  if (!time)
    out.idle(WarningKind::DampingRateAlone, {"solver.damping_rate", "has no effect without a solver.damping_time"},
             rate);
  if (!rate)
    out.idle(WarningKind::DampingTimeAlone, {"solver.damping_time", "has no effect without a solver.damping_rate"},
             time);
}

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

void review_fixed_wcsph_step(const SimulationSetup& setup, Findings& out) {
  const StepBounds bounds = step_bounds(setup);
  const double stable = std::min(bounds.constant, bounds.cfl_length / bounds.sound_speed);
  if (setup.step.fixed > stable)
    out.warn(WarningKind::WcsphStep, "time.step",
             fmt::format("{:g} s is above the stable step of {:.3g} s (cfl {:g} at the speed of sound, and "
                         "viscosity): particles may fly apart",
                         setup.step.fixed, stable, setup.step.cfl));
}

}  // namespace

SolverScene wcsph_scene() { return {SolverKind::Wcsph, make_wcsph_keys, review_wcsph, review_fixed_wcsph_step}; }

}  // namespace riffle::scenes
