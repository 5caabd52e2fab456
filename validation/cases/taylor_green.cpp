/// Decaying vortices in a periodic unit square, Re = 100: u = -U cos(2 pi x) sin(2 pi y), v = U sin(2 pi x) cos(2 pi
/// y), U = exp(-8 pi^2 t / Re); taylor_green_re100.csv. Runs from a lattice to t = 1. By then the flow has drawn
/// particles out along its stretching directions, and without shifting more than 80 % of the energy is lost.
///
/// Accepted: kinetic energy within 10 % of the exact one at 50^2 particles and 5 % at 100^2, L1 of the speed at most
/// 0.08 and 0.05, the decay rate of U within 5 % at 100^2, momentum below 1e-5 U M. No two particles come closer than 0.6
/// spacings, and with a speed of sound of 10 U no density deviates by 1 %.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "validation/cases.h"
#include "validation/closest_pair.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

constexpr double kPi = std::numbers::pi;

struct Vortices {
  std::vector<double> time, energy;  ///< [L / U], [rho U^2 L^2]
  double worst_energy = 0;           ///< largest |energy / exact - 1|
  double speed_error = 0;            ///< L1 at the end: sum | |v| - exact | / sum exact
  double decay_rate = 0;             ///< of U, fitted to the energy, over the exact one
  double momentum = 0;               ///< largest at the end [U M]
  double closest = 1;                ///< pair of particles at any of ten moments [spacings]
  double compression = 0;            ///< largest |rho / rho0 - 1| at any of them
};

SimulationSetup vortices(int across, double reynolds) {
  SimulationSetup setup;
  setup.domain.dimension = 2;
  for (Axis& axis : setup.domain.axis) axis = Axis::Periodic;
  setup.gravity = {};
  setup.spacing = 1.0f / static_cast<float>(across);
  setup.support_ratio = 3;
  setup.fluids.emplace_back();
  setup.fluids[0].viscosity = static_cast<float>(1 / reynolds);
  for (int y = 0; y < across; ++y)
    for (int x = 0; x < across; ++x) {  // a body has one velocity, so every particle is a body
      BodySetup cell;
      cell.min = {float(x) * setup.spacing, float(y) * setup.spacing, 0};
      cell.max = {float(x + 1) * setup.spacing, float(y + 1) * setup.spacing, 1};
      const double px = 2 * kPi * (x + 0.5) / across, py = 2 * kPi * (y + 0.5) / across;
      cell.velocity = {float(-std::cos(px) * std::sin(py)), float(std::sin(px) * std::cos(py)), 0};
      setup.bodies.push_back(cell);
    }
  setup.wcsph.speed_of_sound = 10;
  setup.wcsph.artificial_viscosity = 0;
  setup.wcsph.negative_pressure = true;
  setup.wcsph.shifting = 5;
  return setup;
}

Vortices decay(const CaseContext& context, int across, double reynolds, double end) {
  Simulation simulation(context.noted(vortices(across, reynolds)), context.device);
  const double rate = 8 * kPi * kPi / reynolds, start = 0.25, mass = 1000;
  Vortices result;
  double sum_t2 = 0, sum_t_log = 0;
  for (int k = 1; k <= 10; ++k) {
    const double t = 0.1 * k * end;
    run_until(simulation, t, [&](double now) { context.progress(now / end, fmt::format("{}^2 particles", across)); });
    const double energy = simulation.diagnostics().kinetic_energy / mass;
    result.time.push_back(t);
    result.energy.push_back(energy);
    result.worst_energy = std::fmax(result.worst_energy, std::fabs(energy / (start * std::exp(-2 * rate * t)) - 1));
    result.closest = std::fmin(result.closest, closest_pair(simulation) * across);
    for (const float density : by_id<float>(simulation, "density"))
      result.compression = std::fmax(result.compression, std::fabs(density / 1000.0 - 1));
    sum_t2 += t * t;
    sum_t_log += t * 0.5 * std::log(start / energy);
  }
  result.decay_rate = sum_t_log / sum_t2 / rate;
  const Diagnostics last = simulation.diagnostics();
  for (const double p : last.momentum) result.momentum = std::fmax(result.momentum, std::fabs(p) / mass);
  double difference = 0, sum = 0;
  const auto position = by_id<Vec4>(simulation, "position"), velocity = by_id<Vec4>(simulation, "velocity");
  for (std::size_t i = 0; i < position.size(); ++i) {
    const double px = 2 * kPi * position[i].x, py = 2 * kPi * position[i].y;
    const double exact = std::exp(-rate * end) * std::hypot(std::cos(px) * std::sin(py), std::sin(px) * std::cos(py));
    difference += std::fabs(std::sqrt(double{length2(xyz(velocity[i]))}) - exact);
    sum += exact;
  }
  result.speed_error = difference / sum;
  return result;
}

CaseResult run_taylor_green(const CaseContext& context) {
  const ReferenceTable table = context.table("taylor_green_re100.csv");
  const bool full = context.full();
  const int across = full ? 100 : 40;
  const double end = full ? 1 : 0.6;
  const Vortices flow = decay(full ? context.part(0, 0.8) : context, across, 100, end);
  CaseResult result;
  result.checks = {context.check("largest relative error of the kinetic energy", flow.worst_energy),
                   context.check("L1 error of the speed at the end", flow.speed_error),
                   context.check("decay rate of U over the exact one", flow.decay_rate),
                   context.check("momentum", flow.momentum),
                   context.check("closest pair at any of ten moments", flow.closest),
                   context.check("largest deviation of the density at any of them", flow.compression)};
  if (full) {
    const Vortices coarse = decay(context.part(0.8, 0.9), 50, 100, 1);
    result.checks.push_back(context.check("50^2: largest relative error of the kinetic energy", coarse.worst_energy));
    result.checks.push_back(context.check("50^2: L1 error of the speed at the end", coarse.speed_error));
    const Vortices faster = decay(context.part(0.9, 1), 50, 400, 1);
    result.checks.push_back(
        figure("Re = 400, 50^2: largest relative error of the kinetic energy", faster.worst_energy));
    result.checks.push_back(figure("Re = 400, 50^2: L1 error of the speed at the end", faster.speed_error));
  }
  std::vector<double> time, energy;
  const auto times = table.numbers("t_U_over_L"), energies = table.numbers("KE_over_rhoU0^2L^2");
  for (std::size_t k = 0; k < times.size() && times[k] <= 1; ++k)
    time.push_back(times[k]), energy.push_back(energies[k]);
  result.curves.push_back({"energy",
                           "Kinetic energy of decaying vortices, Re = 100",
                           "t U / L",
                           "energy / (rho U^2 L^2)",
                           {{fmt::format("{}^2 particles", across), flow.time, flow.energy}},
                           {{"exact", time, energy}}});
  return result;
}

}  // namespace

ValidationCase taylor_green_case() {
  return {"taylor_green", "decaying vortices, with particle shifting (WCSPH, 2-D)", "40^2 particles to t = 0.6",
          "100^2 and 50^2 particles to t = 1; 50^2 at Re = 400", run_taylor_green};
}

}  // namespace riffle
