#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/review/subjects.h"
#include "sim/start/start.h"

namespace riffle::scenes {

namespace {

constexpr const char* kShareWithoutMixing = "has no effect: start.mixed is false";

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

/// "'oil', 'water'"
std::string quoted_names(const SimulationSetup& setup, bool with_share) {
  std::string names;
  for (const FluidSetup& fluid : setup.fluids)
    if ((fluid.share >= 0) == with_share) names += (names.empty() ? "'" : ", '") + fluid.name + "'";
  return names;
}

void review_shares(const SimulationSetup& setup, Findings& out) {
  constexpr double kRounding = 1e-4;  // thirds are written 0.3333
  double sum = 0;
  std::string first;
  bool all = true;
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) {
    const float share = setup.fluids[f].share;
    const std::string key = fmt::format("fluids[{}].share", f);
    if (!setup.start.mixed) out.idle(WarningKind::ShareWithoutMixing, {key, kShareWithoutMixing}, share >= 0);
    if (share < 0) {
      all = false;
      continue;
    }
    sum += share;
    if (first.empty()) first = key;
  }
  if (!setup.start.mixed || first.empty()) return;
  if (all ? std::abs(sum - 1) > kRounding : sum > 1 + kRounding) {
    out.refuse(first, fmt::format("the shares of {} add up to {:.6g}; allowed: {}", quoted_names(setup, true), sum,
                                  all ? "1" : "at most 1, as " + quoted_names(setup, false) + " get what is left"));
    return;
  }
  const std::vector<double> shares = mixture_shares(setup);
  for (std::size_t f = 0; f < shares.size(); ++f)
    if (shares[f] < 1e-7)
      out.warn(WarningKind::UnusedFluid, fmt::format("fluids[{}]", f),
               fmt::format("no particle is of '{}': its share of the mixture is 0", setup.fluids[f].name));
}

}  // namespace

void review_start(SceneDraft& draft, Findings& out) {
  if (!out.intact({"dimension", "domain", "fluids", "start"})) return;
  SimulationSetup& setup = draft.scene.simulation;
  if (setup.start.has_interface) review_interface(draft, setup, out);
  if (setup.start.has_interface && setup.start.mixed)
    out.refuse("start", "has both an interface and mixed: true; allowed: one of them");
  review_shares(setup, out);
  if (setup.fluids.size() < 2)
    out.idle(WarningKind::MixedSingleFluid, {"start.mixed", "has no effect on a single fluid"}, setup.start.mixed);
}

}  // namespace riffle::scenes
