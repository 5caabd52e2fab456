#pragma once
/// When another try to load OptiX is worthwhile after a failure. Private to neighbors/.

#include <cstddef>
#include <string>

namespace riffle {

/// A try takes up to a second, and an audit makes a search for each state: the same try is not repeated.
struct FailedOptixTry {
  /// [bytes] more than at that try. A context takes some hundred MiB, and free memory fluctuates with every buffer.
  static constexpr std::size_t kFreed = std::size_t{64} << 20;

  std::string why;
  std::size_t free = 0;  ///< [bytes] on the GPU after the try
  bool by_name = false;  ///< the settings named OptiX, instead of leaving the choice to the program

  bool worth_another(std::size_t free_now, bool by_name_now) const {
    return (by_name_now && !by_name) || free_now >= free + kFreed;
  }
};

}  // namespace riffle
