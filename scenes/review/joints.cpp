#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/text/suggestion.h"
#include "scenes/review/subjects.h"
#include "sim/solid_names.h"

namespace riffle::scenes {

namespace {

/// Of one joint. Stops at the first thing that is wrong.
class JointReview {
 public:
  /// @param has_end  whether `to` is given
  JointReview(const SimulationSetup& setup, std::size_t number, bool has_end, Findings& out)
      : setup_(setup), joint_(setup.joints[number]), number_(number), has_end_(has_end), out_(out) {}

  void all() { solids() && axis() && spring() && range() && motor() && softness(); }

 private:
  bool refuse(const char* key, const std::string& why) {
    out_.refuse(fmt::format("joints[{}].{}", number_, key), why);
    return false;
  }
  std::string kind() const { return std::string(word_of(joint_.kind)); }

  /// @return the solid's number; -1 when it was refused
  int find(const char* key, const std::string& name, bool free) {
    const auto& solids = setup_.solid_regions;
    if (const int found = solid_named(setup_, name); found >= 0) {
      const SolidRegion& solid = solids[static_cast<std::size_t>(found)];
      if (!free || solid.free.given) return found;
      refuse(key, fmt::format("found '{}', which {}; allowed: a solid with `motion: free`", name,
                              solid.drive.given ? "is driven" : "stands still"));
      return -1;
    }
    std::vector<std::string> names;
    for (std::size_t s = 0; s < solids.size(); ++s)
      if (!free || solids[s].free.given) names.push_back(solid_name(setup_, s));
    std::string allowed;
    for (std::size_t k = 0; k < names.size() && k < 8; ++k) allowed += (k ? ", " : "") + names[k];
    if (names.size() > 8) allowed += fmt::format(" and {} more", names.size() - 8);
    refuse(key, fmt::format("found '{}', which is the name of no {}solid;{} allowed: {}", name, free ? "free " : "",
                            suggestion(name, names, " "), names.empty() ? "none, since there are none" : allowed));
    return -1;
  }

  bool solids() {
    const int solid = find("solid", joint_.solid, true);
    if (solid < 0) return false;
    if (joint_.other.empty()) return true;
    const int other = find("other", joint_.other, false);
    if (other < 0) return false;
    if (other == solid)
      return refuse("other", fmt::format("found '{}', the solid itself; allowed: another one, or none for the domain",
                                         joint_.other));
    return true;
  }

  bool axis() {
    const Vec3 a = joint_.axis;
    const std::string found = fmt::format("found [{:g}, {:g}, {:g}]", a.x, a.y, a.z);
    const bool flat = setup_.domain.dimension == 2;
    if (joint_.turns() && flat && (a.x != 0 || a.y != 0))
      return refuse("axis", found + "; allowed in 2-D: [0, 0, 1], about which a hinge turns there");
    if (joint_.turns() && a.x == 0 && a.y == 0 && a.z == 0)
      return refuse("axis", found + "; allowed: a direction, of any length but 0");
    if (joint_.slides() && flat && (a.x == 0 && a.y == 0))
      return refuse("axis", found + "; allowed for a slider in 2-D: a direction in the plane, such as [1, 0, 0]");
    if (joint_.slides() && flat && a.z != 0)
      return refuse("axis", found + "; allowed for a slider in 2-D: a direction in the plane, such as [1, 0, 0]");
    if (!along() && !(a == Vec3{0, 0, 1}))
      return refuse("axis", found + fmt::format("; belongs to a hinge or a slider; allowed: none for a {}", kind()));
    if (joint_.slides() && a.x == 0 && a.y == 0 && a.z == 0)
      return refuse("axis", found + "; allowed: a direction, of any length but 0");
    return true;
  }

