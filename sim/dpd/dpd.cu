#include "sim/dpd/dpd.h"
#include "sim/measure/free_volume.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "core/device/reduce.cuh"
#include "sim/dpd/dpd_kernels.cuh"
#include "sim/measure/solid_measurement.h"
#include "sim/motion/gravity_field.h"
#include "sim/reductions.h"
#include "sim/start/sampling.h"
#include "sim/walls/domain_faces.h"
#include "sim/walls/drive_speed.h"

namespace riffle::dpd {

namespace {

/// What DpdForces writes.
KeptValues values_of_evaluation(const SimulationSetup& setup, const Device& device) {
  std::vector<std::string> vectors = {"acceleration", "velocity"}, numbers;
  if (setup.dpd.integrator == DpdIntegrator::LeapFrog) vectors.emplace_back("previous velocity");
  if (setup.dpd.random == RandomKind::KarpinskiStream) numbers.emplace_back("random");
  return KeptValues(device, std::move(vectors), std::move(numbers));
}

double number_density(const SimulationSetup& setup) { return 1 / setup.particle_volume(); }

}  // namespace

DpdTable make_table(const SimulationSetup& setup) {
  DpdTable table;
  table.fluids = static_cast<int>(setup.fluids.size());
  for (int k = 0; k < table.fluids; ++k) {
    table.inverse_mass[k] = 1.0f / setup.fluids[static_cast<std::size_t>(k)].mass;
    for (int l = 0; l < table.fluids; ++l) {
      table.repulsion[k][l] = setup.dpd.repulsion.value[k][l];
      table.friction[k][l] = setup.dpd.friction.value[k][l];
      table.noise[k][l] = setup.dpd.noise.value[k][l];
    }
  }
  return table;
}

bool walls_drag(const SimulationSetup& setup) {
  return setup.wcsph.walls == WallSlip::NoSlip &&
         (setup.domain.walled(0) || setup.domain.walled(1) || setup.domain.walled(2) || !setup.solid_regions.empty());
}

namespace {

/// Of walls that exert forces.
bool same_walls(const SimulationSetup& a, const SimulationSetup& b) {
  if (walls_drag(a) != walls_drag(b)) return false;
  if (!walls_drag(a)) return true;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      if (!(a.wcsph.wall_velocity[axis][side] == b.wcsph.wall_velocity[axis][side])) return false;
  return a.dpd.temperature == b.dpd.temperature && a.spacing == b.spacing && a.solid_regions == b.solid_regions;
}

}  // namespace

bool same_forces(const SimulationSetup& a, const SimulationSetup& b) {
  const auto same = [](const PairMatrix& m, const PairMatrix& n, std::size_t fluids) {
    for (std::size_t k = 0; k < fluids; ++k)
      for (std::size_t l = 0; l < fluids; ++l)
        if (m.value[k][l] != n.value[k][l]) return false;
    return true;
  };
  const std::size_t fluids = a.fluids.size();
  if (b.fluids.size() != fluids || !(gravity_sources(a) == gravity_sources(b)) || a.seed != b.seed) return false;
  for (std::size_t k = 0; k < fluids; ++k)
    if (a.fluids[k].mass != b.fluids[k].mass) return false;
  return a.dpd.cutoff == b.dpd.cutoff && a.dpd.random == b.dpd.random && a.dpd.integrator == b.dpd.integrator &&
         same(a.dpd.repulsion, b.dpd.repulsion, fluids) && same(a.dpd.friction, b.dpd.friction, fluids) &&
         same(a.dpd.noise, b.dpd.noise, fluids) && a.domain == b.domain && same_walls(a, b);
}

double normalized_weight(int dimension, double number_density, double cutoff) {
  // Integrals of 1 - r / r_c: pi r_c^3 / 3 over the sphere, pi r_c^2 / 3 over the disc.
  return 3 / (std::numbers::pi * number_density * std::pow(cutoff, dimension));
}

namespace {

/// What limits a step, in the setup's units.
struct StepRates {
  double stiffness = 0;  ///< a / (m r_c) of the stiffest pair [1/time^2]
  double friction = 0;   ///< gamma / m of the strongest drag [1/time]
  double drag = 0;       ///< rate at which it slows a particle among others at rest [1/time]
  double passing = 0;    ///< thermal speed over r_c [1/time]
  double crowd = 0;      ///< particles in r_c^d
};

StepRates step_rates(const SimulationSetup& setup) {
  const DpdSetup& dpd = setup.dpd;
  const double rc = dpd.cutoff;
  StepRates rates;
  double lightest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < setup.fluids.size(); ++k) {
    lightest = std::min(lightest, double{setup.fluids[k].mass});
    for (std::size_t l = 0; l < setup.fluids.size(); ++l) {
      const double lighter = std::min(setup.fluids[k].mass, setup.fluids[l].mass);
      rates.stiffness = std::max(rates.stiffness, dpd.repulsion.value[k][l] / (lighter * rc));
      rates.friction = std::max(rates.friction, dpd.friction.value[k][l] / lighter);
    }
  }
  // n gamma / (d m) times the integral of w^2.
  const double integral =
      setup.domain.dimension == 2 ? std::numbers::pi * rc * rc / 6 : 2 * std::numbers::pi * rc * rc * rc / 15;
  rates.drag = rates.friction * number_density(setup) * integral / setup.domain.dimension;
  rates.passing = std::sqrt(dpd.temperature / lightest) / rc;
  rates.crowd = number_density(setup) * std::pow(rc, setup.domain.dimension);
  return rates;
}

/// How much of the friction limits the step: least at 0.65, where errors cancel; before it the fluid is too hot, beyond
/// it too cold.
double friction_factor(double lambda) {
  constexpr double kCancelling = 0.65, kLeast = 3;
  return lambda <= kCancelling ? std::max(kLeast, 31 - 48 * lambda) : kLeast + 39 * (lambda - kCancelling);
}

/// 1 at lambda 0.65, where errors of the temperature cancel, 0 from 0.15 of it on.
double cancelling(double lambda) { return std::max(0.0, 1 - std::fabs(lambda - 0.65) / 0.15); }

/// [time] How long steps may be for the stiffest pair. In general the fluid is 3 % too hot from a share of the time on in which that
/// pair swings. Where errors of the temperature cancel, the energy of pairs is 1 % too high first: from 0.060, 0.053, 0.049 and
/// 0.045 on at a = 25, 50, 75 and 100, density 3, friction 4.5.
double pair_step(double lambda, const StepRates& rates) {
  const double swing = 0.3 / std::sqrt(rates.stiffness);
  const double stiffness = rates.stiffness / (rates.passing * rates.passing);  // a r_c / kT
  const double cancelled = std::max(swing, 0.06 / rates.passing * std::pow(stiffness / 25, -0.21));
  return swing + cancelling(lambda) * (cancelled - swing);
}

/// [1/time] By which share of kT a unit of time of a step cools the fluid. Among many neighbours the drag alone does, by
/// (lambda - 1/2) drag; collisions with few make it hotter.
double cooling(const SimulationSetup& setup, const StepRates& rates) {
  return (double{setup.dpd.lambda} - 0.5 - 0.195 / rates.crowd) * rates.drag;
}

}  // namespace

