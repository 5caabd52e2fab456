#include "sim/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/algorithms.h"
#include "core/error.h"
#include "neighbors/neighbor_search.h"
#include "sim/boundary.h"
#include "sim/measure.h"
#include "sim/sampling.h"
#include "sim/wcsph.h"

namespace riffle {

struct Simulation::Impl {
  SimulationSetup setup;
  Device device;
  float speed_of_sound;
  FluidTable fluids;
  ParticleSet particles;
  Boundary boundary;
  NeighborSearch search;
  WcsphSolver solver;
  StepControl control;
  StageTimer timer;

  Impl(const SimulationSetup& s, const Device& d, const FluidSamples& samples)
      : setup(s),
        device(d),
        speed_of_sound(s.wcsph.speed_of_sound > 0 ? s.wcsph.speed_of_sound : automatic_speed_of_sound(s)),
        fluids(make_fluid_table(s, speed_of_sound)),
        particles(make_particles(d, samples)),
        boundary(d, sample_walls(s), s.domain,
                 make_kernel(s.wcsph.kernel, s.domain.dimension, s.support_radius(), s.spacing),
                 std::pow(s.spacing, float(s.domain.dimension))),
        search(d, {.method = s.neighbors.method, .deterministic = s.deterministic}),
        solver(s, speed_of_sound, boundary, particles),
        control(d, wcsph_step_bounds(s, speed_of_sound)),
        timer(d) {}

