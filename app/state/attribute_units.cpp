#include "app/state/attribute_units.h"

#include "app/report/series_columns.h"
#include "sim/units.h"

namespace riffle {

namespace {

enum class AttributeUnit { One, Length, Speed, Acceleration, Density, Pressure, PerTime };

struct AttributeRow {
  std::string_view name;
  AttributeUnit unit;
};

constexpr AttributeRow kAttributes[] = {
    {"position", AttributeUnit::Length},
    {"velocity", AttributeUnit::Speed},
    {"previous velocity", AttributeUnit::Speed},
    {"predicted velocity", AttributeUnit::Speed},
    {"acceleration", AttributeUnit::Acceleration},
    {"pressure acceleration", AttributeUnit::Acceleration},
    {"wall acceleration", AttributeUnit::Acceleration},
    {"viscous acceleration", AttributeUnit::Acceleration},
    {"density", AttributeUnit::Density},
    {"pressure", AttributeUnit::Pressure},
    {"constraint pressure", AttributeUnit::Pressure},
    {"inherited excess", AttributeUnit::One},
    {"compression", AttributeUnit::One},
    {"compression rate", AttributeUnit::PerTime},
    {"random", AttributeUnit::One},
    {"id", AttributeUnit::One},
    {"fluid", AttributeUnit::One},
    {"foreign", AttributeUnit::One},
    {"leaving", AttributeUnit::One},
    {"outflow place", AttributeUnit::Length},
};

}  // namespace

std::string time_unit(const SimulationSetup& setup) { return unit_text(SeriesUnit::Time, setup); }

std::string attribute_unit(std::string_view attribute, const SimulationSetup& setup) {
  for (const AttributeRow& row : kAttributes) {
    if (row.name != attribute) continue;
    switch (row.unit) {
      case AttributeUnit::One: return "1";
      case AttributeUnit::Length: return unit_text(SeriesUnit::Length, setup);
      case AttributeUnit::Speed: return unit_text(SeriesUnit::Speed, setup);
      case AttributeUnit::Acceleration: return plain_unit(units_of(setup).acceleration);
      case AttributeUnit::Density: return unit_text(SeriesUnit::Density, setup);
      case AttributeUnit::Pressure: return unit_text(SeriesUnit::Pressure, setup);
      case AttributeUnit::PerTime: return "1/" + time_unit(setup);
    }
  }
  return "";
}

}  // namespace riffle