float stable_dt(const SimulationSetup& setup) {
  const StepRates rates = step_rates(setup);
  if (!(rates.stiffness > 0) && !(rates.friction > 0)) return std::numeric_limits<float>::infinity();
  // Fitted to the steps at which tests/reference/dpd_step_errors.csv has an error of 3 %.
  if (setup.dpd.integrator == DpdIntegrator::LeapFrog) {
    const double of_drag = 8.1 + 3.9 * std::max(0.0, 1 - 3 / rates.crowd);
    return static_cast<float>(1 / (3.2 * std::sqrt(rates.stiffness * rates.crowd) + of_drag * rates.drag));
  }
  double dt = 1 / (10 * rates.passing + friction_factor(setup.dpd.lambda) * std::sqrt(rates.friction * rates.passing));
  if (rates.stiffness > 0) dt = std::min(dt, pair_step(setup.dpd.lambda, rates));
  if (rates.drag > 0) dt = std::min(dt, 0.56 / rates.drag);
  if (const double cold = cooling(setup, rates); cold > 0) dt = std::min(dt, kAdmittedTemperatureError / cold);
  return static_cast<float>(dt);
}

LongSteps effect_of_long_steps(const SimulationSetup& setup) {
  constexpr double kCrowd = 6;  // among fewer, collisions heat as much as the drag cools
  if (setup.dpd.integrator == DpdIntegrator::LeapFrog || setup.dpd.lambda > 0.65f) return LongSteps::Cool;
  const StepRates rates = step_rates(setup);
  const double longest = dpd::stable_dt(setup);
  const bool by_pairs = rates.stiffness > 0 && longest > 0.999 * pair_step(setup.dpd.lambda, rates);
  if (by_pairs && cancelling(setup.dpd.lambda) > 0.5) return LongSteps::Pairs;
  if (!(cooling(setup, rates) * longest > 0.99 * kAdmittedTemperatureError)) return LongSteps::Heat;
  return rates.crowd < 0.999 * kCrowd ? LongSteps::CoolAndHeat : LongSteps::Cool;
}

