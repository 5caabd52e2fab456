#include "app/run/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
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

/// [bytes] of each particle that the next build of the method takes over from the builds before, at most; nothing: it takes over
/// nothing at all.
std::optional<std::uint64_t> kept_by_builds(const NeighborSetup& search) {
  if (search.automatic) return sizeof(std::uint32_t);
  switch (search.method) {
    case NeighborMethod::Green:
    case NeighborMethod::Hoetzlein:
    case NeighborMethod::ThrustPairs:
    case NeighborMethod::BruteForce: return std::nullopt;
    case NeighborMethod::Fenns: return 0;  // numbers alone
    case NeighborMethod::Bucket:
    case NeighborMethod::Rtnn: return sizeof(std::uint32_t);
  }
  return std::nullopt;
}

/// What a state that has none may come to have: what the search keeps, and turns round the box.
std::uint64_t later_bytes(const SimulationSetup& setup, const SimulationState& state) {
  constexpr std::uint64_t kGroup = 2048;  // what HDF5 adds to it
  const std::optional<std::uint64_t> builds = kept_by_builds(setup.neighbors);
  const bool skin = setup.neighbors.skin > 0 || setup.neighbors.automatic,
             turns = UnwrappedPositions::are_needed(setup) && state.turns.empty();
  std::uint64_t each = turns ? sizeof(BoxTurns) : 0;
  if (skin && state.search.positions.empty()) each += sizeof(Vec4);
  if (builds && state.search.builds.empty()) each += *builds;
  return each * static_cast<std::uint64_t>(state.count) + ((skin || builds) && state.search.empty() ? kGroup : 0);
}

}  // namespace

Checkpoints::Checkpoints(fs::path file, double every, SavedScene scene, SavedGoal goal, SavedActs acts,
                         StateBefore before)
    : file_(std::move(file)), every_(every), before_(std::move(before)) {
  run_.scene = std::move(scene);
  run_.goal = goal;
  run_.acts = acts;
  if (every_ > 0) run_.keeping = SavedKeeping{every_, file_.filename().string()};
  run_.version = RIFFLE_VERSION;
}

double Checkpoints::passed(double time) const { return whole_intervals(time, every_); }

void Checkpoints::announce(const Simulation& simulation) {
  run_.state = simulation.save_state();
  last_ = every_ > 0 ? passed(run_.state.clock.time) : 0;
  if (const std::string text = before_.text(); !text.empty()) log::info("{}", text);
  const std::uint64_t bytes = state_file_bytes(run_) + later_bytes(simulation.setup(), run_.state);
  run_.state = {};
  std::error_code error, ignored;
  const fs::space_info disk = fs::space(file_.parent_path().empty() ? "." : file_.parent_path(), error);
  if (error) return log::info("states: {}, about {} each", file_.string(), bytes_text(double(bytes)));
  const auto there = fs::is_regular_file(file_, ignored) ? fs::file_size(file_, ignored) : 0;
  // The last state stays until the next one is complete.
  std::uint64_t needed = (every_ > 0 ? 2 : 1) * bytes;
  if (before_.keeps())
    needed -= std::min(bytes, before_.freed());
  else if (every_ > 0)
    needed -= std::min<std::uint64_t>(bytes, there);
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
  before_.keep();
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
