#pragma once
/// Loops over the CPU's threads. The headers of the thread pool take seconds to parse, so only threads.cpp includes them.

#include <cstdint>

namespace riffle {

/// A function of a range begin..end-1, whose type only its maker knows. It refers to the function and must not outlive it.
struct RangeFunction {
  const void* function;
  void (*call)(const void* function, std::int64_t begin, std::int64_t end);
};

/// Calls the function for ranges that together are 0..n-1, concurrently and in any order. A range longer than `grain` may
/// be split. n <= 0 calls nothing. An exception of the function is thrown here.
void run_ranges(std::int64_t n, std::int64_t grain, const RangeFunction& function);

/// The same for any f(begin, end).
template <class F>
void parallel_ranges(std::int64_t n, std::int64_t grain, const F& f) {
  run_ranges(n, grain, {&f, [](const void* function, std::int64_t begin, std::int64_t end) {
                          (*static_cast<const F*>(function))(begin, end);
                        }});
}

}  // namespace riffle
