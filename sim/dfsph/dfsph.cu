#include "sim/dfsph/dfsph.h"

#include <algorithm>
#include <limits>

#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "core/error.h"
#include "sim/dfsph/dfsph_kernels.cuh"
#include "sim/measure/compression.h"
#include "sim/measure/solid_measurement.h"
#include "sim/pbf/pbf.h"
#include "sim/reductions.h"
#include "sim/start/room.h"
#include "sim/viscosity/viscosity_choice.h"
#include "sim/wcsph/continuity.h"
#include "sim/wcsph/wcsph_kernels.cuh"

namespace riffle::dfsph {

namespace {

constexpr float kLongestStep = 1.0f / 60.0f;  ///< [s] of a fluid at rest

/// As WCSPH's parts read it: densities are sums.
SimulationSetup with_summation(SimulationSetup setup) {
  setup.wcsph.density = DensityScheme::Summation;
  return setup;
}

wcsph::FluidTable make_fluids(const SimulationSetup& setup) {
  wcsph::FluidTable fluids = wcsph::make_fluid_table(setup, automatic_signal_speed(setup));
  fluids.stiffness = 0;
  return fluids;
}

bool is_viscous(const SimulationSetup& setup) {
  return std::any_of(setup.fluids.begin(), setup.fluids.end(), [](const FluidSetup& f) { return f.viscosity > 0; });
}

SmoothingKernel kernel_of(const SimulationSetup& setup) {
  require_derived_gradient(setup.solver, setup.wcsph.kernel);
  return make_kernel(setup.wcsph.kernel, setup.domain.dimension, setup.support_radius(), setup.spacing);
}

}  // namespace

StepBounds step_bounds(const SimulationSetup& setup) {
  SimulationSetup summed = with_summation(setup);
  StepBounds bounds = wcsph::step_bounds(summed);
  bounds.sound_speed = 0;
  bounds.force_length = std::numeric_limits<float>::infinity();
  bounds.constant = std::min({bounds.constant, kLongestStep, bounds.cfl_length / expected_speed(setup)});
  return bounds;
}

DfsphSolver::DfsphSolver(const SimulationSetup& setup, ParticleSet& particles,
                         const std::shared_ptr<PlacedWalls>& walls)
    : Solver(setup, particles.device()),
      setup_(with_summation(setup)),
      fluids_(make_fluids(setup_)),
      kernel_(kernel_of(setup)),
      viscous_(is_viscous(setup) && !viscosity::is_implicit(setup)),
      artificial_(setup.wcsph.artificial_viscosity * automatic_signal_speed(setup) * 0.5f * kernel_.h),
      surfaces_(particles.device(), setup),
      solid_forces_(particles.device(), setup, why_no_solid_forces(setup).empty()),
      contact_{setup.domain, kContactReach * setup.spacing, 0, surfaces_.view(), {}},
      boundary_(particles.device(), setup, kernel_, walls),
      coupled_(particles.device(), setup, solid_forces_.any()),
      wall_gain_(particles.device(), coupled_.any() ? static_cast<std::size_t>(boundary_.most()) : 0),
      record_(particles.device()),
      pushed_(particles.device()),
      excess_(particles.device()),
      inverse_(particles.device()),
      residual_(particles.device()),
      impulse_(particles.device()),
      wall_(particles.device()),
      wall_push_(particles.device()),
      wall_squares_(particles.device()),
      volume_(particles.device()),
      flow_(particles.device()),
      wall_constraint_(particles.device(), static_cast<std::size_t>(boundary_.most())),
      wall_flow_(particles.device(), static_cast<std::size_t>(boundary_.most())),
      state_(particles.device(), 1),
      fill_(particles.device(), 1),
      fill_partial_(particles.device()),
      done_(particles.device()) {
  const pbf::LatticeGradients lattice = pbf::lattice_gradients(kernel_, setup.domain.dimension, setup.spacing);
  relaxation_ = static_cast<float>(kSafety / lattice.amplification);
  bias_ = kernel_.gradient_scale /
          wcsph::with_exact_gradient(kernel_, setup.domain.dimension, setup.spacing).gradient_scale;
  calm_step_ = setup.step.fixed > 0 ? setup.step.fixed : dfsph::step_bounds(setup).constant;
  squares_ = static_cast<float>(lattice.squares);
  full_ = particles_without_room(setup);
  if (surface::has_tension(setup)) tension_ = std::make_unique<surface::SurfaceTension>(setup, particles, kernel_);
  if (shifting::is_on(setup))
    shifting_ = std::make_unique<shifting::Shifting>(setup, particles, kernel_, kMostDiffusion);
  wall_constraint_.fill_zero();
  reserve(particles.count());
  particles.add<float>("density", Persistence::Scratch);
  particles.add<Vec4>("acceleration", Persistence::Scratch);
  particles.add<float>("pressure", Persistence::Carry);
  if (!viscosity::is_implicit(setup)) return;
  viscosity_ = std::make_unique<viscosity::ImplicitViscosity>(setup, particles, boundary_.most() > 0);
  particles.add<Vec4>("pressure acceleration", Persistence::Carry);
}

std::size_t particle_bytes(const SimulationSetup& setup, bool walled) {
  const std::size_t attributes = attribute_bytes<float>(Persistence::Scratch) +
                                 attribute_bytes<Vec4>(Persistence::Scratch) +
                                 attribute_bytes<float>(Persistence::Carry);
  const std::size_t viscous =
      viscosity::is_implicit(setup)
          ? viscosity::ImplicitViscosity::particle_bytes(setup, walled) + attribute_bytes<Vec4>(Persistence::Carry)
          : 0;
  const std::size_t tension = surface::has_tension(setup) ? surface::SurfaceTension::particle_bytes(setup) : 0;
  const std::size_t shift = shifting::is_on(setup) ? shifting::Shifting::kParticleBytes : 0;
  return attributes + viscous + tension + shift + (walled ? 6 : 4) * sizeof(Vec4) + (walled ? 5 : 4) * sizeof(float);
}

std::size_t wall_particle_bytes(const SimulationSetup& setup) {
  const std::size_t gain = any_free(setup) ? sizeof(float) : 0;
  return sizeof(WallConstraint) + sizeof(Vec4) + gain + CoupledBodies::wall_particle_bytes(setup);
}

void DfsphSolver::reserve(int capacity) {
  const auto n = static_cast<std::size_t>(capacity);
  if (n <= record_.size()) return;
  Buffer<Vec4>* const vectors[] = {&record_, &pushed_, &volume_, &flow_, &wall_, &wall_push_};
  Buffer<float>* const scalars[] = {&excess_, &inverse_, &residual_, &impulse_, &wall_squares_};
  std::vector<Buffer<Vec4>> larger;
  std::vector<Buffer<float>> longer;
  for (const Buffer<Vec4>* buffer : vectors)
    larger.emplace_back(buffer->device(), buffer == &wall_ || buffer == &wall_push_ ? (has_walls() ? n : 0) : n);
  for (const Buffer<float>* buffer : scalars)
    longer.emplace_back(buffer->device(), buffer == &wall_squares_ && !has_walls() ? 0 : n);
  Buffer<FillSums> partial(fill_partial_.device(), reduction_blocks(capacity));
  if (viscosity_) viscosity_->reserve(capacity);
  if (tension_) tension_->reserve(capacity);
  if (shifting_) shifting_->reserve(capacity);
  for (std::size_t k = 0; k < larger.size(); ++k) vectors[k]->swap(larger[k]);
  fill_partial_.swap(partial);
  for (std::size_t k = 0; k < longer.size(); ++k) scalars[k]->swap(longer[k]);
}

std::size_t DfsphSolver::memory_bytes() const {
  return boundary_.memory_bytes() + surfaces_.memory_bytes() + solid_forces_.memory_bytes() + coupled_.memory_bytes() +
         wall_gain_.bytes() + record_.bytes() + pushed_.bytes() + volume_.bytes() + flow_.bytes() + wall_.bytes() +
         wall_push_.bytes() + wall_squares_.bytes() + excess_.bytes() + inverse_.bytes() + residual_.bytes() +
         impulse_.bytes() + wall_constraint_.bytes() + wall_flow_.bytes() + state_.bytes() + fill_.bytes() +
         fill_partial_.bytes() + (viscosity_ ? viscosity_->memory_bytes() : 0) +
         (tension_ ? tension_->memory_bytes() : 0) + (shifting_ ? shifting_->memory_bytes() : 0);
}

void DfsphSolver::step(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer) {
  const Device& device = particles.device();
  const int n = particles.count();
  {
    auto timing = timer.scope("time step");
    choose_step(particles, nullptr, control);
  }
  if (surfaces_.driven()) {
    auto timing = timer.scope("drive solids");
    surfaces_.bodies().begin(control);
    surfaces_.drive(control.state(), SolidSurfaces::Part::Begin);
    boundary_.drive(surfaces_, false);
    solid_forces_.drive(surfaces_);
    begin_bodies(BodyStart::Impulses, control);
  }
  find_neighborhoods(particles, search, setup_.domain, kernel_.h, timer);
  Vec4* position = particles.get<Vec4>("position").data();
  Vec4* velocity = particles.get<Vec4>("velocity").data();
  Vec4* acceleration = particles.get<Vec4>("acceleration").data();
  const std::uint32_t* foreign = foreign_flags(particles);
  const bool inherits = inheritance().acts(particles, control, boundary_.count());
  {
    auto timing = timer.scope("list");
    search.list_neighbors(position);
  }
  if (has_walls()) {
    auto timing = timer.scope("wall list");
    boundary_.find_pairs(search, position, kernel_.h);
  }
  {
    auto timing = timer.scope("density");
    find_constraints(particles, search, control.state(), inherits);
  }
  if (setup_.dfsph.divergence_free) {
    auto timing = timer.scope("divergence");
    solve(SolveKind::Divergence, particles, search, control);
  }
  {
    auto timing = timer.scope("forces");
    find_accelerations(particles, search, control);
  }
  if (tension_) {
    auto timing = timer.scope("surface tension");
    tension_->add_to_acceleration({particles, search, boundary_, volume_.data(), halo()});
  }
  if (viscosity_) {
    auto timing = timer.scope("implicit viscosity");
    viscosity_->add_to_acceleration({particles, search, boundary_, volume_.data(),
                                     particles.get<Vec4>("pressure acceleration").data(), control.state(), halo()});
  }
  {
    auto timing = timer.scope("predict");
    parallel_for(device, "accelerate", n,
                 Accelerate{setup_.wcsph.damping_rate, setup_.wcsph.damping_time, control.state(), foreign,
                            acceleration, velocity});
  }
  stir(particles, control, timer);
  add_apparent_gravity(particles, control, timer);
  damp(particles, control, timer);
  refresh(particles, {field("velocity", particles.get<Vec4>("velocity"))});
  begin_bodies(BodyStart::All, control);
  {
    auto timing = timer.scope("incompressibility");
    solve(SolveKind::Density, particles, search, control);
  }
  const Vec4* shift = nullptr;
  if (shifting_) {
    auto timing = timer.scope("shifting");
    shift = shifting_->find({particles, search, boundary_, volume_.data(), control.state()});
  }
  if (surfaces_.bodies().any()) {
    auto timing = timer.scope("drive solids");
    surfaces_.bodies().advance(control, solid_forces_.impulses(nullptr), apparent_gravity());
    surfaces_.drive(control.state(), SolidSurfaces::Part::Step);
    solid_forces_.drive(surfaces_);
  }
  {
    auto timing = timer.scope("integrate");
    FaceContact contact = contact_;
    contact.impulses = solid_forces_.impulses(particles.get<std::uint32_t>("fluid").data());
    parallel_for(device, "contact", n, Contact{contact, control.state(), foreign, position, velocity});
    parallel_for(device, "integrate", n,
                 wcsph::Integrate{contact, 0, 0, nullptr, shift, foreign, position, velocity, control.state()});
  }
  if (inherits) inheritance().decay(particles, control.state());
  solid_forces_.finish_step(control.state(), surfaces_.bodies().untaken());
  refresh(particles,
          {field("position", particles.get<Vec4>("position")), field("velocity", particles.get<Vec4>("velocity")),
           field("pressure", particles.get<float>("pressure"))});
  if (viscosity_)
    refresh(particles, {field("viscous acceleration", particles.get<Vec4>("viscous acceleration")),
                        field("pressure acceleration", particles.get<Vec4>("pressure acceleration"))});
}

Diagnostics DfsphSolver::measure(const ParticleSet& particles, const NeighborSearch&, const ClockState& clock) {
  MeasureInput input = measure_input(particles, setup_, fluids_.mass, clock.time);
  for (int f = 0; f < fluids_.count; ++f) input.rest_density[f] = fluids_.rest_density[f];
  Buffer<float> density(particles.device());
  surfaces_.drive_to(clock.time);
  boundary_.drive(surfaces_, false);
  const CompressionDiagnostics compression =
      measure_compression(particles, setup_, kernel_, boundary_, fluids_.mass, density);
  input.density = density.data();
  Diagnostics diagnostics = riffle::measure(particles.device(), input);
  diagnostics.compression = compression;
  solid_forces_.read(diagnostics.solids, diagnostics.faces);
  diagnostics.solves = {clock.density_solve, clock.divergence_solve, clock.unconverged};
  if (viscosity_) {
    diagnostics.viscous_solve = clock.viscous_solve;
    diagnostics.viscous_unconverged = clock.viscous_unconverged;
  }
  return diagnostics;
}

}  // namespace riffle::dfsph
