#include "sim/measure/layers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/solver_info.h"

namespace riffle {

namespace {

constexpr int kMostLayers = 64;

Vec3 up_of(const SimulationSetup& setup, LayerAxis axis) {
  if (axis != LayerAxis::Height)
    return {axis == LayerAxis::X ? 1.0f : 0.0f, axis == LayerAxis::Y ? 1.0f : 0.0f, axis == LayerAxis::Z ? 1.0f : 0.0f};
  if (!has_bottom(setup)) return {0, 1, 0};
  return (-1 / std::sqrt(length2(setup.gravity))) * setup.gravity;
}

struct Heights {
  double lowest = std::numeric_limits<double>::infinity(), highest = -std::numeric_limits<double>::infinity();
};

/// Of the corners of the domain.
Heights heights_of(const Domain& domain, Vec3 up) {
  Heights heights;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 at{corner & 1 ? domain.max.x : domain.min.x, corner & 2 ? domain.max.y : domain.min.y,
                  domain.dimension == 2 ? 0.0f
                  : corner & 4          ? domain.max.z
                                        : domain.min.z};
    const double height = dot(at, up);
    heights.lowest = std::min(heights.lowest, height);
    heights.highest = std::max(heights.highest, height);
  }
  return heights;
}

}  // namespace

bool has_bottom(const SimulationSetup& setup) {
  const Vec3 g = setup.gravity;
  const float strength[3] = {std::fabs(g.x), std::fabs(g.y), setup.domain.dimension == 3 ? std::fabs(g.z) : 0};
  const int along = static_cast<int>(std::max_element(strength, strength + 3) - strength);
  return strength[along] > 0 && !setup.domain.periodic(along);
}

LayerMeans mean_over_layers(const Simulation& simulation, Quantity quantity, QuantityValues& values, LayerAxis axis) {
  const SimulationSetup& setup = simulation.setup();
  const Vec3 up = up_of(setup, axis);
  const auto [lowest, highest] = heights_of(setup.domain, up);
  const auto layers = static_cast<std::size_t>(
      std::clamp(std::floor((highest - lowest) / double{setup.spacing} + 1e-3), 1.0, double{kMostLayers}));
  LayerMeans result;
  result.lowest = axis == LayerAxis::Height ? 0 : lowest;
  result.thickness = (highest - lowest) / static_cast<double>(layers);
  std::vector<double> sum(layers, 0.0), count(layers, 0.0);
  const auto particles = static_cast<std::size_t>(simulation.particle_count());
  std::vector<float> value(particles);
  copy_to_host(simulation.device(), value.data(), values.compute(simulation, quantity), particles * sizeof(float));
  const std::vector<Vec4> position = simulation.particles().get<Vec4>("position").to_host();
  for (std::size_t i = 0; i < particles; ++i) {
    const double place = (double{dot(xyz(position[i]), up)} - lowest) / result.thickness;
    if (!(place >= 0 && place <= static_cast<double>(layers)) || !std::isfinite(value[i])) continue;
    const std::size_t layer = std::min(static_cast<std::size_t>(place), layers - 1);
    sum[layer] += double{value[i]};
    count[layer] += 1;
  }
  for (std::size_t k = 0; k < layers; ++k)
    result.mean.push_back(count[k] > 0 ? sum[k] / count[k] : std::numeric_limits<double>::quiet_NaN());
  return result;
}

std::string why_no_hydrostatic_pressure(const SimulationSetup& setup) {
  const Domain& domain = setup.domain;
  if (!solver_info(setup).has_density || setup.fluids.empty()) return "its particles have no density";
  if (!setup.solids.empty() || !setup.solid_regions.empty()) return "solids take a part of the room";
  for (const FluidSetup& fluid : setup.fluids)
    if (fluid.rest_density != setup.fluids[0].rest_density) return "its fluids differ in density";
  if (setup.gravity_change.given || setup.tank.given || setup.body_force.given) return "gravity is not constant";
  int pulled = 0;
  for (int a = 0; a < domain.dimension; ++a) {
    const bool along = component(setup.gravity, a) != 0;
    pulled += along;
    if (along && domain.axis[a] != Axis::Walled) return "no face holds it against gravity";
    if (!along && domain.axis[a] == Axis::Open) return "it flows away through open faces";
  }
  if (pulled != 1) return pulled == 0 ? "there is no gravity" : "gravity acts along several axes";
  return "";
}

std::optional<HydrostaticPressure> hydrostatic_pressure(const SimulationSetup& setup, int particles) {
  if (!why_no_hydrostatic_pressure(setup).empty()) return std::nullopt;
  double area = 1, g = 0;
  for (int a = 0; a < setup.domain.dimension; ++a) {
    const double along = component(setup.gravity, a);
    along != 0 ? g = std::fabs(along) : area *= double{component(setup.domain.extent(), a)};
  }
  return HydrostaticPressure{particles * setup.particle_volume() / area, double{setup.fluids[0].rest_density} * g};
}

}  // namespace riffle