  bool spring() {
    const bool is_spring = joint_.kind == JointKind::Spring;
    if (!is_spring && has_end_) return refuse("to", fmt::format("belongs to a spring; allowed: none for a {}", kind()));
    if (!is_spring && joint_.length >= 0)
      return refuse("length", fmt::format("belongs to a spring; allowed: none for a {}", kind()));
    if (!is_spring) return true;
    if (!has_end_)
      return refuse("to", fmt::format("is missing; allowed: where the spring ends at the start, on {}",
                                      joint_.other.empty() ? "the domain" : "'" + joint_.other + "'"));
    if (joint_.stiffness == 0 && joint_.damping == 0)
      return refuse("stiffness", "found 0, and no damping: such a spring does nothing; allowed: one of them above 0");
    if (joint_.at == joint_.to && joint_.length > 0)
      return refuse("to", "is where `at` is, so that the spring has no direction; allowed: another place, or length 0");
    return true;
  }

  bool along() const { return joint_.turns() || joint_.slides(); }

  bool range() {
    if (!joint_.limited) return true;
    if (!along()) return refuse("range", fmt::format("belongs to a hinge or a slider; allowed: none for a {}", kind()));
    if (!(joint_.low <= 0 && joint_.high >= 0 && joint_.low < joint_.high))
      return refuse("range", fmt::format("found [{:g}, {:g}]; allowed: from 0 or less to 0 or more, since the start is "
                                         "at 0, and not both 0",
                                         joint_.low, joint_.high));
    const auto most = static_cast<float>(std::numbers::pi);
    constexpr float widest = 6.2f;  // [rad] so that the two ends stay apart
    if (joint_.turns() && joint_.high - joint_.low > widest)
      return refuse("range", fmt::format("found [{:g}, {:g}], {:.4f} rad wide; allowed for a hinge: at most {:g}",
                                         joint_.low, joint_.high, joint_.high - joint_.low, widest));
    if (joint_.slides())
      for (int a = 0; a < setup_.domain.dimension; ++a) {
        const float half = 0.5f * component(setup_.domain.extent(), a);
        if (!setup_.domain.periodic(a) || component(joint_.axis, a) == 0) continue;
        if (std::max(-joint_.low, joint_.high) >= half)
          return refuse("range", fmt::format("found [{:g}, {:g}]; allowed along a periodic axis: less than half of the "
                                             "period, {:g}, to either side",
                                             joint_.low, joint_.high, half));
      }
    if (joint_.turns() && (joint_.low < -most || joint_.high > most))
      return refuse("range", fmt::format("found [{:g}, {:g}]; allowed for a hinge: from -{:.4f} to {:.4f} rad, half a "
                                         "turn to either side",
                                         joint_.low, joint_.high, most, most));
    return true;
  }

  bool motor() {
    if (!along()) {
      for (const auto& [key, value] :
           {std::pair{"motor_speed", joint_.motor_speed}, {"motor_force", joint_.motor_force}})
        if (value != 0)
          return refuse(key, fmt::format("belongs to a hinge or a slider; allowed: none for a {}", kind()));
      return true;
    }
    if (joint_.motor_speed != 0 && joint_.motor_force == 0)
      return refuse("motor_speed",
                    fmt::format("found {:g}, and `motor_force` is 0: such a motor does nothing; allowed: "
                                "with a `motor_force` above 0",
                                joint_.motor_speed));
    return true;
  }

  bool softness() {
    for (int a = 0; a < setup_.domain.dimension; ++a)
      if (joint_.slides() && joint_.stiffness > 0 && !joint_.limited && setup_.domain.periodic(a) &&
          component(joint_.axis, a) != 0)
        return refuse("stiffness",
                      "found along a periodic axis without a `range`: beyond half of the period the force would "
                      "turn round; allowed: with a `range`");
    if (along() || joint_.kind == JointKind::Spring) return true;
    for (const auto& [key, value] : {std::pair{"stiffness", joint_.stiffness}, {"damping", joint_.damping}})
      if (value != 0)
        return refuse(key, fmt::format("belongs to a spring, a hinge or a slider; allowed: none for a {}", kind()));
    return true;
  }

  const SimulationSetup& setup_;
  const JointSetup& joint_;
  std::size_t number_;
  bool has_end_;
  Findings& out_;
};

}  // namespace

void review_joints(const SceneDraft& draft, Findings& out) {
  if (!out.none_refused()) return;
  const SimulationSetup& setup = draft.scene.simulation;
  for (std::size_t j = 0; j < setup.joints.size(); ++j) JointReview(setup, j, draft.spring_ends[j], out).all();
}

}  // namespace riffle::scenes
