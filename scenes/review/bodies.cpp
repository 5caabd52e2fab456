#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "core/device/particle_limit.h"
#include "scenes/document/body_space.h"
#include "scenes/review/subjects.h"
#include "sim/start/sampling.h"

namespace riffle::scenes {

namespace {

constexpr double kCountedSites = 1 << 20;  // a body of more lattice sites than this is not empty

std::string body_key(std::size_t i) { return fmt::format("bodies[{}]", i); }

bool positive_extent(Vec3 min, Vec3 max, int dimension) {
  for (int a = 0; a < dimension; ++a)
    if (!(component(min, a) < component(max, a))) return false;
  return true;
}

/// Lattice sites of the body's bounding box, without counting them one by one.
double lattice_sites(const BodySetup& body, double spacing, int dimension) {
  const auto [min, max] = bounds_of(body);
  double sites = 1;
  for (int a = 0; a < dimension; ++a) sites *= std::max(0.0, (component(max, a) - component(min, a)) / spacing);
  if (body.shape == Shape::Sphere) sites *= dimension == 3 ? std::numbers::pi / 6 : std::numbers::pi / 4;
  return sites;
}

/// @return false when the body's fluid does not exist.
bool resolve_fluid(const SceneDraft& draft, std::size_t i, SimulationSetup& setup, Findings& out) {
  const std::string& wanted = draft.bodies[i].fluid;
  const std::string key = body_key(i) + ".fluid";
  const bool chosen_by_start = setup.start.has_interface || setup.start.mixed;
  if (wanted.empty() && (setup.fluids.size() == 1 || chosen_by_start)) return true;
  if (wanted.empty()) {
    out.refuse(key, "is missing, and the scene has more than one fluid; allowed: " + fluid_names(setup));
    return false;
  }
  const auto found = find_fluid(setup, wanted, key, out);
  if (found) setup.bodies[i].fluid = *found;
  return found.has_value();
}

/// "x from 0 to 1 m, the domain has 0 to 0.5 m"
std::string place_text(const SimulationSetup& setup, const Bounds& bounds, int axis) {
  const Domain& domain = setup.domain;
  return fmt::format("{} from {:g} to {}, the domain has {:g} to {}", kAxisNames[axis], component(bounds.min, axis),
                     length_text(setup, component(bounds.max, axis)), component(domain.min, axis),
                     length_text(setup, component(domain.max, axis)));
}

/// @return false when it was refused.
bool review_body(const SimulationSetup& setup, const BodySetup& body, const std::string& key, double sites,
                 Findings& out) {
  const Domain& domain = setup.domain;
  const Bounds bounds = bounds_of(body);
  if (body.shape == Shape::Box && !positive_extent(bounds.min, bounds.max, domain.dimension)) {
    out.refuse(key + ".box", "every component of max must be above that of min");
    return false;
  }
  bool partly_outside = false;
  for (int a = 0; a < domain.dimension; ++a) {
    const float low = component(domain.min, a), high = component(domain.max, a);
    if (component(bounds.max, a) <= low || component(bounds.min, a) >= high) {
      out.refuse(key, "lies wholly outside the domain: " + place_text(setup, bounds, a));
      return false;
    }
    const float slack = 0.01f * setup.spacing;
    if (!partly_outside && (component(bounds.min, a) < low - slack || component(bounds.max, a) > high + slack)) {
      partly_outside = true;
      out.warn(key, "lies partly outside the domain: " + place_text(setup, bounds, a));
    }
  }
  if (sites > kCountedSites) return true;
  SimulationSetup alone;  // a copy of the setup would hold all bodies, for each of them
  alone.domain = setup.domain;
  alone.spacing = setup.spacing;
  alone.bodies = {body};
  if (count_particles(alone) > 0) return true;
  out.refuse(key, fmt::format("holds no particle at a spacing of {}; it needs that extent at least along every axis",
                              length_text(setup, setup.spacing)));
  return false;
}

void warn_of_overlaps(const SimulationSetup& setup, const std::vector<std::size_t>& bodies, Findings& out) {
  constexpr std::size_t kMost = 5;
  std::size_t found = 0;
  for (std::size_t n = 0; n < bodies.size() && found < kMost; ++n)
    for (std::size_t m = 0; m < n && found < kMost; ++m) {
      const float depth = overlap_depth(setup.bodies[bodies[n]], setup.bodies[bodies[m]], setup.domain.dimension);
      if (depth <= 0.05f * setup.spacing) continue;  // bodies that touch are rounded apart or together
      ++found;
      out.warn(body_key(bodies[n]),
               fmt::format("overlaps bodies[{}] by {}: where both have particles the pressure starts very high",
                           bodies[m], length_text(setup, depth)));
    }
}

void warn_of_unused_fluids(const SimulationSetup& setup, const std::vector<bool>& used, Findings& out) {
  if (!out.given("fluids") || setup.start.mixed) return;
  for (std::size_t f = 0; f < used.size(); ++f) {
    const bool at_interface = setup.start.has_interface &&
                              (static_cast<int>(f) == setup.start.upper || static_cast<int>(f) == setup.start.lower);
    if (!used[f] && !at_interface)
      out.warn(fmt::format("fluids[{}]", f), "no body is made of '" + setup.fluids[f].name + "'");
  }
}

}  // namespace

void review_bodies(SceneDraft& draft, Findings& out) {
  if (!out.intact({"dimension", "domain", "particles"})) return;
  SimulationSetup& setup = draft.scene.simulation;
  std::vector<bool> fluid_used(setup.fluids.size(), false);
  std::vector<std::size_t> sound;
  bool all_resolved = out.intact({"fluids", "bodies"});
  double sites = 0;
  for (std::size_t i = 0; i < setup.bodies.size(); ++i) {
    const std::string key = body_key(i);
    if (!out.intact(key)) continue;
    if (out.intact({"fluids"})) {
      if (resolve_fluid(draft, i, setup, out))
        fluid_used[static_cast<std::size_t>(setup.bodies[i].fluid)] = true;
      else
        all_resolved = false;
    }
    const double here = lattice_sites(setup.bodies[i], setup.spacing, setup.domain.dimension);
    sites += here;
    if (review_body(setup, setup.bodies[i], key, here, out)) sound.push_back(i);
  }
  if (sites > double{kMostParticles})
    out.refuse("particles.spacing",
               fmt::format("found {:g}, which makes about {:.2g} particles; at most {} can be numbered", setup.spacing,
                           sites, kMostParticles));
  warn_of_overlaps(setup, sound, out);
  if (all_resolved) warn_of_unused_fluids(setup, fluid_used, out);
}

}  // namespace riffle::scenes
