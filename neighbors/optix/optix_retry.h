#pragma once
/// When OptiX, once it could not be had, is worth another try. Private to neighbors/.

#include <cstddef>
#include <string>

namespace riffle {

/// A try takes up to a second, and a search is made for each state of an audit: the same try is not made again.
struct FailedOptixTry {
  /// [bytes] more than then. What a context takes is some hundred MiB, and what is free flickers with every buffer.
  static constexpr std::size_t kFreed = std::size_t{64} << 20;

  std::string why;
  std::size_t free = 0;  ///< [bytes] on the GPU after it
  bool by_name = false;  ///< it was asked for, and not only what would be chosen

  bool worth_another(std::size_t free_now, bool by_name_now) const {
    return (by_name_now && !by_name) || free_now >= free + kFreed;
  }
};

}  // namespace riffle
