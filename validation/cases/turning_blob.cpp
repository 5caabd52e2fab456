/// A drop of fluid turns in empty space, without walls and without gravity. Two bodies are in it, a light box and a heavy ball,
/// which are at rest at first. 1,000 steps, everything as scenes have it by default. The angular momentum about the origin is that
/// of fluid, bodies and of the impulses that are under way from the fluid to the bodies; its largest change along the run is
/// compared with that of the start.
///
/// Accepted: 1e-3 for WCSPH and DPD, whose forces act along the line between two particles. Laminar viscosity is reported: its
/// forces act along the difference of two velocities, and conserve momentum alone. PBF and DFSPH have no free bodies.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/bodies/mass/body_mass.h"
#include "sim/bodies/rigid_motion.h"
#include "sim/simulation.h"
#include "validation/cases.h"

namespace riffle {

namespace {

constexpr int kSteps = 1000, kStepsPerLook = 25;
constexpr double kBlobDensity = 1000, kDpdDensity = 3;  // [kg/m^3], [1/r_c^d]

struct BlobRun {
  enum class Fluid { Artificial, Laminar, Dpd };
  Fluid fluid;
  int dimension, across;  ///< particles across the drop
  std::string text() const {
    const char* const names[] = {"wcsph", "wcsph with laminar viscosity", "dpd"};
    return fmt::format("{}, {}-D, {} across", names[static_cast<int>(fluid)], dimension, across);
  }
};

SimulationSetup turning_blob(const BlobRun& run) {
  const bool dpd = run.fluid == BlobRun::Fluid::Dpd, flat = run.dimension == 2;
  SimulationSetup setup;
  setup.solver = dpd ? SolverKind::Dpd : SolverKind::Wcsph;
  setup.spacing = dpd ? static_cast<float>(std::pow(kDpdDensity, -1.0 / run.dimension)) : 1.0f / run.across;
  const float radius = 0.5f * static_cast<float>(run.across) * setup.spacing;
  const float rate = dpd ? 0.2f : 1.0f;  // [1/s]
  setup.domain.dimension = run.dimension;
  setup.domain.min = {-3 * radius, -3 * radius, flat ? 0 : -3 * radius};
  setup.domain.max = {3 * radius, 3 * radius, flat ? 0 : 3 * radius};
  for (Axis& axis : setup.domain.axis) axis = Axis::Open;
  setup.gravity = {};
  FluidSetup& fluid = setup.fluids.emplace_back();
  BodySetup& drop = setup.bodies.emplace_back();
  drop.shape = Shape::Sphere;
  drop.radius = radius;
  drop.flow.flow = Flow::Rotation;
  drop.flow.rate = rate;
  if (dpd) {
    setup.step.fixed = 0.01f;
    drop.filling = Filling::Random;
  }
  if (run.fluid == BlobRun::Fluid::Laminar) {
    fluid.viscosity = 0.01f * rate * radius * radius;
    setup.wcsph.artificial_viscosity = 0;
  }
  const float half = 0.15f * radius, depth = flat ? 0 : half;
  SolidRegion box, ball;
  box.name = "box";
  box.min = {-0.45f * radius - half, -half, -depth};
  box.max = {-0.45f * radius + half, half, depth};
  ball.name = "ball";
  ball.shape = Shape::Sphere;
  ball.center = {0.4f * radius, 0.2f * radius, flat ? 0 : 0.1f * radius};
  ball.radius = half;
  box.free.given = ball.free.given = true;
  const auto density = static_cast<float>(dpd ? kDpdDensity : kBlobDensity);
  box.free.density = 0.5f * density;
  ball.free.density = 2 * density;
  setup.solid_regions = {box, ball};
  return setup;
}

struct AngularMomentum {
  double sum[3] = {0, 0, 0};  ///< about the origin

