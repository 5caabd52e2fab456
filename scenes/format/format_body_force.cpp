/// The keys of the body force.

#include "scenes/format/format_keys.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

BodyForceSetup& force(SceneDraft& d) { return sim(d).body_force; }

Record force_record() {
  return {{
      required("acceleration", spatial(bounded("m/s^2")), force, &BodyForceSetup::acceleration,
               "Along each axis, where the force is largest."),
      axis_key("across", "y", "The axis along which the force varies.",
               [](SceneDraft& d) -> int& { return force(d).across; }),
      choice("profile", force, &BodyForceSetup::profile, "What acts at a place:"),
      field("waves", whole(1, 1000), force, &BodyForceSetup::waves, "How often the profile repeats across the domain."),
  }};
}

}  // namespace

Key body_force_key() {
  Key key{
      "body_force",
      "Added to `gravity` across the domain, and constant in time. It drives the fluid of a periodic domain in "
      "layers that flow against each other. Their speed gives the viscosity nu: with `halves` and a width L of a "
      "wave a layer's largest speed is acceleration L^2 / (32 nu), with `sine` acceleration L^2 / (4 pi^2 nu). "
      "The force on the whole fluid is 0 on the mean; while one half of a wave has more particles, momentum drifts. "
      "`none`: there is no such force.",
      {words({"none"}), map_of(force_record())}};
  key.default_value = "none";
  key.example = "{acceleration: [0.1, 0, 0]}";
  key.store = [](SceneDraft&, const Value&) {};
  key.present = [](SceneDraft& d) { return force(d).given; };
  key.enter = [](SceneDraft& d) { force(d).given = true; };
  return with_effect(Effect::Live, std::move(key));
}

}  // namespace riffle::scenes
