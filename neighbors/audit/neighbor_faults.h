#pragma once
/// How a set of neighbours that was found differs from the one there is.

#include <cstdint>
#include <string_view>
#include <vector>

namespace riffle {

enum class FaultKind { Missing, Extra, Duplicate };
std::string_view to_string(FaultKind kind);

/// i should have j and has not; has j and should not; has it once more than it should.
struct PairFault {
  FaultKind kind = FaultKind::Missing;
  std::uint32_t i = 0, j = 0;
  friend bool operator==(const PairFault&, const PairFault&) = default;
};

/// All faults of particle i, ascending in j. expected: ascending, each once; found: in any order.
std::vector<PairFault> neighbor_faults(std::uint32_t i, const std::vector<std::uint32_t>& expected,
                                       std::vector<std::uint32_t> found);

}  // namespace riffle
