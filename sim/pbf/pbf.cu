#include "sim/pbf/pbf.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "core/device/parallel.cuh"
#include "core/device/serial_launches.h"
#include "core/error.h"
#include "neighbors/build_sorted.h"
#include "sim/lattice_ball.h"
#include "sim/measure/compression.h"
#include "sim/measure/measuring_search.h"
#include "sim/measure/solid_measurement.h"
#include "sim/motion/gravity_field.h"
#include "sim/pbf/velocity_kernels.cuh"
#include "sim/reductions.h"
#include "sim/start/sampling.h"
#include "sim/wcsph/continuity.h"

namespace riffle::pbf {

namespace {

constexpr float kLongestStep = 1.0f / 60.0f;  ///< [s] of a fluid at rest; the paper's own

double largest_correction(const SimulationSetup& setup) {
  const double h = setup.support_radius(), reach = pbf::search_radius(setup);
  // Distances and displacements are rounded, which NeighborSearch::check_displacement() allows for, and a corrected
  // position is rounded once more.
  double rounding = 0x1p-19 * reach;
  for (int a = 0; a < setup.domain.dimension; ++a) {
    const double low = component(setup.domain.min, a), high = component(setup.domain.max, a);
    rounding = std::max({rounding, 0x1p-20 * (high - low), 0x1p-21 * std::fabs(low), 0x1p-21 * std::fabs(high)});
  }
  return (reach - h) / 2 - rounding;
}

/// @throws InputError for settings that the solver cannot work with.
const SimulationSetup& checked(const SimulationSetup& setup) {
  const PbfSetup& pbf = setup.pbf;
  if (pbf.iterations < 1)
    throw InputError("solver.iterations: found " + std::to_string(pbf.iterations) +
                     "; allowed: at least 1, since nothing holds the fluid up without iterations");
  if (!(pbf.margin > 0 && pbf.margin <= 1))
    throw InputError("solver.margin: found " + std::to_string(pbf.margin) + "; allowed: above 0 and at most 1");
  if (pbf.artificial_pressure_power < 1)
    throw InputError("solver.artificial_pressure_power: found " + std::to_string(pbf.artificial_pressure_power) +
                     "; allowed: at least 1");
  if (!(pbf.artificial_pressure_distance >= 0 && pbf.artificial_pressure_distance < 1))
    throw InputError("solver.artificial_pressure_distance: found " + std::to_string(pbf.artificial_pressure_distance) +
                     " support radii; allowed: from 0 to below 1");
  if (!(pbf.xsph >= 0 && pbf.xsph <= 0.5f))
    throw InputError("solver.xsph: found " + std::to_string(pbf.xsph) + "; allowed: from 0 to 0.5");
  const float reach = pbf::search_radius(setup);
  for (int a = 0; a < setup.domain.dimension; ++a)
    if (const float extent = component(setup.domain.extent(), a); setup.domain.periodic(a) && extent < 2 * reach)
      throw InputError("domain: a periodic axis is " + std::to_string(extent) + " m long, allowed: at least " +
                       std::to_string(2 * reach) + " m, twice the support radius with solver.margin");
  if (!(largest_correction(setup) > 0))
    throw InputError("solver.margin: found " + std::to_string(pbf.margin) +
                     ", which single precision cannot tell from 0 in a domain of this size; allowed: a larger one");
  return setup;
}

double mean_compression(const Buffer<float>& compression, const std::vector<bool>& own) {
  double sum = 0;
  std::int64_t count = 0;
  const std::vector<float> values = compression.to_host();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!own[i]) continue;
    sum += values[i] > 0 ? values[i] : 0;
    ++count;
  }
  return sum / double(count);
}

/// Derivative of the kernel's value over r. Of Poly6 it is not the gradient that constraints take, which is Spiky's.
double value_slope_over_r(const SmoothingKernel& kernel, double r) {
  if (kernel.kind != KernelKind::Poly6Spiky) return kernel.gradient_over_r(static_cast<float>(r));
  const double h = kernel.h, a = 1 - r * r / (h * h);
  return -6 * kernel.value_scale / (h * h) * a * a;
}

