/// The keys of damping zones.

#include "scenes/format/format_keys.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

DampingZone& zone(SceneDraft& d) { return sim(d).damping.back(); }

Key box_key() {
  Key box = section("box", "Where it is.",
                    {{
                        required("min", spatial(number("m")), zone, &DampingZone::min, "Lower corner."),
                        required("max", spatial(number("m")), zone, &DampingZone::max, "Upper corner."),
                    }});
  box.required = true;
  return box;
}

Record zone_record() {
  Key towards = choice("towards", zone, &DampingZone::outer,
                       "The outer face of the box. Velocities are divided by 1 + dt strength s^2 at each step, where s "
                       "grows from 0 at the face across to 1 at this one.");
  return {{
      box_key(),
      required("strength", number_above(0, "1/s", 1e6), zone, &DampingZone::strength,
               "Rate at the outer face. A few times the angular frequency of a wave ends it within one wave length."),
      towards,
  }};
}

}  // namespace

Key damping_key() {
  Key key{"damping",
          "Boxes in which velocities are relaxed towards 0, so that waves end there and do not come back. Where they "
          "overlap, their rates add up. Stable at any time step.",
          {list_of(zone_record(), 0, static_cast<int>(kMostDampingZones))}};
  key.default_note = "none";
  key.count = [](const SceneDraft& d) { return d.scene.simulation.damping.size(); };
  key.pick = [](SceneDraft& d, const SceneDraft& whole, std::size_t i) {
    sim(d).damping = {whole.scene.simulation.damping[i]};
  };
  key.enter = [](SceneDraft& d) { sim(d).damping.emplace_back(); };
  return with_effect(Effect::Live, std::move(key));
}

}  // namespace riffle::scenes
