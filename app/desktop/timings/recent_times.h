#pragma once
/// How long something took, the last few hundred times.

#include <cstdint>
#include <string>
#include <vector>

#include "core/timing/stage_timer.h"

namespace riffle::desktop {

class RecentTimes {
 public:
  static constexpr std::size_t kKept = 512;

  void add(double ms);
  void clear() { *this = RecentTimes(); }

  std::uint64_t count() const { return count_; }

  /// Over the kept times, with the count of all. All 0 for none.
  StageStats stats(std::string name) const;

 private:
  std::vector<double> kept_;  ///< a ring
  std::size_t next_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace riffle::desktop
