#pragma once
/// The table of quantities that every particle has: for colours, legends, the panel of a particle and the columns of
/// particle files. To add one: its member in the enum, its row in quantity.cpp, and how it is computed in
/// quantity_values.cu.

#include <span>
#include <string>

#include "core/text/words.h"
#include "sim/setup.h"

namespace riffle {

enum class Quantity {
  Speed,
  VelocityX,
  VelocityY,
  VelocityZ,
  Acceleration,
  Vorticity,
  Density,
  Compression,
  Pressure,
  Temperature,
  Neighbors,
  Fluid,
};

struct QuantityRange {
  float min = 0, max = 1;
};

struct QuantityInfo {
  Quantity quantity;
  const char* word;                             ///< in scenes, and the column of particle files: "velocity_x"
  const char* name;                             ///< for people: "velocity x"
  const char* doc;                              ///< what it is, without a full stop
  std::string (*unit)(const SimulationSetup&);  ///< in ASCII but for the time of DPD, "m/s^2"; "" for none
  /// Which particles lack it in such a simulation, "particles of solver.type dpd"; "" if they have it.
  std::string (*lacking)(const SimulationSetup&);
  QuantityRange (*range)(const SimulationSetup&);  ///< expected in a run, for a colour scale
  bool sums_neighbors = false;                     ///< it is summed over neighbours, which takes a search
  bool of_last_step = false;                       ///< a by-product of a step: 0 before the first one
  bool column = false;                             ///< particle files have it
  bool reported = false;                           ///< ParticleReport (inspect.h) has it
};

std::span<const QuantityInfo> quantities();  ///< in the order of the enum
const QuantityInfo& quantity_info(Quantity quantity);
std::span<const Word<Quantity>> words_of(Quantity);

/// "`speed`, `fluid`" without the ticks: the words of all quantities that particles of such a simulation have.
std::string quantities_of(const SimulationSetup& setup);

/// The unit as legends and panels show it: "kg/m\u00b3".
std::string shown_unit(const QuantityInfo& quantity, const SimulationSetup& setup);

}  // namespace riffle
