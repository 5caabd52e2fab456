#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include "core/error.h"
#include "scenes/document/nozzle_room.h"
#include "scenes/review/subjects.h"
#include "sim/motion/motion_table_file.h"
#include "sim/openings/nozzle.h"
#include "sim/solver.h"
#include "sim/solver_info.h"
#include "sim/start/sampling.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

constexpr double kMostLateLayers = 10;  // of a nozzle: a flow that goes farther in a few steps is refused

std::string inlet_key(std::size_t i) { return fmt::format("inlets[{}]", i); }
std::string outlet_key(std::size_t i) { return fmt::format("outlets[{}]", i); }

const char* word_of_mouth(Mouth mouth) {
  switch (mouth) {
    case Mouth::Disc: return "disc";
    case Mouth::Rectangle: return "rectangle";
    case Mouth::Polygon: break;
  }
  return "polygon";
}

template <class Name>
void review_names(std::size_t count, const char* list, const Name& name, Findings& out) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (name(i) == name(j)) {
        out.refuse(fmt::format("{}[{}].name", list, i),
                   fmt::format("found '{}', which is already the name of {}[{}]; allowed: a name of its own", name(i),
                               list, j));
        return;
      }
}

/// Sizes of the mouth. @return false when they were refused
bool review_mouth(const SimulationSetup& setup, const InletSetup& inlet, const std::string& key, Findings& out) {
  const int dimension = setup.domain.dimension;
  const std::string mouth = key + "." + word_of_mouth(inlet.mouth);
  const auto narrow = [&](const char* member, float found, double least) {
    if (found >= least * (1 - 1e-3)) return false;
    out.refuse(mouth + "." + member, fmt::format("found {}, which is narrower than a particle; allowed: at least {}",
                                                 length_text(setup, found), length_text(setup, least)));
    return true;
  };
  const double spacing = setup.spacing;
  switch (inlet.mouth) {
    case Mouth::Disc:
      if (narrow("radius", inlet.radius, 0.5 * spacing)) return false;
      break;
    case Mouth::Rectangle:
      if (narrow("width", inlet.width, spacing)) return false;
      if (dimension == 3 && narrow("height", height_of(inlet), spacing)) return false;
      break;
    case Mouth::Polygon: {
      if (dimension == 2) {
        out.refuse(mouth, "found a polygon in a 2-D scene, where mouths are slits; allowed: disc, rectangle");
        return false;
      }
      PlainShape shape;
      shape.shape = Shape::Polygon;
      shape.corners = inlet.corners;
      if (const auto [first, second] = crossing_edges(shape); first >= 0) {
        const int count = static_cast<int>(inlet.corners.size());
        out.refuse(mouth + ".corners",
                   fmt::format("the edges from corners[{}] to corners[{}] and from corners[{}] to corners[{}] meet; "
                               "allowed: edges that share nothing but a corner with the next",
                               first, (first + 1) % count, second, (second + 1) % count));
        return false;
      }
    }
  }
  if (!mouth_sites(inlet, dimension, setup.spacing).empty()) return true;
  out.refuse(
      mouth,
      fmt::format("has room for no particle at a spacing of {}, or is wider than {:g} of them; allowed: at least one "
                  "particle, and at most {}",
                  length_text(setup, spacing), kWidestMouth, length_text(setup, kWidestMouth * spacing)));
  return false;
}

/// The flow over time. @return false when it was refused
bool review_flow(SceneDraft& draft, std::size_t i, const std::string& key, Findings& out) {
  InletSetup& inlet = draft.scene.simulation.inlets[i];
  const int given = (inlet.speed > 0) + (inlet.rate > 0) + !inlet.file.empty();
  if (given != 1) {
    out.refuse(key,
               fmt::format("found {} of speed, rate and table{}; allowed: one of them, above 0",
                           given == 0 ? "none" : fmt::format("{}", given), given == 0 ? ": nothing would flow" : ""));
    return false;
  }
  if (!(inlet.until > inlet.from)) {
    out.refuse(key + ".until",
               fmt::format("found {:g}, and `from` is {:g}; allowed: later than `from`", inlet.until, inlet.from));
    return false;
  }
  if (inlet.file.empty()) return true;
  const std::filesystem::path file = std::filesystem::path(draft.scene.path).parent_path() / inlet.file;
  try {
    inlet.follow(motion_table::read(file, motion_table::kInflowColumns));
  } catch (const InputError& error) {
    out.refuse(key + ".table", error.what());
    return false;
  }
  draft.scene.inputs.push_back(file.string());
  for (const MotionKnot& knot : inlet.rows->knots())
    for (const double slope : {knot.slope[0], knot.slope[1]})
      if (slope < 0) {
        out.refuse(key + ".table",
                   fmt::format("{}: found {:g} at t = {:g}; allowed: from 0 on, since an inlet takes nothing back",
                               inlet.file, slope, knot.time));
        return false;
      }
  return true;
}

