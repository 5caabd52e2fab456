#include "app/desktop/timings/machine_load.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

namespace riffle::desktop {

namespace {

double seconds(const timeval& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); }

}  // namespace

std::optional<double> busy_seconds(const std::string& proc_stat, double ticks_per_second) {
  std::istringstream in(proc_stat);
  std::string name;
  double user, nice, system, idle, waiting, interrupts, soft_interrupts, stolen;
  if (!(in >> name >> user >> nice >> system >> idle >> waiting >> interrupts >> soft_interrupts >> stolen))
    return std::nullopt;
  if (name != "cpu") return std::nullopt;
  return (user + nice + system + interrupts + soft_interrupts + stolen) / ticks_per_second;
}

std::optional<double> MachineLoad::others(double now) {
  std::ifstream file("/proc/stat");
  std::string line;
  std::getline(file, line);
  const auto all = busy_seconds(line, double(sysconf(_SC_CLK_TCK)));
  rusage usage{};
  if (!all || getrusage(RUSAGE_SELF, &usage) != 0) return std::nullopt;
  const Sample sample{now, *all, seconds(usage.ru_utime) + seconds(usage.ru_stime)};
  const auto last = std::exchange(last_, sample);
  if (!last || !(sample.now > last->now)) return std::nullopt;
  return std::max(0.0, (sample.all - last->all - (sample.own - last->own)) / (sample.now - last->now));
}

}  // namespace riffle::desktop
