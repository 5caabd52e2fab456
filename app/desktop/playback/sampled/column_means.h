#pragma once
/// Means of the columns of the diagnostics over a span of the run, with their errors.

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "app/run/run_series.h"

namespace riffle::desktop {

struct MeanSpan {
  double from = 0;                                      ///< [s] simulated
  double to = std::numeric_limits<double>::infinity();  ///< infinity: as far as the run is
  friend bool operator==(const MeanSpan&, const MeanSpan&) = default;
};

/// The data that the window shows. A published one never changes.
struct MeansView {
  MeanSpan span;
  SeriesMeans means;
};

class ColumnMeans {
 public:
  static constexpr double kLeastInterval = 0.5;  ///< [s] of wall time between two
  static constexpr double kMostShare = 0.02;     ///< largest share of the time for them

  void show(std::optional<MeanSpan> span);  ///< nullopt: none are taken
  const std::optional<MeanSpan>& shown() const { return span_; }

  /// Whether the table has other rows than the means are of. @param wall [s] on a clock that only grows
  bool due(const RunSeries& table, double wall) const {
    return span_ && (!view_ || (rows_of(table) != rows_ && wall >= next_));
  }
  void take(const RunSeries& table, std::span<const ParameterChange> changes, double wall);

  std::shared_ptr<const MeansView> view() const { return view_; }  ///< nullptr before the first

 private:
  using Rows = std::pair<std::size_t, double>;  ///< how many, and the time of the last one
  static Rows rows_of(const RunSeries& table);

  std::optional<MeanSpan> span_;
  std::shared_ptr<const MeansView> view_;
  Rows rows_;        ///< of the view
  double next_ = 0;  ///< [s] on the wall
};

}  // namespace riffle::desktop