/// @return false when there is no room for the nozzle, or for what comes out of it
bool review_room(const SimulationSetup& setup, std::size_t i, const std::string& key, Findings& out) {
  const InletSetup& inlet = setup.inlets[i];
  const Domain& domain = setup.domain;
  const int layers = nozzle_layers(setup, inlet), late = layers - layers_reached(setup);
  const double length = layers * double{setup.spacing};
  if (late > kMostLateLayers) {
    const double steps = kOpeningsLag + 1;
    out.refuse(key,
               fmt::format("flows {} in a time step, {:.3g} particle spacings; allowed: up to {:.3g}, by a shorter "
                           "time.step or a slower flow",
                           length_text(setup, late * setup.spacing / steps), late / steps, kMostLateLayers / steps));
    return false;
  }
  if (const auto found = what_hinders(setup, inlet)) {
    if (found->layer < layers)
      out.refuse(key,
                 fmt::format("its nozzle, {} long from `center` along `direction`, is in {} at {}; allowed: a nozzle "
                             "with room, or one that begins on the wall",
                             length_text(setup, length), found->what, place_text(setup, found->at)));
    else
      out.refuse(key, fmt::format("flows against {}: its nozzle is {} long, and {} behind its end, at {}, there is no "
                                  "room; allowed: at least {}, the support radius",
                                  found->what, length_text(setup, length),
                                  length_text(setup, (found->layer + 0.5 - layers) * setup.spacing),
                                  place_text(setup, found->at), length_text(setup, search_radius(setup))));
    return false;
  }
  for (int a = 0; a < domain.dimension; ++a)
    if (domain.axis[a] == Axis::Open) {
      const float at = component(inlet.center, a), extent = component(domain.extent(), a);
      if (at >= component(domain.min, a) - extent && at <= component(domain.max, a) + extent) continue;
      out.refuse(key,
                 fmt::format("lies far outside the domain: {} = {:g}; allowed: in it, or beside it at an open face",
                             kAxisNames[a], at));
      return false;
    }
  return true;
}

/// An outlet that would take particles of a nozzle. @return its number
std::optional<std::size_t> outlet_in_nozzle(const SimulationSetup& setup, const InletSetup& inlet) {
  const int dimension = setup.domain.dimension;
  const NozzleFrame frame = nozzle_frame(inlet, dimension);
  const int layers = nozzle_layers(setup, inlet);
  for (const auto& [u, v] : mouth_sites(inlet, dimension, setup.spacing))
    for (int layer = 0; layer < layers; ++layer)
      for (std::size_t k = 0; k < setup.outlets.size(); ++k)
        if (contains(setup.outlets[k], frame.at((layer + 0.5) * setup.spacing, u, v), dimension)) return k;
  return std::nullopt;
}

