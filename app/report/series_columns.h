#pragma once
/// The columns of the diagnostics along a run: names, units, meanings and sources. The table of --series, its page in the
/// documentation and the tooltips of the window's plots follow from this list.

#include <span>
#include <string>
#include <string_view>

#include "sim/setup.h"

namespace riffle {

enum class SeriesUnit {
  None,
  Time,
  Length,
  Speed,
  Energy,
  EnergyPerParticle,
  Momentum,
  Pressure,
  PressureSi,
  Density,
  Flow,
  Temperature,
  Force,
  Torque,
  Rate,
  Angle,
  Volume
};

struct SeriesColumn {
  /// "temperature_FLUID" stands for a column per fluid, with its name in place of FLUID; SOLID for one per solid,
  /// INLET and DRAIN for one per inlet and outlet, PROBE for one per probe, or per place of a line or a plane
  std::string_view name;
  SeriesUnit unit;
  const char* runs;     ///< those that have the column; "" for all
  const char* meaning;  ///< and how it is computed
  const char* source;   ///< of the definition; "" where it is the usual one
};

std::span<const SeriesColumn> series_columns();

/// @throws RuntimeFailure if there is no such column
const SeriesColumn& series_column(std::string_view name);

/// The row of a column of a table: "temperature_water" has that of temperature_FLUID. nullptr if there is none.
const SeriesColumn* row_of_column(std::string_view name);

/// In ASCII, which every program reads in a table's first line; "" for none.
std::string unit_text(SeriesUnit unit, const SimulationSetup& setup);

/// The table of docs/command-line.md.
std::string series_columns_markdown();

}  // namespace riffle
