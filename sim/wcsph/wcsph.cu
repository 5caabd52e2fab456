#include "sim/wcsph/wcsph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "neighbors/traverse.cuh"
#include "sim/reductions.h"
#include "sim/start/sampling.h"
#include "sim/wcsph/shifting_kernels.cuh"
#include "sim/wcsph/surface_tension_kernels.cuh"
#include "sim/wcsph/wall_kernels.cuh"
#include "sim/wcsph/wcsph_kernels.cuh"

namespace riffle::wcsph {

namespace {

/// 0.01 (h/2)^2: keeps quotients by r^2 finite (Monaghan 1992).
float eta2_of(float h) { return 0.01f * 0.25f * h * h; }

SmoothingKernel kernel_of(const SimulationSetup& setup) {
  return make_kernel(setup.wcsph.kernel, setup.domain.dimension, setup.support_radius(), setup.spacing);
}

MovingFaces faces_of(const SimulationSetup& setup) {
  MovingFaces faces{setup.domain};
  for (int a = 0; a < 3; ++a)
    for (int side = 0; side < 2; ++side) faces.velocity[a][side] = setup.wcsph.wall_velocity[a][side];
  return faces;
}

/// Densities of the fluids that bodies are made of.
struct DensityRange {
  float lightest = std::numeric_limits<float>::infinity(), heaviest = 0;

  explicit DensityRange(const SimulationSetup& setup) {
    for (const BodySetup& body : setup.bodies) {
      const float density = setup.fluids[static_cast<std::size_t>(body.fluid)].rest_density;
      lightest = std::min(lightest, density);
      heaviest = std::max(heaviest, density);
    }
  }
};

}  // namespace

double viscosity_bias(const SmoothingKernel& kernel, int dimension, float spacing) {
  const int reach = static_cast<int>(kernel.h / spacing) + 1;
  const int reach_z = dimension == 3 ? reach : 0;
  double sum = 0;
  for (int z = -reach_z; z <= reach_z; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        const double r2 = double{spacing} * spacing * (x * x + y * y + z * z);
        if (r2 >= double{kernel.h} * kernel.h) continue;
        const double weight = kernel.gradient_over_r(static_cast<float>(std::sqrt(r2))) * r2 / (r2 + eta2_of(kernel.h));
        sum -= weight * double{spacing} * spacing * y * y;
      }
  return sum * std::pow(double{spacing}, dimension);
}

FluidTable make_fluid_table(const SimulationSetup& setup, float speed_of_sound) {
  if (setup.fluids.size() > kMaxFluids) throw std::logic_error("more fluids than kMaxFluids");
  FluidTable table;
  table.count = static_cast<int>(setup.fluids.size());
  table.rest_volume = static_cast<float>(setup.particle_volume());
  table.stiffness = DensityRange(setup).heaviest * speed_of_sound * speed_of_sound / setup.wcsph.tait_exponent;
  const double bias = viscosity_bias(kernel_of(setup), setup.domain.dimension, setup.spacing);
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) {
    const FluidSetup& fluid = setup.fluids[f];
    table.mass[f] = static_cast<float>(fluid.rest_density * setup.particle_volume());
    table.inverse_mass[f] = 1.0f / table.mass[f];
    table.rest_density[f] = fluid.rest_density;
    table.dynamic_viscosity[f] = static_cast<float>(double{fluid.rest_density} * fluid.viscosity / bias);
  }
  return table;
}

float speed_of_sound(const SimulationSetup& setup) {
  return setup.wcsph.speed_of_sound > 0 ? setup.wcsph.speed_of_sound : automatic_signal_speed(setup);
}

StepBounds step_bounds(const SimulationSetup& setup) {
  const float h = setup.support_radius(), s = 0.5f * h;
  StepBounds bounds;
  bounds.fixed = setup.step.fixed;
  bounds.cfl_length = setup.step.cfl * h;
  bounds.force_length = 0.25f * 0.25f * s;
  // The heavy fluid pushes and drags a light particle among heavy ones: the lightest mass with the stiffest spring and
  // the largest mean viscosity bounds the step.
  const DensityRange density(setup);
  float stickiest = 0;
  for (const BodySetup& body : setup.bodies) {
    const FluidSetup& fluid = setup.fluids[static_cast<std::size_t>(body.fluid)];
    stickiest = std::max(stickiest, fluid.rest_density * fluid.viscosity);
  }
  bounds.sound_speed = speed_of_sound(setup) * std::sqrt(std::max(1.0f, density.heaviest / density.lightest));
  if (stickiest > 0) bounds.constant = std::min(bounds.constant, 0.125f * s * s * density.lightest / stickiest);
  // Capillary waves of the shortest length (Brackbill, Kothe and Zemach 1992, eq. 61; in SPH Morris 2000).
  const float tension = largest_tension(setup);
  if (tension > 0)
    bounds.constant =
        std::min(bounds.constant, 0.25f * std::sqrt(density.lightest * s * s * s / (6.2831853f * tension)));
  if (setup.step.max > 0) bounds.constant = std::min(bounds.constant, setup.step.max);
  return bounds;
}

