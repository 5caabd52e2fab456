/// The dynamic viscosity of a DPD fluid (rho = 3, a = 25, gamma = 4.5, kT = 1), from the speed of layers that a body force drives
/// against each other in a periodic box. LAMMPS gave 0.81 +- 0.03 by such a flow (8 x 8 x 16, a force of 0.02).
///
/// With `halves` the speed is parabolic in each half, with `sine` it is a sine. The profile's strength is the velocity's
/// component along that shape: a uniform drift does not change it. Acceptance: 0.81 +- 0.05 by the reference's integrator
/// and by the default one, over 1,000 units of time, 2 % noise; both profiles agree within 6 %. kT is that of velocities
/// without the profile.

#include <cmath>
#include <numbers>

#include "sim/by_id.h"
#include "validation/cases.h"
#include "validation/dpd_setups.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

constexpr double kDensity = 3;
constexpr int kBins = 32;

struct DrivenLayers {
  Vec3 extent;
  double force, dt;
  double settle, sample, every;  ///< [time]
};

/// The profile that a viscosity of 1 would have with a force of 1. @param y  from 0 to `width`
double unit_speed(ForceProfile profile, double y, double width) {
  if (profile == ForceProfile::Sine) {
    const double k = 2 * std::numbers::pi / width;
    return std::sin(k * y) / (k * k);
  }
  const double half = 0.5 * width;
  return y < half ? 0.5 * y * (half - y) : -0.5 * (y - half) * (width - y);
}

struct LayersMeasured {
  double eta = 0, kT = 0, wanted_kT = 1;  ///< wanted: of the set-up that was simulated
  Series profile;
};

LayersMeasured measure(const DrivenLayers& layers, ForceProfile profile, float lambda, const std::string& what,
                       const CaseContext& context) {
  SimulationSetup setup = dpd_box(layers.extent, layers.dt, 5);
  setup.dpd.integrator = DpdIntegrator::VelocityVerlet;
  setup.dpd.lambda = lambda;
  setup.body_force.given = true;
  setup.body_force.acceleration = {static_cast<float>(layers.force), 0, 0};
  setup.body_force.profile = profile;
  Simulation simulation(context.noted(setup), context.device);
  const double width = layers.extent.y, all = layers.settle + layers.sample;
  const auto go_to = [&](double time) {
    run_until(simulation, time, [&](double t) { context.progress(t / all, what); });
  };
  go_to(layers.settle);
  const int samples = static_cast<int>(std::round(layers.sample / layers.every));
  double along = 0, squares = 0, speeds2 = 0, count = 0;
  double sum[kBins] = {}, number[kBins] = {};
  for (int k = 1; k <= samples; ++k) {
    go_to(layers.settle + k * layers.every);
    const auto position = simulation.particles().get<Vec4>("position").to_host();
    const auto velocity = simulation.particles().get<Vec4>("velocity").to_host();
    for (std::size_t i = 0; i < position.size(); ++i) {
      const double shape = unit_speed(profile, position[i].y, width);
      const Vec3 v = xyz(velocity[i]);
      along += shape * v.x, squares += shape * shape;
      speeds2 += length2(v), ++count;
      const int bin = std::min(kBins - 1, static_cast<int>(position[i].y / width * kBins));
      sum[bin] += v.x, number[bin] += 1;
    }
  }
  const double strength = along / squares;  // of the profile, in unit profiles: force / nu
  LayersMeasured measured;
  measured.eta = kDensity * layers.force / strength;
  measured.kT = (speeds2 - strength * along) / (3 * count);
  measured.wanted_kT = double{simulation.setup().dpd.temperature};
  measured.profile.label = what;
  for (int b = 0; b < kBins; ++b) {
    measured.profile.x.push_back((b + 0.5) * width / kBins);
    measured.profile.y.push_back(sum[b] / std::max(1.0, number[b]));
  }
  return measured;
}

CaseResult run_viscosity(const CaseContext& context) {
  const bool full = context.full();
  const DrivenLayers layers =
      full ? DrivenLayers{{8, 16, 8}, 0.02, 0.01, 120, 1000, 0.5} : DrivenLayers{{6, 12, 6}, 0.03, 0.02, 60, 150, 0.5};
  struct Run {
    const char* name;
    ForceProfile profile;
    float lambda;
  };
  const Run runs[] = {{"halves, lambda 0.5", ForceProfile::Halves, 0.5f},
                      {"halves, lambda 0.65", ForceProfile::Halves, 0.65f},
                      {"sine, lambda 0.65", ForceProfile::Sine, 0.65f}};
  CaseResult result;
  result.curves.push_back(
      {"speed", "Layers driven against each other", "y [r_c]", "v_x [r_c/time]", {}, {{"eta = 0.81", {}, {}}}});
  const int first = full ? 0 : 1, count = 3 - first;
  double halves = 0, sine = 0;
  for (int k = first; k < 3; ++k) {
    const Run& run = runs[k];
    const LayersMeasured measured = measure(layers, run.profile, run.lambda, run.name,
                                            context.part(1.0 * (k - first) / count, 1.0 * (k - first + 1) / count));
    const std::string name = run.name;
    result.checks.push_back(context.check(name + ": dynamic viscosity", measured.eta));
    result.checks.push_back(context.check_any_physics(name + ": kT without the flow", measured.kT, measured.wanted_kT));
    (run.profile == ForceProfile::Halves ? halves : sine) = measured.eta;
    result.curves.back().measured.push_back(measured.profile);
  }
  result.checks.push_back(context.check("sine beside halves, lambda 0.65", sine / halves));
  Series& reference = result.curves.back().reference.back();
  for (int k = 0; k <= 100; ++k) {
    const double y = layers.extent.y * k / 100;
    reference.x.push_back(y);
    reference.y.push_back(kDensity * layers.force / 0.81 * unit_speed(ForceProfile::Halves, y, layers.extent.y));
  }
  return result;
}

}  // namespace

ValidationCase dpd_viscosity_case() {
  return {"dpd_viscosity", "DPD fluid in layers driven against each other: its dynamic viscosity",
          "1,296 particles, 150 units of time", "3,072 particles, 1,000 units of time, two profiles, two integrators",
          run_viscosity};
}

}  // namespace riffle
