#include "app/desktop/playback/sampled/column_means.h"

#include <algorithm>
#include <chrono>

#include "core/timing/seconds_since.h"

namespace riffle::desktop {

void ColumnMeans::show(std::optional<MeanSpan> span) {
  if (span == span_) return;
  span_ = span;
  view_.reset();
}

ColumnMeans::Rows ColumnMeans::rows_of(const RunSeries& table) {
  return {table.rows(), table.rows() > 0 ? table.row_values(table.rows() - 1)[0] : 0};
}

/// @param changes  of parameters in the run
void ColumnMeans::take(const RunSeries& table, std::span<const ParameterChange> changes, double wall) {
  const auto begin = std::chrono::steady_clock::now();
  MeansView view{*span_, table.means(span_->from, span_->to)};
  note_changes(view.means, changes);
  view_ = std::make_shared<const MeansView>(std::move(view));
  rows_ = rows_of(table);
  const double took = seconds_since(begin);
  next_ = wall + took + std::max(kLeastInterval, took / kMostShare);
}

}  // namespace riffle::desktop
