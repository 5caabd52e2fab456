#pragma once
/// Progress of making a start state, which may take minutes.

#include <cstdint>
#include <functional>
#include <stdexcept>

namespace riffle {

/// Called now and then. @param done  of `all` steps before time 0 @return false to give up the start
using StartProgress = std::function<bool(std::uint64_t done, std::uint64_t all)>;

/// A StartProgress returned false.
class StartGivenUp : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace riffle
