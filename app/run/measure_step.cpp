#include "app/run/measure_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "core/math/statistics.h"
#include "core/timing/seconds_since.h"
#include "sim/simulation.h"
#include "sim/start/sampling.h"
#include "sim/units.h"

namespace riffle {

namespace {

/// Median of a few steps after a warm-up [ms].
double time_steps(SimulationSetup setup, const Device& device, int steps) {
  setup.neighbors.automatic = false;  // it would measure searches meanwhile
  setup.start.equilibration = 0;      // may take minutes; its steps cost the same
  Simulation simulation(setup, device);
  for (int i = 0; i < 2; ++i) simulation.step();
  simulation.finish();
  std::vector<double> milliseconds;
  for (int i = 0; i < steps; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    simulation.step();
    simulation.finish();
    milliseconds.push_back(1e3 * seconds_since(begin));
  }
  return upper_median(milliseconds);
}

}  // namespace

StepEstimate estimate_step(const SimulationSetup& setup, const Device& device) {
  constexpr int kSteps = 5;
  const std::string start = setup.neighbors.automatic ? fmt::format(", with {}; auto may find a faster search",
                                                                    to_string(setup.neighbors.method))
                                                      : "";
  // Below some hundred thousand particles a GPU is not fully used, so a small sample says little about a large scene
  // there.
  const double affordable = device.is_cuda() ? 4.0e6 : 1.0e5;
  const double count = static_cast<double>(count_particles(setup));
  if (count <= affordable && estimate_memory(setup, device) <= free_memory(device))
    return {time_steps(setup, device, kSteps),
            fmt::format("median of {} steps of this scene from its start{}", kSteps, start)};
  SimulationSetup coarse = setup;
  coarse.spacing = static_cast<float>(setup.spacing * std::pow(count / affordable, 1.0 / setup.domain.dimension));
  const double coarse_count = static_cast<double>(count_particles(coarse));
  if (coarse_count < affordable / 20) return {0, "the scene's bodies are too thin to be measured at a larger spacing"};
  const double measured = time_steps(coarse, device, kSteps);
  return {
      measured * count / coarse_count,
      fmt::format(
          "median of {} steps at a spacing of {:.3g} {} ({:.0f} particles), times {:.3g} for the number of particles{}",
          kSteps, coarse.spacing, units_of(setup).length, coarse_count, count / coarse_count, start)};
}

}  // namespace riffle
