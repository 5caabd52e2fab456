#pragma once
/// What is measured on a running simulation between its steps.

#include <memory>
#include <optional>
#include <string>

#include "app/desktop/playback/comparison.h"
#include "app/desktop/playback/diagnostics_record.h"
#include "app/desktop/playback/live_audit.h"

namespace riffle {

struct InstrumentsStatus {
  ComparisonStatus comparison;
  AuditStatus audit;
  std::shared_ptr<const DiagnosticsView> diagnostics;
};

class Instruments {
 public:
  /// All searches on the particles as they are now; from the beginning if a comparison is under way. Waits.
  void compare(Simulation& simulation) { comparison_.begin(simulation); }
  void set_audit(const AuditSettings& settings) { audit_.set(settings); }

  /// Another run begins: what was measured is forgotten, whether to audit is not.
  void restart();

  /// Between two steps: does at most one thing that is due, and waits for it.
  /// @param wall [s] on a clock that only grows
  /// @param stepping between measurements the simulation gets as much time as they take
  /// @throws what reading the particles throws
  struct Look {
    bool done = false;                 ///< something was due
    std::optional<std::string> fault;  ///< that the audit has found
  };
  Look look(Simulation& simulation, double wall, bool stepping);

  bool busy() const { return comparison_.running(); }  ///< look() has something to do without a step
  InstrumentsStatus status() const { return {comparison_.status(), audit_.status(), diagnostics_.view()}; }

 private:
  Comparison comparison_;
  LiveAudit audit_;
  DiagnosticsRecord diagnostics_;
  double next_comparison_ = 0;  ///< [s] on the wall
};

}  // namespace riffle
