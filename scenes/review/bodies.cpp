#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/device/particle_limit.h"
#include "scenes/document/body_space.h"
#include "scenes/review/particle_estimate.h"
#include "scenes/review/resolution_key.h"
#include "scenes/review/subjects.h"
#include "sim/start/sampling.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

constexpr double kCountedSites = 1 << 20;  // a body of more lattice sites than this is not empty

std::string body_key(std::size_t i) { return fmt::format("bodies[{}]", i); }

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

/// @return false when it was refused.
bool review_flow(const SimulationSetup& setup, const BodySetup& body, const std::string& key, Findings& out) {
  constexpr float kFastest = 1e6f;  // as `velocity` allows
  const FlowSetup& flow = body.flow;
  if (flow.flow == Flow::None) return true;
  if (flow.along == flow.across) {
    out.refuse(key, fmt::format("found {} along and across; allowed: two different axes", kAxisNames[flow.along]));
    return false;
  }
  if (setup.domain.dimension == 2 && std::max(flow.along, flow.across) == 2) {
    out.refuse(key, "found the axis z in a 2-D scene; allowed: x, y");
    return false;
  }
  const float fastest = fastest_flow(flow, bounds_of(body));
  if (fastest <= kFastest) return true;
  out.refuse(key, fmt::format("found up to {:g} {} in the body; allowed: at most {:g} {}", fastest,
                              units_of(setup).speed, kFastest, units_of(setup).speed));
  return false;
}

/// Particles of a file that lie outside the domain. @return false when it was refused.
bool review_places(const SimulationSetup& setup, const BodySetup& body, const std::string& key, Findings& out) {
  const Domain& domain = setup.domain;
  const float slack = 0.01f * setup.spacing;  // the rounding of a file's numbers, and places on a face
  const FileParticles& file = *body.particles.from;
  std::int64_t all = 0, outside = 0, beyond_periodic = 0;
  Vec3 low{INFINITY, INFINITY, INFINITY}, high = -low;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Vec3 place = file.position[i];
    if (!body.particles.takes(i) || in_any(body.without, place, domain.dimension)) continue;
    low = {std::min(low.x, place.x), std::min(low.y, place.y), std::min(low.z, place.z)};
    high = {std::max(high.x, place.x), std::max(high.y, place.y), std::max(high.z, place.z)};
    bool any = false, periodic = false;
    for (int a = 0; a < domain.dimension; ++a) {
      const float x = component(place, a);
      const bool beyond = x < component(domain.min, a) - slack || x > component(domain.max, a) + slack;
      any |= beyond;
      periodic |= beyond && domain.periodic(a);
    }
    ++all;
    outside += any;
    beyond_periodic += periodic;
  }
  if (outside == 0) return true;
  std::string places;
  bool walled = false;
  for (int a = 0; a < domain.dimension; ++a) {
    const bool within =
        component(low, a) >= component(domain.min, a) - slack && component(high, a) <= component(domain.max, a) + slack;
    if (within) continue;
    places += (places.empty() ? "" : "; ") + place_text(setup, {low, high}, a);
    walled |= domain.walled(a);
  }
  if (beyond_periodic > 0) {
    out.refuse(key, fmt::format("has {} of {} particles outside the periodic domain, where they would be among the "
                                "others: {}; allowed: particles in the domain and on its faces. A larger domain holds "
                                "them, `without` leaves them out",
                                beyond_periodic, all, places));
    return false;
  }
  out.warn(WarningKind::BodyPartlyOutside, key,
           fmt::format("lies partly outside the domain with {} of {} particles: {}{}", outside, all, places,
                       walled ? "; a wall puts those beyond it back in the first step, where they may be on top of "
                                "others"
                              : ""));
  return true;
}

constexpr const char* kNoFluidOutside = "; the part outside walled faces has no fluid";