void review_inlets(SceneDraft& draft, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  if (setup.inlets.empty()) return;
  if (const char* why = solver_info(setup).why_no_inlets) {
    std::string others;
    for (const SolverInfo* info : solvers())
      if (info->why_no_inlets == nullptr) others += (others.empty() ? "`" : ", `") + std::string(info->name) + "`";
    out.refuse("inlets",
               fmt::format("solver `{}` has none: {}; allowed with {}", to_string(setup.solver), why, others));
    return;
  }
  if (!out.intact({"dimension", "domain", "particles", "fluids", "inlets"})) return;
  review_names(
      setup.inlets.size(), "inlets", [&](std::size_t i) { return inlet_name(setup, i); }, out);
  bool sound = true;
  for (std::size_t i = 0; i < setup.inlets.size(); ++i) {
    const std::string key = inlet_key(i);
    const Vec3 d = setup.inlets[i].direction;
    if (!(length2(d) > 0)) {
      out.refuse(key + ".direction",
                 fmt::format("found {}; allowed: a vector of any length above 0", place_text(setup, d)));
      sound = false;
      continue;
    }
    sound = review_mouth(setup, setup.inlets[i], key, out) && sound;
    sound = review_flow(draft, i, key, out) && sound;
  }
  if (!sound || !out.intact({"solids", "outlets", "bodies", "gravity", "solver", "time"})) return;
  for (std::size_t i = 0; i < setup.inlets.size() && sound; ++i) sound = review_room(setup, i, inlet_key(i), out);
  for (std::size_t i = 0; i < setup.inlets.size() && sound; ++i) {
    for (std::size_t j = 0; j < i; ++j)
      if (nozzles_meet(setup, setup.inlets[i], setup.inlets[j])) {
        out.refuse(inlet_key(i),
                   fmt::format("its nozzle meets that of {}; allowed: nozzles that lie apart", inlet_key(j)));
        sound = false;
      }
    if (const auto outlet = outlet_in_nozzle(setup, setup.inlets[i])) {
      out.refuse(inlet_key(i),
                 fmt::format("its nozzle reaches into {}, which would take its particles; allowed: one that lies apart",
                             outlet_key(*outlet)));
      sound = false;
    }
  }
  if (!sound || setup.most_particles == 0) return;
  const std::int64_t start = count_particles(setup) + static_cast<std::int64_t>(FilledNozzles(setup).count());
  if (start > setup.most_particles)
    out.refuse("particles.limit",
               fmt::format("found {}, and the scene starts with {} particles; allowed: at least as many",
                           setup.most_particles, start));
}

void review_outlets(SceneDraft& draft, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  if (!out.intact({"dimension", "domain", "particles", "outlets"})) return;
  review_names(
      setup.outlets.size(), "outlets", [&](std::size_t i) { return outlet_name(setup, i); }, out);
  const Domain& domain = setup.domain;
  for (std::size_t i = 0; i < setup.outlets.size(); ++i) {
    OutletSetup& outlet = setup.outlets[i];
    const std::string key = outlet_key(i);
    within_domain(outlet, domain.min, domain.max);
    if (!review_region(setup, outlet, key, RegionOf::Outlet, out)) continue;
    if (!(outlet.until > outlet.from))
      out.refuse(key + ".until",
                 fmt::format("found {:g}, and `from` is {:g}; allowed: later than `from`", outlet.until, outlet.from));
    // A sloping plane below an open domain has its box in a corner, and particles come to it elsewhere.
    if (has_plane(outlet)) continue;
    const Bounds bounds = bounds_of(outlet);
    for (int a = 0; a < domain.dimension; ++a)
      if (domain.axis[a] != Axis::Open && (component(bounds.max, a) <= component(domain.min, a) ||
                                           component(bounds.min, a) >= component(domain.max, a))) {
        out.refuse(key, "lies wholly outside the domain, where no particle comes: " + place_text(setup, bounds, a));
        break;
      }
  }
}

}  // namespace

void review_inlet_fluids(SceneDraft& draft, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  if (!out.intact({"fluids", "inlets"})) return;
  for (std::size_t i = 0; i < setup.inlets.size(); ++i) {
    const std::string &wanted = draft.inlet_fluids[i], key = inlet_key(i) + ".fluid";
    if (wanted.empty()) {
      if (setup.fluids.size() > 1)
        out.refuse(key, "is missing, and the scene has more than one fluid; allowed: " + fluid_names(setup));
    } else if (const auto found = find_fluid(setup, wanted, key, out)) {
      setup.inlets[i].fluid = *found;
    }
  }
}

void review_openings(SceneDraft& draft, Findings& out) {
  review_outlets(draft, out);
  review_inlets(draft, out);
}

}  // namespace riffle::scenes
