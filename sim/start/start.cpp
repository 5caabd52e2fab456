#include "sim/start/start.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <iterator>
#include <numeric>

#include "core/error.h"
#include "core/text/log.h"
#include "core/timing/seconds_since.h"
#include "sim/by_id.h"
#include "sim/random/random.h"
#include "sim/simulation.h"
#include "sim/solver.h"
#include "sim/solver_info.h"
#include "sim/start/flow.h"

namespace riffle {

namespace {

// Streams of random numbers, one for each purpose.
constexpr std::uint32_t kShuffle = 0x73687566, kMaxwell = 0x6d617877;

constexpr int kStepsPerLook = 64;      // looking waits for the device
constexpr double kLookAtLatest = 0.2;  // [s] on the wall: a slow start can be given up soon, too

double height_of_interface(const SimulationSetup& setup, double x) {
  const StartSetup& start = setup.start;
  constexpr double tau = 6.28318530717958648;
  return start.height + start.amplitude * std::cos(tau * (x - setup.domain.min.x) / start.wavelength);
}

/// Positions after the particles have moved as one fluid.
void equilibrate(const SimulationSetup& setup, const Device& device, FluidSamples& samples,
                 const StartProgress& progress) {
  SimulationSetup alone = setup;
  alone.start = {};
  alone.gravity = {};
  alone.gravity_change = {};
  alone.body_force = {};
  alone.tank = {};
  for (BodySetup& body : alone.bodies) body.fluid = 0, body.velocity = {}, body.flow = {};
  for (SolidRegion& solid : alone.solid_regions) solid.drive = {}, solid.free = {};
  alone.damping.clear();
  alone.inlets.clear();
  alone.outlets.clear();
  for (auto& faces : alone.wcsph.wall_velocity) std::fill(std::begin(faces), std::end(faces), Vec3{});
  alone.fluids.resize(1);
  const auto steps = static_cast<std::uint64_t>(std::ceil(setup.start.equilibration / step_bounds(alone).fixed));
  const auto go_on = [&](std::uint64_t done) {
    look_at_progress(progress, {StartStage::Equilibration, std::min(done, steps), steps},
                     "the particles were equilibrated");
  };
  log::info("equilibrating {} particles for {:g} units of time, {} steps", samples.position.size(),
            double{setup.start.equilibration}, steps);
  go_on(0);
  Simulation simulation(alone, device);
  simulation.set_time_limit(setup.start.equilibration);
  while (simulation.latest().time < setup.start.equilibration) {
    const std::uint64_t done = simulation.latest().step;
    const auto looked = std::chrono::steady_clock::now();
    for (int k = 0; k < kStepsPerLook && seconds_since(looked) < kLookAtLatest; ++k) simulation.step();
    const StepReport now = simulation.finish();
    go_on(now.step);
    if (!(now.max_speed <= 10 * simulation.signal_speed()) || now.step == done)
      throw RuntimeFailure("the equilibration before time 0 falls apart at its time " + std::to_string(now.time) +
                           ", after " + std::to_string(now.step) + " steps: a smaller time.step helps most");
  }
  samples.position = by_id<Vec4>(simulation, "position");
  samples.site.clear();
  for (Vec4& x : samples.position) x.w = 0;  // DPD keeps the id there
}

/// Fluid and velocity by the body that a particle lies in now; those outside of all bodies, and those of a file, keep theirs.
void assign_by_place(const SimulationSetup& setup, FluidSamples& samples) {
  const int dimension = setup.domain.dimension;
  const auto from_file = [](const BodySetup& body) { return bool{body.particles}; };
  if (std::any_of(setup.bodies.begin(), setup.bodies.end(), from_file)) return;
  for (std::size_t i = 0; i < samples.position.size(); ++i) {
    const Vec3 x = xyz(samples.position[i]);
    const auto body = std::find_if(setup.bodies.begin(), setup.bodies.end(),
                                   [&](const BodySetup& b) { return contains(b, x, dimension); });
    if (body == setup.bodies.end()) continue;
    samples.fluid[i] = static_cast<std::uint32_t>(body->fluid);
    Vec3 velocity = body->velocity;
    if (body->flow.flow != Flow::None) velocity += flow_velocity(body->flow, x);
    if (dimension == 2) velocity.z = 0;
    samples.velocity[i] = make_vec4(velocity);
  }
}

}  // namespace

namespace {

/// The decimal number that a float rounds. 0.1f itself is 1.5e-8 of it larger, and of 3,000 particles 301 would have the share.
double decimal(float value) {
  char digits[32];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  double number = value;
  std::from_chars(digits, end, number);
  return number;
}

}  // namespace

std::vector<double> mixture_shares(const SimulationSetup& setup) {
  double left = 1;
  std::size_t open = 0;
  for (const FluidSetup& fluid : setup.fluids) {
    if (fluid.share < 0)
      ++open;
    else
      left -= decimal(fluid.share);
  }
  std::vector<double> shares;
  double sum = 0;
  for (const FluidSetup& fluid : setup.fluids) {
    shares.push_back(fluid.share < 0 ? std::max(left, 0.0) / double(open) : decimal(fluid.share));
    sum += shares.back();
  }
  for (double& share : shares) share /= sum > 0 ? sum : 1;  // thirds are written 0.3333
  return shares;
}

void assign_fluids(const SimulationSetup& setup, FluidSamples& samples) {
  const StartSetup& start = setup.start;
  if (start.has_interface)
    for (std::size_t i = 0; i < samples.position.size(); ++i) {
      const bool above = samples.position[i].y > height_of_interface(setup, samples.position[i].x);
      samples.fluid[i] = static_cast<std::uint32_t>(above ? start.upper : start.lower);
    }
  if (!start.mixed) return;
  std::vector<std::size_t> order(samples.fluid.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> key(order.size());
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = uniform(setup.seed, kShuffle, i);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return key[a] < key[b] || (key[a] == key[b] && a < b); });
  const std::vector<double> shares = mixture_shares(setup);
  double upto = 0;
  std::size_t k = 0;
  for (std::size_t f = 0; f < shares.size(); ++f) {
    upto += shares[f];
    const double end = upto > 1 - 1e-9 ? double(order.size()) : std::ceil(upto * double(order.size()) - 1e-6);
    for (; double(k) < end; ++k) samples.fluid[order[k]] = static_cast<std::uint32_t>(f);
  }
}

