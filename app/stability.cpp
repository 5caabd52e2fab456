#include "app/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace riffle {

namespace {

// A speed of sound of ten times the largest speed keeps the density within about 1 %. At 5 % something is amiss; half
// as much matter again in the same place, or ten times the speed of sound, no choice of parameters brings about.
constexpr double kSuspiciousCompression = 0.05;
constexpr double kImpossibleCompression = 0.5;
constexpr double kImpossibleMach = 10;

const char* remedy(const Simulation& simulation) {
  return simulation.setup().solver == SolverKind::Wcsph
             ? "the simulation is unstable. A smaller step helps most: time.step=auto, or a smaller time.cfl; then a "
               "larger solver.artificial_viscosity, and bodies that do not overlap"
             : "the simulation is unstable. A smaller step helps most, a smaller time.step; then bodies that do not "
               "overlap";
}

const char* name_of_signal_speed(const Simulation& simulation) {
  switch (simulation.setup().solver) {
    case SolverKind::Wcsph: return "the numerical speed of sound";
    case SolverKind::Pbf: return "what gravity and the bodies' velocities allow, tenfold";
    case SolverKind::Dpd: return "the thermal speed, tenfold";
  }
  return "?";
}

}  // namespace

bool looks_unstable(const StepReport& clock, const Simulation& simulation) {
  return !(clock.max_speed <= kImpossibleMach * simulation.signal_speed());  // true for NaN
}

std::string what_blew_up(const Diagnostics& now, const StepReport& clock, const Simulation& simulation) {
  const std::string when = fmt::format("after step {} (t = {:.6g} s)", clock.step, clock.time);
  if (now.non_finite > 0)
    return fmt::format(
        "{} {} of {} particles have a position or velocity that is no number, the one with the smallest id is "
        "particle {}: {}",
        when, now.non_finite, simulation.particle_count(), now.first_non_finite, remedy(simulation));
  if (!(now.density_error_mean <= kImpossibleCompression))
    return fmt::format(
        "{} the {} particles are compressed by {:.3g} times their rest density on average (largest {:.3g}): {}", when,
        simulation.particle_count(), now.density_error_mean, now.density_error_max, remedy(simulation));
  const double fastest = std::max(now.max_speed, static_cast<double>(clock.max_speed));
  if (looks_unstable(clock, simulation) || !(now.max_speed <= kImpossibleMach * simulation.signal_speed()))
    return fmt::format("{} particles are as fast as {:.3g} m/s, more than {:g} times {} ({:.3g} m/s): {}", when,
                       fastest, kImpossibleMach, name_of_signal_speed(simulation), simulation.signal_speed(),
                       remedy(simulation));
  return "";
}

std::string what_is_supersonic(const StepReport& clock, const Simulation& simulation) {
  const bool wcsph = simulation.setup().solver == SolverKind::Wcsph;
  return fmt::format(
      "at step {} (t = {:.4g} s) particles are as fast as {:.3g} m/s, above {} ({:.3g} m/s): the result is not to be "
      "trusted; {} would help",
      clock.step, clock.time, clock.max_speed, name_of_signal_speed(simulation), simulation.signal_speed(),
      wcsph ? "a larger solver.speed_of_sound or a smaller step" : "a smaller step");
}

std::string what_is_compressed(const Diagnostics& now, const StepReport& clock, const Simulation& simulation) {
  if (!(now.density_error_mean > kSuspiciousCompression)) return "";
  return fmt::format(
      "after step {} (t = {:.4g} s) the fluid is compressed by {:.3g} % on average (largest {:.3g} %), where about 1 % "
      "is "
      "usual: the result is not to be trusted; {}, a smaller step or bodies that do not overlap would help",
      clock.step, clock.time, 100 * now.density_error_mean, 100 * now.density_error_max,
      simulation.setup().solver == SolverKind::Pbf ? "more solver.iterations" : "a larger solver.speed_of_sound");
}

std::string why_stuck(const StepReport& clock, const std::string& wanted) {
  return fmt::format(
      "the time step has become 0 after step {} (t = {:.6g} s), short of {}: an acceleration, or a viscosity, is too "
      "large for single precision",
      clock.step, clock.time, wanted);
}

}  // namespace riffle
