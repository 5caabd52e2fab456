#include "scenes/format/format_keys.h"

namespace riffle {

using namespace format_keys;

namespace {

Key wcsph_key(Key key) { return only_with(SolverKind::Wcsph, std::move(key)); }

/// Tangential velocity of a face: its component across the face is refused in review.
Key face_key(const char* name, int axis, int side) {
  Key key =
      optional(name, {spatial(bounded("m/s"))}, Vec3{},
               std::string("Velocity of the ") + (side == 0 ? "lower" : "upper") + " face across " + "xyz"[axis] +
                   ", along the face.",
               [axis, side](SceneDraft& d, const Value& v) { sim(d).wcsph.wall_velocity[axis][side] = v.vector(); });
  key.needs_third_axis = axis == 2;
  return key;
}

Record wall_velocity_record() {
  return {{face_key("x_min", 0, 0), face_key("x_max", 0, 1), face_key("y_min", 1, 0), face_key("y_max", 1, 1),
           face_key("z_min", 2, 0), face_key("z_max", 2, 1)}};
}

}  // namespace

std::vector<Key> wcsph_keys() {
  return {
      only_where(&SolverInfo::has_density,
                 optional("kernel", {words({"wendland_c2", "cubic_spline"})}, "wendland_c2", "Smoothing kernel.",
                          [](SceneDraft& d, const Value& v) {
                            sim(d).wcsph.kernel = sim(d).pbf.kernel =
                                v.text() == "cubic_spline" ? KernelKind::CubicSpline : KernelKind::WendlandC2;
                          })),
      wcsph_key(optional(
          "speed_of_sound", {words({"auto"}), number_above(0, "m/s")}, "auto",
          "Numerical speed of sound, of the densest fluid; lighter ones are as stiff. `auto`: ten times "
          "the largest speed that gravity and the bodies' velocities "
          "allow.",
          [](SceneDraft& d, const Value& v) { sim(d).wcsph.speed_of_sound = v.is_text() ? 0.0f : v.number(); })),
      wcsph_key(optional("tait_exponent", {number_from(1, 20, "")}, 7.0, "Exponent of the Tait equation of state.",
                         [](SceneDraft& d, const Value& v) { sim(d).wcsph.tait_exponent = v.number(); })),
      wcsph_key(optional("artificial_viscosity", {number_from(0, 10, "")}, 0.05, "Monaghan's alpha.",
                         [](SceneDraft& d, const Value& v) { sim(d).wcsph.artificial_viscosity = v.number(); })),
      only_where(
          &SolverInfo::has_density,
          optional(
              "negative_pressure", {flag()}, false,
              "Whether pressure may pull. `false` clamps it (with `pbf` the constraint) at 0, as a free surface needs; "
              "`true` suits full periodic boxes.",
              [](SceneDraft& d, const Value& v) {
                sim(d).wcsph.negative_pressure = sim(d).pbf.negative_pressure = v.flag();
              })),
      wcsph_key(optional("damping_rate", {number_from(0, 1e4, "1/s")}, 0.0,
                         "Velocities decay at this rate until `damping_time`, so that a start from a lattice settles.",
                         [](SceneDraft& d, const Value& v) { sim(d).wcsph.damping_rate = v.number(); })),
      wcsph_key(optional("damping_time", {number_from(0, kNoLimit, "s")}, 0.0,
                         "Simulated time at which the damping ends.",
                         [](SceneDraft& d, const Value& v) { sim(d).wcsph.damping_time = v.number(); })),
      wcsph_key(optional("walls", {words({"no_slip", "free_slip"})}, "no_slip",
                         "`no_slip`: at a wall the fluid has the wall's velocity. `free_slip`: walls exert no shear.",
                         [](SceneDraft& d, const Value& v) {
                           sim(d).wcsph.walls = v.text() == "free_slip" ? WallSlip::FreeSlip : WallSlip::NoSlip;
                         })),
      wcsph_key(section("wall_velocity", "Faces that move along themselves, like a belt.", wall_velocity_record())),
      wcsph_key(optional("interface_tension", {number_from(0, 1e6, "N/m"), rows(0, "N/m")}, 0.0,
                         "Surface tension between fluids; of all pairs, or a row for every fluid with a column for "
                         "every fluid, whose diagonal is 0. A fluid's own `surface_tension` is against empty space.",
                         [](SceneDraft& d, const Value& v) { store(d.interface_tension, v); })),
      wcsph_key(optional("tension_model", {words({"continuum", "akinci"})}, "continuum",
                         "`continuum`: a force by curvature (Brackbill et al. 1992). `akinci`: cohesion and difference "
                         "of normals (Akinci et al. 2013). Neither is exact: docs/validation.md.",
                         [](SceneDraft& d, const Value& v) {
                           sim(d).wcsph.tension_model =
                               v.text() == "akinci" ? TensionModel::Akinci : TensionModel::Continuum;
                         })),
      wcsph_key(optional("shifting", {number_from(0, 10, "")}, 0.0,
                         "Coefficient of particle shifting, which keeps particles evenly spread in flows without a "
                         "free surface; 5 with a support_ratio of 3 is good. Near a free surface nothing is shifted.",
                         [](SceneDraft& d, const Value& v) { sim(d).wcsph.shifting = v.number(); })),
  };
}

}  // namespace riffle