/// Whether a pass over velocities follows the iterations.
bool refines(const SimulationSetup& setup) { return setup.pbf.xsph > 0 || setup.pbf.vorticity > 0; }

}  // namespace

StepBounds step_bounds(const SimulationSetup& setup) {
  StepBounds bounds;
  bounds.fixed = setup.step.fixed;
  bounds.cfl_length = setup.step.cfl * setup.support_radius();
  bounds.force_length = std::numeric_limits<float>::infinity();
  // The compression that the iterations leave grows with dt^2. If steps were long while the fluid is slow, that
  // compression would turn into excess velocity when they become shorter. So they are short from the start.
  bounds.constant = std::min(kLongestStep, bounds.cfl_length / expected_speed(setup));
  if (setup.step.max > 0) bounds.constant = std::min(bounds.constant, setup.step.max);
  return bounds;
}

double expected_compression(const SimulationSetup& setup, double dt) {
  const double layers = dt * expected_speed(setup) / setup.spacing;
  return 0.11 * layers * layers / setup.pbf.iterations;
}

float search_radius(const SimulationSetup& setup) { return setup.support_radius() * (1 + setup.pbf.margin); }

LatticeGradients lattice_gradients(const SmoothingKernel& kernel, int dimension, float spacing) {
  const std::vector<LatticeSite> sites = lattice_sites(kernel.h, dimension, spacing);
  const double volume = std::pow(double{spacing}, dimension);
  std::vector<double> slope(sites.size()), change(sites.size());
  LatticeGradients lattice;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    slope[s] = volume * kernel.gradient_over_r(static_cast<float>(sites[s].r));
    change[s] = volume * value_slope_over_r(kernel, sites[s].r);
    lattice.squares += slope[s] * slope[s] * sites[s].r * sites[s].r;
    lattice.others += volume * kernel.value(static_cast<float>(sites[s].r));
  }
  // A wave of lambda, sin(k x), moves particles by g(k) cos(k x) and changes C by g(k) . c(k), g = sum_j sin(k x_j) grad
  // W_j. c is the same with the derivative of the density, which is g unless the kernel has a gradient of another one.
  constexpr int waves = 8;
  const auto wave = [&](int n) { return std::numbers::pi * n / (waves * double{spacing}); };
  for (int a = 0; a <= waves; ++a)
    for (int b = 0; b <= waves; ++b)
      for (int c = 0; c <= (dimension == 3 ? waves : 0); ++c) {
        double moved[3] = {}, changed[3] = {};
        for (std::size_t s = 0; s < sites.size(); ++s) {
          const double place[] = {sites[s].x, sites[s].y, sites[s].z};
          const double sine = std::sin(wave(a) * place[0] + wave(b) * place[1] + wave(c) * place[2]);
          for (int k = 0; k < 3; ++k) moved[k] += slope[s] * sine * place[k], changed[k] += change[s] * sine * place[k];
        }
        const double product = moved[0] * changed[0] + moved[1] * changed[1] + moved[2] * changed[2];
        lattice.amplification = std::max(lattice.amplification, product / lattice.squares);
      }
  return lattice;
}

float relaxation(const PbfSetup& setup, const LatticeGradients& lattice) {
  if (setup.relaxation >= 0) return setup.relaxation;
  return static_cast<float>(std::max(0.1, lattice.amplification / 1.9 - 1));
}

void PbfSolver::Workspace::resize(std::size_t particles, bool walled, bool refined) {
  moved.resize(particles);
  constrained.resize(particles);
  correction.resize(particles);
  if (refined) cut_off.resize(particles);
  if (!walled) return;
  wall.resize(particles);
  push.resize(particles);
  wall.fill_zero();
  push.fill_zero();
}

