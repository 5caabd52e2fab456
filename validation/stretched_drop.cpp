#include "validation/stretched_drop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/by_id.h"

namespace riffle {

namespace {

struct Moments {
  double x, y;     ///< rms distances from the centre of mass [m]
  double reach_y;  ///< of the farthest particle [m]
};

Moments moments_of(const Simulation& simulation) {
  const auto position = by_id<Vec4>(simulation, "position");
  const double n = double(position.size());
  double cx = 0, cy = 0, xx = 0, yy = 0, reach = 0;
  for (const Vec4& p : position) cx += p.x / n, cy += p.y / n;
  for (const Vec4& p : position) {
    xx += (p.x - cx) * (p.x - cx) / n;
    yy += (p.y - cy) * (p.y - cy) / n;
    const double far = std::fabs(p.y - cy);
    reach = far <= reach ? reach : far;
  }
  return {std::sqrt(xx), std::sqrt(yy), reach};
}

}  // namespace

std::string DropSettings::text() const {
  const std::string scheme = solver == SolverKind::Wcsph ? fmt::format("{}, ", word_of(density)) : "";
  return fmt::format("{} per radius, {}support_ratio {}, artificial_viscosity {}", per_radius, scheme, support_ratio,
                     artificial_viscosity);
}

DropSettings published_drop(int per_radius, DensityScheme density) { return {per_radius, density, 4, 0.02f}; }

DropSettings incompressible_drop(int per_radius) {
  SimulationSetup own;
  own.solver = SolverKind::Dfsph;
  DropSettings settings{per_radius};
  settings.support_ratio = own.chosen_support_ratio();
  settings.solver = own.solver;
  return settings;
}

SimulationSetup stretched_drop(const DropSettings& settings, float strain_rate) {
  SimulationSetup setup;
  setup.solver = settings.solver;
  setup.domain.dimension = 2;
  setup.domain.min = {-2.5f, -2.5f, 0};
  setup.domain.max = {2.5f, 2.5f, 1};
  for (Axis& axis : setup.domain.axis) axis = Axis::Open;
  setup.gravity = {};
  setup.spacing = 1.0f / static_cast<float>(settings.per_radius);
  setup.fluids.emplace_back();
  setup.fluids[0].viscosity = 0;
  BodySetup disc;
  disc.shape = Shape::Sphere;
  disc.radius = 1;
  disc.flow.flow = Flow::Strain;
  disc.flow.rate = strain_rate;
  setup.bodies.push_back(disc);
  setup.wcsph.density = settings.density;
  setup.support_ratio = settings.support_ratio;
  setup.wcsph.artificial_viscosity = settings.artificial_viscosity;
  return setup;
}

DropShapes::DropShapes(const Simulation& at_start) {
  const Moments moments = moments_of(at_start);
  start_x_ = moments.x;
  start_y_ = moments.y;
}

DropShape DropShapes::now(const Simulation& simulation) const {
  const Moments moments = moments_of(simulation);
  return {moments.x / start_x_, moments.y / start_y_, moments.reach_y + 0.5 * double{simulation.setup().spacing}};
}

}  // namespace riffle
