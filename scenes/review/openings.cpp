#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include "core/error.h"
#include "scenes/document/nozzle_room.h"
#include "scenes/review/subjects.h"
#include "sim/meshes/mesh_file.h"
#include "sim/meshes/surface.h"
#include "sim/motion/motion_table_file.h"
#include "sim/openings/face_mouth.h"
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
    case Mouth::Face: return "face";
    case Mouth::Mesh: return "mesh";
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

/// @return false when the face is none through which fluid can go
bool review_face(const SimulationSetup& setup, int face, const std::string& key, Findings& out) {
  const Domain& domain = setup.domain;
  std::string allowed;
  for (int a = 0; a < domain.dimension; ++a)
    if (domain.axis[a] == Axis::Open)
      allowed += fmt::format("{0}{1}_min, {1}_max", allowed.empty() ? "" : ", ", kAxisNames[a]);
  if (allowed.empty()) allowed = "none here, until domain.axes has an open axis";
  const int axis = face / 2;
  const std::string found = face_word(face);
  if (axis >= domain.dimension) {
    out.refuse(key, fmt::format("found {} in a 2-D scene; allowed: {}", found, allowed));
    return false;
  }
  if (domain.axis[axis] == Axis::Open) return true;
  out.refuse(key, fmt::format("found {}, and the axis {} is {}; allowed: faces across open axes: {}", found,
                              kAxisNames[axis], word_of(domain.axis[axis]), allowed));
  return false;
}

/// A face and a mesh say themselves where the fluid goes. @return false when it was refused
bool review_direction(const SimulationSetup& setup, const InletSetup& inlet, const std::string& key, Findings& out) {
  if (inlet.mouth == Mouth::Face || inlet.mouth == Mouth::Mesh) {
    const InletSetup usual;
    for (const auto& [other, is_usual] :
         {std::pair("direction", inlet.direction == usual.direction), std::pair("turn", inlet.turn == usual.turn)}) {
      if (setup.domain.dimension == 2 && other == std::string_view("turn")) continue;  // there is no such key
      out.idle({key + "." + other, fmt::format("has no effect beside `{}`", word_of_mouth(inlet.mouth))});
      if (is_usual) continue;
      out.refuse(key + "." + other, fmt::format("found beside `{}`, from which fluid goes straight; allowed: none",
                                                word_of_mouth(inlet.mouth)));
      return false;
    }
    return true;
  }
  if (length2(inlet.direction) > 0) return true;
  out.refuse(key + ".direction",
             fmt::format("found {}; allowed: a vector of any length above 0", place_text(setup, inlet.direction)));
  return false;
}

/// Finds the mouth in the mesh. @return false when it was refused
bool review_mesh_mouth(SceneDraft& draft, std::size_t i, const std::string& inlet_key, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  MeshMouth& mouth = setup.inlets[i].mesh;
  if (setup.inlets[i].mouth != Mouth::Mesh) return true;
  const std::string key = inlet_key + ".mesh";
  if (setup.domain.dimension == 2) {
    out.refuse(key, "found a mesh in a 2-D scene, where mouths are slits; allowed: disc, rectangle, face");
    return false;
  }
  if (!mouth.normal && !mouth.near) {
    out.refuse(key, "found neither normal nor near, by which the mouth is found; allowed: one of them, or both");
    return false;
  }
  if (mouth.normal && !(length2(*mouth.normal) > 0)) {
    out.refuse(key + ".normal", "found [0, 0, 0]; allowed: a vector of any length above 0");
    return false;
  }
  const std::filesystem::path file = std::filesystem::path(draft.scene.path).parent_path() / mouth.file;
  std::string at = key + ".file";
  try {
    const auto surface = mesh_surface(*read_mesh_file(file), mouth.placement);
    draft.scene.inputs.push_back(file.string());
    at = key;
    // The surface stays as long as the region: a scene is reviewed after each change of a key.
    const auto both = std::make_shared<const std::pair<std::shared_ptr<const MeshSurface>, PlanarRegion>>(
        surface, chosen_region(mouth, surface->mesh(), setup.spacing));
    mouth.region = {both, &both->second};
    return true;
  } catch (const InputError& error) {
    out.refuse(at, error.what());
  } catch (const RuntimeFailure& error) {
    out.refuse(at, error.what());
  }
  return false;
}

