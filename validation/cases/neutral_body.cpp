/// A ball, a box and a body with slanted faces under water in one tank: in 2-D discs, rectangles and polygons, in 3-D the last
/// one is a mesh. Everything as scenes have it by default.
///
/// - They are held still. The mean force over 2 s, after 5 sqrt(H/g) in which the water settles, is compared with their weight at
///   the density of the water around them: the mean over the particles as high up as they are.
/// - From that state they are let go, each with a density of its own, and are watched for half a second: each has risen or sunk.
///   Bisection finds the density at which it does neither. The force of a body held still would give that density without a run,
///   if nothing but force and weight moved it. The bodies that move test that too.
/// - From that state they are let go with the density of the water around them. The way in 2 s is reported.
///
/// Accepted for both figures of WCSPH: within 5 % with 10 particles across a body, within 2 % with 20. Those of DFSPH and PBF are
/// reported.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "sim/meshes/surface.h"
#include "validation/cases.h"
#include "validation/cases/submerged_bodies.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

constexpr double kHeldFor = 2, kWatchedFor = 0.5, kDriftFor = 2;  // [s]
constexpr double kGravityAtTank = 9.81;
constexpr double kFarthestDensity = 0.1;  // from the water's, relative, where bisection begins

struct NeutralRun {
  int dimension, across, halvings;
  SolverKind solver = SolverKind::Wcsph;
  bool judged() const { return solver == SolverKind::Wcsph; }
  std::string text() const {
    return fmt::format("{}{}-D, {} across", judged() ? "" : fmt::format("{}, ", to_string(solver)), dimension, across);
  }
};

SimulationSetup tank_of_bodies(const NeutralRun& run) {
  SimulationSetup setup = tank_of_submerged_bodies(run.dimension, run.across);
  setup.solver = run.solver;
  if (run.dimension == 3) setup.solid_regions.back().name = "mesh";
  return setup;
}

/// The triangles of a polygon's prism along z. A case has no mesh file, so what it notes as a scene is the polygon.
void become_mesh(SolidRegion& prism) {
  IndexedMesh mesh;
  const auto corners = static_cast<std::uint32_t>(prism.corners.size());
  for (const float z : {prism.low, prism.high})
    for (const auto& [x, y] : prism.corners) mesh.vertices.push_back({x, y, z});
  for (std::uint32_t k = 0; k < corners; ++k) {
    const std::uint32_t next = (k + 1) % corners;
    mesh.triangles.push_back({k, next, corners + next});
    mesh.triangles.push_back({k, corners + next, corners + k});
    if (k < 2) continue;
    mesh.triangles.push_back({0, k, k - 1});
    mesh.triangles.push_back({corners, corners + k - 1, corners + k});
  }
  prism.shape = Shape::Mesh;
  prism.surface = mesh_surface(mesh, {});
  prism.corners.clear();
}

double volume_of(const SimulationSetup& setup, std::size_t solid) {
  const SolidRegion& region = setup.solid_regions[solid];
  return shape_info(region.shape).volume(region, setup.domain.dimension, 1);
}

/// [kg/m^3] Mean over the particles as high up as the bodies are.
double density_around(const Simulation& simulation) {
  const std::vector<Vec4> position = simulation.particles().get<Vec4>("position").to_host();
  const std::vector<float> density = simulation.particles().get<float>("density").to_host();
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < position.size(); ++i)
    if (std::fabs(position[i].y - 0.5f * kSubmergedDepth) < 0.5f * kSubmergedWidth) sum += density[i], ++count;
  return sum / count;
}

struct Bodies {
  std::vector<double> force;    ///< of each held still, over its weight at the water's density
  std::vector<double> neutral;  ///< density over the water's
  std::vector<double> drift;    ///< [widths] upwards
};

class NeutralBodies {
 public:
  NeutralBodies(const CaseContext& context, const NeutralRun& run)
      : context_(context), run_(run), setup_(context.noted(tank_of_bodies(run))) {
    if (run.dimension == 3) become_mesh(setup_.solid_regions.back());
  }

