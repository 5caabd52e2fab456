/// Surface tension and shifting in DFSPH.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/kernel.h"
#include "sim/solver.h"
#include "support/devices.h"
#include "tests/sim/solver_cases.h"
#include "validation/oscillation_fit.h"

namespace riffle::test {
namespace {

class DfsphSurface : public OnEachDevice {};

/// A disc of radius 1, density 1 and surface tension 1 in an open box; everything else is the default, besides the
/// pressure, which pulls, because nothing else holds what a curved part pushes outward.
SimulationSetup drop_setup(int per_radius) {
  SimulationSetup setup;
  setup.domain.dimension = 2;
  setup.domain.min = {-2, -2, -2};
  setup.domain.max = {2, 2, 2};
  setup.gravity = {};
  setup.spacing = 1.0f / static_cast<float>(per_radius);
  setup.fluids.emplace_back();
  setup.fluids[0].rest_density = 1;
  setup.fluids[0].viscosity = 0.01f;
  setup.fluids[0].surface_tension = 1;
  setup.wcsph.negative_pressure = true;
  BodySetup round;
  round.shape = Shape::Sphere;
  round.radius = 1;
  setup.bodies.push_back(round);
  return with_solver(std::move(setup), SolverKind::Dfsph);
}

/// The drop with those particles, each of which is a body.
SimulationSetup with_particles(SimulationSetup setup, const std::vector<Vec4>& position) {
  setup.bodies.clear();
  for (const Vec4& x : position) setup.bodies.push_back(body_of_one_particle(setup, xyz(x)));
  return setup;
}

/// Mean of x^2 - y^2 about the centre: that of mode 2, 0 for a disc.
double stretching(const std::vector<Vec4>& position) {
  double x = 0, y = 0, sum = 0;
  const auto count = static_cast<double>(position.size());
  for (const Vec4& p : position) x += p.x / count, y += p.y / count;
  for (const Vec4& p : position) sum += (p.x - x) * (p.x - x) - (p.y - y) * (p.y - y);
  return sum / count;
}

/// A drop that has settled into a round one, stretched by a tenth.
SimulationSetup stretched_drop(int per_radius, const Device& device) {
  SimulationSetup setup = drop_setup(per_radius);
  setup.wcsph.damping_rate = 4;  // the lattice's steps settle into a round surface
  setup.wcsph.damping_time = 2;
  Simulation settling(setup, device);
  run_until(settling, 2);
  std::vector<Vec4> position = by_id<Vec4>(settling, "position");
  for (Vec4& p : position) p.x *= 1.1f, p.y *= 0.9f;
  setup.wcsph.damping_rate = setup.wcsph.damping_time = 0;
  return with_particles(setup, position);
}

// omega^2 = n (n^2 - 1) sigma / (rho R^3), n = 2 (Rayleigh 1879).
TEST_P(DfsphSurface, ADropOscillatesAtTheExactFrequency) {
  const SimulationSetup setup = stretched_drop(10, device());
  Simulation simulation(setup, device());
  const double volume = simulation.particle_count() * setup.particle_volume();
  const double expected = std::sqrt(6 / std::pow(volume / std::numbers::pi, 1.5));
  std::vector<double> t, y;
  constexpr int samples = 60;
  for (int k = 0; k <= samples; ++k) {
    t.push_back(3 * std::numbers::pi / expected * k / samples);
    if (k > 0) run_until(simulation, t.back());
    y.push_back(stretching(by_id<Vec4>(simulation, "position")));
  }
  const OscillationFit fit = fit_decaying_oscillation(t, y, expected);
  RecordProperty("frequency_over_the_exact_one", std::to_string(fit.frequency / expected));
  ASSERT_TRUE(fit.found()) << "left: " << fit.residual;
  EXPECT_NEAR(fit.frequency / expected, 1, 0.05);
  EXPECT_EQ(simulation.diagnostics().non_finite, 0);
}

// Akinci's forces are those of pairs. Continuum keeps momentum as far as curvatures are exact, here those of a
// symmetric drop.
TEST_P(DfsphSurface, TensionAndShiftingKeepTheMomentum) {
  for (const TensionModel model : {TensionModel::Continuum, TensionModel::Akinci}) {
    SimulationSetup setup = drop_setup(10);
    setup.wcsph.tension_model = model;
    setup.wcsph.shifting = 5;
    setup.bodies[0].jitter = model == TensionModel::Akinci ? 0.2f : 0;
    Simulation simulation(setup, device());
    run_steps(simulation, 100);
    const Diagnostics end = simulation.diagnostics();
    // Of the speed that the drop's tension gives, sqrt(sigma / (rho R)) = 1 m/s.
    for (int k = 0; k < 2; ++k)
      EXPECT_NEAR(end.momentum[k], 0, 1e-5 * end.mass) << word_of(model) << ", kinetic energy " << end.kinetic_energy;
    EXPECT_EQ(end.non_finite, 0);
  }
}

/// Standard deviation over the particles of sum_j V_0 grad W_ij times the spacing: 0 on a lattice.
double disorder(const SimulationSetup& setup, const std::vector<Vec4>& x) {
  const SmoothingKernel kernel = make_kernel(setup.wcsph.kernel, 2, setup.support_radius(), setup.spacing);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double gx = 0, gy = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (j == i) continue;
      double dx = double{x[i].x} - x[j].x, dy = double{x[i].y} - x[j].y;
      dx -= std::round(dx), dy -= std::round(dy);
      const double r = std::sqrt(dx * dx + dy * dy);
      if (r >= kernel.h) continue;
      const double slope = kernel.gradient_over_r(static_cast<float>(r)) * setup.particle_volume();
      gx += slope * dx, gy += slope * dy;
    }
    sum += gx * gx + gy * gy;
  }
  return setup.spacing * std::sqrt(sum / double(x.size()));
}

