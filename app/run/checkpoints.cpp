#include "app/run/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <system_error>
#include <utility>

#include "app/run/movie_clock.h"
#include "app/state/state_image.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/number_text.h"
#include "core/timing/seconds_since.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

/// What the search may come to keep, and turns round the box.
std::uint64_t later_bytes(const SimulationSetup& setup, int count) {
  const std::uint64_t each = (setup.neighbors.skin > 0 ? sizeof(Vec4) : 0) + 2 * sizeof(std::uint32_t) +
                             (UnwrappedPositions::are_needed(setup) ? sizeof(BoxTurns) : 0);
  return each * static_cast<std::uint64_t>(count);
}

}  // namespace

Checkpoints::Checkpoints(fs::path file, double every, SavedScene scene, SavedGoal goal)
    : file_(std::move(file)), every_(every) {
  run_.scene = std::move(scene);
  run_.goal = goal;
  run_.version = RIFFLE_VERSION;
}

double Checkpoints::passed(double time) const { return whole_intervals(time, every_); }

void Checkpoints::announce(const Simulation& simulation) {
  const SimulationState state = simulation.save_state();
  last_ = every_ > 0 ? passed(state.clock.time) : 0;
  const std::uint64_t bytes =
      state_file_bytes(run_.scene, state) + later_bytes(simulation.setup(), simulation.particle_count());
  std::error_code error, ignored;
  const fs::space_info disk = fs::space(file_.parent_path().empty() ? "." : file_.parent_path(), error);
  if (error) return log::info("states: {}, about {} each", file_.string(), bytes_text(double(bytes)));
  const auto there = fs::is_regular_file(file_, ignored) ? fs::file_size(file_, ignored) : 0;
  // The last state stays until the next one is complete.
  const std::uint64_t needed = (every_ > 0 ? 2 : 1) * bytes - (every_ > 0 ? std::min<std::uint64_t>(bytes, there) : 0);
  if (needed > disk.available)
    throw Unavailable(fmt::format("{}: states of about {} need {} on the disk, and {} are free", file_.string(),
                                  bytes_text(double(bytes)), bytes_text(double(needed)),
                                  bytes_text(double(disk.available))));
  log::info("states: {}, about {} each; they need {} on the disk, {} are free", file_.string(),
            bytes_text(double(bytes)), bytes_text(double(needed)), bytes_text(double(disk.available)));
}

void Checkpoints::write(const Simulation& simulation, UnwrappedPositions* unwrapped) {
  const auto begin = std::chrono::steady_clock::now();
  run_.state = simulation.save_state();
  const ClockState clock = run_.state.clock;
  last_ = std::max(last_, every_ > 0 ? passed(clock.time) : 0);
  if (unwrapped != nullptr) unwrapped->add_to(run_.state, simulation);
  auto image = std::make_shared<StateImage>(image_of_state(file_, run_));
  run_.state = {};
  std::exception_ptr before;
  try {
    settle();
  } catch (...) {
    before = std::current_exception();
  }
  step_on_its_way_ = clock.step;
  on_its_way_ = std::async(std::launch::async, [image = std::move(image), begin] {
    write_image(*image);
    return seconds_since(begin);
  });
  if (before) std::rethrow_exception(before);
}

void Checkpoints::settle() {
  if (!on_its_way_.valid()) return;
  seconds_ += on_its_way_.get();
  ++written_;
  step_ = step_on_its_way_;
}

}  // namespace riffle
