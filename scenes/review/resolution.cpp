#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/format/number_density.h"
#include "scenes/review/resolution_key.h"
#include "scenes/review/subjects.h"
#include "sim/solver.h"

namespace riffle::scenes {

namespace {

/// Every search needs two support radii between a particle and its own image.
void review_periodic_axis(const SimulationSetup& setup, int axis, Findings& out) {
  const double h = setup.support_radius(), reach = search_radius(setup);
  const double extent = component(setup.domain.extent(), axis);
  const char* name = kAxisNames[axis];
  if (extent < 2 * h)
    out.refuse("domain.axes",
               fmt::format("the periodic axis {} is {} long, below twice the support radius ({}): a particle would "
                           "meet its neighbour twice; allowed: at least 2 h",
                           name, length_text(setup, extent), length_text(setup, h)));
  else if (extent < 2 * reach)
    out.refuse(
        "solver.margin",
        fmt::format("found {:g}: the search for neighbours then reaches {:g} m, more than half the periodic axis "
                    "{} ({:g} m), where a particle has two images of the same neighbour; allowed: at most {:.3g}",
                    setup.pbf.margin, reach, name, extent, std::floor(1000 * (extent / (2 * h) - 1)) / 1000));
  else if (extent < 3 * h)
    out.warn(WarningKind::ShortPeriodicAxis, "domain.axes",
             fmt::format("the periodic axis {} is {} long, below three support radii ({} each); the search is exact "
                         "but slow there, and the fluid feels its own image",
                         name, length_text(setup, extent), length_text(setup, h)));
}

void review_rounding(const SimulationSetup& setup, Findings& out) {
  constexpr double kSingleEpsilon = 1.2e-7;
  double largest = 0;
  for (int a = 0; a < setup.domain.dimension; ++a)
    for (const Vec3& corner : {setup.domain.min, setup.domain.max})
      largest = std::max(largest, std::abs(double{component(corner, a)}));
  if (largest * kSingleEpsilon > 0.01 * setup.spacing)
    out.warn(WarningKind::CoarseCoordinates, resolution_key(out),
             fmt::format("{} between particles are too little for coordinates up to {} in single precision: positions "
                         "are rounded by more than "
                         "a hundredth of that",
                         length_text(setup, setup.spacing), length_text(setup, largest)));
}

}  // namespace

void review_resolution(SceneDraft& draft, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  if (draft.number_density > 0) setup.spacing = spacing_of(draft.number_density, setup.domain.dimension);
  if (!out.intact({"dimension", "domain", "particles"})) return;
  for (int a = 0; a < setup.domain.dimension; ++a)
    if (setup.domain.periodic(a)) review_periodic_axis(setup, a, out);
  review_rounding(setup, out);
}

void warn_of_support_ratio(const SimulationSetup& setup, Findings& out) {
  if (setup.chosen_support_ratio() >= 1.2f && setup.chosen_support_ratio() <= 4.0f) return;
  out.warn(
      WarningKind::UnusualSupportRatio, "particles.support_ratio",
      fmt::format("{:g} particle spacings is unusual: below 1.2 particles have hardly any neighbours, above 4 they "
                  "have hundreds; 2 to 3.5 are common",
                  setup.chosen_support_ratio()));
}

}  // namespace riffle::scenes
