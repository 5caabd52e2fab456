#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "scenes/review/free_density.h"
#include "scenes/review/subjects.h"
#include "sim/bodies/mass/body_mass.h"
#include "sim/measure/solid_measurement.h"
#include "sim/shapes/distance.h"
#include "sim/solver_info.h"

namespace riffle::scenes {

namespace {

constexpr float kLeastDensity = 0.02f;  // of the densest fluid's; lighter bodies move too fast for the step

std::string key_of(std::size_t i, const char* key) { return fmt::format("solids[{}].{}", i, key); }

/// "20 kg/m^3 or more, a fiftieth of the densest fluid"
std::string allowed_densities(const SimulationSetup& setup) {
  return fmt::format("{:.3g} kg/m^3 or more, a fiftieth of the densest fluid", least_density_of_free(setup));
}

/// Keys that only a free solid has. @return false when one was refused
bool review_of_others(const SolidRegion& solid, std::size_t i, Findings& out) {
  const FreeBodySetup& free = solid.free;
  const auto refuse = [&](const char* key) {
    out.refuse(key_of(i, key),
               fmt::format("belongs to a solid that forces move; allowed: beside `motion: free`, and this "
                           "solid {}",
                           solid.drive.given ? "is driven" : "stands still"));
    return false;
  };
  if (free.density != 0) return refuse("density");
  if (free.mass != 0) return refuse("mass");
  if (!(free.velocity == Vec3{})) return refuse("velocity");
  if (!(free.angular_velocity == Vec3{})) return refuse("angular_velocity");
  if (!(free.force == Vec3{})) return refuse("force");
  for (const char* key : {"density", "mass", "velocity", "angular_velocity", "force"})
    out.idle({key_of(i, key), fmt::format("has no effect on a solid that {}; choose free as its motion first",
                                          solid.drive.given ? "is driven" : "stands still")});
  return true;
}

/// @return false when it was refused
bool review_mass(const SimulationSetup& setup, std::size_t i, Findings& out) {
  const FreeBodySetup& free = setup.solid_regions[i].free;
  if ((free.density > 0) == (free.mass > 0)) {
    out.refuse(key_of(i, free.mass > 0 ? "mass" : "motion"),
               fmt::format("{}; allowed: exactly one of `density` and `mass`, above 0{}",
                           free.mass > 0 ? "stands beside `density`" : "moves a solid without a mass",
                           solver_info(setup).has_density ? fmt::format(", a density of {}", allowed_densities(setup))
                                                          : std::string()));
    return false;
  }
  return true;
}

/// @return false when it was refused
bool review_extent(const SimulationSetup& setup, std::size_t i, Findings& out) {
  const SolidRegion& solid = setup.solid_regions[i];
  const Domain& domain = setup.domain;
  if (has_plane(solid)) {
    out.refuse(key_of(i, "motion"),
               "found free, and the solid has a plane. A plane cannot move, since it has no end and no mass; allowed: "
               "`none`, or a solid of another shape, for example a box");
    return false;
  }
  const Region* const one[] = {&solid};
  const FlatRegions flat = flatten(one, domain);
  const Bounds reach = bounds_of(flat.shapes, 0), bounds = bounds_of(solid);
  double diagonal2 = 0;
  for (int a = 0; a < domain.dimension; ++a) {
    const double low = component(bounds.min, a), high = component(bounds.max, a);
    if (std::isinf(low) || std::isinf(high) || std::isinf(component(reach.min, a)) ||
        std::isinf(component(reach.max, a))) {
      out.refuse(
          key_of(i, "motion"),
          fmt::format("frees a solid that has no end along {}; allowed: a solid within the domain", kAxisNames[a]));
      return false;
    }
    diagonal2 += (high - low) * (high - low);
    const double slack = 1e-5 * component(domain.extent(), a);
    if (domain.walled(a) && (low < component(domain.min, a) - slack || high > component(domain.max, a) + slack)) {
      out.refuse(key_of(i, "motion"),
                 fmt::format("frees a solid that reaches through a face of the domain: along {0} from {1:g} to {2}; "
                             "allowed: from {3:g} to {4}",
                             kAxisNames[a], low, length_text(setup, high), component(domain.min, a),
                             length_text(setup, component(domain.max, a))));
      return false;
    }
  }
  // However it turns.
  const double longest =
      solid.shape == Shape::Sphere && solid.with.empty() ? 2 * double{solid.radius} : std::sqrt(diagonal2);
  for (int a = 0; a < domain.dimension; ++a) {
    const double most = double{component(domain.extent(), a)} - 2 * setup.spacing;
    if (!domain.periodic(a) || longest <= most) continue;
    out.refuse(
        key_of(i, "motion"),
        fmt::format("frees a solid that is up to {} long along the periodic axis {}; allowed: {}, so that it does "
                    "not meet itself",
                    length_text(setup, longest), kAxisNames[a], length_text(setup, most)));
    return false;
  }
  return true;
}

/// A body without volume, and one that is too light for the step.
void review_density(const SimulationSetup& setup, Findings& out) {
  std::vector<BodyMass> masses;
  try {
    masses = body_masses(setup);
  } catch (const InputError& error) {
    for (std::size_t i = 0; i < setup.solid_regions.size(); ++i)
      if (setup.solid_regions[i].free.given) return out.refuse(key_of(i, "motion"), error.what());
  }
  if (!solver_info(setup).has_density) return;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (!setup.solid_regions[i].free.given) continue;
    const double density = masses[i].mass / masses[i].volume, least = least_density_of_free(setup);
    if (density >= least) continue;
    out.refuse(key_of(i, setup.solid_regions[i].free.mass > 0 ? "mass" : "density"),
               fmt::format("makes a body of {:.3g} kg/m^3; allowed: {}, since a lighter body is too fast for the step",
                           density, allowed_densities(setup)));
  }
}

}  // namespace