PbfSolver::PbfSolver(const SimulationSetup& setup, ParticleSet& particles, const std::shared_ptr<PlacedWalls>& walls)
    : Solver(setup, particles.device()),
      setup_(checked(setup)),
      kernel_(make_kernel(setup.pbf.kernel, setup.domain.dimension, setup.support_radius(), setup.spacing)),
      particle_volume_(static_cast<float>(setup.particle_volume())),
      lattice_(lattice_gradients(kernel_, setup.domain.dimension, setup.spacing)),
      relaxation_(pbf::relaxation(setup.pbf, lattice_)),
      largest_correction_(largest_correction(setup)),
      largest_speed_(any_driven(setup) ? signal_speed(setup) : std::numeric_limits<float>::infinity()),
      surfaces_(particles.device(), setup),
      solid_forces_(particles.device(), setup, why_no_solid_forces(setup).empty()),
      contact_{setup.domain, kContactReach * setup.spacing, 0, surfaces_.view(), {}},
      boundary_(particles.device(), setup, kernel_, walls),
      coupled_(particles.device(), setup, solid_forces_.any()),
      gain_(particles.device(), coupled_.any() ? static_cast<std::size_t>(particles.count()) : 0),
      wall_gain_(particles.device(), coupled_.any() ? static_cast<std::size_t>(boundary_.most()) : 0),
      wall_way_(particles.device(), coupled_.any() ? static_cast<std::size_t>(boundary_.most()) : 0),
      workspace_(particles.device()),
      kept_(particles.device(), {"velocity"}),
      wall_lambda_(particles.device(), static_cast<std::size_t>(boundary_.most())),
      cut_(particles.device(), 1) {
  float lightest = std::numeric_limits<float>::infinity();
  for (const FluidSetup& fluid : setup.fluids) lightest = std::min(lightest, fluid.rest_density);
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) {
    mass_[f] = static_cast<float>(setup.fluids[f].rest_density * setup.particle_volume());
    inverse_mass_[f] = lightest / setup.fluids[f].rest_density;
  }
  per_lambda_ = lightest * kernel_.gradient_scale /
                wcsph::with_exact_gradient(kernel_, setup.domain.dimension, setup.spacing).gradient_scale;
  workspace_.resize(static_cast<std::size_t>(particles.count()), boundary_.count() > 0, refines(setup_));
  cut_.fill_zero();
  particles.add<float>("density", Persistence::Scratch);
  particles.add<float>("constraint pressure", Persistence::Scratch);
}

std::size_t particle_bytes(const SimulationSetup& setup, bool walled) {
  const std::size_t buffers = (walled ? 5 : 3) + (refines(setup) ? 1 : 0);  // PbfSolver::Workspace
  return 2 * attribute_bytes<float>(Persistence::Scratch) + buffers * sizeof(Vec4) +
         (any_free(setup) ? sizeof(float) : 0);
}

std::size_t wall_particle_bytes(const SimulationSetup& setup) {
  const std::size_t gain_and_way = any_free(setup) ? sizeof(float) + sizeof(Vec4) : 0;
  return sizeof(float) + gain_and_way;  // the first: wall_lambda_
}

void PbfSolver::follow_foreign(ParticleSet& particles, const std::uint32_t*) { kept_.reserve(particles.capacity()); }

void PbfSolver::reserve(int capacity) {
  if (kept_.memory_bytes() > 0) kept_.reserve(capacity);
  const auto n = static_cast<std::size_t>(capacity);
  if (n <= workspace_.moved.size()) return;
  Buffer<float> gain(gain_.device(), coupled_.any() ? n : 0);
  Workspace larger(workspace_.moved.device());
  larger.resize(n, boundary_.count() > 0, refines(setup_));
  workspace_ = std::move(larger);
  gain_.swap(gain);
}

std::size_t PbfSolver::memory_bytes() const {
  return boundary_.memory_bytes() + surfaces_.memory_bytes() + solid_forces_.memory_bytes() + workspace_.bytes() +
         kept_.memory_bytes() + wall_lambda_.bytes() + cut_.bytes() + coupled_.memory_bytes() + gain_.bytes() +
         wall_gain_.bytes() + wall_way_.bytes();
}

/// With more particles launches that overlap make a step longer: 1 % at 18,000, 10 % at 72,000 on an H200, for a reason that is
/// not known. With 6,750 it is 5 % shorter.
constexpr int kMostOverlapped = 10000;

