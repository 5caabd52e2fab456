#include "scenes/review/subjects.h"

namespace riffle::scenes {

void review_time(const SceneDraft& draft, Findings& out) {
  if (!out.intact({"time"})) return;
  const StepSetup& step = draft.scene.simulation.step;
  if (step.fixed > 0 && step.max > 0) out.warn("time.max_step", "has no effect: the step is fixed by time.step");
  if (step.fixed > 0 && out.given("time.cfl"))
    out.warn("time.cfl", "has no effect on the step: it is fixed by time.step");
  if (step.fixed > draft.scene.run.end_time) out.warn("time.step", "is longer than the whole run (time.end)");
}

}  // namespace riffle::scenes