WcsphSolver::WcsphSolver(const SimulationSetup& setup, ParticleSet& particles,
                         const std::shared_ptr<const Boundary>& walls)
    : Solver(setup.domain),
      setup_(setup),
      speed_of_sound_(speed_of_sound(setup)),
      fluids_(make_fluid_table(setup, speed_of_sound_)),
      kernel_(kernel_of(setup)),
      walls_(Boundary::make(particles.device(), setup, kernel_, walls)),
      boundary_(*walls_),
      volume_(particles.device(), static_cast<std::size_t>(particles.count())),
      flow_(particles.device(), static_cast<std::size_t>(particles.count())),
      wall_flow_(particles.device(), static_cast<std::size_t>(boundary_.count())),
      tension_(make_tension_table(setup, kernel_)),
      surface_(particles.device()),
      smooth_(particles.device()),
      shift_(particles.device()) {
  const auto count = static_cast<std::size_t>(particles.count());
  if (has_tension(setup)) surface_.resize(count);
  if (has_tension(setup) && setup.wcsph.tension_model == TensionModel::Continuum) smooth_.resize(count);
  if (setup.wcsph.shifting > 0) shift_.resize(count);
  particles.add<float>("density", Persistence::Scratch);
  particles.add<Vec4>("acceleration", Persistence::Scratch);
}

std::size_t particle_bytes(const SimulationSetup& setup, bool) {
  const std::size_t density = attribute_bytes<float>(Persistence::Scratch);
  const std::size_t acceleration = attribute_bytes<Vec4>(Persistence::Scratch);
  std::size_t buffers = 2;                                                                          // volume_, flow_
  if (has_tension(setup)) buffers += setup.wcsph.tension_model == TensionModel::Continuum ? 2 : 1;  // surface_, smooth_
  if (setup.wcsph.shifting > 0) ++buffers;                                                          // shift_
  return density + acceleration + buffers * sizeof(Vec4);
}

std::size_t WcsphSolver::memory_bytes() const {
  return boundary_.memory_bytes() + volume_.bytes() + flow_.bytes() + wall_flow_.bytes() + surface_.bytes() +
         smooth_.bytes() + shift_.bytes();
}

Diagnostics WcsphSolver::measure(const ParticleSet& particles, const NeighborSearch&, const ClockState&) {
  MeasureInput input = measure_input(particles, setup_, fluids_.mass);
  input.compressible = true;
  for (int f = 0; f < fluids_.count; ++f) {
    input.rest_density[f] = fluids_.rest_density[f];
    input.stiffness[f] = fluids_.stiffness;
  }
  input.exponent = setup_.wcsph.tait_exponent;
  input.negative_pressure = setup_.wcsph.negative_pressure;
  input.density = particles.get<float>("density").data();
  return riffle::measure(particles.device(), input);
}

void WcsphSolver::add_tension(ParticleSet& particles, NeighborSearch& search, StageTimer& timer) {
  auto timing = timer.scope("surface tension");
  const std::uint32_t* fluid = particles.get<std::uint32_t>("fluid").data();
  Vec4* acceleration = particles.get<Vec4>("acceleration").data();
  const float h = kernel_.h;
  const int n = particles.count(), fluids = fluids_.count;
  if (setup_.wcsph.tension_model == TensionModel::Akinci) {
    for_each_neighbor(search, "surface normals", volume_.data(), h,
                      SurfaceNormal{kernel_, fluids, fluid, surface_.data()});
    for_each_neighbor(
        search, "cohesion", volume_.data(), h,
        Cohesion{tension_, fluids_, kernel_.inverse_h, fluid, volume_.data(), surface_.data(), acceleration});
    return;
  }
  const float rest_volume = fluids_.rest_volume;
  for_each_neighbor(search, "surface gradient", volume_.data(), h,
                    SurfaceGradient{kernel_, tension_, fluids, rest_volume, fluid, surface_.data()});
  if (boundary_.count() > 0)
    for_each_neighbor_of(boundary_.search(), "wall surface gradient", boundary_.particles(), volume_.data(), n, h,
                         WallSurfaceGradient{kernel_, tension_, fluids, rest_volume, fluid, surface_.data()});
  parallel_for(particles.device(), "surface direction", n, SurfaceDirection{tension_, fluids, fluid, surface_.data()});
  for_each_neighbor(search, "smooth directions", volume_.data(), h,
                    SmoothDirection{kernel_, fluids, fluid, surface_.data(), smooth_.data()});
  for_each_neighbor(
      search, "surface tension", volume_.data(), h,
      CurvatureForce{kernel_, fluids_, setup_.domain.dimension - 1.0f, fluid, smooth_.data(), acceleration});
}