void PbfSolver::step(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer) {
  std::optional<SerialLaunches> serial;
  if (particles.count() > kMostOverlapped) serial.emplace();
  const Device& device = particles.device();
  const int n = particles.count();
  const float* dt = &control.state()->dt;
  {
    auto timing = timer.scope("time step");
    choose_step(particles, nullptr, control);
  }
  if (surfaces_.driven()) {
    find_apparent_gravity(control, GravityField::When::Step, timer);
    auto timing = timer.scope("drive solids");
    surfaces_.bodies().advance(control, solid_forces_.impulses(nullptr), apparent_gravity());
    surfaces_.drive(control.state(), SolidSurfaces::Part::Step);
    boundary_.drive(surfaces_, true);
    solid_forces_.drive(surfaces_);
    if (coupled_.any()) {
      wall_way_.fill_zero();
      coupled_.begin(surfaces_.bodies(), control, solid_forces_, nullptr, BodyStart::AtRest, boundary_,
                     wall_way_.data());
    }
  }
  stir(particles, control, timer);
  add_apparent_gravity(particles, control, timer);
  damp(particles, control, timer);
  {
    auto timing = timer.scope("predict");
    FaceContact contact = contact_;
    contact.impulses = solid_forces_.impulses(particles.get<std::uint32_t>("fluid").data());
    parallel_for(
        device, "predict", n,
        Predict{contact, setup_.gravity, make_fluids(static_cast<int>(setup_.fluids.size()), mass_, inverse_mass_),
                particles.get<std::uint32_t>("fluid").data(), dt, particles.get<Vec4>("position").data(),
                particles.get<Vec4>("velocity").data(), foreign_flags(particles), &control.state()->contained});
  }
  refresh(particles, {field("position", particles.get<Vec4>("position"))});
  find_neighborhoods(particles, search, setup_.domain, pbf::search_radius(setup_), timer);
  Vec4* position = particles.get<Vec4>("position").data();
  {
    auto timing = timer.scope("list");
    search.list_neighbors(position);
  }
  if (boundary_.count() > 0) {
    auto timing = timer.scope("wall list");
    boundary_.find_pairs(search, position, pbf::search_radius(setup_));
  }
  {
    auto timing = timer.scope("iterations");
    const Vec4* from = position;
    const bool reacts = solid_forces_.any() && boundary_.count() > 0;
    const bool inherits = inheritance().acts(particles, control, boundary_.count());
    Step step{&particles,
              control.state(),
              reacts ? solid_forces_.begin_reactions(boundary_) : nullptr,
              particles.get<float>("constraint pressure").data(),
              {},
              {},
              nullptr,
              reacts && coupled_.any()};
    if (step.couples) {
      gain_.fill_zero();
      wall_gain_.fill_zero();
      coupled_.find_gains(search, boundary_, solid_forces_, kernel_, particle_volume_, position, gain_.data(),
                          wall_gain_.data());
    }
    if (inherits) {
      step.inherited = {inheritance().begins(), particles.get<float>(Inheritance::kAttribute).data()};
      step.inherited_at_walls = {inheritance().begins(), inheritance().walls()};
      step.inherited_share = inheritance().share();
    }
    for (int k = 0; k < setup_.pbf.iterations; ++k) {
      const bool last = k + 1 == setup_.pbf.iterations;
      iterate(search, position, from, dt, last ? particles.get<float>("density").data() : nullptr,
              particles.get<std::uint32_t>("fluid").data(), workspace_, &step);
      from = workspace_.moved.data();
      step.inherited.begins = step.inherited_at_walls.begins = false;
    }
    if (inherits) inheritance().decay(particles, control.state());
    if (reacts) solid_forces_.add_reactions(boundary_, SolidForces::Of::Impulse, control.state());
  }
  if (coupled_.any()) {
    auto timing = timer.scope("drive solids");
    surfaces_.bodies().correct(control, solid_forces_.impulses(nullptr),
                               coupled_.view(boundary_, solid_forces_).bodies);
  }
  const bool refined = refines(setup_);
  Vec4* velocity = particles.get<Vec4>("velocity").data();
  {
    auto timing = timer.scope("finish");
    parallel_for(device, "finish step", n,
                 FinishStep{setup_.domain,
                            surfaces_.view(),
                            solid_forces_.impulses(particles.get<std::uint32_t>("fluid").data()),
                            {largest_speed_, cut_.data()},
                            dt,
                            &control.state()->previous_dt,
                            workspace_.moved.data(),
                            workspace_.correction.data(),
                            velocity,
                            foreign_flags(particles),
                            refined ? workspace_.constrained.data() : velocity,
                            position,
                            workspace_.cut_off.data(),
                            &control.state()->contained});
  }
  if (refined) {
    refresh(particles, {field("finished velocity", workspace_.constrained), field("cut off", workspace_.cut_off)});
    auto timing = timer.scope("viscosity");
    refine_velocities(particles, search, dt);
  }
  solid_forces_.finish_step(control.state(), surfaces_.bodies().untaken());
  refresh(particles,
          {field("position", particles.get<Vec4>("position")), field("velocity", particles.get<Vec4>("velocity"))});
}