TEST_P(DfsphSurface, ShiftingEvensOutAJitteredBox) {
  SimulationSetup setup = with_solver(periodic_setup(2, 24), SolverKind::Dfsph);
  setup.bodies[0].jitter = 0.1f;
  const auto after = [&](float shifting) {
    setup.wcsph.shifting = shifting;
    Simulation simulation(setup, device());
    const Diagnostics start = simulation.diagnostics();
    const double before = disorder(setup, by_id<Vec4>(simulation, "position"));
    run_until(simulation, 0.1);
    const Diagnostics end = simulation.diagnostics();
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(end.momentum[k], start.momentum[k], 1e-5 * start.mass);
    return disorder(setup, by_id<Vec4>(simulation, "position")) / before;
  };
  for (const bool pulls : {false, true}) {
    setup.wcsph.negative_pressure = pulls;
    const double without = after(0), with = after(5);
    EXPECT_LT(with, without / 3) << without << (pulls ? ", pressure pulls" : "");
  }
}

TEST_P(DfsphSurface, WhatIsOffHasNoStageAndNoMemory) {
  SimulationSetup setup = with_solver(column_setup(3, 8), SolverKind::Dfsph);
  const auto stages = [&] {
    Simulation simulation(setup, device());
    run_steps(simulation, 2);
    const Simulation& timed = simulation;
    return std::pair(timed.timings().stats().size(), simulation.memory_bytes());
  };
  const auto plain = stages();
  setup.wcsph.shifting = 1;
  EXPECT_EQ(stages().first, plain.first + 1);
  EXPECT_GT(stages().second, plain.second);
  setup.wcsph.shifting = 0;
  setup.fluids[0].surface_tension = 0.07f;
  EXPECT_EQ(stages().first, plain.first + 1);
  EXPECT_GT(stages().second, plain.second);
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DfsphSurface);

// Capillary waves of the shortest length, as with WCSPH: Brackbill, Kothe and Zemach 1992.
TEST(DfsphStep, IsBoundedByTheShortestCapillaryWave) {
  SimulationSetup setup = drop_setup(10);
  setup.fluids[0].surface_tension = 100;
  const double s = 0.5 * setup.support_radius();
  EXPECT_NEAR(step_bounds(setup).constant, 0.25 * std::sqrt(s * s * s / (2 * std::numbers::pi * 100)), 1e-6);
}

}  // namespace
}  // namespace riffle::test