  void add(double mass, const double (&x)[3], const double (&v)[3]) {
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      sum[a] += mass * (x[b] * v[c] - x[c] * v[b]);
    }
  }
};

AngularMomentum angular_momentum_of(const Simulation& simulation, double particle_mass,
                                    const std::vector<BodyMass>& masses) {
  AngularMomentum all;
  const std::vector<Vec4> position = simulation.particles().get<Vec4>("position").to_host(),
                          velocity = simulation.particles().get<Vec4>("velocity").to_host();
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Vec4 x = position[i], v = velocity[i];
    all.add(particle_mass, {x.x, x.y, x.z}, {v.x, v.y, v.z});
  }
  const KeptBodies kept = simulation.save_all_but_attributes().bodies;
  for (std::size_t s = 0; s < masses.size(); ++s) {
    const BodyState& body = kept.bodies[s].end;
    all.add(masses[s].mass, body.center, body.velocity);
    double own[3];
    rigid_motion::angular_momentum(masses[s], body, own);
    const double* const left = &kept.left_impulses[6 * (s + 1)];
    all.add(1, body.center, {left[0], left[1], left[2]});
    for (int a = 0; a < 3; ++a) all.sum[a] += own[a] + left[3 + a];
  }
  return all;
}

struct Turned {
  double change = 0;  ///< largest, over that of the start
  double given = 0;   ///< to the bodies about the origin, likewise
};

Turned turn(const CaseContext& context, const BlobRun& run) {
  const SimulationSetup setup = context.noted(turning_blob(run));
  Simulation simulation(setup, context.device);
  const std::vector<BodyMass> masses = body_masses(setup);
  const double mass = run.fluid == BlobRun::Fluid::Dpd ? setup.fluids[0].mass : kBlobDensity * setup.particle_volume();
  const AngularMomentum start = angular_momentum_of(simulation, mass, masses);
  const double scale = std::fabs(start.sum[2]);
  Turned turned;
  for (int step = 1; step <= kSteps; ++step) {
    simulation.step();
    if (step % kStepsPerLook != 0) continue;
    const AngularMomentum now = angular_momentum_of(simulation, mass, masses);
    for (int a = 0; a < 3; ++a) {
      const double change = std::fabs(now.sum[a] - start.sum[a]) / scale;
      if (!(change <= turned.change)) turned.change = change;  // no number stays
    }
    context.progress(double(step) / kSteps, run.text());
  }
  AngularMomentum of_bodies;
  const std::vector<BodyState> bodies = simulation.bodies();
  for (std::size_t s = 0; s < masses.size(); ++s) of_bodies.add(masses[s].mass, bodies[s].center, bodies[s].velocity);
  turned.given = of_bodies.sum[2] / scale;
  return turned;
}

CaseResult run_turning_blob(const CaseContext& context) {
  using Fluid = BlobRun::Fluid;
  std::vector<BlobRun> runs = {{Fluid::Artificial, 2, 32}, {Fluid::Laminar, 2, 32}, {Fluid::Dpd, 2, 40}};
  if (context.full())
    runs = {{Fluid::Artificial, 2, 40}, {Fluid::Artificial, 2, 80}, {Fluid::Artificial, 3, 20},
            {Fluid::Artificial, 3, 40}, {Fluid::Laminar, 2, 40},    {Fluid::Laminar, 2, 80},
            {Fluid::Dpd, 2, 40},        {Fluid::Dpd, 2, 80},        {Fluid::Dpd, 3, 24},
            {Fluid::Dpd, 3, 40}};
  CaseResult result;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const BlobRun& run = runs[k];
    const double count = double(runs.size());
    const Turned turned = turn(context.part(double(k) / count, double(k + 1) / count), run);
    const std::string name = "largest change of the angular momentum in 1,000 steps, " + run.text();
    result.checks.push_back(run.fluid == Fluid::Laminar ? figure(name, turned.change)
                                                        : context.check(name, turned.change));
    result.checks.push_back(figure("angular momentum that the bodies have got, over all, " + run.text(), turned.given));
  }
  return result;
}

}  // namespace

ValidationCase turning_blob_case() {
  return {"turning_blob", "a drop of fluid that turns in empty space, with bodies in it",
          "2-D, 32 and 40 particles across the drop", "2-D with 40 and 80 particles across the drop, 3-D with 20 to 40",
          run_turning_blob};
}

}  // namespace riffle
