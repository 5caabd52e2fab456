#include "scenes/format/format_keys.h"

namespace riffle {

using namespace format_keys;

namespace {

Key wcsph_key(Key key) { return only_with(SolverKind::Wcsph, std::move(key)); }
Key sph_key(Key key) { return only_where(&SolverInfo::has_density, std::move(key)); }

/// Tangential velocity of a face; the review refuses a component across the face.
Key face_key(const char* name, int axis, int side) {
  Key key =
      optional(name, {spatial(bounded("m/s"))}, WcsphSetup{}.wall_velocity[axis][side],
               std::string("Velocity of the ") + (side == 0 ? "lower" : "upper") + " face across " + "xyz"[axis] +
                   ", along the face.",
               [axis, side](SceneDraft& d, const Value& v) { wcsph_setup(d).wall_velocity[axis][side] = v.vector(); });
  key.needs_third_axis = axis == 2;
  return key;
}

Record wall_velocity_record() {
  return {{face_key("x_min", 0, 0), face_key("x_max", 0, 1), face_key("y_min", 1, 0), face_key("y_max", 1, 1),
           face_key("z_min", 2, 0), face_key("z_max", 2, 1)}};
}

}  // namespace

std::vector<Key> wcsph_keys() {
  const WcsphSetup standard;
  return {
      sph_key(and_in(pbf_setup, &PbfSetup::kernel,
                     choice("kernel", wcsph_setup, &WcsphSetup::kernel, "Smoothing kernel."))),
      wcsph_key(field_or("auto", "speed_of_sound", number_above(0, "m/s"), wcsph_setup, &WcsphSetup::speed_of_sound,
                         "Numerical speed of sound, of the densest fluid; lighter fluids are as stiff. `auto`: ten "
                         "times the largest speed that gravity and the bodies' velocities allow.")),
      wcsph_key(field("tait_exponent", number_from(1, 20, ""), wcsph_setup, &WcsphSetup::tait_exponent,
                      "Exponent of the Tait equation of state.")),
      wcsph_key(field("artificial_viscosity", number_from(0, 10, ""), wcsph_setup, &WcsphSetup::artificial_viscosity,
                      "Monaghan's alpha.")),
      sph_key(and_in(pbf_setup, &PbfSetup::negative_pressure,
                     field("negative_pressure", flag(), wcsph_setup, &WcsphSetup::negative_pressure,
                           "Whether pressure may pull. `false` clamps it (with `pbf` the constraint) at 0, as a free "
                           "surface needs; `true` suits full periodic boxes."))),
      wcsph_key(field("damping_rate", number_from(0, 1e4, "1/s"), wcsph_setup, &WcsphSetup::damping_rate,
                      "Velocities decay at this rate until `damping_time`, so that a start from a lattice settles.")),
      wcsph_key(field("damping_time", number_from(0, kNoLimit, "s"), wcsph_setup, &WcsphSetup::damping_time,
                      "Simulated time at which the damping ends.")),
      wcsph_key(choice("walls", wcsph_setup, &WcsphSetup::walls, "Whether walls drag the fluid along.")),
      wcsph_key(section("wall_velocity", "Faces that move along themselves, like a belt.", wall_velocity_record())),
      wcsph_key(pair_matrix("interface_tension", "N/m", &SceneDraft::interface_tension, standard.interface_tension,
                            "Surface tension between fluids: one number for all pairs, or a row for every fluid with a "
                            "column for every fluid, whose diagonal is 0. A fluid's own `surface_tension` is against "
                            "empty space.")),
      wcsph_key(choice("tension_model", wcsph_setup, &WcsphSetup::tension_model,
                       "Model of surface tension. Neither is exact: docs/validation.md.")),
      wcsph_key(field("shifting", number_from(0, 10, ""), wcsph_setup, &WcsphSetup::shifting,
                      "Coefficient of particle shifting, which keeps particles evenly spread in flows without a free "
                      "surface; 5 with a support_ratio of 3 is good. Near a free surface nothing is shifted.")),
  };
}

}  // namespace riffle
