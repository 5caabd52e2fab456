#include "app/run/measure_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <thread>
#include <utility>
#include <vector>

#include "core/math/statistics.h"
#include "core/timing/seconds_since.h"
#include "sim/simulation.h"
#include "sim/start/sampling.h"
#include "sim/units.h"

namespace riffle {

namespace {

constexpr double kUsual = 2;    // [s] after which no further step is timed
constexpr double kLongest = 5;  // [s] after which the measurement is abandoned

struct TimedSteps {
  double milliseconds = 0;  ///< median per step
  int steps = 0;            ///< that were timed

  std::string text() const { return steps == 1 ? "one step" : fmt::format("median of {} steps", steps); }
};

/// A few steps after a warm-up.
TimedSteps time_steps(SimulationSetup setup, const Device& device) {
  constexpr int kWarmUp = 2, kSteps = 5;
  setup.neighbors.automatic = false;  // it would measure searches meanwhile
  setup.start.equilibration = 0;      // may take minutes; its steps cost the same
  const auto start = std::chrono::steady_clock::now();
  Simulation simulation(setup, device);
  for (int i = 0; i < kWarmUp; ++i) simulation.step();
  simulation.finish();
  std::vector<double> milliseconds;
  while (milliseconds.empty() || (milliseconds.size() < kSteps && seconds_since(start) < kUsual)) {
    const auto begin = std::chrono::steady_clock::now();
    simulation.step();
    simulation.finish();
    milliseconds.push_back(1e3 * seconds_since(begin));
  }
  return {upper_median(milliseconds), static_cast<int>(milliseconds.size())};
}

StepEstimate estimate_now(const SimulationSetup& setup, const Device& device) {
  const std::string start = setup.neighbors.automatic ? fmt::format(", with {}; auto may find a faster search",
                                                                    to_string(setup.neighbors.method))
                                                      : "";
  // Below some hundred thousand particles a GPU is not fully used, so a small sample says little about a large scene
  // there.
  const double affordable = device.is_cuda() ? 4.0e6 : 1.0e5;
  const double count = static_cast<double>(count_particles(setup));
  if (count <= affordable && estimate_memory(setup, device) <= free_memory(device)) {
    const TimedSteps timed = time_steps(setup, device);
    return {timed.milliseconds, fmt::format("{} of this scene from its start{}", timed.text(), start)};
  }
  const double factor = std::pow(count / affordable, 1.0 / setup.domain.dimension);
  SimulationSetup coarse = setup;
  coarse.spacing = static_cast<float>(setup.spacing * factor);
  // A cut-off radius does not follow the spacing by itself. With both larger it is the fluid of the scene in a smaller
  // box: as many neighbours, and no emptier cells.
  const bool scaled = setup.solver == SolverKind::Dpd;
  if (scaled) coarse.dpd.cutoff = static_cast<float>(setup.dpd.cutoff * factor);
  const double coarse_count = static_cast<double>(count_particles(coarse));
  if (coarse_count < affordable / 20) return {0, "the scene's bodies are too thin to be measured at a larger spacing"};
  const TimedSteps timed = time_steps(coarse, device);
  const std::string sample =
      scaled ? fmt::format("of {:.0f} particles in a box {:.3g} times smaller, at the scene's density", coarse_count,
                           factor)
             : fmt::format("at a spacing of {:.3g} {} ({:.0f} particles)", coarse.spacing, units_of(setup).length,
                           coarse_count);
  return {timed.milliseconds * count / coarse_count, fmt::format("{} {}, times {:.3g} for the number of particles{}",
                                                                 timed.text(), sample, count / coarse_count, start)};
}

}  // namespace

StepEstimate estimate_step(const SimulationSetup& setup, const Device& device) {
  // One step may take minutes, and nothing can stop it: so it runs on a thread that may be left behind.
  std::packaged_task<StepEstimate()> task([setup, device] { return estimate_now(setup, device); });
  std::future<StepEstimate> estimate = task.get_future();
  std::thread(std::move(task)).detach();
  if (estimate.wait_for(std::chrono::duration<double>(kLongest)) == std::future_status::ready) return estimate.get();
  return {0, fmt::format("its first steps take longer than {:g} s", kLongest), true};
}

}  // namespace riffle