/// The most sites that the body can have: of its shape, and of the part of its bounds between walled faces.
double most_sites(const SimulationSetup& setup, const BodySetup& body) {
  const Domain& domain = setup.domain;
  const Bounds bounds = bounds_of(body);
  double within = 1;
  for (int a = 0; a < domain.dimension; ++a) {
    double low = component(bounds.min, a), high = component(bounds.max, a);
    if (domain.walled(a)) {
      low = std::max(low, double{component(domain.min, a)});
      high = std::min(high, double{component(domain.max, a)});
    }
    within *= std::max(0.0, high - low) / setup.spacing;
  }
  return std::min(within, volume_of_parts(body, domain.dimension, setup.spacing));
}

/// @return false when it was refused.
bool review_body(const SimulationSetup& setup, const BodySetup& body, const std::string& key, double sites,
                 Findings& out) {
  const Domain& domain = setup.domain;
  const Bounds bounds = bounds_of(body);
  // The box of particles from a file is their bounds.
  const bool has_shape = !body.particles;
  if (!review_region(setup, body, key, RegionOf::Body, out, has_shape) || !review_flow(setup, body, key + ".flow", out))
    return false;
  const float slack = kBeyondFace * setup.spacing;
  const bool cut = !body.particles && is_cut_by_walls(domain, bounds, setup.spacing);
  bool partly_outside = false;
  for (int a = 0; a < domain.dimension; ++a) {
    const float low = component(domain.min, a), high = component(domain.max, a);
    if (component(bounds.max, a) <= low || component(bounds.min, a) >= high) {
      out.refuse(key, "lies wholly outside the domain: " + place_text(setup, bounds, a));
      return false;
    }
    if (body.particles) continue;
    if ((!partly_outside || domain.periodic(a)) &&
        (component(bounds.min, a) < low - slack || component(bounds.max, a) > high + slack)) {
      if (domain.periodic(a) && component(bounds.max, a) - component(bounds.min, a) > high - low + slack) {
        out.refuse(key,
                   fmt::format("is longer than the periodic domain, where one of its ends would be within the other: "
                               "{}; allowed: at most as long as the domain",
                               place_text(setup, bounds, a)));
        return false;
      }
      partly_outside = true;
      out.warn(WarningKind::BodyPartlyOutside, key,
               "lies partly outside the domain: " + place_text(setup, bounds, a) + (cut ? kNoFluidOutside : ""));
    }
  }
  if (body.particles && !review_places(setup, body, key, out)) return false;
  if (sites > kCountedSites) return true;
  SimulationSetup alone = without_contents(setup);
  alone.bodies = {body};
  if (count_particles(alone) > 0) return true;
  const std::string left =
      (body.without.empty() ? "" : ", and more than `without` takes away") + std::string(cut ? kNoFluidOutside : "");
  if (body.particles) {
    out.refuse(key, "holds no particle: `without` leaves out all of the file");
    return false;
  }
  out.refuse(key, fmt::format("holds no particle at a spacing of {}; it needs that extent at least along every axis{}",
                              length_text(setup, setup.spacing), left));
  return false;
}

/// "by 0.1 m", or of shapes that can only be sampled a place; nothing for bodies that do not overlap.
std::string overlap_text(const SimulationSetup& setup, const BodySetup& a, const BodySetup& b, std::int64_t& visits) {
  if (overlap_is_exact(a, b)) {
    const float depth = overlap_depth(a, b, setup.domain.dimension);
    return depth <= 0.05f * setup.spacing ? "" : "by " + length_text(setup, depth);  // touching ones are rounded apart
  }
  const auto place = common_place(a, b, setup.domain.dimension, setup.spacing, visits);
  return place ? "at " + place_text(setup, *place) + " (compared at places of particles only)" : "";
}