/// Share of the energy of two particles at one place, a r_c, that counts as thermal at least.
constexpr float kPush = 0.02f;

float thermal_speed(const SimulationSetup& setup) {
  float lightest = std::numeric_limits<float>::infinity();
  for (const FluidSetup& fluid : setup.fluids) lightest = std::min(lightest, fluid.mass);
  float fastest = fastest_drive(setup);
  for (const BodySetup& body : setup.bodies) fastest = std::max(fastest, static_cast<float>(fastest_start(body)));
  if (walls_drag(setup))  // they send particles off at twice their own speed
    for (const auto& faces : setup.wcsph.wall_velocity)
      for (const Vec3& velocity : faces) fastest = std::max(fastest, 2 * std::sqrt(length2(velocity)));
  // A cold fluid that is not in equilibrium yet is as fast as repulsion pushes its particles apart.
  float stiffest = 0;
  for (std::size_t k = 0; k < setup.fluids.size(); ++k)
    for (std::size_t l = 0; l < setup.fluids.size(); ++l)
      stiffest = std::max(stiffest, setup.dpd.repulsion.value[k][l]);
  const float energy = std::max(setup.dpd.temperature, kPush * stiffest * setup.dpd.cutoff);
  return std::max({std::sqrt(energy / lightest), fastest, 1e-6f});
}

StepBounds step_bounds(const SimulationSetup& setup) {
  StepBounds bounds;
  bounds.sound_speed = 1;
  bounds.cfl_length = std::numeric_limits<float>::infinity();
  bounds.force_length = std::numeric_limits<float>::infinity();
  bounds.fixed = setup.step.fixed;
  if (!(bounds.fixed > 0)) {
    const float stable = dpd::stable_dt(setup);
    bounds.fixed = is_finite(stable) ? stable / 3 : 0.01f * setup.dpd.cutoff;
    if (setup.step.max > 0) bounds.fixed = std::min(bounds.fixed, setup.step.max);
  }
  bounds.constant = bounds.fixed;
  return bounds;
}

std::size_t particle_bytes(const SimulationSetup& setup, bool) {
  // "acceleration", "predicted velocity", then what the constructor adds by the settings
  std::size_t bytes = attribute_bytes<Vec4>(Persistence::Carry) + attribute_bytes<Vec4>(Persistence::Scratch);
  if (setup.dpd.integrator == DpdIntegrator::LeapFrog) bytes += attribute_bytes<Vec4>(Persistence::Carry);
  if (setup.dpd.random == RandomKind::KarpinskiStream) bytes += attribute_bytes<float>(Persistence::Carry);
  if (walls_drag(setup)) bytes += attribute_bytes<Vec4>(Persistence::Scratch);
  return bytes;
}

