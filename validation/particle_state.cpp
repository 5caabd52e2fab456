#include "validation/particle_state.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"

namespace riffle {

void run_until(Simulation& simulation, double time, const std::function<void(double time)>& each_step) {
  simulation.set_time_limit(time);
  double reached = simulation.latest().time;
  int steps_without = 0;
  while (simulation.latest().time < time) {
    simulation.step();
    const StepReport now = simulation.latest();
    if (std::isnan(now.max_speed))
      throw RuntimeFailure(
          fmt::format("the simulation fell apart after step {}, at t = {:.4g} s of {:.4g} s: a "
                      "particle's speed is not a number",
                      now.step, now.time, time));
    // A speed that grows without bound shrinks the step until adding it no longer changes the time.
    steps_without = now.time > reached ? 0 : steps_without + 1;
    reached = now.time;
    if (steps_without > 1000)
      throw RuntimeFailure(
          fmt::format("the simulation stands still after step {}, at t = {:.4g} s of {:.4g} s; the "
                      "last step was {:.3g} s",
                      now.step, now.time, time, now.dt));
    if (each_step) each_step(now.time);
  }
  simulation.finish();
}

}  // namespace riffle
