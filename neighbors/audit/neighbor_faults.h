#pragma once
/// Compares a found set of neighbours with the true one.

#include <cstdint>
#include <string_view>
#include <vector>

namespace riffle {

enum class FaultKind { Missing, Extra, Duplicate };
std::string_view to_string(FaultKind kind);

/// i lacks j; i has j but should not; i has j once too often.
struct PairFault {
  FaultKind kind = FaultKind::Missing;
  std::uint32_t i = 0, j = 0;
  friend bool operator==(const PairFault&, const PairFault&) = default;
};

/// All faults of particle i, ascending in j. expected: ascending, each once; found: in any order.
std::vector<PairFault> neighbor_faults(std::uint32_t i, const std::vector<std::uint32_t>& expected,
                                       std::vector<std::uint32_t> found);

}  // namespace riffle