DpdSolver::DpdSolver(const SimulationSetup& setup, ParticleSet& particles)
    : Solver(setup, particles.device()),
      setup_(setup),
      table_(make_table(setup)),
      surfaces_(particles.device(), setup),
      wall_weights_(particles.device()),
      nominal_step_(dpd::step_bounds(setup).fixed),
      solid_forces_(particles.device(), setup, why_no_solid_forces(setup).empty()),
      kept_(values_of_evaluation(setup, particles.device())) {
  particles.add<Vec4>("acceleration", Persistence::Carry);
  particles.add<Vec4>("predicted velocity", Persistence::Scratch);
  if (walls_drag(setup)) {
    particles.add<Vec4>("wall acceleration", Persistence::Scratch);
    wall_weights_ = Buffer<WallWeights>(particles.device(), wall_weights(setup));
  }
  if (setup.dpd.integrator == DpdIntegrator::LeapFrog) particles.add<Vec4>("previous velocity", Persistence::Carry);
  if (setup.dpd.random == RandomKind::KarpinskiStream) particles.add<float>("random", Persistence::Carry);
  if (setup.dpd.random == RandomKind::KarpinskiStream) {
    std::vector<float> start;
    for (const std::uint32_t id : particles.get<std::uint32_t>("id").to_host())
      start.push_back(karpinski_stream(setup.seed, id, setup.dpd.stream_start).r);
    particles.get<float>("random").assign(start);
  }
  parallel_for(particles.device(), "mark particles", particles.count(),
               MarkParticles{particles.get<std::uint32_t>("id").data(), particles.get<std::uint32_t>("fluid").data(),
                             particles.get<Vec4>("velocity").data(), particles.get<Vec4>("position").data(),
                             particles.get<Vec4>("predicted velocity").data()});
}

KeptBodies DpdSolver::kept_bodies() {
  KeptBodies kept = bodies()->kept();
  if (!kept.empty() && started_) kept.later = solid_forces_.later_sums();
  return kept;
}

void DpdSolver::restore_bodies(const KeptBodies& kept) {
  bodies()->restore(kept);
  if (kept.later.empty()) return;
  solid_forces_.set_later(kept.later);
  recount_walls_ = false;
}

void DpdSolver::resume(bool started) {
  started_ = started;
  solid_forces_.restart();
  // A stream's numbers have gone on: its first half of a force is not known any more.
  recount_walls_ = started && wall_weights_.size() > 0 && solid_forces_.any() &&
                   setup_.dpd.integrator == DpdIntegrator::VelocityVerlet &&
                   setup_.dpd.random != RandomKind::KarpinskiStream;
  may_have_new_ = started;
  search_version_ = 0;
}

void DpdSolver::follow(ParticleSet& particles, int first_new) {
  const int added = particles.count() - first_new;
  if (added == 0) return;
  may_have_new_ = true;
  const bool leap_frog = setup_.dpd.integrator == DpdIntegrator::LeapFrog;
  const std::uint32_t* id = particles.get<std::uint32_t>("id").data() + first_new;
  Vec4* velocity = particles.get<Vec4>("velocity").data() + first_new;
  parallel_for(particles.device(), "mark particles", added,
               MarkParticles{id, particles.get<std::uint32_t>("fluid").data() + first_new, velocity,
                             particles.get<Vec4>("position").data() + first_new,
                             particles.get<Vec4>("predicted velocity").data() + first_new});
  parallel_for(particles.device(), "mark new particles", added,
               MarkNew{velocity, particles.get<Vec4>("acceleration").data() + first_new,
                       leap_frog ? particles.get<Vec4>("previous velocity").data() + first_new : nullptr});
  if (setup_.dpd.random != RandomKind::KarpinskiStream) return;
  std::vector<std::uint32_t> ids(static_cast<std::size_t>(added));
  copy_to_host(particles.device(), ids.data(), id, ids.size() * sizeof(std::uint32_t));
  std::vector<float> random;
  for (const std::uint32_t i : ids) random.push_back(karpinski_stream(setup_.seed, i, setup_.dpd.stream_start).r);
  particles.write<float>("random", first_new, random);
}

void DpdSolver::follow_foreign(ParticleSet& particles, const std::uint32_t* own_again) {
  kept_.reserve(particles.capacity());
  if (!started_) return;
  const bool leap_frog = setup_.dpd.integrator == DpdIntegrator::LeapFrog;
  may_have_new_ = true;
  parallel_for(
      particles.device(), "mark own again", particles.count(),
      MarkOwnAgain{own_again, particles.get<Vec4>("velocity").data(), particles.get<Vec4>("acceleration").data(),
                   leap_frog ? particles.get<Vec4>("previous velocity").data() : nullptr});
}

void DpdSolver::predict(ParticleSet& particles, const StepControl& control) {
  const bool leap_frog = setup_.dpd.integrator == DpdIntegrator::LeapFrog;
  parallel_for(particles.device(), "predict", particles.count(),
               Predict{setup_.dpd.lambda - 0.5f, leap_frog ? particles.get<Vec4>("previous velocity").data() : nullptr,
                       particles.get<Vec4>("velocity").data(), particles.get<Vec4>("acceleration").data(),
                       particles.get<std::uint32_t>("fluid").data(), control.state(),
                       particles.get<Vec4>("predicted velocity").data()});
}

