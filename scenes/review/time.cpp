#include <fmt/format.h>

#include "scenes/review/subjects.h"
#include "sim/solver.h"
#include "sim/solver_info.h"
#include "sim/units.h"
#include "sim/viscosity/viscosity_choice.h"

namespace riffle::scenes {

namespace {

constexpr double kManySteps = 1e8;  // more than a day, at the speed below
constexpr double kStepsPerSecond = 1000;

std::string time_in_words(double seconds) {
  constexpr double hour = 3600, day = 24 * hour, year = 365.25 * day;
  if (seconds < hour) return fmt::format("{:.2g} minutes", seconds / 60);
  if (seconds < 2 * day) return fmt::format("{:.2g} hours", seconds / hour);
  return seconds < 2 * year ? fmt::format("{:.2g} days", seconds / day) : fmt::format("{:.2g} years", seconds / year);
}

/// Whether the scene can keep up with real time.
void review_pace(const SceneDraft& draft, Findings& out) {
  const SimulationSetup& setup = draft.scene.simulation;
  if (draft.scene.run.pace != PaceChoice::Real || !out.intact({"solver", "deterministic"})) return;
  if (setup.deterministic)
    out.refuse("time.pace",
               "found real, whose steps follow the speed of the machine, in a scene with deterministic: "
               "true (" +
                   out.at("deterministic").text() + "); allowed there: free");
  if (const SolverInfo& info = solver_info(setup); info.ease == nullptr)
    out.warn(
        WarningKind::PaceWithoutEasing, "time.pace",
        fmt::format("solver.type {} has nothing that could be eased: sound makes its steps. The run says how far it "
                    "falls behind; dfsph and pbf can keep up with more particles",
                    info.name));
}

}  // namespace

void review_time(const SceneDraft& draft, Findings& out) {
  if (!out.intact({"time"})) return;
  const StepSetup& step = draft.scene.simulation.step;
  if (step.fixed > 0) {
    out.idle(WarningKind::MaxStepBesideStep, {"time.max_step", "has no effect: the step is fixed by time.step"},
             step.max > 0);
    out.idle(WarningKind::CflBesideStep, {"time.cfl", "has no effect on the step: it is fixed by time.step"},
             out.given("time.cfl"));
  }
  review_pace(draft, out);
  if (step.fixed > draft.scene.run.end_time)
    out.warn(WarningKind::StepBeyondEnd, "time.step", "is longer than the whole run (time.end)");
}

namespace {

constexpr double kViscousSteps = 1e5;  // a minute or two; fewer are no reason to change the scheme
constexpr double kViscousShare = 0.1;  // of the step that everything else allows

/// Steps that explicit viscosity makes short. @return whether it has warned
bool review_viscous_step(const SimulationSetup& setup, double dt, double steps, double end, Findings& out) {
  if (!solver_info(setup).sph_forces || setup.step.fixed > 0 || !(steps > kViscousSteps)) return false;
  const viscosity::Choice choice = viscosity::choose(setup);
  if (choice.implicit || !(choice.explicit_step < kViscousShare * choice.other_step) || dt < 0.5 * choice.explicit_step)
    return false;
  out.warn(
      WarningKind::ViscosityStep, "solver.viscosity",
      fmt::format("explicit viscosity allows steps of {:.2g} s, {:.3g} of them in the {:g} s of the run (time.end): at "
                  "a thousand steps per second that takes {}. Without it steps could be {:.2g} s long; "
                  "solver.viscosity: implicit has no such bound",
                  dt, steps, end, time_in_words(steps / kStepsPerSecond), choice.other_step));
  return true;
}

}  // namespace

void review_duration(const Scene& scene, Findings& out) {
  const SimulationSetup& setup = scene.simulation;
  const double fixed = step_bounds(setup).fixed, dt = fixed > 0 ? fixed : double{stable_dt(setup)};
  const double steps = scene.run.end_time / dt;
  if (review_viscous_step(setup, dt, steps, scene.run.end_time, out)) return;
  if (!(steps > kManySteps)) return;
  const char* const unit = units_of(setup).time;
  const char* const key = out.given("time.step")       ? "time.step"
                          : out.given("time.max_step") ? "time.max_step"
                                                       : "time.end";
  out.warn(WarningKind::ManySteps, key,
           fmt::format("steps of {:.3g} {} make {:.3g} of them in the {:g} {} of the run (time.end): at a thousand "
                       "steps per second that takes {}",
                       dt, unit, steps, scene.run.end_time, unit, time_in_words(steps / kStepsPerSecond)));
}

}  // namespace riffle::scenes