double least_density_of_free(const SimulationSetup& setup) {
  float densest = 0;
  for (const FluidSetup& fluid : setup.fluids) densest = std::max(densest, fluid.rest_density);
  return double{kLeastDensity} * densest;
}

void review_free_bodies(const SceneDraft& draft, Findings& out) {
  if (!out.none_refused()) return;
  const SimulationSetup& setup = draft.scene.simulation;
  const auto refuse_all = [&](const std::string& why) {
    for (std::size_t i = 0; i < setup.solid_regions.size(); ++i)
      if (setup.solid_regions[i].free.given) return out.refuse(key_of(i, "motion"), why);
  };
  bool any = false, sound = true;
  for (std::size_t i = 0; i < setup.solid_regions.size(); ++i) {
    const SolidRegion& solid = setup.solid_regions[i];
    any |= solid.free.given;
    sound &=
        solid.free.given ? review_mass(setup, i, out) && review_extent(setup, i, out) : review_of_others(solid, i, out);
    const Vec3 w = solid.free.angular_velocity;
    if (setup.domain.dimension == 2 && (w.x != 0 || w.y != 0)) {
      out.refuse(
          key_of(i, "angular_velocity"),
          fmt::format("found [{:g}, {:g}, {:g}]; allowed in 2-D: about z alone, [0, 0, {:g}]", w.x, w.y, w.z, w.z));
      sound = false;
    }
  }
  if (!any || !sound) return;
  if (!why_no_solid_forces(setup).empty())
    return refuse_all(
        "found free: the fluid's forces on a solid are not known with implicit viscosity, because its drag is not "
        "known "
        "pair by pair; allowed: with `solver.viscosity: explicit`");
  if (setup.tank.given && setup.tank.rotates)
    return refuse_all(
        "found free in a domain that turns; allowed: a domain that stands still or moves without turning");
  review_density(setup, out);
}

}  // namespace riffle::scenes
