/// A DPD fluid (rho = 3, a = 25, gamma = 4.5, kT = 1) between two plates, the upper of which moves along itself: how well
/// walls with `no_slip` hold and drag it. The fluid starts with the linear profile, which the flow keeps.
///
/// Slip: the line through the mean velocities more than 3 r_c from the plates, where it meets a plate, less the plate's
/// velocity, over the speed. Density: in layers of 0.1 r_c, over the mean in the middle half; the layers beyond 0.2 r_c of a
/// plate, as for walls of frozen particles. Temperature: of the components across the flow within 1 r_c of the plates.
/// Pressure: P of the whole fluid, whose parts beside the plates count as amid the fluid, beside LAMMPS's in a periodic
/// box. Acceptance: slip 2 %, density 10 %, temperature 2 %.

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/by_id.h"
#include "validation/cases.h"
#include "validation/dpd_setups.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

constexpr double kPlateDensity = 3, kPlateLayer = 0.1;

struct BetweenPlates {
  Vec3 extent;
  double speed;                      ///< [r_c/time] of the upper one
  double dt, settle, sample, every;  ///< [time]
};

SimulationSetup between_plates(const BetweenPlates& plates) {
  SimulationSetup setup = dpd_box(plates.extent, plates.dt, 7);
  setup.deterministic = true;
  setup.domain.axis[1] = Axis::Walled;
  setup.start.equilibration = 5;
  setup.wcsph.wall_velocity[1][1] = {static_cast<float>(plates.speed), 0, 0};
  FlowSetup& flow = setup.bodies[0].flow;
  flow.flow = Flow::Shear;
  flow.rate = static_cast<float>(plates.speed) / plates.extent.y;
  return setup;
}

CaseResult run_couette(const CaseContext& context) {
  const BetweenPlates plates = context.full() ? BetweenPlates{{8, 20, 8}, 4, 0.02, 100, 2000, 0.5}
                                              : BetweenPlates{{6, 10, 6}, 2, 0.04, 40, 160, 0.5};
  Simulation simulation(context.noted(between_plates(plates)), context.device);
  const double height = plates.extent.y, all = plates.settle + plates.sample;
  const auto go_to = [&](double time) {
    run_until(simulation, time, [&](double t) { context.progress(t / all, "between plates"); });
  };
  const auto layers = static_cast<std::size_t>(std::lround(height / kPlateLayer));
  std::vector<double> count(layers), along(layers);
  double beside = 0, heat = 0, pressure = 0;
  double number = 0, sum = 0, moment = 0, square = 0;  // of the line, with y from the middle
  const int samples = static_cast<int>(std::lround(plates.sample / plates.every));
  for (int k = 1; k <= samples; ++k) {
    go_to(plates.settle + k * plates.every);
    const auto position = by_id<Vec4>(simulation, "position"), velocity = by_id<Vec4>(simulation, "velocity");
    for (std::size_t i = 0; i < position.size(); ++i) {
      const double y = position[i].y, u = velocity[i].x, from_wall = std::min(y, height - y);
      const std::size_t layer = std::min(layers - 1, static_cast<std::size_t>(std::max(0.0, y / kPlateLayer)));
      count[layer] += 1, along[layer] += u;
      if (from_wall < 1) {
        beside += 2;
        heat += double{velocity[i].y} * velocity[i].y + double{velocity[i].z} * velocity[i].z;
      }
      if (from_wall < 3) continue;
      const double up = y - 0.5 * height;
      number += 1, sum += u, moment += up * u, square += up * up;
    }
    pressure += simulation.diagnostics().thermal->pressure / samples;
  }
  double bulk = 0;
  for (std::size_t k = layers / 4; k < 3 * layers / 4; ++k)
    bulk += count[k] / static_cast<double>(3 * layers / 4 - layers / 4);
  double deviation = 0, at_plate = 0;
  for (std::size_t k = 0; k < layers; ++k) {
    const bool near = k < 2 || k + 2 >= layers;
    double& worst = near ? at_plate : deviation;
    worst = std::max(worst, std::fabs(count[k] / bulk - 1));
  }
  // The pressure counts the flow's energy as heat.
  const double middle = sum / number, rise = moment / square * 0.5 * height;

  CaseResult result;
  result.checks.push_back(context.check("slip at the plate at rest", (middle - rise) / plates.speed));
  result.checks.push_back(context.check("slip at the moving plate", (middle + rise) / plates.speed - 1));
  result.checks.push_back(
      context.check("density in a layer, beyond 0.2 r_c of the plates: largest deviation", deviation));
  result.checks.push_back(context.check("the same within 0.2 r_c", at_plate));
  result.checks.push_back(context.check_any_physics("kT within 1 r_c of the plates", heat / beside,
                                                    double{simulation.setup().dpd.temperature}));
  result.checks.push_back(context.check("P", pressure - kPlateDensity * rise * rise / 9));
  Series measured{"measured", {}, {}}, line{"y / height", {0, height}, {0, plates.speed}}, profile{"measured", {}, {}};
  for (std::size_t k = 0; k < layers; ++k) {
    const double y = (static_cast<double>(k) + 0.5) * kPlateLayer;
    measured.x.push_back(y), measured.y.push_back(along[k] / std::max(1.0, count[k]));
    profile.x.push_back(y), profile.y.push_back(count[k] / bulk);
  }
  result.curves.push_back({"speed", "A fluid between plates", "y [r_c]", "v_x [r_c/time]", {measured}, {line}});
  result.curves.push_back(
      {"density", "The fluid's density", "y [r_c]", "density, of that in the middle", {profile}, {}});
  return result;
}

}  // namespace

ValidationCase dpd_couette_case() {
  return {"dpd_couette", "DPD fluid between plates, one of which moves along itself: slip, density and temperature",
          "1,080 particles, 160 units of time", "3,840 particles, 2,000 units of time", run_couette};
}

}  // namespace riffle
