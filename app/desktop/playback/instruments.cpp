#include "app/desktop/playback/instruments.h"

#include <chrono>
#include <utility>

#include "core/timing/seconds_since.h"

namespace riffle::desktop {

void Instruments::restart() {
  comparison_ = Comparison();
  diagnostics_ = DiagnosticsRecord();
  pairs_ = PairCount();
  const std::optional<Quantity> shown = profile_.shown();
  const LayerAxis axis = profile_.axis();
  profile_ = HeightProfile();
  profile_.show(shown, axis);
  const std::optional<MeanSpan> span = means_.shown();
  means_ = ColumnMeans();
  means_.show(span);
  distribution_.begin_again();
  const AuditSettings settings = audit_.status().settings;
  audit_ = LiveAudit();
  audit_.set(settings);
}

Instruments::Look Instruments::look(Simulation& simulation, double wall, bool stepping, const RunSeries* table) {
  const StepReport clock = simulation.latest();
  if (audit_.due(clock.step)) return {true, audit_.check(simulation)};
  if (profile_.due(simulation.moment(), wall)) {
    profile_.sample(simulation, wall);
  } else if (distribution_.due(simulation.moment(), wall)) {
    distribution_.sample(simulation, wall);
  } else if (table != nullptr && means_.due(*table, wall)) {
    means_.take(*table, diagnostics_.changes(), wall);
  } else if (pairs_.due(wall, stepping)) {
    pairs_.count(simulation, wall);
  } else if (comparison_.running() && (!stepping || wall >= next_comparison_)) {
    const auto begin = std::chrono::steady_clock::now();
    comparison_.advance();
    next_comparison_ = wall + 2 * seconds_since(begin);
  } else {
    return {};
  }
  return {true, std::nullopt};
}

}  // namespace riffle::desktop
