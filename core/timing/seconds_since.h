#pragma once
/// Wall time since a moment.

#include <chrono>

namespace riffle {

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace riffle
