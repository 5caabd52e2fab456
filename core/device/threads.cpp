#include "core/device/threads.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace riffle {

void run_ranges(std::int64_t n, std::int64_t grain, const RangeFunction& function) {
  if (n <= 0) return;
  tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, n, static_cast<std::size_t>(grain)),
                    [&](const auto& range) { function.call(function.function, range.begin(), range.end()); });
}

}  // namespace riffle
