#include "scenes/document/nozzle_room.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/openings/nozzle.h"
#include "sim/solver.h"
#include "sim/units.h"
#include "sim/walls/solid_surfaces.h"

namespace riffle::scenes {

namespace {

constexpr float kNearest = 0.75f;     // [spacings] of particles of two nozzles
constexpr float kBesideWall = 0.25f;  // [spacings] of a nozzle's particles

/// What is in the way of a particle; "": nothing.
std::string what_is_at(const SimulationSetup& setup, const FlatRegions& solids, Vec3 x) {
  const Domain& domain = setup.domain;
  const float margin = kBesideWall * setup.spacing;
  for (int a = 0; a < domain.dimension; ++a) {
    if (!domain.walled(a)) continue;
    if (component(x, a) < component(domain.min, a) + margin || component(x, a) > component(domain.max, a) - margin)
      return fmt::format("a wall of the domain ({} from {:g} to {:g} {})", "xyz"[a], component(domain.min, a),
                         component(domain.max, a), units_of(setup).length);
  }
  std::string found;
  for_each_region(solids.shapes.data(), static_cast<int>(solids.shapes.size()), solids.corners.data(), x, margin,
                  domain.dimension, [&](std::uint32_t solid, SurfaceDistance d) {
                    if (found.empty() && d.distance < margin) found = "'" + solid_name(setup, solid) + "'";
                  });
  return found;
}

}  // namespace

int layers_reached(const SimulationSetup& setup) {
  return static_cast<int>(std::ceil(search_radius(setup) / setup.spacing - 1e-3));
}

std::optional<Hindrance> what_hinders(const SimulationSetup& setup, const InletSetup& inlet) {
  const FlatRegions solids = flat_solids(setup);
  const NozzleFrame frame = nozzle_frame(inlet, setup.domain);
  const auto sites = mouth_sites(inlet, setup.domain, setup.spacing);
  const int layers = nozzle_layers(setup, inlet) + layers_reached(setup);
  for (int layer = 0; layer < layers; ++layer)
    for (const auto& [u, v] : sites) {
      const Vec3 x = frame.at((layer + 0.5) * setup.spacing, u, v);
      if (std::string what = what_is_at(setup, solids, x); !what.empty()) return Hindrance{x, layer, std::move(what)};
    }
  return std::nullopt;
}

bool nozzles_meet(const SimulationSetup& setup, const InletSetup& a, const InletSetup& b) {
  const NozzleFrame fa = nozzle_frame(a, setup.domain), fb = nozzle_frame(b, setup.domain);
  const auto sa = mouth_sites(a, setup.domain, setup.spacing), sb = mouth_sites(b, setup.domain, setup.spacing);
  const int la = nozzle_layers(setup, a), lb = nozzle_layers(setup, b);
  const float near2 = kNearest * kNearest * setup.spacing * setup.spacing;
  // Of wide mouths the outermost sites and every so many of the others are compared.
  const auto step = [](std::size_t n) { return std::max<std::size_t>(1, n / 200); };
  for (int i = 0; i < la; ++i)
    for (std::size_t p = 0; p < sa.size(); p += step(sa.size()))
      for (int j = 0; j < lb; ++j)
        for (std::size_t q = 0; q < sb.size(); q += step(sb.size()))
          if (length2(fa.at((i + 0.5) * setup.spacing, sa[p][0], sa[p][1]) -
                      fb.at((j + 0.5) * setup.spacing, sb[q][0], sb[q][1])) < near2)
            return true;
  return false;
}

}  // namespace riffle::scenes
