#include "neighbors/audit/neighbor_faults.h"

#include <algorithm>

namespace riffle {

std::string_view to_string(FaultKind kind) {
  switch (kind) {
    case FaultKind::Missing: return "missing";
    case FaultKind::Extra: return "extra";
    case FaultKind::Duplicate: return "duplicate";
  }
  return "unknown";
}

std::vector<PairFault> neighbor_faults(std::uint32_t i, const std::vector<std::uint32_t>& expected,
                                       std::vector<std::uint32_t> found) {
  std::sort(found.begin(), found.end());
  std::vector<PairFault> faults;
  std::size_t e = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const std::uint32_t j = found[k];
    if (k > 0 && j == found[k - 1]) {
      faults.push_back({FaultKind::Duplicate, i, j});
      continue;
    }
    for (; e < expected.size() && expected[e] < j; ++e) faults.push_back({FaultKind::Missing, i, expected[e]});
    if (e < expected.size() && expected[e] == j)
      ++e;
    else
      faults.push_back({FaultKind::Extra, i, j});
  }
  for (; e < expected.size(); ++e) faults.push_back({FaultKind::Missing, i, expected[e]});
  return faults;
}

}  // namespace riffle