/// What a face inlet has besides, and what goes with a face alone. @return false when it was refused
bool review_face_inlet(const SimulationSetup& setup, std::size_t i, const std::string& key, Findings& out) {
  const InletSetup& inlet = setup.inlets[i];
  if (inlet.mouth != Mouth::Face) {
    if (!out.given(key + ".level") || !std::isfinite(inlet.level)) return true;
    out.refuse(key + ".level", fmt::format("found {:g} beside {}, which has its own size; allowed with `face`",
                                           inlet.level, word_of_mouth(inlet.mouth)));
    return false;
  }
  if (!review_face(setup, inlet.face, key + ".face", out)) return false;
  for (std::size_t j = 0; j < i; ++j)
    if (setup.inlets[j].mouth == Mouth::Face && setup.inlets[j].face == inlet.face) {
      out.refuse(key + ".face", fmt::format("is that of {} too; allowed: one inlet on a face", inlet_key(j)));
      return false;
    }
  if (!std::isfinite(inlet.level)) return true;
  if (inlet.face / 2 == 1) {
    out.refuse(key + ".level", "found on a level face; allowed: on a face across x or z");
    return false;
  }
  const double low = setup.domain.min.y, high = setup.domain.max.y, spacing = setup.spacing;
  const double least = low + spacing, rounding = 1e-3 * spacing;
  if (inlet.level >= least - rounding && inlet.level <= high + rounding) return true;
  out.refuse(key + ".level",
             fmt::format("found y = {:g}; allowed: from {:g}, a particle spacing above the domain's floor, to {}, its "
                         "ceiling",
                         inlet.level, least, length_text(setup, high)));
  return false;
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
      break;
    }
    case Mouth::Face:
    case Mouth::Mesh: break;
  }
  if (!mouth_sites(inlet, setup.domain, setup.spacing).empty()) return true;
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

/// Of a nozzle whose own layers have room: how much there is behind its end, how much is needed, and what to do.
/// @param layers  of the nozzle @param placed  it has a place of its own
std::string flows_against(const SimulationSetup& setup, const Hindrance& found, int layers, bool placed) {
  const double spacing = setup.spacing;
  const int free = found.layer - layers, needed = layers_reached(setup);
  const std::string room = free == 0 ? "no room"
                                     : fmt::format("{} of room, {} layer{} of particles,",
                                                   length_text(setup, free * spacing), free, free == 1 ? "" : "s");
  const std::string more = length_text(setup, (needed - free) * spacing);
  return fmt::format(
      "flows against {}: found {} behind the end of its nozzle, which is {} long, up to {}; allowed: at least {}, {} "
      "layers, "
      "which the support radius of {} reaches: {}",
      found.what, room, length_text(setup, layers * spacing), place_text(setup, found.at),
      length_text(setup, needed * spacing), needed, length_text(setup, search_radius(setup)),
      placed ? fmt::format("move the inlet back by {}, or make that much room", more)
             : fmt::format("make {} more room", more));
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
  const bool placed = inlet.mouth != Mouth::Face && inlet.mouth != Mouth::Mesh;
  if (const auto found = what_hinders(setup, inlet)) {
    if (found->layer < layers)
      out.refuse(key, fmt::format("its nozzle, {} long from {}, is in {} at {}; allowed: a nozzle "
                                  "with room, or one that begins on the wall",
                                  length_text(setup, length), placed ? "`center` along `direction`" : "its mouth",
                                  found->what, place_text(setup, found->at)));
    else
      out.refuse(key, flows_against(setup, *found, layers, placed));
    return false;
  }
  for (int a = 0; a < domain.dimension; ++a)
    if (domain.axis[a] == Axis::Open) {
      const float at = static_cast<float>(nozzle_frame(inlet, domain).origin[a]),
                  extent = component(domain.extent(), a);
      if (at >= component(domain.min, a) - extent && at <= component(domain.max, a) + extent) continue;
      out.refuse(key,
                 fmt::format("lies far outside the domain: {} = {:g}; allowed: in it, or beside it at an open face",
                             kAxisNames[a], at));
      return false;
    }
  return true;
}