bool DpdSolver::start(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer) {
  const Device& device = particles.device();
  const int n = particles.count();
  // A search changes the order, and with it where the arrays are.
  const auto is_new = [&] { return CountNew{particles.get<Vec4>("acceleration").data(), foreign_flags(particles)}; };
  if (started_ && reduce<int>(device, "count new particles", n, is_new()) == 0) {
    may_have_new_ = false;
    return true;
  }
  find_neighborhoods(particles, search, setup_.domain, setup_.dpd.cutoff, timer);
  parallel_for(device, "mark particles", n,
               MarkParticles{particles.get<std::uint32_t>("id").data(), particles.get<std::uint32_t>("fluid").data(),
                             particles.get<Vec4>("velocity").data(), particles.get<Vec4>("position").data(),
                             particles.get<Vec4>("predicted velocity").data()});
  find_apparent_gravity(control, GravityField::When::AroundStart, timer);
  if (!(control.finish().dt > 0)) return false;  // the run starts when the limit is raised
  Buffer<std::uint32_t> skip(device, started_ ? static_cast<std::size_t>(n) : 0);
  if (started_) parallel_for(device, "skip old particles", n, SkipOld{is_new(), skip.data()});
  evaluate(particles, search, control, false, started_ ? skip.data() : foreign_flags(particles));
  may_have_new_ = false;
  return true;
}

void DpdSolver::step(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer) {
  const Device& device = particles.device();
  const int n = particles.count();
  const bool leap_frog = setup_.dpd.integrator == DpdIntegrator::LeapFrog;
  {
    auto timing = timer.scope("time step");
    choose_step(particles, particles.get<Vec4>("acceleration").data(), control);
  }
  if (surfaces_.bodies().any()) find_apparent_gravity(control, GravityField::When::Step, timer);
  if (surfaces_.driven()) {
    auto timing = timer.scope("drive solids");
    // The bodies take it here, where they are: torques of the step before are about these centres of mass.
    solid_forces_.add_later(control.state(), nominal_step_);
    surfaces_.bodies().advance(control, solid_forces_.impulses(nullptr), apparent_gravity());
    surfaces_.drive(control.state(), SolidSurfaces::Part::Step);
    solid_forces_.drive(surfaces_);
  }
  if ((!started_ || may_have_new_) && !start(particles, search, control, timer)) {
    // Devices without new particles go on, and wait at their refresh points for this one.
    refresh(particles, {field("position", particles.get<Vec4>("position"))});
    refresh(particles, {field("predicted velocity", particles.get<Vec4>("predicted velocity"))});
    refresh(particles, {field("velocity", particles.get<Vec4>("velocity"))});
    return;
  }
  if (std::exchange(recount_walls_, false)) feel_walls(particles, control, false, foreign_flags(particles));
  stir(particles, control, timer);
  damp(particles, control, timer);
  {
    auto timing = timer.scope("drift");
    if (wall_weights_.size() > 0) solid_forces_.add_later(control.state(), nominal_step_);
    parallel_for(
        device, "drift", n,
        Drift{setup_.domain, face_velocities(setup_), walls_drag(setup_), surfaces_.view(),
              solid_forces_.impulses(particles.get<std::uint32_t>("fluid").data()), leap_frog, control.state(),
              particles.get<Vec4>("position").data(), particles.get<Vec4>("velocity").data(),
              particles.get<Vec4>("acceleration").data(),
              leap_frog ? particles.get<Vec4>("previous velocity").data() : nullptr, foreign_flags(particles)});
  }
  refresh(particles, {field("position", particles.get<Vec4>("position"))});
  find_neighborhoods(particles, search, setup_.domain, setup_.dpd.cutoff, timer);
  // On a GPU a pair's random number and force cost ten times as much as its distance, and a searching warp does that
  // work for every candidate that is a neighbour of any of its particles. From a list, all particles of a warp work on
  // neighbours.
  if (device.is_cuda() || search.settings().skin > 0) {
    auto timing = timer.scope("list");
    search.list_neighbors(particles.get<Vec4>("position").data());
  }
  {
    auto timing = timer.scope("predict");
    predict(particles, control);
  }
  refresh(particles, {field("predicted velocity", particles.get<Vec4>("predicted velocity"))});
  {
    find_apparent_gravity(control, GravityField::When::AroundEnd, timer);
    auto timing = timer.scope("forces");
    evaluate(particles, search, control, true, foreign_flags(particles));
    solid_forces_.finish_step(control.state(), surfaces_.bodies().untaken());
  }
  refresh(particles, {field("velocity", particles.get<Vec4>("velocity"))});
}

