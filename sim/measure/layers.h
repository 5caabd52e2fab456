#pragma once
/// Means of a quantity over horizontal layers of the domain.

#include <optional>
#include <string>
#include <vector>

#include "sim/measure/quantity_values.h"

namespace riffle {

/// Across which layers lie.
enum class LayerAxis { Height, X, Y, Z };

/// Whether fluid falls towards some side of the domain: gravity, or the largest part of it, is along an axis that is not
/// periodic. Gravity along a periodic axis drives a channel.
bool has_bottom(const SimulationSetup& setup);

/// Heights are against gravity, from the lowest corner of the domain; without a bottom along y. Along an axis of the domain
/// they are its coordinate.
struct LayerMeans {
  double lowest = 0;         ///< height of the first layer's lower face [m]
  double thickness = 0;      ///< of a layer [m]
  std::vector<double> mean;  ///< (layers), the lowest first; NaN where there is no particle

  double height(std::size_t layer) const {
    return lowest + (static_cast<double>(layer) + 0.5) * thickness;
  }  ///< of its middle [m]
};

/// At most 64 layers, none thinner than a spacing. Particles outside of the domain and values that are no number do not
/// count. Waits. @throws as QuantityValues::compute()
LayerMeans mean_over_layers(const Simulation& simulation, Quantity quantity, QuantityValues& values,
                            LayerAxis axis = LayerAxis::Height);

/// Pressure of a fluid at rest: p = slope (surface - height) below the surface, 0 above.
struct HydrostaticPressure {
  double surface = 0;  ///< height [m]
  double slope = 0;    ///< rho_0 g [Pa/m]
  double at(double height) const { return height < surface ? slope * (surface - height) : 0; }
};

/// When that many particles have come to rest in the domain. Nothing unless gravity is along an axis, the fluid stands on
/// a walled face between faces that are not open, there are no other solids and all fluids have one density.
std::optional<HydrostaticPressure> hydrostatic_pressure(const SimulationSetup& setup, int particles);

/// Why there is none, of the fluid: "solids take a part of the room"; "" if there is one.
std::string why_no_hydrostatic_pressure(const SimulationSetup& setup);

}  // namespace riffle
