#include "app/run/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/solver_info.h"
#include "sim/units.h"

namespace riffle {

namespace {

// A speed of sound of ten times the largest speed keeps the density within about 1 %. At 5 % something is amiss; half
// as much matter again in the same place, or ten times the speed of sound, no choice of parameters brings about.
constexpr double kSuspiciousCompression = 0.05;
constexpr double kImpossibleCompression = 0.5;
constexpr double kImpossibleMach = 10;

std::string remedy(const Simulation& simulation) {
  return std::string("the simulation is unstable. ") + solver_info(simulation.setup()).unstable_remedy;
}

std::string time_text(double time, const Simulation& simulation, int digits) {
  return fmt::format("t = {:.{}g} {}", time, digits, units_of(simulation.setup()).time);
}

std::string speed_text(double speed, const Simulation& simulation) {
  return fmt::format("{:.3g} {}", speed, units_of(simulation.setup()).speed);
}

/// "100 times the thermal speed (1.73)": `count` signal speeds, in terms of what the signal speed is made of.
std::string signal_speeds(double count, const Simulation& simulation) {
  const SolverInfo& solver = solver_info(simulation.setup());
  const double times = solver.signal_speed_multiple * count;
  const double speed = double{simulation.signal_speed()} / solver.signal_speed_multiple;
  return (times > 1 ? fmt::format("{:g} times ", times) : "") +
         fmt::format("{} ({})", solver.signal_speed_name, speed_text(speed, simulation));
}

}  // namespace

bool looks_unstable(const StepReport& clock, const Simulation& simulation) {
  return !(clock.max_speed <= kImpossibleMach * simulation.signal_speed());  // true for NaN
}

std::optional<BlowUp> find_blow_up(const Diagnostics& now, const StepReport& clock, const Simulation& simulation) {
  const std::string when = fmt::format("after step {} ({})", clock.step, time_text(clock.time, simulation, 6));
  const auto found = [&](std::string what) { return BlowUp{when + " " + std::move(what), remedy(simulation)}; };
  if (now.non_finite > 0)
    return found(
        fmt::format("{} of {} particles have a position or velocity that is no number, the one with the smallest id is "
                    "particle {}",
                    now.non_finite, simulation.particle_count(), now.first_non_finite));
  if (!(now.density_error_mean <= kImpossibleCompression))
    return found(
        fmt::format("the {} particles are compressed by {:.3g} times their rest density on average (largest {:.3g})",
                    simulation.particle_count(), now.density_error_mean, now.density_error_max));
  const double fastest = std::max(now.max_speed, static_cast<double>(clock.max_speed));
  if (looks_unstable(clock, simulation) || !(now.max_speed <= kImpossibleMach * simulation.signal_speed()))
    return found(fmt::format("particles are as fast as {}, more than {}", speed_text(fastest, simulation),
                             signal_speeds(kImpossibleMach, simulation)));
  return std::nullopt;
}

std::string what_blew_up(const Diagnostics& now, const StepReport& clock, const Simulation& simulation) {
  const auto found = find_blow_up(now, clock, simulation);
  return found ? found->what + ": " + found->remedy : "";
}

std::string what_is_supersonic(const StepReport& clock, const Simulation& simulation) {
  const char* const key = solver_info(simulation.setup()).speed_key;
  return fmt::format(
      "at step {} ({}) particles are as fast as {}, above {}: the result is not to be trusted; {} would help",
      clock.step, time_text(clock.time, simulation, 4), speed_text(double{clock.max_speed}, simulation),
      signal_speeds(1, simulation), key ? fmt::format("a larger {} or a smaller step", key) : "a smaller step");
}

std::string what_is_unconverged(const StepReport& clock, const Simulation& simulation) {
  if (clock.unconverged == 0 && clock.viscous_unconverged == 0) return "";
  if (clock.unconverged == 0)
    return fmt::format(
        "by step {} ({}) implicit viscosity did not reach its bound within {} iterations; more "
        "solver.viscosity_iterations or a smaller step would help",
        clock.step, time_text(clock.time, simulation, 4), simulation.setup().wcsph.viscosity_iterations);
  return fmt::format(
      "by step {} ({}) the pressure did not reach its bounds within {} iterations; steps that are not fixed get "
      "shorter "
      "until it does; more solver.max_iterations, a smaller step or bodies that do not overlap would help",
      clock.step, time_text(clock.time, simulation, 4), simulation.setup().dfsph.max_iterations);
}

std::string what_is_compressed(const Diagnostics& now, const StepReport& clock, const Simulation& simulation) {
  if (!(now.density_error_mean > kSuspiciousCompression)) return "";
  return fmt::format(
      "after step {} ({}) the fluid is compressed by {:.3g} % on average (largest {:.3g} %), where about 1 % is "
      "usual: the result is not to be trusted; {}, a smaller step or bodies that do not overlap would help",
      clock.step, time_text(clock.time, simulation, 4), 100 * now.density_error_mean, 100 * now.density_error_max,
      solver_info(simulation.setup()).compressed_remedy);
}

std::string what_has_left(std::size_t solid, const BodyState& body, const StepReport& clock,
                          const Simulation& simulation) {
  const SimulationSetup& setup = simulation.setup();
  const Bounds bounds = bounds_of(setup.solid_regions[solid]);
  double diagonal2 = 0;
  for (int a = 0; a < setup.domain.dimension; ++a)
    diagonal2 += std::pow(double{component(bounds.max, a)} - component(bounds.min, a), 2);
  for (int a = 0; a < setup.domain.dimension; ++a) {
    if (setup.domain.axis[a] != Axis::Open) continue;
    const double below = component(setup.domain.min, a) - body.center[a],
                 above = body.center[a] - component(setup.domain.max, a);
    if (!(std::max(below, above) > std::sqrt(diagonal2))) continue;
    return fmt::format(
        "by step {} ({}) the free body '{}' has left the domain through its {} {} face, which is open: it is at {} = "
        "{:.4g} {} "
        "and goes on without contact with the fluid; a walled axis would keep it, a larger domain would let it be seen",
        clock.step, time_text(clock.time, simulation, 4), solid_name(setup, solid), below > above ? "lower" : "upper",
        "xyz"[a], "xyz"[a], body.center[a], units_of(setup).length);
  }
  return "";
}

bool is_stopped(const StepReport& clock) { return clock.step > 0 && clock.dt == 0; }

std::string why_stuck(const StepReport& clock, const Simulation& simulation, const std::string& wanted) {
  return fmt::format(
      "the time step has become 0 after step {} ({}){}: an acceleration, or a viscosity, is too large for single "
      "precision",
      clock.step, time_text(clock.time, simulation, 6), wanted.empty() ? "" : ", short of " + wanted);
}

}  // namespace riffle
