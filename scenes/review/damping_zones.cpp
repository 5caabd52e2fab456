#include <fmt/format.h>

#include "scenes/review/subjects.h"

namespace riffle::scenes {

void review_damping_zones(const SceneDraft& draft, Findings& out) {
  const SimulationSetup& setup = draft.scene.simulation;
  const Domain& domain = setup.domain;
  if (!out.intact({"dimension", "domain", "damping"})) return;
  for (std::size_t i = 0; i < setup.damping.size(); ++i) {
    const DampingZone& zone = setup.damping[i];
    const std::string key = fmt::format("damping[{}]", i);
    if (zone.axis() >= domain.dimension)
      out.refuse(key + ".towards",
                 fmt::format("found {}; allowed in 2-D: x_min, x_max, y_min or y_max", word_of(zone.outer)));
    for (int a = 0; a < domain.dimension; ++a) {
      const float low = component(zone.min, a), high = component(zone.max, a);
      if (!(low < high)) {
        out.refuse(key + ".box", fmt::format("found {0} from {1:g} to {2}; max.{0} must be above min.{0}",
                                             kAxisNames[a], low, length_text(setup, high)));
        break;
      }
      if (high <= component(domain.min, a) || low >= component(domain.max, a)) {
        out.refuse(key + ".box", fmt::format("lies outside the domain: {}; allowed: a box of which a part is inside",
                                             place_text(setup, {zone.min, zone.max}, a)));
        break;
      }
    }
  }
}

}  // namespace riffle::scenes
