#pragma once
/// What other programs do to the times of this one.

#include <optional>
#include <string>

namespace riffle::desktop {

/// [s] that all processors together have worked since the machine started, from the text of Linux's /proc/stat; nothing
/// if the text has no such line.
std::optional<double> busy_seconds(const std::string& proc_stat, double ticks_per_second);

class MachineLoad {
 public:
  /// Mean number of processors that other programs kept busy since the last call. Nothing at the first call, and where
  /// the system does not say. @param now [s] on a clock that only runs forward
  std::optional<double> others(double now);

 private:
  struct Sample {
    double now, all, own;  ///< [s]; all, own: of processors
  };
  std::optional<Sample> last_;
};

}  // namespace riffle::desktop
