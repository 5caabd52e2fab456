#pragma once
/// Means of the diagnostics along a run.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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
};

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
