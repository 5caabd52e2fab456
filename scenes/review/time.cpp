#include <fmt/format.h>

#include "scenes/review/subjects.h"
#include "sim/solver.h"
#include "sim/solver_info.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

constexpr double kManySteps = 1e8;  // more than a day, at the speed below
constexpr double kStepsPerSecond = 1000;

std::string days_or_years(double seconds) {
  constexpr double day = 86400, year = 365.25 * day;
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

void review_duration(const Scene& scene, Findings& out) {
  const SimulationSetup& setup = scene.simulation;
  const double fixed = step_bounds(setup).fixed, dt = fixed > 0 ? fixed : double{stable_dt(setup)};
  const double steps = scene.run.end_time / dt;
  if (!(steps > kManySteps)) return;
  const char* const unit = units_of(setup).time;
  const char* const key = out.given("time.step")       ? "time.step"
                          : out.given("time.max_step") ? "time.max_step"
                                                       : "time.end";
  out.warn(WarningKind::ManySteps, key,
           fmt::format("steps of {:.3g} {} make {:.3g} of them in the {:g} {} of the run (time.end): at a thousand "
                       "steps per second that takes {}",
                       dt, unit, steps, scene.run.end_time, unit, days_or_years(steps / kStepsPerSecond)));
}

}  // namespace riffle::scenes