Buffer<Vec4> DpdSolver::full_step_velocity(const ParticleSet& particles) const {
  const Device& device = particles.device();
  Buffer<Vec4> mean(device, static_cast<std::size_t>(particles.count()));
  const Vec4* velocity = particles.get<Vec4>("velocity").data();
  const bool ahead = setup_.dpd.integrator == DpdIntegrator::LeapFrog && started_;
  const Vec4* previous = ahead ? particles.get<Vec4>("previous velocity").data() : velocity;
  parallel_for(device, "velocities at full steps", particles.count(), MeanVelocity{velocity, previous, mean.data()});
  return mean;
}

Diagnostics DpdSolver::measure(const ParticleSet& particles, const NeighborSearch& search, const ClockState& clock) {
  const Device& device = particles.device();
  const int n = count_own(particles);
  const Domain& domain = setup_.domain;
  float mass[kMaxFluids] = {};
  for (std::size_t f = 0; f < setup_.fluids.size(); ++f) mass[f] = setup_.fluids[f].mass;
  MeasureInput input = measure_input(particles, setup_, mass, clock.time);
  const Buffer<Vec4> full_step = full_step_velocity(particles);
  input.velocity = full_step.data();
  Diagnostics d = riffle::measure(device, input);
  solid_forces_.read(d.solids, d.faces);
  ThermalDiagnostics thermal;

  // Along axes without walls the centre of mass keeps its velocity: those degrees of freedom are not thermal.
  bool free_axis[3] = {};
  int free_axes = 0;
  double flow = 0;
  for (int a = 0; a < domain.dimension; ++a) {
    free_axis[a] = !domain.walled(a);
    free_axes += free_axis[a];
    if (free_axis[a]) flow += 0.5 * d.momentum[a] * d.momentum[a] / d.mass;
  }
  const double degrees = double(domain.dimension) * n - free_axes;
  const auto kT_of = [&](double kinetic) { return degrees > 0 ? 2 * (kinetic - flow) / degrees : 0.0; };
  thermal.temperature = kT_of(d.kinetic_energy);
  const FluidSums by_fluid = sum_by_fluid(device, input);
  for (std::size_t f = 0; f < setup_.fluids.size(); ++f)
    thermal.fluid_temperature.push_back(
        by_fluid.count[f] > 0 ? 2 * by_fluid.kinetic_energy[f] / (double(domain.dimension) * double(by_fluid.count[f]))
                              : std::numeric_limits<double>::quiet_NaN());
  if (setup_.dpd.integrator == DpdIntegrator::LeapFrog) {
    input.velocity = particles.get<Vec4>("velocity").data();
    thermal.half_step_temperature = kT_of(riffle::measure(device, input).kinetic_energy);
  } else {
    Buffer<Vec4> half_step(device, static_cast<std::size_t>(particles.count()));
    parallel_for(device, "velocities at half steps", particles.count(),
                 HalfKick{0.5f * clock.last_dt, input.velocity, input.acceleration, half_step.data()});
    input.velocity = half_step.data();
    thermal.half_step_temperature = kT_of(riffle::measure(device, input).kinetic_energy);
  }

  if (!volume_) volume_ = free_volume(setup_);
  PairSums pairs = sum_pairs(particles, search, clock);
  pairs.conservative += wall_virial(particles);
  thermal.pair_energy = pairs.energy / n;
  thermal.mean_neighbors = pairs.count / n;
  thermal.pressure = (n * thermal.temperature + pairs.conservative / domain.dimension) / *volume_;
  thermal.thermostat_pressure = thermal.pressure + pairs.thermostat / domain.dimension / *volume_;
  d.thermal = thermal;
  return d;
}

}  // namespace riffle::dpd