  static ParticleSet make_particles(const Device& device, const FluidSamples& samples) {
    ParticleSet particles(device, static_cast<int>(samples.position.size()));
    particles.add<Vec4>("position", Persistence::Carry).assign(samples.position);
    particles.add<Vec4>("velocity", Persistence::Carry).assign(samples.velocity);
    std::vector<std::uint32_t> id(samples.position.size());
    std::iota(id.begin(), id.end(), 0u);
    particles.add<std::uint32_t>("id", Persistence::Carry).assign(id);
    // With one fluid every entry is 0 and stays right in any order, so there is nothing to carry.
    const bool one_fluid =
        std::all_of(samples.fluid.begin(), samples.fluid.end(), [](std::uint32_t f) { return f == 0; });
    particles.add<std::uint32_t>("fluid", one_fluid ? Persistence::Scratch : Persistence::Carry).assign(samples.fluid);
    return particles;
  }
};

namespace {

FluidSamples sample_checked(const SimulationSetup& setup, const Device& device) {
  const std::int64_t count = count_particles(setup);
  if (count == 0) throw InputError("the scene has no particle: every body is smaller than the particle spacing");
  constexpr std::int64_t most = 2'000'000'000;  // indices are int, and kernels round up to whole blocks
  if (count > most || count_boundary_particles(setup) > most)
    throw Unavailable(fmt::format(
        "{} fluid and {} wall particles: at most {} of each can be numbered; use a larger spacing or a smaller domain", count,
        count_boundary_particles(setup), most));
  std::size_t needed = estimate_memory(setup, device);
  const std::size_t free = free_memory(device);
  // Samples are made in the host's memory, which on the CPU is the same.
  if (device.is_cpu()) needed += static_cast<std::size_t>(count) * 40 + static_cast<std::size_t>(count_boundary_particles(setup)) * 48;
  if (needed > free)
    throw Unavailable(
        fmt::format("{} fluid and {} wall particles need about {} bytes on the {}, {} are free; use a larger spacing or a smaller domain",
                    count, count_boundary_particles(setup), needed, to_string(device.kind), free));
  return sample_bodies(setup);
}

StepReport report(const ClockState& clock) {
  return {clock.step, clock.time, clock.dt, clock.max_speed, clock.contained};
}

}  // namespace

Simulation::Simulation(const SimulationSetup& setup, const Device& device)
    : impl_(std::make_unique<Impl>(setup, device, sample_checked(setup, device))) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

void Simulation::step() {
  impl_->solver.step(impl_->particles, impl_->search, impl_->control, impl_->timer);
  impl_->control.post();
}

void Simulation::set_time_limit(double seconds) { impl_->control.set_time_limit(seconds); }
StepReport Simulation::latest() const { return report(impl_->control.latest()); }
StepReport Simulation::finish() { return report(impl_->control.finish()); }

const SimulationSetup& Simulation::setup() const { return impl_->setup; }
const Device& Simulation::device() const { return impl_->device; }
const ParticleSet& Simulation::particles() const { return impl_->particles; }
int Simulation::particle_count() const { return impl_->particles.count(); }
int Simulation::boundary_count() const { return impl_->boundary.count(); }
float Simulation::speed_of_sound() const { return impl_->speed_of_sound; }

float Simulation::stable_dt() const {
  StepBounds bounds = impl_->control.bounds();
  const float gravity = std::sqrt(length2(impl_->setup.gravity));
  float dt = std::min(bounds.constant, bounds.cfl_length / bounds.sound_speed);
  if (gravity > 0) dt = std::min(dt, std::sqrt(bounds.force_length / gravity));
  return dt;
}

Diagnostics Simulation::diagnostics() {
  const ParticleSet& p = impl_->particles;
  MeasureInput input{p.count(),
                     impl_->setup.domain,
                     impl_->setup.gravity,
                     impl_->fluids,
                     impl_->setup.wcsph.tait_exponent,
                     impl_->setup.wcsph.negative_pressure};
  input.position = p.get<Vec4>("position").data();
  input.velocity = p.get<Vec4>("velocity").data();
  input.acceleration = p.get<Vec4>("acceleration").data();
  input.density = p.get<float>("density").data();
  input.fluid = p.get<std::uint32_t>("fluid").data();
  input.id = p.get<std::uint32_t>("id").data();
  return measure(impl_->device, input);
}

NeighborReport Simulation::neighbors() {
  const SimulationSetup& setup = impl_->setup;
  const ParticleSet& particles = impl_->particles;
  const auto n = static_cast<std::size_t>(particles.count());
  // A search of its own on a copy: the running one is stale once particles have moved, and rebuilding it would reorder
  // them.
  NeighborSearch search(impl_->device, {.method = setup.neighbors.method});
  const Vec4* positions = particles.get<Vec4>("position").data();
  search.build(positions, particles.count(), setup.domain, setup.support_radius());
  Buffer<Vec4> sorted(impl_->device);
  if (search.wants_reorder()) {
    sorted.resize(n);
    const GatherArray array{positions, sorted.data(), sizeof(Vec4)};
    gather(impl_->device, search.order(), n, &array, 1);
    positions = sorted.data();
  }
  const NeighborCountSummary counts = count_neighbors(search, positions, setup.support_radius());
  return {std::string(to_string(setup.neighbors.method)), impl_->search.memory_bytes(), counts.mean, counts.min,
          counts.max};
}

const StageTimer& Simulation::timings() const {
  impl_->timer.collect(true);
  return impl_->timer;
}

void Simulation::reset_timings() { impl_->timer.reset(); }

std::size_t Simulation::memory_bytes() const {
  return impl_->particles.memory_bytes() + impl_->boundary.memory_bytes() + impl_->search.memory_bytes() +
         impl_->solver.memory_bytes() + sizeof(ClockState);
}

namespace {

/// Entries of a list per particle: the sites within h of a lattice at rest, and room to be compressed.
double expected_list_width(const SimulationSetup& setup) {
  const double reach = setup.support_ratio;
  const double neighbors = setup.domain.dimension == 2 ? 3.14 * reach * reach : 4.19 * reach * reach * reach;
  return 1.3 * neighbors;
}

}  // namespace

std::size_t estimate_memory(const SimulationSetup& setup, const Device& device) {
  const double fluid = double(count_particles(setup)), wall = double(count_boundary_particles(setup));
  double cells = 1;
  for (int a = 0; a < setup.domain.dimension; ++a)
    cells *= std::max(1.0, std::floor(double{component(setup.domain.extent(), a)} / setup.support_radius()));
  // Carried: position and velocity (16), id (4), each twice; scratch: acceleration, volume, flow (16), density, fluid
  // (4).
  const double per_particle = 2 * (16 + 16 + 4) + 3 * 16 + 2 * 4;
  const double search = 12;  // cell, place, order
  const double lists = device.is_cuda() && setup.neighbors.method != NeighborMethod::BruteForce
                           ? 4 * (1 + expected_list_width(setup))
                           : 0;
  const double per_wall = 16 + 2 * 4 + search, cell_bytes = 2 * 4 + 1;
  return static_cast<std::size_t>(fluid * (per_particle + search + lists) + wall * per_wall + cells * cell_bytes);
}

}  // namespace riffle
