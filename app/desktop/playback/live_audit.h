#pragma once
/// Compares the search in use with another search on the running particles, every few steps.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/desktop/playback/instruments_status.h"
#include "app/run/audit_state.h"
#include "sim/simulation.h"

namespace riffle::desktop {

class LiveAudit {
 public:
  /// Forgets the counts if a setting differs.
  void set(const AuditSettings& settings);

  /// Whether a check is due: the first after it was switched on, after every `every` steps, and after time went back.
  bool due(std::uint64_t step) const;

  /// Builds a search like the one in use on the present particles, and compares the neighbours that it finds. Waits for
  /// the device. If building throws, the status says why in `refused`.
  /// @return a message for the user, at the first wrong check after a right one; otherwise nothing
  std::optional<std::string> check(Simulation& simulation);

  /// Counts an audit that was made elsewhere. @return as check()
  std::optional<std::string> take(const SearchAudit& audit, const std::string& method, const AuditedState& state,
                                  const ParticleCloud& cloud);

  const AuditStatus& status() const { return status_; }

 private:
  NeighborSearch& search_for(const Simulation& simulation);

  AuditStatus status_;
  std::optional<std::uint64_t> last_step_;
  bool wrong_before_ = false;
  std::optional<MethodSettings> kept_setup_;  ///< of kept_
  std::unique_ptr<NeighborSearch> kept_;      ///< lives from check to check, as a simulation's own search does
};

}  // namespace riffle::desktop
