#include <fmt/format.h>

#include <algorithm>

#include "scenes/format/format_keys.h"
#include "scenes/review/subjects.h"
#include "scenes/solver_scene.h"
#include "sim/solver.h"
#include "sim/start/origin.h"
#include "sim/start/sampling.h"
#include "sim/walls/drive_speed.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

Key sph_key(Key key) { return only_where(&SolverInfo::has_density, std::move(key)); }
Key force_key(Key key) { return only_where(&SolverInfo::sph_forces, std::move(key)); }
Key drag_key(Key key) { return only_where(&SolverInfo::walls_drag, std::move(key)); }
Key tension_key(Key key) { return only_where(&SolverInfo::surface_tension, std::move(key)); }

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
      force_key(field("artificial_viscosity", number_from(0, 10, ""), wcsph_setup, &WcsphSetup::artificial_viscosity,
                      "Monaghan's alpha. With `dfsph` in terms of the speed of sound that `wcsph` would choose.")),
      sph_key(and_in(pbf_setup, &PbfSetup::negative_pressure,
                     field("negative_pressure", flag(), wcsph_setup, &WcsphSetup::negative_pressure,
                           "Whether pressure may pull. `false` clamps it (with `pbf` the constraint) at 0, as a free "
                           "surface needs; `true` suits full periodic boxes."))),
      force_key(field("damping_rate", number_from(0, 1e4, "1/s"), wcsph_setup, &WcsphSetup::damping_rate,
                      "Velocities decay at this rate until `damping_time`, so that a start from a lattice settles.")),
      force_key(field("damping_time", number_from(0, kNoLimit, "s"), wcsph_setup, &WcsphSetup::damping_time,
                      "Simulated time at which the damping ends.")),
      force_key(choice("viscosity", wcsph_setup, &WcsphSetup::viscosity,
                       "How the laminar viscosity of the fluids acts. With free solids `auto` is `explicit`.")),
      force_key(field("viscosity_error", number_from(1e-5, 0.1, ""), wcsph_setup, &WcsphSetup::viscosity_error,
                      "Error at which the iterations of implicit viscosity end, as a share of what viscosity changes "
                      "in the step.")),
      force_key(field(
          "viscosity_step_error", number_from(1e-5, 1e6, ""), wcsph_setup, &WcsphSetup::viscosity_step_error,
          "Error of velocities by implicit viscosity in one step, as a share of the speed, both as root mean squares. "
          "An adaptive step is shortened to keep it; larger values are faster.")),
      force_key(field(
          "viscosity_iterations", whole(1, 100000), wcsph_setup, &WcsphSetup::viscosity_iterations,
          "Most iterations of implicit viscosity in one step. A step that ends there is counted as `unconverged`.")),
      drag_key(
          choice("walls", wcsph_setup, &WcsphSetup::walls,
                 "Whether walls drag the fluid along. With `dpd` and `no_slip` walls act like fluid at rest in them, "
                 "which repels and drags; with `free_slip` they are mirrors.")),
      drag_key(section("wall_velocity", "Faces that move along themselves, like a belt.", wall_velocity_record())),
      tension_key(
          pair_matrix("interface_tension", "N/m", &SceneDraft::interface_tension, standard.interface_tension,
                      "Surface tension between fluids: one number for all pairs, or a row for every fluid with a "
                      "column for every fluid, whose diagonal is 0. A fluid's own `surface_tension` is against "
                      "empty space.")),
      tension_key(choice("tension_model", wcsph_setup, &WcsphSetup::tension_model,
                         "Model of surface tension. Neither is exact: docs/validation.md.")),
      only_where(&SolverInfo::shifting,
                 field("shifting", number_from(0, 10, ""), wcsph_setup, &WcsphSetup::shifting,
                       "Coefficient of particle shifting, which keeps particles evenly spread in flows without a free "
                       "surface; 5 with a support_ratio of 3 is good. Near a free surface nothing is shifted.")),
  };
}

