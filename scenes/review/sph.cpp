#include <fmt/format.h>

#include <string>

#include "scenes/review/subjects.h"
#include "sim/kernel.h"
#include "sim/viscosity/viscosity_choice.h"

namespace riffle::scenes {

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

void review_kernel(const SimulationSetup& setup, Findings& out) {
  if (setup.wcsph.kernel == KernelKind::Poly6Spiky)
    out.refuse("solver.kernel", why_no_kernel(setup.solver, setup.wcsph.kernel));
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

void review_viscosity(const SimulationSetup& setup, Findings& out) {
  if (viscosity::is_implicit(setup)) return;
  for (const char* name : {"viscosity_error", "viscosity_step_error", "viscosity_iterations"}) {
    const std::string key = std::string("solver.") + name;
    out.idle(WarningKind::ViscosityIsExplicit, {key, "has no effect: viscosity is explicit here (solver.viscosity)"},
             out.given(key));
  }
}

}  // namespace riffle::scenes