  Bodies find() {
    Bodies found;
    hold(found);
    const std::size_t count = setup_.solid_regions.size();
    std::vector<double> lightest(count, 1 - kFarthestDensity), heaviest(count, 1 + kFarthestDensity);
    for (int k = 0; k < run_.halvings; ++k) {
      std::vector<double> middle(count);
      for (std::size_t s = 0; s < count; ++s) middle[s] = 0.5 * (lightest[s] + heaviest[s]);
      const std::vector<double> way = let_go(middle, kWatchedFor);
      for (std::size_t s = 0; s < count; ++s) (way[s] > 0 ? lightest : heaviest)[s] = middle[s];
    }
    for (std::size_t s = 0; s < count; ++s) found.neutral.push_back(0.5 * (lightest[s] + heaviest[s]));
    found.drift = let_go(std::vector<double>(count, 1.0), kDriftFor);
    return found;
  }

 private:
  void hold(Bodies& found) {
    Simulation simulation(setup_, context_.device);
    const double settled = 5 * std::sqrt(kSubmergedDepth / kGravityAtTank);
    run_until(simulation, settled, [&](double now) { progress(now); });
    const Diagnostics before = simulation.diagnostics();
    run_until(simulation, settled + kHeldFor, [&](double now) { progress(now); });
    const Diagnostics after = simulation.diagnostics();
    density_ = density_around(simulation);
    for (std::size_t s = 0; s < setup_.solid_regions.size(); ++s) {
      const SolidLoad &from = before.solids[s + 1], &to = after.solids[s + 1];
      const double weight = density_ * kGravityAtTank * volume_of(setup_, s);
      found.force.push_back((to.impulse[1] - from.impulse[1]) / (to.time - from.time) / weight);
    }
    state_ = simulation.save_state();
    done_ = settled + kHeldFor;
  }

  /// @param densities  over the water's @return [widths] how far each body has risen
  std::vector<double> let_go(const std::vector<double>& densities, double seconds) {
    SimulationSetup setup = setup_;
    for (std::size_t s = 0; s < densities.size(); ++s) {
      setup.solid_regions[s].free.given = true;
      setup.solid_regions[s].free.density = static_cast<float>(densities[s] * density_);
    }
    Simulation simulation(setup, context_.device, state_);
    const std::vector<BodyState> from = simulation.bodies();
    const double start = state_.clock.time;
    run_until(simulation, start + seconds, [&](double now) { progress(done_ + now - start); });
    done_ += seconds;
    const std::vector<BodyState> to = simulation.bodies();
    std::vector<double> way;
    for (std::size_t s = 0; s < to.size(); ++s) way.push_back((to[s].center[1] - from[s].center[1]) / kSubmergedWidth);
    return way;
  }

  void progress(double simulated) const {
    const double all =
        5 * std::sqrt(kSubmergedDepth / kGravityAtTank) + kHeldFor + run_.halvings * kWatchedFor + kDriftFor;
    context_.progress(simulated / all, run_.text());
  }

  const CaseContext& context_;
  const NeutralRun run_;
  SimulationSetup setup_;
  SimulationState state_;
  double density_ = 0;  ///< [kg/m^3] of the water around the bodies
  double done_ = 0;     ///< [s] simulated so far
};

CaseResult run_neutral_body(const CaseContext& context) {
  std::vector<NeutralRun> runs = {{2, 10, 5}};
  if (context.full())
    runs = {{2, 10, 6}, {2, 20, 7}, {3, 10, 6}, {3, 20, 7}, {2, 10, 6, SolverKind::Dfsph}, {2, 10, 6, SolverKind::Pbf}};
  CaseResult result;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const double count = double(runs.size());
    const NeutralRun& run = runs[k];
    const CaseContext part = context.part(double(k) / count, double(k + 1) / count);
    const Bodies found = NeutralBodies(part, run).find();
    const std::vector<SolidRegion> solids = tank_of_bodies(run).solid_regions;
    for (std::size_t s = 0; s < solids.size(); ++s) {
      const std::string of = fmt::format(", {}, {}", solids[s].name, run.text());
      const auto report = [&](const std::string& name, double value) {
        result.checks.push_back(run.judged() ? context.check(name, value) : figure(name, value));
      };
      report("density at which it neither rises nor sinks, over the water's" + of, found.neutral[s]);
      report("force held still over the weight at the water's density" + of, found.force[s]);
      result.checks.push_back(
          figure("way upwards in 2 s, let go with the water's density" + of, found.drift[s], "widths"));
    }
  }
  return result;
}

}  // namespace

ValidationCase neutral_body_case() {
  return {"neutral_body", "the density at which a body under water stays where it is",
          "2-D, 10 particles across a body", "2-D and 3-D, 10 and 20 particles across a body", run_neutral_body};
}

}  // namespace riffle
