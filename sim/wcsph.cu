#include "sim/wcsph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "neighbors/traverse.h"
#include "sim/wcsph_kernels.h"

namespace riffle {

FluidTable make_fluid_table(const SimulationSetup& setup, float speed_of_sound) {
  if (setup.fluids.size() > kMaxFluids) throw std::logic_error("more fluids than kMaxFluids");
  FluidTable table;
  table.count = static_cast<int>(setup.fluids.size());
  const double particle_volume = std::pow(double{setup.spacing}, setup.domain.dimension);
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) {
    const FluidSetup& fluid = setup.fluids[f];
    table.mass[f] = static_cast<float>(fluid.rest_density * particle_volume);
    table.inverse_mass[f] = 1.0f / table.mass[f];
    table.rest_density[f] = fluid.rest_density;
    table.stiffness[f] = fluid.rest_density * speed_of_sound * speed_of_sound / setup.wcsph.tait_exponent;
    table.dynamic_viscosity[f] = fluid.rest_density * fluid.viscosity;
  }
  return table;
}

float automatic_speed_of_sound(const SimulationSetup& setup) {
  const Vec3 g = setup.gravity;
  const double gravity = std::sqrt(double{length2(g)});
  double fastest = 0, highest = 0;
  for (const BodySetup& body : setup.bodies) {
    fastest = std::max(fastest, std::sqrt(double{length2(body.velocity)}));
    if (gravity == 0) continue;
    // Height above the domain's lowest corner, measured against gravity.
    double height = 0;
    for (int a = 0; a < setup.domain.dimension; ++a) {
      const double up = -component(g, a) / gravity;
      const bool box = body.shape == Shape::Box;
      const double low = box ? component(body.min, a) : component(body.center, a) - body.radius;
      const double high = box ? component(body.max, a) : component(body.center, a) + body.radius;
      const double floor = up > 0 ? component(setup.domain.min, a) : component(setup.domain.max, a);
      if (!setup.domain.periodic(a)) height += up > 0 ? up * (high - floor) : up * (low - floor);
    }
    highest = std::max(highest, height);
  }
  const double falling = std::sqrt(2 * gravity * highest);
  const double speed = std::sqrt(falling * falling + fastest * fastest);
  return speed > 0 ? static_cast<float>(10 * speed) : 1.0f;
}

StepBounds wcsph_step_bounds(const SimulationSetup& setup, float speed_of_sound) {
  const float h = setup.support_radius(), s = 0.5f * h;
  StepBounds bounds;
  bounds.fixed = setup.step.fixed;
  bounds.cfl_length = setup.step.cfl * h;
  bounds.force_length = 0.25f * 0.25f * s;
  // A light particle among heavy ones is pushed and dragged by forces of the heavy fluid: what bounds the step is the
  // lightest mass under the stiffest spring and the largest mean viscosity.
  float lightest = std::numeric_limits<float>::infinity(), heaviest = 0, stickiest = 0;
  for (const BodySetup& body : setup.bodies) {
    const FluidSetup& fluid = setup.fluids[static_cast<std::size_t>(body.fluid)];
    lightest = std::min(lightest, fluid.rest_density);
    heaviest = std::max(heaviest, fluid.rest_density);
    stickiest = std::max(stickiest, fluid.rest_density * fluid.viscosity);
  }
  bounds.sound_speed = speed_of_sound * std::sqrt(std::max(1.0f, heaviest / lightest));
  if (stickiest > 0) bounds.constant = std::min(bounds.constant, 0.125f * s * s * lightest / stickiest);
  if (setup.step.max > 0) bounds.constant = std::min(bounds.constant, setup.step.max);
  return bounds;
}

WcsphSolver::WcsphSolver(const SimulationSetup& setup, float speed_of_sound, const Boundary& boundary,
                         ParticleSet& particles)
    : setup_(setup),
      speed_of_sound_(speed_of_sound),
      fluids_(make_fluid_table(setup, speed_of_sound)),
      kernel_(make_kernel(setup.wcsph.kernel, setup.domain.dimension, setup.support_radius(), setup.spacing)),
      boundary_(boundary),
      volume_(particles.device(), static_cast<std::size_t>(particles.count())),
      flow_(particles.device(), static_cast<std::size_t>(particles.count())),
      wall_pressure_(particles.device(), static_cast<std::size_t>(boundary.count())) {
  particles.add<float>("density", Persistence::Scratch);
  particles.add<Vec4>("acceleration", Persistence::Scratch);
}

void WcsphSolver::step(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer) {
  const Device& device = particles.device();
  const int n = particles.count();
  const float h = kernel_.h, s = 0.5f * h, eta2 = 0.01f * s * s;
  {
    auto timing = timer.scope("build");
    search.build(particles.get<Vec4>("position").data(), n, setup_.domain, h);
  }
  if (search.wants_reorder()) {
    auto timing = timer.scope("reorder");
    particles.reorder(search.order());
  }
  Vec4* position = particles.get<Vec4>("position").data();
  Vec4* velocity = particles.get<Vec4>("velocity").data();
  Vec4* acceleration = particles.get<Vec4>("acceleration").data();
  const std::uint32_t* fluid = particles.get<std::uint32_t>("fluid").data();
  const Vec4* wall = boundary_.particles();
  const TaitPressure tait{setup_.wcsph.tait_exponent, setup_.wcsph.negative_pressure};
  if (device.is_cuda()) {  // the CPU searches again: it is as quick
    auto timing = timer.scope("list");
    search.list_neighbors(position);
  }
  {
    auto timing = timer.scope("density");
    for_each_neighbor(search, "density", position, h, NumberDensity{kernel_, position, volume_.data()});
  }
  {
    auto timing = timer.scope("wall density");
    for_each_neighbor_of(boundary_.search(), "wall density", wall, position, n, h,
                         WallNumberDensity{kernel_, volume_.data()});
  }
  {
    auto timing = timer.scope("pressure");
    parallel_for(device, "pressure", n,
                 EquationOfState{fluids_, tait, fluid, velocity, volume_.data(), flow_.data(),
                                 particles.get<float>("density").data()});
  }
  const float particle_volume = std::pow(setup_.spacing, float(setup_.domain.dimension));
  {
    auto timing = timer.scope("wall pressure");
    for_each_neighbor_of(
        search, "wall pressure", volume_.data(), wall, boundary_.count(), h,
        WallPressure{kernel_, fluids_, tait, fluid, boundary_.solid_density(), particle_volume, wall_pressure_.data()});
  }
  {
    auto timing = timer.scope("forces");
    const float artificial = setup_.wcsph.artificial_viscosity * speed_of_sound_ * s;
    for_each_neighbor(search, "forces", volume_.data(), h,
                      Momentum{kernel_, fluids_, fluid, volume_.data(), flow_.data(), setup_.gravity, artificial, eta2,
                               acceleration});
  }
  {
    auto timing = timer.scope("wall forces");
    for_each_neighbor_of(boundary_.search(), "wall forces", wall, position, n, h,
                         WallForce{kernel_, fluids_, particle_volume, fluid, volume_.data(), flow_.data(),
                                   wall_pressure_.data(), eta2, acceleration});
  }
  {
    auto timing = timer.scope("time step");
    control.choose_step(velocity, acceleration, n);
  }
  {
    auto timing = timer.scope("integrate");
    parallel_for(device, "integrate", n,
                 Integrate{setup_.domain, setup_.wcsph.damping_rate, setup_.wcsph.damping_time, acceleration, position,
                           velocity, control.state()});
  }
}

}  // namespace riffle
