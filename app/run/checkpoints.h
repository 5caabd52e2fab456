#pragma once
/// The states that a run leaves on the way, so that it can go on after whatever ends it.

#include <cstdint>
#include <filesystem>
#include <future>
#include <string>

#include "app/run/state_before.h"
#include "app/state/file_memory.h"
#include "app/state/state_file.h"
#include "sim/measure/unwrapped_positions.h"
#include "sim/simulation.h"

namespace riffle {

/// One file, which each complete state replaces.
class Checkpoints {
 public:
  /// @param every [s] simulated between states, from time 0 on; 0: only where the caller wants one
  /// @param scene, goal, acts  what the states say besides those of the simulation
  /// @param before  the file as the run finds it
  Checkpoints(std::filesystem::path file, double every, SavedScene scene, SavedGoal goal, SavedActs acts = {},
              StateBefore before = {});

  /// Compares what the states will take with what is free on the disk, and logs both. Waits. The next state is due at a
  /// multiple of `every` after the simulation's time. @throws RuntimeFailure if the disk has too little room
  void announce(const Simulation& simulation);

  /// Whether a multiple of `every` has passed since the last state.
  bool due(double time) const { return every_ > 0 && passed(time) > last_; }

  /// Copies the present state and begins to write it. Waits for the copy, and for the state before; the disk takes this one while
  /// the run goes on. @throws RuntimeFailure if the state before, or this one, cannot be written
  void write(const Simulation& simulation, UnwrappedPositions* unwrapped);

  /// Waits until the disk has the last state. @throws RuntimeFailure if it cannot be written
  void settle();

  const std::filesystem::path& file() const { return file_; }
  std::uint64_t written() const { return written_; }  ///< states that the disk has, after settle()
  std::uint64_t failed() const { return failed_; }    ///< states that are lost, likewise; one exception may be of two
  bool has(std::uint64_t step) const { return written_ > 0 && step_ == step; }  ///< the file is of that step, likewise
  double seconds() const { return seconds_; }  ///< [s] from the begin of each state until the disk had it, summed

 private:
  void begin_to_write(const Simulation& simulation, UnwrappedPositions* unwrapped);
  double passed(double time) const;  ///< multiples of every_ up to then

  std::filesystem::path file_;
  double every_;
  StateBefore before_;
  SavedRun run_;
  double last_ = 0;  ///< the multiple that is done
  std::uint64_t written_ = 0, failed_ = 0, step_ = 0;
  double seconds_ = 0;
  std::uint64_t step_on_its_way_ = 0;
  struct Written {
    double seconds;     ///< [s] that the state took
    FileMemory memory;  ///< that its copy lay in
  };
  std::future<Written> on_its_way_;
  FileMemory memory_;  ///< for the copy of the next state
};

}  // namespace riffle