Diagnostics PbfSolver::measure(const ParticleSet& particles, const NeighborSearch&, const ClockState& clock) {
  const Device& device = particles.device();
  MeasureInput input = measure_input(particles, setup_, mass_, clock.time);
  for (std::size_t f = 0; f < setup_.fluids.size(); ++f) input.rest_density[f] = setup_.fluids[f].rest_density;

  Buffer<float> density(device);
  surfaces_.drive_to(clock.time);
  boundary_.drive(surfaces_, false);
  const CompressionDiagnostics compression = measure_compression(particles, setup_, kernel_, boundary_, mass_, density);
  input.density = density.data();
  Diagnostics diagnostics = riffle::measure(device, input);
  diagnostics.compression = compression;
  solid_forces_.read(diagnostics.solids, diagnostics.faces);

  PbfDiagnostics& pbf = diagnostics.pbf.emplace();
  cut_before_ += cut_.to_host()[0];
  cut_.fill_zero();
  pbf.cut_corrections = cut_before_;
  if (clock.last_dt > 0) pbf.residual = residual(particles, clock.time, clock.last_dt, setup_.pbf.iterations);
  return diagnostics;
}

std::vector<double> PbfSolver::residual(const ParticleSet& particles, double time, float dt, int iterations) {
  const Device& device = particles.device();
  const int n = particles.count();
  if (n == 0) return {};
  const auto size = static_cast<std::size_t>(n);
  Buffer<Vec4> position(device, size), velocity(device, size), predicted(device);
  copy_on_device(device, position.data(), particles.get<Vec4>("position").data(), size * sizeof(Vec4));
  copy_on_device(device, velocity.data(), particles.get<Vec4>("velocity").data(), size * sizeof(Vec4));
  const Buffer<float> step(device, std::span<const float>(&dt, 1));
  const Domain& domain = setup_.domain;
  const Vec3 gravity = apparent_gravity_at(gravity_sources(setup_), time).at(0.5f * (domain.min + domain.max));
  parallel_for(device, "predict", n,
               Predict{contact_, gravity, make_fluids(static_cast<int>(setup_.fluids.size()), mass_, inverse_mass_),
                       particles.get<std::uint32_t>("fluid").data(), step.data(), position.data(), velocity.data()});
  NeighborSearch search(device, measuring_search(setup_, /*deterministic=*/true));
  build_sorted(search, position.data(), n, setup_.domain, pbf::search_radius(setup_), predicted);
  search.list_neighbors(predicted.data());

  Workspace workspace(device);
  workspace.resize(size, boundary_.count() > 0, false);
  Buffer<float> compression(device);
  Buffer<std::uint32_t> neighbors(device);
  const std::uint32_t cut = cut_.to_host()[0];
  find_compression(search, predicted.data(), kernel_, particle_volume_, boundary_, compression, neighbors);
  const std::vector<bool> own = own_in_order(particles, search);
  std::vector<double> residual{mean_compression(compression, own)};
  const Vec4* from = predicted.data();
  for (int k = 0; k < iterations; ++k) {
    iterate(search, predicted.data(), from, step.data(), nullptr, nullptr, workspace, nullptr);
    from = workspace.moved.data();
    find_compression(search, from, kernel_, particle_volume_, boundary_, compression, neighbors);
    residual.push_back(mean_compression(compression, own));
  }
  cut_.assign(std::span<const std::uint32_t>(&cut, 1));  // cuts of this measurement do not count
  return residual;
}

}  // namespace riffle::pbf
