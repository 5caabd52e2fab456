#include "bench/scene_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "sim/setup.h"
#include "sim/solver_info.h"
#include "sim/start/sampling.h"

namespace riffle::bench {

namespace {

std::string scaled(Vec3 v, double by) {
  return fmt::format("[{:.9g},{:.9g},{:.9g}]", double{v.x} * by, double{v.y} * by, double{v.z} * by);
}

/// What of the scene has lengths that are not scaled; "": nothing.
std::string what_else(const SimulationSetup& setup) {
  if (!setup.solid_regions.empty()) return "solids";
  if (!setup.damping.empty()) return "damping zones";
  if (!setup.inlets.empty() || !setup.outlets.empty()) return "inlets or outlets";
  if (setup.start.has_interface) return "an interface";
  for (const BodySetup& body : setup.bodies)
    if (body.shape != Shape::Box || !body.plain()) return "a body that is no plain box";
  return "";
}

}  // namespace

SceneOptions sized(const SceneOptions& scene, double particles) {
  SceneOptions changed = scene;
  const SimulationSetup setup = load_with_options(scene).simulation;
  const double more = particles / double(std::max<std::int64_t>(1, count_particles(setup)));
  const double longer = std::pow(more, 1.0 / setup.domain.dimension);
  if (solver_info(setup).si()) {
    changed.overrides.push_back(fmt::format("particles.spacing={:.9g}", double{setup.spacing} / longer));
    return changed;
  }
  if (const std::string what = what_else(setup); !what.empty())
    throw InputError(
        fmt::format("{}: {:g} particles: solver {} has its spacing from its number density, so the scene's boxes are "
                    "scaled in place of that, and it has {}; change the lengths by --set",
                    scene.scene, particles, to_string(setup.solver), what));
  changed.overrides.push_back("domain.min=" + scaled(setup.domain.min, longer));
  changed.overrides.push_back("domain.max=" + scaled(setup.domain.max, longer));
  for (std::size_t k = 0; k < setup.bodies.size(); ++k) {
    changed.overrides.push_back(fmt::format("bodies[{}].box.min={}", k, scaled(setup.bodies[k].min, longer)));
    changed.overrides.push_back(fmt::format("bodies[{}].box.max={}", k, scaled(setup.bodies[k].max, longer)));
  }
  return changed;
}

}  // namespace riffle::bench