void WcsphSolver::find_shifts(const ParticleSet& particles, NeighborSearch& search, const StepControl& control,
                              StageTimer& timer) {
  auto timing = timer.scope("shifting");
  const int n = particles.count();
  for_each_neighbor(search, "shifting", volume_.data(), kernel_.h,
                    Concentration{kernel_, fluids_.rest_volume, volume_.data(), shift_.data()});
  if (boundary_.count() > 0)
    for_each_neighbor_of(boundary_.search(), "wall shifting", boundary_.particles(), volume_.data(), n, kernel_.h,
                         WallConcentration{kernel_, fluids_.rest_volume, shift_.data()});
  parallel_for(particles.device(), "shift length", n,
               ShiftLength{setup_.wcsph.shifting, kernel_.h, 0.1f * setup_.spacing, control.state(), shift_.data()});
}

void WcsphSolver::step(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer) {
  const Device& device = particles.device();
  const int n = particles.count();
  const float h = kernel_.h, s = 0.5f * h, eta2 = eta2_of(h);
  find_neighborhoods(particles, search, setup_.domain, h, timer);
  Vec4* position = particles.get<Vec4>("position").data();
  Vec4* velocity = particles.get<Vec4>("velocity").data();
  Vec4* acceleration = particles.get<Vec4>("acceleration").data();
  const std::uint32_t* fluid = particles.get<std::uint32_t>("fluid").data();
  const Vec4* wall = boundary_.particles();
  const TaitPressure tait{setup_.wcsph.tait_exponent, setup_.wcsph.negative_pressure};
  if (device.is_cuda() || search.settings().skin > 0) {  // otherwise the CPU searches again, which is as fast
    auto timing = timer.scope("list");
    search.list_neighbors(position);
  }
  {
    auto timing = timer.scope("density");
    for_each_neighbor(search, "density", position, h, NumberDensity{kernel_, position, volume_.data()});
  }
  const bool walled = boundary_.count() > 0;
  if (walled) {
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
  if (walled) {
    auto timing = timer.scope("wall pressure");
    for_each_neighbor_of(search, "wall pressure", volume_.data(), wall, boundary_.count(), h,
                         WallState{kernel_, tait, fluids_.stiffness, fluids_.rest_volume, faces_of(setup_),
                                   boundary_.solid_density(), wall, flow_.data(), wall_flow_.data()});
  }
  {
    auto timing = timer.scope("forces");
    const float artificial = setup_.wcsph.artificial_viscosity * speed_of_sound_ * s;
    for_each_neighbor(search, "forces", volume_.data(), h,
                      Momentum{kernel_, fluids_, fluid, volume_.data(), flow_.data(), setup_.gravity, artificial, eta2,
                               acceleration});
  }
  if (walled) {
    auto timing = timer.scope("wall forces");
    for_each_neighbor_of(boundary_.search(), "wall forces", wall, position, n, h,
                         WallForce{kernel_, fluids_, setup_.wcsph.walls == WallSlip::NoSlip ? 1.0f : 0.0f, fluid,
                                   volume_.data(), flow_.data(), wall_flow_.data(), eta2, acceleration});
  }
  if (!surface_.empty()) add_tension(particles, search, timer);
  {
    auto timing = timer.scope("time step");
    control.choose_step(velocity, acceleration, n);
  }
  stir(particles, control, timer);
  const bool shifts = !shift_.empty();
  if (shifts) find_shifts(particles, search, control, timer);
  {
    auto timing = timer.scope("integrate");
    parallel_for(device, "integrate", n,
                 Integrate{setup_.domain, setup_.wcsph.damping_rate, setup_.wcsph.damping_time, acceleration,
                           shifts ? shift_.data() : nullptr, position, velocity, control.state()});
  }
}

}  // namespace riffle::wcsph