/// An outlet that would take or move particles of a nozzle. @return its number
std::optional<std::size_t> outlet_in_nozzle(const SimulationSetup& setup, const InletSetup& inlet) {
  const Domain& domain = setup.domain;
  const NozzleFrame frame = nozzle_frame(inlet, setup.domain);
  const int layers = nozzle_layers(setup, inlet);
  for (const auto& [u, v] : mouth_sites(inlet, setup.domain, setup.spacing))
    for (int layer = 0; layer < layers; ++layer)
      for (std::size_t k = 0; k < setup.outlets.size(); ++k) {
        const OutletSetup& outlet = setup.outlets[k];
        const Vec3 x = frame.at((layer + 0.5) * setup.spacing, u, v);
        if (contains(outlet, x, domain.dimension)) return k;
        if (moves_out(outlet) &&
            dot(x - outlet.point, outlet.normal) < outflow_length(search_radius(setup), setup.spacing))
          return k;
      }
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
    if (!review_direction(setup, setup.inlets[i], key, out) || !review_face_inlet(setup, i, key, out) ||
        !review_mesh_mouth(draft, i, key, out)) {
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
                 fmt::format("its nozzle reaches into {}, which would {} its particles; allowed: one that lies apart",
                             outlet_key(*outlet), moves_out(setup.outlets[*outlet]) ? "move" : "take"));
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

/// What an outlet at a face has besides, and what goes with a face alone. @return false when it was refused
bool review_outflow(const SimulationSetup& setup, std::size_t i, const std::string& key, Findings& out) {
  const OutletSetup& outlet = setup.outlets[i];
  if (outlet.face < 0) {
    if (outlet.speed < 0) return true;
    out.refuse(key + ".speed", fmt::format("found {:g} beside a region, into which particles come as they do; allowed "
                                           "with `face`",
                                           outlet.speed));
    return false;
  }
  if (!review_face(setup, outlet.face, key + ".face", out)) return false;
  if (!outlet.plain() || outlet.rate >= 0) {
    const char* other = !outlet.with.empty() ? "with" : !outlet.without.empty() ? "without" : "rate";
    out.refuse(key + "." + other, "found beside `face`, at which all particles are taken out; allowed: none");
    return false;
  }
  for (std::size_t j = 0; j < i; ++j)
    if (setup.outlets[j].face == outlet.face) {
      out.refuse(key + ".face", fmt::format("is that of {} too; allowed: one outlet on a face", outlet_key(j)));
      return false;
    }
  const double length = outflow_length(search_radius(setup), setup.spacing),
               extent = component(setup.domain.extent(), outlet.face / 2);
  if (!moves_out(outlet) || length < 0.5 * extent || !out.intact("solver")) return true;
  out.refuse(key + ".speed", fmt::format("moves the particles over {} before the face, and the domain is {} long; "
                                         "allowed: a domain more than twice as long as that",
                                         length_text(setup, length), length_text(setup, extent)));
  return false;
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
    if (!review_outflow(setup, i, key, out)) continue;
    if (outlet.face >= 0) outlet_at_face(outlet, domain);
    within_domain(outlet, domain.min, domain.max);
    if (outlet.face < 0 && !review_region(setup, outlet, key, RegionOf::Outlet, out)) continue;
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
