#pragma once
/// The search in use, held against another on the running particles every so many steps.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/inspect/audit_state.h"
#include "neighbors/audit/audit_search.h"
#include "sim/simulation.h"

namespace riffle {

struct AuditSettings {
  bool on = false;
  int every = 100;                                      ///< steps
  NeighborMethod against = NeighborMethod::BruteForce;  ///< every pair
};

struct AuditStatus {
  AuditSettings settings;
  std::uint64_t checks = 0, wrong_checks = 0;  ///< since it was switched on
  std::uint64_t step = 0;                      ///< of the last check
  double time = 0;                             ///< [s] likewise
  std::string method;                          ///< that was checked last
  int compared = 0;                            ///< particles of the last check
  SearchAudit sum;                             ///< counts over all checks, without faults
  double ms = 0;                               ///< that the last check took
  std::vector<std::string> first;              ///< pairs of the first check that was wrong, in words; at most 5
  std::string refused;                         ///< why the last check could not be made; "" where it was
};

class LiveAudit {
 public:
  /// What was counted is forgotten where a setting differs.
  void set(const AuditSettings& settings);

  /// At the first step after it was switched on, and whenever `every` steps have passed, or time has gone back.
  bool due(std::uint64_t step) const;

  /// Builds a search as the one in use, on the particles as they are now, and compares the neighbours that it finds. Waits.
  /// What building throws is the status's `refused`.
  /// @return what a user has to be told: at the first check that is wrong since the last that was right
  std::optional<std::string> check(Simulation& simulation);

  /// The same with an audit that was made elsewhere.
  std::optional<std::string> take(const SearchAudit& audit, const std::string& method, const AuditedState& state,
                                  const ParticleCloud& cloud);

  const AuditStatus& status() const { return status_; }

 private:
  NeighborSearch& search_for(const Simulation& simulation);

  AuditStatus status_;
  std::optional<std::uint64_t> last_step_;
  bool wrong_before_ = false;
  std::optional<MethodSettings> kept_setup_;  ///< that kept_ was made for
  std::unique_ptr<NeighborSearch> kept_;      ///< from check to check, as a simulation's own search lives on
};

}  // namespace riffle
