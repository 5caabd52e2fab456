#pragma once
/// Means of the diagnostics along a run.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/report/parameter_changes.h"
#include "core/math/correlated_mean.h"

namespace riffle {

struct SeriesMeans {
  struct Column {
    std::string name, unit;
    CorrelatedMean mean;   ///< over the rows that have a value
    std::size_t rows = 0;  ///< how many those are
    /// They are 0 but for rounding: the mean has no error, and neither drifts nor converges.
    bool only_rounding = false;
  };
  double from = 0;       ///< [s] simulated
  std::size_t rows = 0;  ///< from that time on, evenly spaced
  /// Other rows from that time on. They are closer together than rows elsewhere: the mean would weigh their time more.
  std::size_t left_out = 0;
  std::vector<Column> columns;
  double first = 0, last = 0;  ///< [s] simulated: of the first and the last of these rows, if there are any
  std::vector<ParameterChange> changes = {};  ///< between these rows: a mean over them is of no one fluid
};

/// Fills `changes` with those of a run that lie between the rows. Another neighbour search changes no mean.
void note_changes(SeriesMeans& means, std::span<const ParameterChange> of_run);

/// That parameters were changed among the rows, and from when on they were not; "" if they were not.
std::string changes_text(const SeriesMeans& means, const std::string& time_unit);

nlohmann::ordered_json to_json(const SeriesMeans& means);

/// What is to know of a mean beside its numbers; "" for nothing.
std::string note_on(const SeriesMeans::Column& column, const SeriesMeans& means);

/// "1.0021 \u00b1 0.0012 kT", with two digits of the error. A drift has none, and that of few independent rows is too small.
/// Without an error it says so: "1.0021 kT, no error".
/// @param unit of the column; "" for none
std::string mean_text(const CorrelatedMean& mean, const std::string& unit);

/// "40 rows", or "40 rows (120 closer ones left out)".
std::string rows_text(const SeriesMeans& means);

/// A line for each column: "temperature  1.0021  0.0012  kT". It says where rows lack a value, where the error has not
/// converged, and where a column drifts.
/// @param time_unit of `from`
std::string means_table(const SeriesMeans& means, const std::string& time_unit);

}  // namespace riffle
