#include "app/run/near_solid.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "core/math/periodic.h"
#include "sim/motion/drive_place.h"
#include "sim/shapes/distance.h"
#include "sim/units.h"
#include "sim/walls/solid_surfaces.h"

namespace riffle {

namespace {

/// The point of the scene that is at x now. Turns have their transpose as inverse.
Vec3 placed_back(const DrivenPlace& place, Vec3 x) {
  const double r[3] = {x.x - place.shift[0], x.y - place.shift[1], x.z - place.shift[2]};
  double at[3] = {};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) at[a] += place.turn[3 * b + a] * r[b];
  return {static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])};
}

}  // namespace

std::optional<NearSolid> near_solid(const Simulation& simulation, Vec3 x, double time) {
  const SimulationSetup& setup = simulation.setup();
  if (setup.solid_regions.empty() || !is_finite(x)) return std::nullopt;
  const std::vector<DrivenPlace> free = simulation.body_places();
  const FlatRegions flat = flat_solids(setup);
  const std::vector<DrivenRegion> regions = driven_regions(setup);
  const auto count = static_cast<int>(flat.shapes.size());
  const float reach = setup.support_radius();
  std::optional<NearSolid> nearest;
  for (int k = 0; k < count;) {
    const std::size_t r = flat.shapes[static_cast<std::size_t>(k)].solid;
    const SolidRegion& region = setup.solid_regions[r];
    const DrivenPlace place = region.free.given ? free[r] : place_of(region.drive, time);
    const double(&m)[3] = regions[r].middle;
    const Vec3 middle{static_cast<float>(place.at(0, m[0], m[1], m[2])),
                      static_cast<float>(place.at(1, m[0], m[1], m[2])),
                      static_cast<float>(place.at(2, m[0], m[1], m[2]))};
    Vec3 from = placed_back(place, image_near(x, middle, regions[r].period));
    if (!is_finite(middle) || !is_finite(from)) from = {kNowhere, kNowhere, kNowhere};  // it has blown up as well
    k = visit_region(flat.shapes.data(), count, k, flat.corners.data(), from, reach, setup.domain.dimension,
                     [&](std::uint32_t, SurfaceDistance d) {
                       if (!(d.distance < reach)) return;
                       if (!nearest || d.distance < nearest->distance) nearest = {r, d.distance};
                     });
  }
  return nearest;
}

std::string near_solid_text(const Simulation& simulation, Vec3 x, double time) {
  const auto near = near_solid(simulation, x, time);
  if (!near) return "";
  const SimulationSetup& setup = simulation.setup();
  const SolidRegion& region = setup.solid_regions[near->solid];
  const char* const kind = region.free.given ? "free " : region.drive.given ? "driven " : "";
  const std::string name = fmt::format("the {}solid '{}'", kind, solid_name(setup, near->solid));
  if (near->distance <= 0) return "in " + name;
  return fmt::format("{:.3g} {} from {}", near->distance, units_of(setup).length, name);
}

}  // namespace riffle
