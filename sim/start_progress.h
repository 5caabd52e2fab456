#pragma once
/// Progress of making a start state, which may take minutes.

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>

namespace riffle {

enum class StartStage : std::uint8_t {
  Counting,       ///< particles and wall particles are counted, to know the memory that they need
  Walls,          ///< wall particles of solids are placed
  Particles,      ///< particles of bodies are placed
  Equilibration,  ///< steps before time 0
  Simulation,     ///< memory is filled, the first search is built
};

/// How far a start is.
struct StartPoint {
  StartStage stage = StartStage::Counting;
  std::uint64_t done = 0, all = 0;  ///< particles, or steps of the equilibration; `all` is 0 in the other stages
};

/// Called now and then. @return false to give up the start
using StartProgress = std::function<bool(const StartPoint& point)>;

/// A StartProgress returned false. The text says what was not finished: "solids were sampled".
class StartGivenUp : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// @throws StartGivenUp if the progress says so
inline void look_at_progress(const StartProgress& progress, const StartPoint& point, const char* what) {
  if (progress && !progress(point)) throw StartGivenUp(what);
}

/// Asks a StartProgress once in some thousand places that are looked at, which takes it far less than 0.1 s.
class SamplingProgress {
 public:
  /// @param all  particles that are placed, if that is known
  SamplingProgress(StartProgress progress, StartStage stage, const char* what, std::uint64_t all = 0)
      : progress_(std::move(progress)), point_{stage, 0, all}, what_(what) {}

  /// @throws StartGivenUp if it says so
  void look() const { look_at_progress(progress_, point_, what_); }
  void at_place() const {
    constexpr std::uint32_t kPlaces = 4096;
    if (++places_ % kPlaces == 0) look();
  }
  void placed_one() const { ++point_.done; }

 private:
  StartProgress progress_;
  mutable StartPoint point_;
  const char* what_;
  mutable std::uint32_t places_ = 0;
};

}  // namespace riffle