/// The gradient of the kernel, along which two particles push each other, vanishes between those at one place.
void review_close_particles(const SimulationSetup& setup, Findings& out) {
  warn_of_close_particles(
      setup, 0.25f,
      setup.wcsph.density == DensityScheme::Continuity
          ? ". With solver.density continuity they stay on top of each other: the nearer two are, "
            "the less pushes them apart"
          : ". With solver.density summation the first steps throw the fluid there apart, but those "
            "at one place stay together",
      out);
}

void review_driven_solids(const SimulationSetup& setup, Findings& out) {
  const float sound = signal_speed(setup);
  for (std::size_t i = 0; i < setup.solid_regions.size(); ++i) {
    const float fastest = fastest_point(setup, i);
    if (!(fastest > 0.1001f * sound)) continue;
    out.warn(WarningKind::SolidFast, fmt::format("solids[{}].motion", i),
             fmt::format("is up to {:.3g} m/s fast, more than a tenth of solver.speed_of_sound ({:.3g} m/s): the fluid "
                         "before it is compressed by more than 1 %; a larger one, or `auto`, helps",
                         fastest, sound));
  }
}

/// Particles of a file go on with the compressions that they had, and their pressures follow from the speed of sound.
void warn_of_another_sound(const SimulationSetup& setup, Findings& out) {
  if (setup.wcsph.speed_of_sound != 0 || setup.bodies.empty()) return;
  for (const BodySetup& body : setup.bodies)
    if (!body.particles || body.particles.from->compression.empty() || !body.particles.from->expected_speed) return;
  const double now = signal_speed(setup), then = pictured_speed(setup) / solver_info(setup).expected_speed_share;
  if (!(then > 0) || std::abs(now - then) <= 0.02 * then) return;
  out.warn(
      WarningKind::SoundOfFile, "solver.speed_of_sound",
      fmt::format("auto is {:.4g} m/s here, and was {:.4g} m/s in the run that wrote the particles if it was auto "
                  "there: pressures are {:.2g} times as large at the same compressions, and the fluid rings; {:.4g} "
                  "goes on as there",
                  now, then, now * now / (then * then), then));
}

void review_wcsph(SceneDraft& draft, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  if (setup.wcsph.speed_of_sound == 0)  // who gives it knows how fast the fluid gets
    warn_of_endless_fall(setup,
                         ", and the automatic speed of sound does not know how fast it gets; give "
                         "solver.speed_of_sound",
                         out);
  if (out.intact({"dimension", "domain", "particles"})) warn_of_support_ratio(setup, out);
  if (out.intact({"solver"})) review_kernel(setup, out);
  if (out.intact({"solver"})) review_damping(setup.wcsph, out);
  if (!out.intact({"solver", "fluids", "particles", "dimension", "domain"})) return;
  review_faces(setup, out);
  review_viscosity(setup, out);
  if (out.intact({"bodies", "gravity", "solids"})) warn_of_another_sound(setup, out);
  if (!review_tension(draft, out)) return;
  review_negative_pressure(setup, out);
  review_shifting(setup, out);
  review_close_particles(setup, out);
  if (out.intact({"bodies", "solids", "gravity"})) review_driven_solids(setup, out);
}

void review_fixed_wcsph_step(const SimulationSetup& setup, Findings& out) {
  const StepBounds bounds = step_bounds(setup);
  const double stable = std::min(bounds.constant, bounds.cfl_length / bounds.sound_speed);
  if (setup.step.fixed > stable)
    out.warn(WarningKind::WcsphStep, "time.step",
             fmt::format("{:g} s is above the largest advisable step of {:.3g} s (cfl {:g} at the speed of sound, and "
                         "viscosity): particles may fly apart",
                         setup.step.fixed, stable, setup.step.cfl));
}

}  // namespace

SolverScene wcsph_scene() { return {SolverKind::Wcsph, make_wcsph_keys, review_wcsph, review_fixed_wcsph_step}; }

}  // namespace riffle::scenes
