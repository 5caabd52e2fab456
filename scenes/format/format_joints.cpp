/// The keys of joints.

#include "scenes/format/format_keys.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

JointSetup& joint(SceneDraft& d) { return sim(d).joints.back(); }

/// A key that only one or two kinds of joint have.
Key of_kind(const char* default_note, Key key) {
  key.default_note = default_note;
  return key;
}

Record joint_record() {
  Key axis = field("axis", tuple(bounded(""), 3, 3), joint, &JointSetup::axis,
                   "Of a hinge in 3-D, about which it turns, and of a slider, along which it moves; of any length.");
  axis.in_flat = Key::InFlat::InPlane;
  Key kind = choice("type", joint, &JointSetup::kind, "What is left to the solid.");
  kind.required = true;
  Key range{"range",
            "Of a hinge [rad] or a slider [m]: how far it may go from where the scene puts it, the least and the most. "
            "A hinge turns by at most pi to either side, and by less than 6.2 from end to end.",
            {tuple(number_from(-1e6, 1e6, ""), 2, 2)}};
  range.default_note = "none: it goes on without end";
  range.store = [](SceneDraft& d, const Value& value) {
    joint(d).limited = true;
    joint(d).low = value.items()[0].number();
    joint(d).high = value.items()[1].number();
  };
  range.fetch = [](SceneDraft& d) -> Value { return std::vector<Value>{joint(d).low, joint(d).high}; };
  range.present = [](SceneDraft& d) { return joint(d).limited; };
  Key to = field("to", spatial(bounded("m")), joint, &JointSetup::to,
                 "Of a spring, which needs it: its end on the other solid, or in the domain.");
  to.present = [](SceneDraft& d) { return joint(d).kind == JointKind::Spring; };
  to.default_value = {};  // none: what is stored was given
  to.default_note = "none";
  to.store = [store = to.store](SceneDraft& d, const Value& value) {
    store(d, value);
    d.spring_ends.back() = true;
  };
  return {{
      kind,
      required("solid", text(), joint, &JointSetup::solid, "Name of a solid with `motion: free`."),
      of_kind(
          "the domain",
          field("other", text(), joint, &JointSetup::other,
                "Name of the solid that it is joined to, of any motion. The two have no contact, but by a spring.")),
      required("at", spatial(bounded("m")), joint, &JointSetup::at,
               "Where the joint is at the start; of a spring, its end on the solid."),
      axis,
      to,
      range,
      field("motor_speed", bounded(""), joint, &JointSetup::motor_speed,
            "Of a hinge [rad/s] or a slider [m/s]: the speed that its motor holds."),
      field("motor_force", number_from(0, 1e9, ""), joint, &JointSetup::motor_force,
            "Likewise: what the motor does at most, a torque [N m] or a force [N]; in 2-D per metre of depth. 0: no "
            "motor."),
      field("stiffness", number_from(0, 1e12, ""), joint, &JointSetup::stiffness,
            "Of a spring [N/m], of a hinge [N m/rad] or a slider [N/m]: of the force back to `length`, or to the "
            "start. That of a "
            "hinge is the one to the nearer side, so it turns round at half a turn."),
      field("damping", number_from(0, 1e12, ""), joint, &JointSetup::damping,
            "Likewise, of the force against the speed: [N s/m] or [N m s]."),
      field_or("start", "length", number_from(0, 1e6, "m"), joint, &JointSetup::length,
               "Of a spring without force. `start`: as long as it is at the start."),
  }};
}

}  // namespace

Key joints_key() {
  Key key{"joints",
          "Joints of free solids with other solids or with the domain.",
          {list_of(joint_record(), 0, static_cast<int>(kMostJoints))}};
  key.default_note = "none";
  key.count = [](const SceneDraft& d) { return d.scene.simulation.joints.size(); };
  key.pick = [](SceneDraft& d, const SceneDraft& whole, std::size_t i) {
    sim(d).joints = {whole.scene.simulation.joints[i]};
  };
  key.enter = [](SceneDraft& d) {
    sim(d).joints.emplace_back();
    d.spring_ends.push_back(false);
  };
  return key;
}

}  // namespace riffle::scenes
