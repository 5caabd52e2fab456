#include "app/run/stability.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "app/run/near_solid.h"
#include "sim/solver_info.h"
#include "sim/units.h"

namespace riffle {

namespace {

// A speed of sound of ten times the largest speed keeps the density within about 1 %. At 5 % something is amiss; half
// as much matter again in the same place no choice of parameters brings about.
constexpr double kSuspiciousCompression = 0.05;
constexpr double kImpossibleCompression = 0.5;

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

/// "(0.1, 0.2, 0.3) m"; in 2-D two numbers.
std::string vector_text(Vec3 v, const char* unit, const Simulation& simulation) {
  const bool flat = simulation.setup().domain.dimension == 2;
  for (float* const value : {&v.x, &v.y, &v.z})
    if (std::isnan(*value)) *value = std::numeric_limits<float>::quiet_NaN();  // without a sign
  return (flat ? fmt::format("({:.4g}, {:.4g})", v.x, v.y) : fmt::format("({:.4g}, {:.4g}, {:.4g})", v.x, v.y, v.z)) +
         " " + unit;
}

std::string kind_text(const Fault& fault, const Simulation& simulation) {
  if (fault.kind == StateFault::Body)
    return fmt::format("the place or the velocity of the free solid '{}' is no number",
                       solid_name(simulation.setup(), fault.body.value_or(0)));
  const bool one = fault.count == 1;
  const std::string who = fmt::format("{} of {} particles ", fault.count, simulation.particle_count());
  if (fault.kind == StateFault::NonFinite)
    return who + (one ? "has" : "have") + " a position or velocity that is no number";
  if (fault.kind == StateFault::TooFast)
    return who + (one ? "has" : "have") + " a speed of more than " +
           signal_speeds(double{kImpossibleSignals}, simulation);
  return who + (one ? "is" : "are") + " further than a spacing beyond a walled face";
}

std::string culprits_text(const Fault& fault, const Simulation& simulation) {
  const Units& units = units_of(simulation.setup());
  std::string text;
  for (const FaultyParticle& p : fault.particles) {
    const std::string solid = near_solid_text(simulation, p.position, fault.time);
    text += fmt::format("{}particle {} of '{}' at {} with {}{}", text.empty() ? ": " : "; ", p.id,
                        simulation.setup().fluids[p.fluid].name, vector_text(p.position, units.length, simulation),
                        vector_text(p.velocity, units.speed, simulation), solid.empty() ? "" : ", " + solid);
  }
  if (fault.count > fault.particles.size() && !fault.particles.empty()) text += "; and others with larger ids";
  return text;
}

}  // namespace

std::string fault_text(const Fault& fault, const Simulation& simulation) {
  return fmt::format("at step {} ({}) ", fault.step, time_text(fault.time, simulation, 6)) +
         kind_text(fault, simulation) + culprits_text(fault, simulation);
}

std::string with_fault(const std::string& what, const Simulation& simulation) {
  try {
    if (const auto fault = simulation.fault())
      return fault_text(*fault, simulation) + ": " + remedy(simulation) + "; then: " + what;
  } catch (const std::exception&) {  // the device may be lost, and `what` then says so
  }
  return what;
}

std::optional<BlowUp> find_blow_up(const Diagnostics& now, const StepReport& clock, const Simulation& simulation) {
  if (const auto fault = simulation.fault()) return BlowUp{fault_text(*fault, simulation), remedy(simulation)};
  if (now.density_error_mean <= kImpossibleCompression) return std::nullopt;
  return BlowUp{fmt::format("after step {} ({}) the {} particles are compressed by {:.3g} times their rest density on "
                            "average (largest {:.3g})",
                            clock.step, time_text(clock.time, simulation, 6), simulation.particle_count(),
                            now.density_error_mean, now.density_error_max),
                remedy(simulation)};
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
        "by step {} ({}) the free solid '{}' has left the domain through its {} {} face, which is open: it is at {} = "
        "{:.4g} {} "
        "and no wall stops it; a walled axis would keep it, a larger domain would let it be seen",
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
