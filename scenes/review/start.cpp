#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/review/subjects.h"

namespace riffle::scenes {

namespace {

void review_interface(const SceneDraft& draft, SimulationSetup& setup, Findings& out) {
  StartSetup& start = setup.start;
  const Domain& domain = setup.domain;
  const auto length = [&](double value) { return length_text(setup, value); };
  const auto upper = find_fluid(setup, draft.upper, "start.interface.upper", out);
  const auto lower = find_fluid(setup, draft.lower, "start.interface.lower", out);
  if (upper) start.upper = *upper;
  if (lower) start.lower = *lower;
  if (upper && upper == lower)
    out.refuse("start.interface", "has '" + draft.upper + "' above and below; allowed: two fluids");
  if (!(start.height > domain.min.y && start.height < domain.max.y))
    out.refuse("start.interface.height", fmt::format("found {}, outside the domain; allowed: between {:g} and {}",
                                                     length(start.height), domain.min.y, length(domain.max.y)));
  const double extent = component(domain.extent(), 0);
  if (start.wavelength == 0) start.wavelength = static_cast<float>(extent);
  const double waves = extent / start.wavelength;
  if (start.wavelength > extent * 1.001 || start.wavelength < 2 * setup.spacing)
    out.refuse("start.interface.wavelength",
               fmt::format("found {}; allowed: from two particle spacings ({}) to the domain's extent along x ({})",
                           length(start.wavelength), length(2 * double{setup.spacing}), length(extent)));
  const double room = std::min(double{start.height} - domain.min.y, double{domain.max.y} - start.height);
  if (std::abs(start.amplitude) >= room && room > 0)
    out.refuse("start.interface.amplitude",
               fmt::format("found {}, which reaches beyond the domain; allowed: below {} either way",
                           length(start.amplitude), length(room)));
  if (start.amplitude != 0 && domain.periodic(0) && std::abs(waves - std::round(waves)) > 1e-3)
    out.warn(WarningKind::InterfaceStep, "start.interface.wavelength",
             fmt::format("{} fit {:g} times into the periodic axis x: the interface has a step there",
                         length(start.wavelength), waves));
}

}  // namespace

void review_start(SceneDraft& draft, Findings& out) {
  if (!out.intact({"dimension", "domain", "fluids", "start"})) return;
  SimulationSetup& setup = draft.scene.simulation;
  if (setup.start.has_interface) review_interface(draft, setup, out);
  if (setup.start.has_interface && setup.start.mixed)
    out.refuse("start", "has both an interface and mixed: true; allowed: one of them");
  if (setup.fluids.size() < 2)
    out.idle(WarningKind::MixedSingleFluid, {"start.mixed", "has no effect on a single fluid"}, setup.start.mixed);
}

}  // namespace riffle::scenes