/// Particles whose velocity has a thermal part already keep it.
void add_thermal_velocities(const SimulationSetup& setup, FluidSamples& samples) {
  const int dimension = setup.domain.dimension;
  double momentum[3] = {}, total = 0;
  std::size_t cold = 0;
  std::vector<Vec3> thermal(samples.velocity.size());
  const auto is_thermal = [&](std::size_t i) { return !samples.thermal.empty() && samples.thermal[i] != 0; };
  for (std::size_t i = 0; i < thermal.size(); ++i) {
    if (is_thermal(i)) continue;
    const float mass = setup.fluids[samples.fluid[i]].mass;
    thermal[i] = std::sqrt(setup.dpd.temperature / mass) * normal3(setup.seed, kMaxwell, i);
    if (dimension == 2) thermal[i].z = 0;
    for (int a = 0; a < 3; ++a) momentum[a] += double{mass} * component(thermal[i], a);
    total += mass;
    ++cold;
  }
  if (cold < 2) return;  // a single particle has no temperature
  const Vec3 mean{static_cast<float>(momentum[0] / total), static_cast<float>(momentum[1] / total),
                  static_cast<float>(momentum[2] / total)};
  for (std::size_t i = 0; i < thermal.size(); ++i)
    if (!is_thermal(i)) samples.velocity[i] = make_vec4(xyz(samples.velocity[i]) + thermal[i] - mean);
}

FluidSamples start_samples(const SimulationSetup& setup, const Device& device, const StartProgress& progress) {
  FluidSamples samples = sample_bodies(setup, progress);
  if (setup.start.equilibration > 0) {
    equilibrate(setup, device, samples, progress);
    assign_by_place(setup, samples);
  }
  assign_fluids(setup, samples);
  if (solver_info(setup).thermal) add_thermal_velocities(setup, samples);
  return samples;
}

}  // namespace riffle
