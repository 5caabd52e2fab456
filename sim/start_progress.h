#pragma once
/// Progress of making a start state, which may take minutes.

#include <cstdint>
#include <functional>
#include <stdexcept>

namespace riffle {

/// Called now and then. @param done  of `all` steps before time 0; all is 0 while solids and bodies are sampled
/// @return false to give up the start
using StartProgress = std::function<bool(std::uint64_t done, std::uint64_t all)>;

/// A StartProgress returned false. The text says what was not finished: "solids were sampled".
class StartGivenUp : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Asks a StartProgress once in some thousand places that are looked at, which takes it far less than 0.1 s.
class SamplingProgress {
 public:
  SamplingProgress(const StartProgress& progress, const char* what) : progress_(progress), what_(what) {}

  /// @throws StartGivenUp if it says so
  void look() const {
    if (progress_ && !progress_(0, 0)) throw StartGivenUp(what_);
  }
  void at_place() const {
    constexpr std::uint32_t kPlaces = 4096;
    if (++places_ % kPlaces == 0) look();
  }

 private:
  StartProgress progress_;
  const char* what_;
  mutable std::uint32_t places_ = 0;
};

}  // namespace riffle
