#pragma once
/// The time for which a processor worked for this thread: unlike wall time, it does not grow while other programs have the
/// processor.

#include <ctime>

namespace riffle {

inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace riffle
