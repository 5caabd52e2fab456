#pragma once
/// Forces of a DPD fluid by the formula, over all pairs and in double precision, from the data of a simulation.

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/random/random.h"
#include "tests/sim/setups.h"

namespace riffle::test {

/// All arrays by particle id.
struct DpdState {
  std::vector<Vec4> position, velocity, acceleration, previous;
  std::vector<std::uint32_t> fluid;

  explicit DpdState(const Simulation& simulation)
      : position(by_id<Vec4>(simulation, "position")),
        velocity(by_id<Vec4>(simulation, "velocity")),
        acceleration(by_id<Vec4>(simulation, "acceleration")),
        fluid(by_id<std::uint32_t>(simulation, "fluid")) {
    if (simulation.setup().dpd.integrator == DpdIntegrator::LeapFrog)
      previous = by_id<Vec4>(simulation, "previous velocity");
  }
};

using Double3 = std::array<double, 3>;

inline Double3 to_double(Vec4 v) { return {double{v.x}, double{v.y}, double{v.z}}; }

struct HostForces {
  std::vector<Double3> force;  ///< by id
  double energy = 0;           ///< of all pairs
  double conservative = 0;     ///< sum over pairs of r.F
  double conservative_y = 0;   ///< sum over pairs of r_y F_y
  double thermostat = 0;       ///< r.F of drag and random forces
  std::int64_t neighbors = 0;  ///< each pair twice
};

/// Velocities for the drag of the step after `before`, by the formulas of the integrators. Where the path meets a wall, a
/// particle flies to it and off it under its acceleration; `reflected` counts these particles.
inline std::vector<Double3> predicted_velocities(const SimulationSetup& setup, const DpdState& before,
                                                 int* reflected = nullptr) {
  const double dt = setup.step.fixed;
  const bool leap_frog = setup.dpd.integrator == DpdIntegrator::LeapFrog;
  std::vector<Double3> result;
  for (std::size_t i = 0; i < before.velocity.size(); ++i) {
    const Double3 x = to_double(before.position[i]), v = to_double(before.velocity[i]),
                  a = to_double(before.acceleration[i]);
    const Double3 earlier = leap_frog ? to_double(before.previous[i]) : v;
    Double3 ahead{};
    for (int axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<std::size_t>(axis);
      ahead[k] = leap_frog ? 1.5 * v[k] - 0.5 * earlier[k] : v[k] + double{setup.dpd.lambda} * dt * a[k];
      const double to = x[k] + dt * (leap_frog ? v[k] : v[k] + dt / 2 * a[k]);
      if (!setup.domain.walled(axis)) continue;
      if (to >= double{component(setup.domain.min, axis)} && to <= double{component(setup.domain.max, axis)}) continue;
      const bool lower = to < double{component(setup.domain.min, axis)};
      const double sign = lower ? 1 : -1, wall = component(lower ? setup.domain.min : setup.domain.max, axis);
      const double pull = sign * a[k], first = sign * (leap_frog ? v[k] - dt / 2 * a[k] : v[k]);
      const double start = sign * (x[k] - wall), there = std::sqrt(first * first - 2 * pull * start);
      double rest = dt - 2 * start / (there - first);
      while (pull < 0 && rest > 2 * there / -pull) rest -= 2 * there / -pull;
      const double off = there + pull * (rest - dt / 2);  // half a step ahead of the start
      ahead[k] =
          sign * (leap_frog ? 1.5 * off + 0.5 * sign * earlier[k] : off + (double{setup.dpd.lambda} - 0.5) * dt * pull);
      if (reflected) ++*reflected;
    }
    result.push_back(ahead);
  }
  return result;
}

/// theta of a pair in evaluation number n of the forces: 0 before the first step, n at the end of step n.
inline double theta_of(const SimulationSetup& setup, std::uint32_t i, std::uint32_t j, std::uint64_t evaluation) {
  return setup.dpd.random == RandomKind::Philox ? double{PhiloxPair(setup.seed)(i, j, evaluation)}
                                                : double{KarpinskiPair(setup.seed)(i, j, evaluation)};
}

inline HostForces host_forces(const SimulationSetup& setup, const DpdState& state,
                              const std::vector<Double3>& predicted, std::uint64_t evaluation) {
  const DpdSetup& dpd = setup.dpd;
  const double cutoff = dpd.cutoff, per_root_dt = 1 / std::sqrt(double{setup.step.fixed});
  const std::size_t n = state.position.size(), axes = static_cast<std::size_t>(setup.domain.dimension);
  const Double3 extent = to_double(make_vec4(setup.domain.extent()));
  HostForces result;
  result.force.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Double3 x = to_double(state.position[i]), y = to_double(state.position[j]);
      Double3 e{};
      double r2 = 0, approach = 0;
      for (std::size_t k = 0; k < axes; ++k) {
        e[k] = x[k] - y[k];
        if (setup.domain.periodic(static_cast<int>(k))) e[k] -= extent[k] * std::round(e[k] / extent[k]);
        r2 += e[k] * e[k];
      }
      if (!(r2 < cutoff * cutoff)) continue;
      const double r = std::sqrt(r2), w = 1 - r / cutoff;
      for (std::size_t k = 0; k < axes; ++k) approach += (e[k] /= r) * (predicted[i][k] - predicted[j][k]);
      const std::uint32_t f = state.fluid[i], g = state.fluid[j];
      const double repulsion = double{dpd.repulsion.value[f][g]} * w;
      const double thermostat =
          double{dpd.noise.value[f][g]} * w * per_root_dt *
              theta_of(setup, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), evaluation) -
          double{dpd.friction.value[f][g]} * w * w * approach;
      for (std::size_t k = 0; k < axes; ++k) {
        result.force[i][k] += (repulsion + thermostat) * e[k];
        result.force[j][k] -= (repulsion + thermostat) * e[k];
      }
      result.energy += double{dpd.repulsion.value[f][g]} * cutoff * w * w / 2;
      result.conservative += repulsion * r;
      result.conservative_y += repulsion * e[1] * r * e[1];
      result.thermostat += thermostat * r;
      result.neighbors += 2;
    }
  return result;
}

/// sqrt(sum |a_k - b_k|^2 / sum |b_k|^2) over the particles, a accelerations and b forces.
inline double relative_error(const SimulationSetup& setup, const DpdState& state, const HostForces& expected) {
  double wrong = 0, all = 0;
  for (std::size_t i = 0; i < state.acceleration.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const double force = to_double(state.acceleration[i])[k] * double{setup.fluids[state.fluid[i]].mass};
      wrong += (force - expected.force[i][k]) * (force - expected.force[i][k]);
      all += expected.force[i][k] * expected.force[i][k];
    }
  return std::sqrt(wrong / all);
}

}  // namespace riffle::test
