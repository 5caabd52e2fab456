#pragma once
/// A simulation's particles as searches are audited on: what `riffle audit` and the window have in common.

#include <cstdint>
#include <string>
#include <vector>

#include "neighbors/audit/audit_search.h"
#include "sim/simulation.h"

namespace riffle {

inline constexpr int kMostCompared = 200000;  ///< particles that are all compared
inline constexpr int kSampled = 8192;         ///< of more particles, others each time

/// The particles as they are now. Valid until the next step.
ParticleCloud live_cloud(const Simulation& simulation);

/// Those that are compared at that step: all, or a sample that is the same for the same step and seed.
std::vector<std::uint32_t> compared_particles(const Simulation& simulation, std::uint64_t step);

/// What messages say of the state, on the host.
struct AuditedState {
  std::uint64_t step = 0;
  double time = 0;                 ///< [s]
  std::vector<Vec4> positions;     ///< (N), the cloud's order
  std::vector<std::uint32_t> ids;  ///< (N), likewise
};
AuditedState audited_state(const Simulation& simulation, const StepReport& clock);

/// "step 20: particle 7 at (...) and particle 9 at (...), 0.0399 apart, h = 0.04: missing"
std::string pair_text(const PairFault& fault, const AuditedState& state, const ParticleCloud& cloud);

/// The same for those that an audit names; one line that says what else is wrong where it names none.
std::vector<std::string> fault_lines(const SearchAudit& audit, const AuditedState& state, const ParticleCloud& cloud);

}  // namespace riffle
