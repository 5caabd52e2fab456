#pragma once
/// The particles that an audit of searches uses: shared by `riffle audit` and the window.

#include <cstdint>
#include <string>
#include <vector>

#include "neighbors/audit/audit_search.h"
#include "sim/simulation.h"

namespace riffle {

inline constexpr int kMostCompared = 200000;  ///< up to this many particles, all are compared
inline constexpr int kSampled = 8192;         ///< compared of more particles, different ones each time

/// The particles as they are now. Valid until the next step.
ParticleCloud live_cloud(const Simulation& simulation);

/// The particles that are compared at that step: all, or a sample that depends on step and seed only.
std::vector<std::uint32_t> compared_particles(const Simulation& simulation, std::uint64_t step);

/// The part of the state that messages need, on the host.
struct AuditedState {
  std::uint64_t step = 0;
  double time = 0;                 ///< [s]
  std::vector<Vec4> positions;     ///< (N), the cloud's order
  std::vector<std::uint32_t> ids;  ///< (N), likewise
};
AuditedState audited_state(const Simulation& simulation, const StepReport& clock);

/// "step 20: particle 7 at (...) and particle 9 at (...), 0.0399 apart, h = 0.04: missing"
std::string pair_text(const PairFault& fault, const AuditedState& state, const ParticleCloud& cloud);

/// A line per pair that an audit names. If it names none, one line that says what else is wrong.
std::vector<std::string> fault_lines(const SearchAudit& audit, const AuditedState& state, const ParticleCloud& cloud);

}  // namespace riffle
