#include "bench/rtnn/least_bundles.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

namespace riffle::bench {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

std::vector<int> members(unsigned set) {
  std::vector<int> of;
  for (int p = 0; set >> p != 0; ++p)
    if (set >> p & 1u) of.push_back(p);
  return of;
}

/// Numbers bundles as they come, the narrowest first.
std::vector<int> renumbered(const std::vector<int>& bundle) {
  std::vector<int> numbers, result;
  for (const int b : bundle) {
    const auto known = std::find(numbers.begin(), numbers.end(), b);
    result.push_back(static_cast<int>(known - numbers.begin()));
    if (known == numbers.end()) numbers.push_back(b);
  }
  return result;
}

/// Over sets: the best bundles of a set are one of its subsets and the best bundles of the rest.
std::vector<int> least_sets(int partitions, const std::function<double(const std::vector<int>&)>& time) {
  const unsigned sets = 1u << partitions;
  std::vector<double> one(sets, kNever), least(sets, kNever);
  std::vector<unsigned> last(sets, 0);
  least[0] = 0;
  for (unsigned set = 1; set < sets; ++set) {
    one[set] = time(members(set));
    for (unsigned part = set; part != 0; part = (part - 1) & set)
      if (const double sum = one[part] + least[set & ~part]; sum < least[set]) least[set] = sum, last[set] = part;
  }
  std::vector<int> bundle(static_cast<std::size_t>(partitions), 0);
  int number = 0;
  for (unsigned rest = sets - 1; rest != 0 && last[rest] != 0; rest &= ~last[rest], ++number)
    for (const int p : members(last[rest])) bundle[static_cast<std::size_t>(p)] = number;
  return bundle;
}

/// Over runs: the best bundles of the narrowest ones are a last run and the best bundles of those before it.
std::vector<int> least_runs(int partitions, const std::function<double(const std::vector<int>&)>& time) {
  const auto n = static_cast<std::size_t>(partitions);
  std::vector<double> least(n + 1, kNever);
  std::vector<std::size_t> from(n + 1, 0);
  least[0] = 0;
  for (std::size_t end = 1; end <= n; ++end)
    for (std::size_t first = 0; first < end; ++first) {
      std::vector<int> run(end - first);
      std::iota(run.begin(), run.end(), static_cast<int>(first));
      if (const double sum = least[first] + time(run); sum < least[end]) least[end] = sum, from[end] = first;
    }
  std::vector<int> bundle(n, 0);
  int number = 0;
  for (std::size_t end = n; end > 0; end = from[end], ++number)
    std::fill(bundle.begin() + static_cast<std::ptrdiff_t>(from[end]),
              bundle.begin() + static_cast<std::ptrdiff_t>(end), number);
  return bundle;
}

}  // namespace

std::vector<int> least_bundles(int partitions, const std::function<double(const std::vector<int>&)>& time,
                               const std::function<bool()>& stop) {
  bool stopped = false;
  const auto unless_stopped = [&](const std::vector<int>& bundle) {
    stopped = stopped || stop();
    return stopped ? kNever : time(bundle);
  };
  std::vector<int> bundle =
      partitions <= kAllSetsUpTo ? least_sets(partitions, unless_stopped) : least_runs(partitions, unless_stopped);
  if (stopped) std::fill(bundle.begin(), bundle.end(), 0);
  return renumbered(bundle);
}

int bundles_to_measure(int partitions) {
  return partitions <= kAllSetsUpTo ? (1 << partitions) - 1 : partitions * (partitions + 1) / 2;
}

}  // namespace riffle::bench
