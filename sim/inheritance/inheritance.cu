#include "sim/inheritance/inheritance.h"

#include <algorithm>
#include <cmath>

#include "core/device/parallel.cuh"
#include "sim/shapes/shape.h"
#include "sim/solver.h"
#include "sim/solver_info.h"
#include "sim/state.h"

namespace riffle {

namespace {

constexpr double kSlowness = 3;  ///< crossings of the largest body by the expected speed in 1 / rate()
constexpr double kLasting = 16;  ///< 1 / rate() after which nothing is left: 1e-7 of it
constexpr float kNegligible = 1e-5f;

struct SubtractInherited {
  Inherited inherited;
  float* excess;
  RIFFLE_HD void operator()(std::int64_t i) const { excess[i] = inherited.left(i, excess[i]); }
};

/// Of particles, then of wall particles, then the share.
struct DecayInherited {
  int particles, walls;  ///< numbers
  float rate;
  const ClockState* clock;
  float* of_particles;
  float* of_walls;
  float* share;
  RIFFLE_HD void operator()(std::int64_t i) const {
    float& inherited = i < particles ? of_particles[i] : i < particles + walls ? of_walls[i - particles] : *share;
    const float left = expf(-rate * clock->dt) * inherited;
    inherited = fabsf(left) > kNegligible ? left : 0.0f;
  }
};

/// 1 / s
double rate_of(const SimulationSetup& setup) {
  double largest = 0;
  for (const BodySetup& body : setup.bodies) {
    const Bounds bounds = bounds_of(body);
    for (int a = 0; a < setup.domain.dimension; ++a)
      largest = std::max(largest, double{component(bounds.max, a)} - component(bounds.min, a));
  }
  return 0.1 * automatic_signal_speed(setup) / (kSlowness * std::max(largest, double{setup.spacing}));
}

}  // namespace

Inheritance::Inheritance(const SimulationSetup& setup, const Device& device)
    : rate_(static_cast<float>(rate_of(setup))), share_(device, 1), walls_(device) {
  share_.fill_zero();
}

void Inheritance::begin(double now) {
  begins_ = true;
  until_ = now + kLasting / rate_;
  const float whole = 1;
  share_.assign({&whole, 1});
  walls_.resize(0);
}

void Inheritance::restore(const KeptInheritance& kept) {
  begins_ = kept.begins;
  until_ = kept.until;
  share_.assign({&kept.share, 1});
  walls_.assign(kept.walls);
}

KeptInheritance Inheritance::kept() const { return {begins_, until_, share_.to_host()[0], walls_.to_host()}; }

bool Inheritance::acts(const ParticleSet& particles, StepControl& control, int walls) {
  if (!particles.has(kAttribute) || control.latest().time > until_) return false;
  if (walls_.size() != static_cast<std::size_t>(walls)) {
    walls_.resize(static_cast<std::size_t>(walls));
    walls_.fill_zero();
  }
  return true;
}

void Inheritance::subtract(ParticleSet& particles, float* excess) const {
  parallel_for(particles.device(), "inherited excess", particles.count(),
               SubtractInherited{{begins_, particles.get<float>(kAttribute).data()}, excess});
}

void Inheritance::decay(ParticleSet& particles, const ClockState* clock) {
  begins_ = false;
  const int n = particles.count(), walls = static_cast<int>(walls_.size());
  parallel_for(
      particles.device(), "inherited excess", std::int64_t{n} + walls + 1,
      DecayInherited{n, walls, rate_, clock, particles.get<float>(kAttribute).data(), walls_.data(), share_.data()});
}

bool sums_differ(const SimulationSetup& from, const SimulationSetup& to) {
  const auto kernel = [](const SimulationSetup& s) {
    return s.solver == SolverKind::Pbf ? s.pbf.kernel : s.wcsph.kernel;
  };
  if (!solver_info(to).excess_under) return false;
  return from.solver != to.solver || from.support_radius() != to.support_radius() || kernel(from) != kernel(to) ||
         (to.solver == SolverKind::Wcsph && from.wcsph.density != to.wcsph.density);
}

std::vector<float> left_pressures(const SimulationState& state, const SimulationSetup& to) {
  const auto left_pressure = solver_info(state.setup).left_pressure;
  if (!left_pressure) return {};
  const double before = std::sqrt(double{length2(state.setup.gravity)}), after = std::sqrt(double{length2(to.gravity)});
  if (before != after && !(before > 0 && after > 0)) return {};
  std::vector<float> pressure = left_pressure(state);
  if (before != after)
    for (float& p : pressure) p = static_cast<float>(p * after / before);
  return pressure;
}

}  // namespace riffle
