#include "sim/wcsph/wcsph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/device/parallel.cuh"
#include "sim/measure/solid_measurement.h"
#include "sim/motion/gravity_bounds.h"
#include "sim/openings/nozzle.h"
#include "sim/reductions.h"
#include "sim/start/sampling.h"
#include "sim/viscosity/viscosity_choice.h"
#include "sim/walls/drive_speed.h"
#include "sim/wcsph/continuity.h"
#include "sim/wcsph/wcsph_kernels.cuh"

namespace riffle::wcsph {

namespace {

SmoothingKernel kernel_of(const SimulationSetup& setup) {
  require_derived_gradient(setup.solver, setup.wcsph.kernel);
  return make_kernel(setup.wcsph.kernel, setup.domain.dimension, setup.support_radius(), setup.spacing);
}

SmoothingKernel gradient_kernel_of(const SimulationSetup& setup) {
  const SmoothingKernel kernel = kernel_of(setup);
  return setup.wcsph.density == DensityScheme::Continuity
             ? with_exact_gradient(kernel, setup.domain.dimension, setup.spacing)
             : kernel;
}

/// Densities of the fluids that there are.
struct DensityRange {
  float lightest = std::numeric_limits<float>::infinity(), heaviest = 0;

  explicit DensityRange(const SimulationSetup& setup) {
    for (const int fluid : used_fluids(setup)) {
      const float density = setup.fluids[static_cast<std::size_t>(fluid)].rest_density;
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
  const double bias = viscosity_bias(gradient_kernel_of(setup), setup.domain.dimension, setup.spacing);
  const bool implicit = viscosity::is_implicit(setup);
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) {
    const FluidSetup& fluid = setup.fluids[f];
    table.mass[f] = static_cast<float>(fluid.rest_density * setup.particle_volume());
    table.inverse_mass[f] = 1.0f / table.mass[f];
    table.rest_density[f] = fluid.rest_density;
    table.dynamic_viscosity[f] =
        implicit ? 0.0f : static_cast<float>(double{fluid.rest_density} * fluid.viscosity / bias);
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
  bounds.acceleration = static_cast<float>(most_gravity_change(setup));
  // The heavy fluid pushes a light particle among heavy ones: the lightest mass with the stiffest spring bounds the step.
  const DensityRange density(setup);
  bounds.sound_speed =
      fastest_drive(setup) + speed_of_sound(setup) * std::sqrt(std::max(1.0f, density.heaviest / density.lightest));
  if (viscosity::is_implicit(setup))
    bounds.viscous_step = viscosity::least_step(setup);
  else
    bounds.constant = std::min(bounds.constant, viscosity::explicit_step(setup));
  // Capillary waves of the shortest length (Brackbill, Kothe and Zemach 1992, eq. 61; in SPH Morris 2000).
  const float tension = surface::largest_tension(setup);
  if (tension > 0)
    bounds.constant =
        std::min(bounds.constant, 0.25f * std::sqrt(density.lightest * s * s * s / (6.2831853f * tension)));
  if (setup.step.max > 0) bounds.constant = std::min(bounds.constant, setup.step.max);
  return bounds;
}

WcsphSolver::WcsphSolver(const SimulationSetup& setup, ParticleSet& particles,
                         const std::shared_ptr<PlacedWalls>& walls)
    : Solver(setup, particles.device()),
      setup_(setup),
      speed_of_sound_(speed_of_sound(setup)),
      fluids_(make_fluid_table(setup, speed_of_sound_)),
      kernel_(kernel_of(setup)),
      gradient_kernel_(gradient_kernel_of(setup)),
      continuity_(make_continuity_table(setup, fluids_, speed_of_sound_)),
      surfaces_(particles.device(), setup),
      forces_(particles.device(), setup, why_no_solid_forces(setup).empty()),
      contact_{setup.domain, kContactReach * setup.spacing, speed_of_sound_, surfaces_.view(), {}},
      boundary_(particles.device(), setup, kernel_, walls),
      volume_(particles.device(), static_cast<std::size_t>(particles.count())),
      flow_(particles.device(), static_cast<std::size_t>(particles.count())),
      wall_flow_(particles.device(), static_cast<std::size_t>(boundary_.most())),
      diffusion_(particles.device()),
      summed_(particles.device()) {
  const auto count = static_cast<std::size_t>(particles.count());
  if (surface::has_tension(setup)) tension_ = std::make_unique<surface::SurfaceTension>(setup, particles, kernel_);
  if (shifting::is_on(setup)) shifting_ = std::make_unique<shifting::Shifting>(setup, particles, kernel_);
  if (viscosity::is_implicit(setup))
    viscosity_ = std::make_unique<viscosity::ImplicitViscosity>(setup, particles, boundary_.most() > 0);
  particles.add<float>("density", Persistence::Scratch);
  particles.add<Vec4>("acceleration", Persistence::Scratch);
  if (!by_continuity()) return;
  diffusion_.resize(count);
  summed_.resize(count);
  particles.add<float>("compression", Persistence::Carry);
  particles.add<float>("compression rate", Persistence::Carry);
  start_compression(particles);
}

std::size_t wall_particle_bytes(const SimulationSetup&) { return sizeof(Vec4); }  // wall_flow_

std::size_t particle_bytes(const SimulationSetup& setup, bool walled) {
  const std::size_t density = attribute_bytes<float>(Persistence::Scratch);
  const std::size_t acceleration = attribute_bytes<Vec4>(Persistence::Scratch);
  const std::size_t viscous =
      viscosity::is_implicit(setup) ? viscosity::ImplicitViscosity::particle_bytes(setup, walled) : 0;
  const std::size_t tension = surface::has_tension(setup) ? surface::SurfaceTension::particle_bytes(setup) : 0;
  const std::size_t shift = shifting::is_on(setup) ? shifting::Shifting::kParticleBytes : 0;
  std::size_t continuity = 0;
  if (setup.wcsph.density == DensityScheme::Continuity)
    continuity = 2 * attribute_bytes<float>(Persistence::Carry) + 2 * sizeof(float);          // diffusion_, summed_
  return density + acceleration + viscous + tension + shift + continuity + 2 * sizeof(Vec4);  // volume_, flow_
}

void WcsphSolver::reserve(int capacity) {
  const auto n = static_cast<std::size_t>(capacity);
  if (n <= volume_.size()) return;
  Buffer<Vec4>* const buffers[] = {&volume_, &flow_};
  if (viscosity_) viscosity_->reserve(capacity);
  if (tension_) tension_->reserve(capacity);
  if (shifting_) shifting_->reserve(capacity);
  std::vector<Buffer<Vec4>> larger;
  for (const Buffer<Vec4>* buffer : buffers) larger.emplace_back(buffer->device(), buffer->empty() ? 0 : n);
  Buffer<float> diffusion(diffusion_.device(), diffusion_.empty() ? 0 : n);
  Buffer<float> summed(summed_.device(), summed_.empty() ? 0 : n);
  for (std::size_t k = 0; k < larger.size(); ++k) buffers[k]->swap(larger[k]);
  diffusion_.swap(diffusion);
  summed_.swap(summed);
}

bool WcsphSolver::knows_fluid(std::uint32_t fluid) const {
  const std::vector<int> used = used_fluids(setup_);
  return std::find(used.begin(), used.end(), static_cast<int>(fluid)) != used.end();
}

std::size_t WcsphSolver::memory_bytes() const {
  return boundary_.memory_bytes() + surfaces_.memory_bytes() + forces_.memory_bytes() + volume_.bytes() +
         flow_.bytes() + wall_flow_.bytes() + diffusion_.bytes() + summed_.bytes() +
         (viscosity_ ? viscosity_->memory_bytes() : 0) + (tension_ ? tension_->memory_bytes() : 0) +
         (shifting_ ? shifting_->memory_bytes() : 0);
}

Diagnostics WcsphSolver::measure(const ParticleSet& particles, const NeighborSearch&, const ClockState& clock) {
  MeasureInput input = measure_input(particles, setup_, fluids_.mass, clock.time);
  input.compressible = true;
  for (int f = 0; f < fluids_.count; ++f) {
    input.rest_density[f] = fluids_.rest_density[f];
    input.stiffness[f] = fluids_.stiffness;
  }
  input.exponent = setup_.wcsph.tait_exponent;
  input.negative_pressure = setup_.wcsph.negative_pressure;
  if (by_continuity()) input.compression = particles.get<float>("compression").data();
  input.density = particles.get<float>("density").data();
  Diagnostics diagnostics = riffle::measure(particles.device(), input);
  forces_.read(diagnostics.solids, diagnostics.faces);
  if (viscosity_) {
    diagnostics.viscous_solve = clock.viscous_solve;
    diagnostics.viscous_unconverged = clock.viscous_unconverged;
  }
  return diagnostics;
}

void WcsphSolver::step(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer) {
  const Device& device = particles.device();
  const int n = particles.count();
  if (!started_) {
    start_compression(particles);
    started_ = true;
  }
  if (surfaces_.driven()) {
    auto timing = timer.scope("drive solids");
    surfaces_.drive(control.state(), SolidSurfaces::Part::Now);
    boundary_.drive(surfaces_, false);
    forces_.drive(surfaces_);
  }
  find_neighborhoods(particles, search, setup_.domain, kernel_.h, timer);
  Vec4* position = particles.get<Vec4>("position").data();
  Vec4* velocity = particles.get<Vec4>("velocity").data();
  Vec4* acceleration = particles.get<Vec4>("acceleration").data();
  const bool inherits = inheritance().acts(particles, control, by_continuity() ? 0 : boundary_.count());
  if (device.is_cuda() || search.settings().skin > 0) {  // otherwise the CPU searches again, which is as fast
    auto timing = timer.scope("list");
    search.list_neighbors(position);
  }
  if (boundary_.count() > 0) {
    auto timing = timer.scope("wall list");
    boundary_.find_pairs(search, position, kernel_.h);
  }
  find_apparent_gravity(control, GravityField::When::Now, timer);
  find_pressures(particles, search, inherits, timer);
  refresh(particles, {field("volume", volume_), field("flow", flow_)});
  find_accelerations(particles, search, timer);
  if (by_continuity() && (tension_ || shifting_ || viscosity_)) find_summed_volumes(particles, search, timer);
  if (tension_) {
    auto timing = timer.scope("surface tension");
    tension_->add_to_acceleration({particles, search, boundary_, volume_.data(), halo()});
  }
  {
    auto timing = timer.scope("time step");
    choose_step(particles, acceleration, control);
  }
  measure_solid_forces(particles, search, control, timer);
  stir(particles, control, timer);
  add_apparent_gravity(particles, control, timer);
  if (surfaces_.driven()) {
    auto timing = timer.scope("drive solids");
    surfaces_.bodies().advance(control, forces_.impulses(nullptr), apparent_gravity());
    surfaces_.drive(control.state(), SolidSurfaces::Part::Step);
    forces_.drive(surfaces_);
  }
  damp(particles, control, timer);
  if (viscosity_) {
    auto timing = timer.scope("implicit viscosity");
    viscosity_->add_to_acceleration({particles, search, boundary_, volume_.data(), nullptr, control.state(), halo()});
  }
  if (by_continuity()) find_compression_rates(particles, search, control, timer);
  const Vec4* shift = nullptr;
  if (shifting_) {
    auto timing = timer.scope("shifting");
    shift = shifting_->find({particles, search, boundary_, volume_.data(), control.state()});
  }
  {
    auto timing = timer.scope("integrate");
    parallel_for(device, "integrate", n,
                 Integrate{contact(particles), setup_.wcsph.damping_rate, setup_.wcsph.damping_time,
                           by_continuity() ? nullptr : acceleration, shift, foreign_flags(particles), position,
                           velocity, control.state()});
  }
  refresh(particles,
          {field("position", particles.get<Vec4>("position")), field("velocity", particles.get<Vec4>("velocity"))});
  if (viscosity_) refresh(particles, {field("viscous acceleration", particles.get<Vec4>("viscous acceleration"))});
  if (by_continuity()) advance_compression(particles, inherits, control, timer);
  if (inherits) inheritance().decay(particles, control.state());
  forces_.finish_step(control.state(), surfaces_.bodies().untaken());
}

}  // namespace riffle::wcsph
