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

Checkpoints::Checkpoints(fs::path file, double every, SavedScene scene, SavedGoal goal, SavedActs acts)
    : file_(std::move(file)), every_(every) {
  run_.scene = std::move(scene);
  run_.goal = goal;
  run_.acts = acts;
  if (every_ > 0) run_.keeping = SavedKeeping{every_, file_.filename().string()};
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
    throw RuntimeFailure(fmt::format("{}: cannot be written: states of about {} need {} on the disk, and {} are free",
                                     file_.string(), bytes_text(double(bytes)), bytes_text(double(needed)),
                                     bytes_text(double(disk.available))));
  log::info("states: {}, about {} each; they need {} on the disk, {} are free", file_.string(),
            bytes_text(double(bytes)), bytes_text(double(needed)), bytes_text(double(disk.available)));
}

// The state before comes first: there is never more than one in memory.
void Checkpoints::write(const Simulation& simulation, UnwrappedPositions* unwrapped) {
  std::exception_ptr failure;
  try {
    settle();
  } catch (...) {
    failure = std::current_exception();
  }
  try {
    begin_to_write(simulation, unwrapped);
  } catch (...) {
    ++failed_;
    if (!failure) failure = std::current_exception();
  }
  run_.state = {};
  if (failure) std::rethrow_exception(failure);
}

void Checkpoints::begin_to_write(const Simulation& simulation, UnwrappedPositions* unwrapped) {
  const auto begin = std::chrono::steady_clock::now();
  const bool in_place = simulation.device().kind == DeviceKind::Cpu;  // what a GPU has is copied once before
  run_.state = in_place ? simulation.save_all_but_attributes() : simulation.save_state();
  const ClockState clock = run_.state.clock;
  last_ = std::max(last_, every_ > 0 ? passed(clock.time) : 0);
  if (unwrapped != nullptr) {
    if (in_place) run_.state.attributes.push_back({"id", simulation.particles().get<std::uint32_t>("id").to_host()});
    unwrapped->add_to(run_.state, simulation);
  }
  const std::vector<AttributeView> attributes = in_place ? views_of(simulation.particles()) : views_of(run_.state);
  const auto image = std::make_shared<StateImage>(image_of_state(file_, run_, attributes, std::move(memory_)));
  step_on_its_way_ = clock.step;
  on_its_way_ = std::async(std::launch::async, [image, begin] {
    const Descriptor before = write_image(*image);
    return Written{seconds_since(begin), std::move(image->whole)};
  });
  try {
    fill_image(*image);
  } catch (...) {
    // The thread gives up too, for the same reason: the state is lost once.
    try {
      on_its_way_.get();
    } catch (...) {
    }
    throw;
  }
}

void Checkpoints::settle() {
  if (!on_its_way_.valid()) return;
  try {
    Written written = on_its_way_.get();
    seconds_ += written.seconds;
    memory_ = std::move(written.memory);
  } catch (...) {
    ++failed_;
    throw;
  }
  ++written_;
  step_ = step_on_its_way_;
}

}  // namespace riffle
