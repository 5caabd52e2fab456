#include "sim/solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/damping/damping.h"
#include "sim/motion/gravity_bounds.h"
#include "sim/openings/nozzle.h"
#include "sim/solver_info.h"
#include "sim/start/sampling.h"
#include "sim/walls/drive_speed.h"

namespace riffle {

std::unique_ptr<Solver> make_solver(const SimulationSetup& setup, ParticleSet& particles,
                                    const std::shared_ptr<PlacedWalls>& walls) {
  return solver_info(setup).make(setup, particles, walls);
}

StepBounds step_bounds(const SimulationSetup& setup) { return solver_info(setup).step_bounds(setup); }

float stable_dt(const SimulationSetup& setup) {
  const SolverInfo& info = solver_info(setup);
  if (info.stable_dt) return info.stable_dt(setup);
  const StepBounds bounds = info.step_bounds(setup);
  const float gravity = static_cast<float>(most_gravity(setup));
  float dt = std::min(bounds.constant, bounds.cfl_length / bounds.sound_speed);
  if (gravity > 0) dt = std::min(dt, std::sqrt(bounds.force_length / gravity));
  return dt;
}

float signal_speed(const SimulationSetup& setup) { return solver_info(setup).signal_speed(setup); }

namespace {

/// [m^2/s^2] Square of the speed that the pressure under surface tension could give the body's fluid.
double tension_speed2(const SimulationSetup& setup, const BodySetup& body) {
  if (!solver_info(setup).surface_tension) return 0;
  double tension = setup.fluids[body.fluid].surface_tension, heaviest = 0;
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) {
    tension = std::max(tension, double{setup.wcsph.interface_tension.value[body.fluid][f]});
    heaviest = std::max(heaviest, double{setup.fluids[f].rest_density});  // the speed of sound is that of this fluid
  }
  if (tension == 0) return 0;
  const auto [low, high] = bounds_of(body);
  double radius = std::numeric_limits<double>::infinity();
  for (int a = 0; a < setup.domain.dimension; ++a)
    radius = std::min(radius, 0.5 * (double{component(high, a)} - component(low, a)));
  return 2 * (setup.domain.dimension - 1) * tension / std::max(radius, 0.5 * setup.spacing) / heaviest;
}

}  // namespace

double fastest_fall(const SimulationSetup& setup) {
  const Domain& domain = setup.domain;
  const GravityRange gravity = gravity_range(setup);
  double fastest2 = 0;
  std::vector<Bounds> falling;
  for (const BodySetup& body : setup.bodies) falling.push_back(bounds_of(body));
  for (const InletSetup& inlet : setup.inlets) falling.push_back(mouth_bounds(setup, inlet));
  for (const SolidRegion& solid : setup.solid_regions)
    if (solid.free.given) falling.push_back(bounds_of(solid));
  for (const auto& [lowest, topmost] : falling) {
    double speed2 = 0;
    for (int a = 0; a < domain.dimension; ++a) {
      if (domain.periodic(a)) continue;
      const double down = -gravity.least[a] * (double{component(topmost, a)} - component(domain.min, a));
      const double up = gravity.most[a] * (double{component(domain.max, a)} - component(lowest, a));
      speed2 += 2 * std::max({down, up, 0.0});
    }
    fastest2 = std::max(fastest2, speed2);
  }
  return std::sqrt(fastest2);
}

float automatic_signal_speed(const SimulationSetup& setup) {
  double fastest = fastest_drive(setup), tension2 = 0;
  for (const BodySetup& body : setup.bodies) {
    fastest = std::max(fastest, fastest_start(body));
    tension2 = std::max(tension2, tension_speed2(setup, body));
  }
  for (const InletSetup& inlet : setup.inlets) fastest = std::max(fastest, fastest_inflow(setup, inlet));
  const double falling = fastest_fall(setup);
  const double speed = std::sqrt(falling * falling + fastest * fastest + tension2);
  return speed > 0 ? static_cast<float>(10 * speed) : 1.0f;
}

float expected_speed(const SimulationSetup& setup) {
  return solver_info(setup).expected_speed_share * signal_speed(setup);
}

float search_radius(const SimulationSetup& setup) {
  const SolverInfo& info = solver_info(setup);
  return info.search_radius ? info.search_radius(setup) : setup.support_radius();
}

Solver::Solver(const SimulationSetup& setup, const Device& device)
    : domain_(setup.domain), damping_(setup.damping), gravity_field_(device, setup), inheritance_(setup, device) {}

StepParticles Solver::step_particles(const ParticleSet& particles, const Vec4* acceleration) {
  return {particles.count(),
          particles.get<Vec4>("position").data(),
          particles.get<Vec4>("velocity").data(),
          acceleration,
          particles.get<std::uint32_t>("id").data(),
          particles.get<std::uint32_t>("fluid").data(),
          foreign_flags(particles),
          bodies()->any() ? bodies()->view() : nullptr,
          bodies()->any() ? static_cast<int>(bodies()->host_masses().size()) : 0,
          bodies()->any() && bodies_bound_step() ? bodies()->radius() : nullptr,
          bodies()->step_way()};
}

void Solver::choose_step(const ParticleSet& particles, const Vec4* acceleration, StepControl& control) {
  control.choose_step(step_particles(particles, acceleration), halo_.get());
}

void Solver::look_for_faults(const ParticleSet& particles, StepControl& control) {
  control.look_for_faults(step_particles(particles, nullptr));
}

void Solver::share_errors(const Device& device, SolveErrors* errors) const {
  if (halo_) halo_->share_errors(device, errors);
}

void Solver::refresh(const ParticleSet& particles, std::initializer_list<HaloField> fields) const {
  if (halo_) halo_->refresh(particles, std::span(fields.begin(), fields.size()));
}

void Solver::stir(ParticleSet& particles, const StepControl& control, StageTimer& timer) const {
  if (!stirring_) return;
  auto timing = timer.scope("stirring");
  add_stirring(particles, *stirring_, domain_, control.state());
}

void Solver::damp(ParticleSet& particles, const StepControl& control, StageTimer& timer) const {
  if (damping_.empty()) return;
  auto timing = timer.scope("damping");
  damp_velocities(particles, damping_, domain_, control.state());
}

void Solver::find_apparent_gravity(const StepControl& control, GravityField::When when, StageTimer& timer) {
  if (!gravity_field_.changing()) return;
  auto timing = timer.scope("apparent gravity");
  gravity_field_.find(control.state(), when);
}

void Solver::add_apparent_gravity(ParticleSet& particles, const StepControl& control, StageTimer& timer) {
  if (!gravity_field_.changing()) return;
  auto timing = timer.scope("apparent gravity");
  gravity_field_.find(control.state(), GravityField::When::Step);
  gravity_field_.add_to_velocities(particles, control.state());
}

void find_neighborhoods(ParticleSet& particles, NeighborSearch& search, const Domain& domain, float h,
                        StageTimer& timer) {
  {
    auto timing = timer.scope("build");
    search.build(particles.get<Vec4>("position").data(), particles.count(), domain, h);
  }
  if (search.wants_reorder()) {
    auto timing = timer.scope("reorder");
    particles.reorder(search.order());
  }
}

}  // namespace riffle
