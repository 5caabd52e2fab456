#pragma once
/// The options of benchmarks that run a scene, the way to the moment where they measure, and the figures of its steps.

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/command/scene_options.h"
#include "core/timing/stage_timer.h"
#include "sim/simulation.h"
#include "sim/units.h"

namespace riffle::bench {

struct BenchOptions {
  SceneOptions scene;
  double from_time = 0;     ///< [s] simulated before anything is measured
  std::uint64_t count = 0;  ///< steps or pictures measured
  std::string json;         ///< file; "-": standard output; "": none
};

void add_bench_options(CLI::App& command, BenchOptions& options, std::uint64_t count, const char* count_text);

/// Not measured.
inline constexpr int kWarmUp = 20;  ///< steps or pictures: the first ones load code and find the lengths of lists

/// The exit code of a benchmark that was interrupted before it measured anything. It writes nothing.
int interrupted_before();

/// Steps until the simulated time has passed, then a few more. Stops early when interrupted().
void move_on(Simulation& simulation, double time);

nlohmann::ordered_json to_json(const std::vector<StageStats>& stages);

/// Whole steps of a scene.
struct StepFigures {
  std::string scene;
  std::string solver;
  Device device;
  Units units = kSiUnits;
  int particles = 0, wall_particles = 0;
  float support_ratio = 0;
  std::uint64_t steps = 0;
  StepReport first, last;
  double seconds = 0;
  NeighborReport neighbors;
  std::optional<TuningReport> tuning;
  Diagnostics diagnostics;
  std::vector<StageStats> stages;
  std::size_t memory_bytes = 0;
  std::string failure;  ///< why the figures mean nothing; "": they do

  double ms_per_step() const { return 1e3 * seconds / double(steps); }
  double rate() const { return double(particles) * double(steps) / seconds; }  ///< [particle-steps/s]
  double mean_dt() const { return (last.time - first.time) / double(steps); }
  double simulated_per_second() const { return (last.time - first.time) / seconds; }
  double bytes_per_particle() const { return double(memory_bytes) / particles; }
};

/// Steps of a simulation from where it is. scene: its name. seconds: no step begins later, except the first.
/// @return nothing when interrupted before the first measured step
std::optional<StepFigures> measure_steps_of(Simulation& simulation, const std::string& scene, std::uint64_t count,
                                            double seconds = std::numeric_limits<double>::infinity());

/// Those of a scene, from a time on. @return as measure_steps_of()
std::optional<StepFigures> measure_steps(const scenes::Scene& scene, const Device& device, double from_time,
                                         std::uint64_t count);

nlohmann::ordered_json to_json(const StepFigures& figures);

std::string three_digits(double rate);  ///< "0.00212", "51.6", "1227"

}  // namespace riffle::bench