void warn_of_overlaps(const SimulationSetup& setup, const std::vector<std::size_t>& bodies, Findings& out) {
  constexpr std::size_t kMost = 5;
  std::size_t found = 0;
  std::int64_t visits = 20'000'000;  // of places, in all
  std::vector<Bounds> bounds;        // most pairs of many bodies are far apart
  for (const std::size_t body : bodies) bounds.push_back(bounds_of(setup.bodies[body]));
  for (std::size_t n = 0; n < bodies.size() && found < kMost; ++n)
    for (std::size_t m = 0; m < n && found < kMost; ++m) {
      if (apart(bounds[n], bounds[m], setup.domain.dimension)) continue;
      const std::string where = overlap_text(setup, setup.bodies[bodies[n]], setup.bodies[bodies[m]], visits);
      if (visits <= 0) {
        out.warn(WarningKind::BodiesNotCompared, body_key(bodies[n]),
                 "and those after it have too many places in common bounds to look for overlaps");
        return;
      }
      if (where.empty()) continue;
      ++found;
      out.warn(WarningKind::BodiesOverlap, body_key(bodies[n]),
               fmt::format("overlaps bodies[{}] {}: there the fluid has twice as many particles as it should have",
                           bodies[m], where));
    }
}

void warn_of_unused_fluids(const SimulationSetup& setup, const std::vector<bool>& used, Findings& out) {
  if (!out.given("fluids") || setup.start.mixed) return;
  for (std::size_t f = 0; f < used.size(); ++f) {
    const bool at_interface = setup.start.has_interface &&
                              (static_cast<int>(f) == setup.start.upper || static_cast<int>(f) == setup.start.lower);
    if (!used[f] && !at_interface)
      out.warn(WarningKind::UnusedFluid, fmt::format("fluids[{}]", f),
               std::string(setup.inlets.empty() ? "no body" : "no body and no inlet") + " is made of '" +
                   setup.fluids[f].name + "'");
  }
}

}  // namespace

SimulationSetup without_contents(const SimulationSetup& setup) {
  SimulationSetup empty;
  empty.domain = setup.domain;
  empty.solver = setup.solver;
  empty.spacing = setup.spacing;
  return empty;
}

double particle_estimate(const SimulationSetup& setup) {
  double sites = 0;
  for (const BodySetup& body : setup.bodies)
    sites += body.particles ? double(body.particles.from->size()) : most_sites(setup, body);
  return sites;
}

void review_bodies(SceneDraft& draft, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  if (setup.bodies.empty() && setup.inlets.empty() && out.intact({"bodies", "inlets"}))
    out.refuse("bodies",
               "is missing, and there are no inlets: the scene would have no particle; allowed: at least one body "
               "or one inlet");
  if (!out.intact({"dimension", "domain", "particles"})) return;
  std::vector<bool> fluid_used(setup.fluids.size(), false);
  for (const InletSetup& inlet : setup.inlets)
    if (static_cast<std::size_t>(inlet.fluid) < fluid_used.size())
      fluid_used[static_cast<std::size_t>(inlet.fluid)] = true;
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
    if (draft.bodies[i].level && !fill_to_level(setup, i, *draft.bodies[i].level, key + ".fill", out)) continue;
    if (!draft.bodies[i].file.empty()) {
      if (const std::size_t further = setup.bodies[i].with.size(); further > 0) {
        out.refuse(key + ".with",
                   fmt::format("found {} {} beside `particles`, whose file says where all particles are; "
                               "allowed: none. A body of its own holds further shapes",
                               further, further == 1 ? "shape" : "shapes"));
        continue;
      }
      if (!read_particles(draft, i, key, out)) continue;
    }
    within_domain(setup.bodies[i], setup.domain.min, setup.domain.max);
    const BodySetup& body = setup.bodies[i];
    const double here = body.particles ? double(body.particles.from->size()) : most_sites(setup, body);
    sites += here;
    if (review_body(setup, body, key, here, out)) sound.push_back(i);
  }
  if (sites > double{kMostParticles})
    out.refuse(resolution_key(out),
               fmt::format("found {:g}, which makes about {:.2g} particles; at most {} can be numbered",
                           resolution_value(setup, draft.number_density), sites, kMostParticles));
  warn_of_overlaps(setup, sound, out);
  warn_of_seams(setup, sound, out);
  warn_of_lattice_densities(setup, sound, out);
  if (all_resolved) warn_of_unused_fluids(setup, fluid_used, out);
}

}  // namespace riffle::scenes
