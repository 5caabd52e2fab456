#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/error.h"
#include "scenes/review/resolution_key.h"
#include "scenes/review/subjects.h"
#include "sim/meshes/mesh_file.h"
#include "sim/meshes/surface.h"
#include "sim/shapes/distance.h"
#include "sim/solver_info.h"

namespace riffle::scenes {

namespace {

constexpr float kFurthest = 1e18f;
constexpr float kMuchLarger = 100;  // than the domain

float largest(Vec3 v) { return std::max({v.x, v.y, v.z}); }

/// "A file in millimetres needs the scale 0.001." where that would fit better.
std::string unit_hint(const SimulationSetup& setup, const MeshSurface& surface) {
  const float extent = largest(surface.high() - surface.low()), room = largest(setup.domain.extent());
  for (const auto& [factor, unit] : {std::pair(0.001f, "millimetres"), std::pair(0.01f, "centimetres")})
    if (extent * factor <= 2 * room && extent > 2 * room)
      return fmt::format(": a file in {} needs the scale {:g} (times the present one)", unit, factor);
  if (extent < 4 * setup.spacing && 1000 * extent <= 2 * room)
    return ": if the file is in metres, a scale 1000 times as large as the present one fits";
  return "";
}

/// @return false when it was refused
bool review_size(const SimulationSetup& setup, const MeshSurface& surface, const std::string& key, Findings& out) {
  const Vec3 extent = surface.high() - surface.low();
  const std::string size = fmt::format("is {:g} x {:g} x {}", extent.x, extent.y, length_text(setup, extent.z));
  if (!(std::max(largest(surface.high()), largest(-surface.low())) <= kFurthest)) {
    out.refuse(key + ".scale", fmt::format("puts corners beyond {:g}; allowed: a smaller one", kFurthest));
    return false;
  }
  if (largest(extent) > kMuchLarger * largest(setup.domain.extent())) {
    out.refuse(key, fmt::format("{}, more than {:g} times as long as the domain; allowed: a smaller scale{}", size,
                                kMuchLarger, unit_hint(setup, surface)));
    return false;
  }
  if (largest(extent) < setup.spacing) {
    out.refuse(key, fmt::format("{}, smaller than the particle spacing ({}); allowed: a larger scale or a {}{}", size,
                                length_text(setup, setup.spacing), finer_resolution(out), unit_hint(setup, surface)));
    return false;
  }
  return true;
}

/// Whether the triangles say what is inside. @return false when it was refused
bool review_closedness(const SimulationSetup& setup, const MeshSurface& surface, const std::string& key,
                       Findings& out) {
  constexpr double kMostUnclear = 0.1, kOpen = 0.02;  // of the places
  const WindingSamples& samples = surface.winding_samples();
  const double of_all = 100.0 / samples.places;
  if (samples.inside == 0) {
    out.refuse(key + ".file",
               "encloses no volume: its triangles are a sheet, or lie apart; allowed: a closed surface "
               "around what is solid");
    return false;
  }
  if (samples.unclear > kMostUnclear * samples.places) {
    out.refuse(
        key + ".file",
        fmt::format("does not say what is inside: its triangles wind around {:.0f} % of the places in its bounds "
                    "by a part of a turn, for example {}; allowed: a surface whose holes are small enough to be "
                    "closed",
                    of_all * samples.unclear, place_text(setup, samples.unclear_place)));
    return false;
  }
  if (samples.open > kOpen * samples.places)
    out.warn(
        WarningKind::MeshOpen, key + ".file",
        fmt::format("is open, which makes {:.0f} % of the places in its bounds doubtful, for example {}: {} triangles "
                    "across its holes close it, so what looks like a bowl is solid up to its rim; a wall with two "
                    "sides is hollow",
                    of_all * samples.open, place_text(setup, samples.open_place), surface.repair().closed));
  return true;
}

}  // namespace

bool read_mesh(SceneDraft& draft, std::size_t index, const std::string& solid_key, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  SolidRegion& solid = setup.solid_regions[index];
  const std::string key = solid_key + ".mesh";
  if (setup.domain.dimension == 2) {
    out.refuse(key, "found a mesh in a 2-D scene; allowed: a polygon, since a mesh encloses a volume and has no area");
    return false;
  }
  const std::filesystem::path file = std::filesystem::path(draft.scene.path).parent_path() / solid.file;
  try {
    solid.surface = mesh_surface(*read_mesh_file(file), solid.placement);
  } catch (const InputError& error) {
    out.refuse(key + ".file", error.what());
    return false;
  } catch (const RuntimeFailure& error) {
    out.refuse(key + ".file", error.what());
    return false;
  }
  draft.scene.inputs.push_back(file.string());
  return review_size(setup, *solid.surface, key, out) && review_closedness(setup, *solid.surface, key, out);
}

bool review_mesh(const SimulationSetup& setup, std::size_t index, const std::string& solid_key, Findings& out) {
  constexpr double kMostlyThin = 0.5, kPartlyThin = 0.1;
  const SolidRegion& solid = setup.solid_regions[index];
  const MeshSurface& surface = *solid.surface;
  const std::string key = solid_key + ".mesh";
  for (int a = 0; a < 3; ++a)
    if (setup.domain.periodic(a) && component(surface.low(), a) <= component(setup.domain.min, a) &&
        component(surface.high(), a) >= component(setup.domain.max, a)) {
      out.refuse(key, fmt::format("reaches both faces of the periodic axis {}, through which a mesh does not go on; "
                                  "allowed: within the domain along {}",
                                  kAxisNames[a], kAxisNames[a]));
      return false;
    }
  const ThinPart thinnest = surface.part_thinner_than(setup.spacing);
  if (thinnest.share > kMostlyThin) {
    out.refuse(key,
               fmt::format("is thinner than a particle spacing ({}) over {:.0f} % of its surface, for example at {}; "
                           "allowed: thicker walls, or a {}",
                           length_text(setup, setup.spacing), 100 * thinnest.share, place_text(setup, thinnest.place),
                           finer_resolution(out)));
    return false;
  }
  const ThinPart thin = surface.part_thinner_than(2 * setup.spacing);
  if (thin.share > kPartlyThin && solver_info(setup).wall_particles)
    out.warn(WarningKind::ThinSolid, key,
             fmt::format("is thinner than two particle spacings ({}) over {:.0f} % of its surface, for example at {}: "
                         "there it holds the fluid off too weakly, which comes nearer to it than half a spacing; a "
                         "{} or a thicker solid helps",
                         length_text(setup, 2 * setup.spacing), 100 * thin.share, place_text(setup, thin.place),
                         finer_resolution(out)));
  const Region* const one[] = {&solid};
  const float wanted = kMeshCell * setup.spacing, cell = flatten(one, setup.domain, setup.spacing).grids[0]->cell();
  if (cell > 1.01f * wanted)
    out.warn(WarningKind::MeshCoarse, key,
             fmt::format(
                 "has distances on a grid of cells {} wide instead of {}, because a finer one would need more than "
                 "{} MiB: the fluid meets a surface whose details are lost below that size; a smaller mesh or a "
                 "{} resolves it",
                 length_text(setup, cell), length_text(setup, wanted), kMostGridBytes >> 20, coarser_resolution(out)));
  return true;
}

}  // namespace riffle::scenes
