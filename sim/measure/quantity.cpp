#include "sim/measure/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/lattice_ball.h"
#include "sim/solver.h"
#include "sim/solver_info.h"
#include "sim/start/origin.h"
#include "sim/units.h"

namespace riffle {

namespace {

std::string no_unit(const SimulationSetup&) { return ""; }
std::string unit_of_speed(const SimulationSetup& setup) { return units_of(setup).speed; }
std::string unit_of_acceleration(const SimulationSetup& setup) { return units_of(setup).acceleration; }
std::string unit_of_density(const SimulationSetup&) { return "kg/m^3"; }
std::string unit_of_pressure(const SimulationSetup&) { return "Pa"; }
std::string unit_of_temperature(const SimulationSetup& setup) { return units_of(setup).energy; }
std::string unit_of_rate(const SimulationSetup& setup) {
  if (!units_of(setup).named()) return units_of(setup).speed;  // "reduced units"
  return std::string("1/") + units_of(setup).time;
}

std::string of_solver(const SimulationSetup& setup) {
  return std::string("particles of solver.type ") + solver_info(setup).name;
}

std::string all_have_it(const SimulationSetup&) { return ""; }
std::string without_third_axis(const SimulationSetup& setup) {
  return setup.domain.dimension == 3 ? "" : "particles of a scene with dimension 2";
}
std::string without_density(const SimulationSetup& setup) {
  return solver_info(setup).has_density ? "" : of_solver(setup);
}
std::string without_pressure(const SimulationSetup& setup) {
  return solver_info(setup).has_pressure() ? "" : of_solver(setup);
}
std::string without_acceleration(const SimulationSetup& setup) {
  return solver_info(setup).has_acceleration ? "" : of_solver(setup);
}
std::string without_temperature(const SimulationSetup& setup) {
  return solver_info(setup).thermal ? "" : of_solver(setup);
}

constexpr float kLeast = 1e-6f;  // width of a range

float usual_speed(const SimulationSetup& setup) { return std::max(pictured_speed(setup), kLeast); }

QuantityRange range_of_speed(const SimulationSetup& setup) { return {0, usual_speed(setup)}; }

QuantityRange range_of_component(const SimulationSetup& setup) { return {-usual_speed(setup), usual_speed(setup)}; }

/// A few times gravity; without it, what turns the usual speed round within ten particles.
QuantityRange range_of_acceleration(const SimulationSetup& setup) {
  const float g = std::sqrt(length2(setup.gravity)), v = usual_speed(setup);
  if (solver_info(setup).thermal) {
    float most = 0;  // of a pair that is as near as pairs come
    for (std::size_t k = 0; k < setup.fluids.size(); ++k)
      most = std::max(most, setup.dpd.repulsion.value[k][k] / setup.fluids[k].mass);
    if (most > 0) return {0, 2 * most};
  }
  return {0, g > 0 ? 3 * g : v * v / (10 * setup.spacing)};
}

/// The usual speed across ten particles.
QuantityRange range_of_vorticity(const SimulationSetup& setup) {
  // Of heat it is between neighbours, of a flow across ten particles.
  const float most = usual_speed(setup) / ((solver_info(setup).thermal ? 0.5f : 10) * setup.spacing);
  return {setup.domain.dimension == 2 ? -most : 0, most};
}

float densest(const SimulationSetup& setup) {
  float most = 0;
  for (const FluidSetup& fluid : setup.fluids) most = std::max(most, fluid.rest_density);
  return most;
}

QuantityRange range_of_density(const SimulationSetup& setup) {
  float least = densest(setup);
  for (const FluidSetup& fluid : setup.fluids) least = std::min(least, fluid.rest_density);
  return {0.97f * least, 1.03f * densest(setup)};
}

QuantityRange range_of_compression(const SimulationSetup&) { return {-0.03f, 0.03f}; }

/// The stagnation pressure of the usual speed: that of a column as high as the fall that leads to this speed.
QuantityRange range_of_pressure(const SimulationSetup& setup) {
  const float v = usual_speed(setup), most = 0.5f * densest(setup) * v * v;
  return {setup.wcsph.negative_pressure ? -most : 0, most};
}

QuantityRange range_of_temperature(const SimulationSetup& setup) {
  return {0, 2 * std::max(setup.dpd.temperature, kLeast)};
}

/// Up to a quarter more than a lattice has.
QuantityRange range_of_neighbors(const SimulationSetup& setup) {
  const double reach = double{setup.support_radius()} / setup.spacing;
  return {0, static_cast<float>(std::ceil(1.25 * sites_in_ball(setup.domain.dimension, reach)))};
}

QuantityRange no_range(const SimulationSetup&) { return {}; }

constexpr std::array kRows = {
    QuantityInfo{.quantity = Quantity::Speed,
                 .word = "speed",
                 .name = "speed",
                 .doc = "the length of the velocity",
                 .unit = unit_of_speed,
                 .lacking = all_have_it,
                 .range = range_of_speed,
                 .column = true,
                 .reported = true},
    QuantityInfo{.quantity = Quantity::VelocityX,
                 .word = "velocity_x",
                 .name = "velocity x",
                 .doc = "the velocity along x",
                 .unit = unit_of_speed,
                 .lacking = all_have_it,
                 .range = range_of_component,
                 .reported = true},
    QuantityInfo{.quantity = Quantity::VelocityY,
                 .word = "velocity_y",
                 .name = "velocity y",
                 .doc = "the velocity along y",
                 .unit = unit_of_speed,
                 .lacking = all_have_it,
                 .range = range_of_component,
                 .reported = true},
    QuantityInfo{.quantity = Quantity::VelocityZ,
                 .word = "velocity_z",
                 .name = "velocity z",
                 .doc = "the velocity along z, in 3-D",
                 .unit = unit_of_speed,
                 .lacking = without_third_axis,
                 .range = range_of_component,
                 .reported = true},
    QuantityInfo{.quantity = Quantity::Acceleration,
                 .word = "acceleration",
                 .name = "acceleration",
                 .doc = "the length of the acceleration in the last step, with `wcsph`, `dfsph` and `dpd`",
                 .unit = unit_of_acceleration,
                 .lacking = without_acceleration,
                 .range = range_of_acceleration,
                 .of_last_step = true,
                 .column = true},
    QuantityInfo{.quantity = Quantity::Vorticity,
                 .word = "vorticity",
                 .name = "vorticity",
                 .doc = "the curl of the velocity, from the linear flow that fits the neighbours' velocities best: in "
                        "2-D its signed z component, in 3-D its length; 0 where neighbours are too few to tell",
                 .unit = unit_of_rate,
                 .lacking = all_have_it,
                 .range = range_of_vorticity,
                 .sums_neighbors = true,
                 .column = true},
    QuantityInfo{.quantity = Quantity::Density,
                 .word = "density",
                 .name = "density",
                 .doc = "the mass per volume in the last step, with `wcsph`, `pbf` and `dfsph`",
                 .unit = unit_of_density,
                 .lacking = without_density,
                 .range = range_of_density,
                 .of_last_step = true,
                 .column = true,
                 .reported = true},
    QuantityInfo{.quantity = Quantity::Compression,
                 .word = "compression",
                 .name = "compression",
                 .doc = "the density over the fluid's rest density, less 1; with `wcsph`, `pbf` and `dfsph`",
                 .unit = no_unit,
                 .lacking = without_density,
                 .range = range_of_compression,
                 .of_last_step = true},
    QuantityInfo{
        .quantity = Quantity::Pressure,
        .word = "pressure",
        .name = "pressure",
        .doc = "with `wcsph` that which follows from the density by the equation of state; with `dfsph` that "
               "which keeps the density in the last step: it builds up over the first 20 steps, and single values "
               "scatter about the mean of a layer",
        .unit = unit_of_pressure,
        .lacking = without_pressure,
        .range = range_of_pressure,
        .of_last_step = true,
        .column = true,
        .reported = true},
    QuantityInfo{.quantity = Quantity::Temperature,
                 .word = "temperature",
                 .name = "local temperature",
                 .doc = "kT from the velocities of the particle and its neighbours about their common velocity, with "
                        "`dpd`; 0 without neighbours",
                 .unit = unit_of_temperature,
                 .lacking = without_temperature,
                 .range = range_of_temperature,
                 .sums_neighbors = true,
                 .column = true},
    QuantityInfo{.quantity = Quantity::Neighbors,
                 .word = "neighbors",
                 .name = "neighbours",
                 .doc = "the number of fluid particles within the support radius",
                 .unit = no_unit,
                 .lacking = all_have_it,
                 .range = range_of_neighbors,
                 .sums_neighbors = true,
                 .column = true,
                 .reported = true},
    QuantityInfo{.quantity = Quantity::Fluid,
                 .word = "fluid",
                 .name = "fluid",
                 .doc = "each fluid's own colour",
                 .unit = no_unit,
                 .lacking = all_have_it,
                 .range = no_range,
                 .reported = true},
};

constexpr bool in_order() {
  for (std::size_t k = 0; k < kRows.size(); ++k)
    if (static_cast<std::size_t>(kRows[k].quantity) != k) return false;
  return kRows.back().quantity == Quantity::Fluid;  // the last member
}
static_assert(in_order());

}  // namespace

std::span<const QuantityInfo> quantities() { return kRows; }

const QuantityInfo& quantity_info(Quantity quantity) { return kRows.at(static_cast<std::size_t>(quantity)); }

std::span<const Word<Quantity>> words_of(Quantity) {
  static const std::vector<Word<Quantity>> words = [] {
    std::vector<Word<Quantity>> all;
    for (const QuantityInfo& row : kRows) all.push_back({row.quantity, row.word, row.doc});
    return all;
  }();
  return words;
}

std::string quantities_of(const SimulationSetup& setup) {
  std::string words;
  for (const QuantityInfo& row : kRows)
    if (row.lacking(setup).empty()) words += (words.empty() ? "" : ", ") + std::string(row.word);
  return words;
}

std::string shown_unit(const QuantityInfo& quantity, const SimulationSetup& setup) {
  std::string unit = quantity.unit(setup);
  for (const auto& [plain, raised] : {std::pair("^2", "\u00b2"), std::pair("^3", "\u00b3")})
    if (const std::size_t at = unit.find(plain); at != std::string::npos) unit.replace(at, 2, raised);
  return unit;
}

}  // namespace riffle
