/// `riffle bench guard`: what the guard costs in each step. The same steps with it and without it in turns, so that what changes
/// with time meets both. On the CPU it is the processor time of all threads, which other programs' work hardly changes.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/report/outputs.h"
#include "app/run/memory_check.h"
#include "app/run/run_guard.h"
#include "app/run/stability.h"
#include "app/terminal/signals.h"
#include "app/terminal/text_table.h"
#include "bench/scene_bench.h"
#include "bench/scene_size.h"
#include "core/error.h"
#include "core/math/statistics.h"

namespace riffle::bench {

namespace {

struct GuardOptions : BenchOptions {  ///< count: pairs of blocks
  double particles = 0;               ///< 0: the scene's
  double block_ms = 50;
  std::string command_line;
};

void add_guard_options(CLI::App& command, GuardOptions& options) {
  add_bench_options(command, options, 100, "pairs of blocks of steps, one with the guard and one without (100)");
  command
      .add_option("--particles", options.particles,
                  "about as many fluid particles, by another spacing (dpd: wider boxes); the scene's if not given")
      ->check(number_from(1, 2e9))
      ->type_name("N");
  command.add_option("--block-ms", options.block_ms, "steps of a block take at least this time, in ms (50)")
      ->check(number_from(1, 60000))
      ->type_name("MS");
}

/// [ms] of each, as far as it was measured.
struct GuardSamples {
  int block = 1;                      ///< steps of a block
  std::vector<double> with, without;  ///< of a step, block by block
  std::vector<double> ratio;          ///< with over without of each pair
  std::vector<double> look;           ///< a pass over all particles that looks for faults and does nothing else
  std::vector<double> hold;           ///< a state that is held
};

/// [s] of the clock that is measured by.
double now(const Device& device) {
  timespec time{};
  clock_gettime(device.is_cpu() ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Work>
double milliseconds(Simulation& simulation, const Work& work) {
  const double begin = now(simulation.device());
  work();
  simulation.finish();
  return 1e3 * (now(simulation.device()) - begin);
}

double block_ms(Simulation& simulation, bool guard, int steps) {
  simulation.watch_faults(guard);
  return milliseconds(simulation, [&] {
    for (int k = 0; k < steps; ++k) simulation.step();
  });
}

/// So many steps that a block takes its time.
int steps_of_block(Simulation& simulation, double least_ms) {
  int steps = 1;
  while (steps < (1 << 20) && !interrupted()) {
    const double found = block_ms(simulation, true, steps);
    if (found >= least_ms) break;
    steps =
        found > 0 ? std::max(steps + 1, static_cast<int>(1.2 * steps * std::min(least_ms / found, 8.0))) : 8 * steps;
  }
  return steps;
}

GuardSamples measure(Simulation& simulation, const GuardOptions& options) {
  GuardSamples all;
  all.block = steps_of_block(simulation, options.block_ms);
  for (std::uint64_t pair = 0; pair < options.count && !interrupted(); ++pair) {
    const bool first = pair % 2 == 0;  // whoever comes first has no advantage
    double ms[2];
    const SimulationState start =
        simulation.save_state();  // the same steps: iterations of solvers vary from step to step
    for (const bool guard : {first, !first}) {
      simulation.restore_state(start);
      simulation.finish();
      ms[guard ? 1 : 0] = block_ms(simulation, guard, all.block);
    }
    all.without.push_back(ms[0] / all.block);
    all.with.push_back(ms[1] / all.block);
    all.ratio.push_back(ms[1] / ms[0]);
  }
  simulation.watch_faults(true);
  constexpr int kPasses = 50, kHeld = 20;
  for (int k = 0; k < kHeld && !interrupted(); ++k)
    all.look.push_back(milliseconds(simulation,
                                    [&] {
                                      for (int pass = 0; pass < kPasses; ++pass) simulation.look_for_faults();
                                    }) /
                       kPasses);
  RunGuard guard(false);
  guard.keep(simulation, nullptr);  // takes its memory
  for (int k = 0; k < kHeld && guard.last() != nullptr && !interrupted(); ++k)
    all.hold.push_back(milliseconds(simulation, [&] { guard.keep(simulation, nullptr); }));
  return all;
}

double percent(double ratio) { return 100 * (ratio - 1); }

int bench_guard(const GuardOptions& options) {
  const ReportOutputs outputs{.json = options.json};
  outputs.prepare();
  const SceneOptions wanted = options.particles > 0 ? sized(options.scene, options.particles) : options.scene;
  const scenes::Scene scene = load_without_events(wanted);
  const Device device = select_device_for(scene.simulation, options.scene.device);
  Simulation simulation(scene.simulation, device);
  std::optional<Interruption> interruption(std::in_place);
  move_on(simulation, options.from_time);
  const GuardSamples all = measure(simulation, options);
  if (all.ratio.empty()) return interrupted_before();
  const std::string failure = what_blew_up(simulation.diagnostics(), simulation.finish(), simulation);

  const MedianRange ratio = median_range(all.ratio);
  const Spread with = spread_of(all.with), without = spread_of(all.without), look = spread_of(all.look),
               hold = spread_of(all.hold);
  const double held_share = hold.median / double{RunGuard::kEvery} / without.median;
  const std::string text = fmt::format(
      "{}\n{} on {}: {} particles, {} pairs of blocks of {} steps, {}\n\n{}", options.command_line, scene.name,
      device_name(device), simulation.particle_count(), all.ratio.size(), all.block,
      device.is_cpu() ? "processor time" : "wall time",
      aligned_table(
          {{"", "median", "least", "share of a step"},
           {"a step without the guard [ms]", fmt::format("{:.4g}", without.median), fmt::format("{:.4g}", without.min),
            ""},
           {"a step with it [ms]", fmt::format("{:.4g}", with.median), fmt::format("{:.4g}", with.min),
            fmt::format("{:+.2f} % ({:+.2f} to {:+.2f})", percent(ratio.median), percent(ratio.low),
                        percent(ratio.high))},
           {"a pass of its own for faults [ms]", fmt::format("{:.4g}", look.median), fmt::format("{:.4g}", look.min),
            fmt::format("{:.2f} %; differences below about 1 % are not resolved", 100 * look.min / without.min)},
           {"a state that is held [ms]", fmt::format("{:.4g}", hold.median), fmt::format("{:.4g}", hold.min),
            fmt::format("{:.3f} % with one in {} steps", 100 * held_share, RunGuard::kEvery)}}));
  interruption.reset();  // from here on a signal ends the program
  outputs.deliver(text + interruption_text(interrupted()),
                  {{"bench", "guard"},
                   {"command", options.command_line},
                   {"scene", scene.name},
                   {"solver", to_string(scene.simulation.solver)},
                   {"device", {{"kind", to_string(device.kind)}, {"name", device_name(device)}}},
                   {"particles", simulation.particle_count()},
                   {"interrupted", interrupted()},
                   {"pairs", all.ratio.size()},
                   {"block_steps", all.block},
                   {"without_ms", {{"median", without.median}, {"least", without.min}}},
                   {"with_ms", {{"median", with.median}, {"least", with.min}}},
                   {"ratio", {{"median", ratio.median}, {"low", ratio.low}, {"high", ratio.high}}},
                   {"look_ms", {{"median", look.median}, {"least", look.min}}},
                   {"hold_ms", {{"median", hold.median}, {"least", hold.min}}}});
  if (!failure.empty()) throw RuntimeFailure("the figures mean nothing: " + failure);
  return exit_code_or_interrupted(0);
}

}  // namespace

CommandRow guard_command() {
  return command_row("bench guard", "what looking for faults in each step costs", add_guard_options, bench_guard);
}

}  // namespace riffle::bench
