#pragma once
/// A joint between a free solid and another solid, or the domain.

#include <string>

#include "core/math/vec.h"
#include "core/text/words.h"

namespace riffle {

enum class JointKind { Hinge, Slider, Ball, Fixed, Spring };
inline constexpr Word<JointKind> kJointKindWords[] = {
    {JointKind::Hinge, "hinge", "the solid turns about `axis` through `at`; in 2-D about `at`"},
    {JointKind::Slider, "slider", "the solid moves along `axis` and does not turn"},
    {JointKind::Ball, "ball", "the solid turns about `at` in any way"},
    {JointKind::Fixed, "fixed", "the solid keeps its place beside the other one"},
    {JointKind::Spring, "spring", "a spring with a damper, from `at` on the solid to `to` on the other one"},
};
constexpr std::span<const Word<JointKind>> words_of(JointKind) { return kJointKindWords; }

/// Places are those of the start. In 2-D forces are per metre of depth.
struct JointSetup {
  JointKind kind = JointKind::Hinge;
  std::string solid;  ///< its name; a free one
  std::string other;  ///< likewise, of any kind; "": the domain
  Vec3 at{};          ///< [m]
  Vec3 to{};          ///< [m] of a spring
  Vec3 axis{0, 0, 1};

  bool limited = false;     ///< of a hinge [rad] or a slider [m]:
  float low = 0, high = 0;  ///< how far it goes from where the scene puts it
  float motor_speed = 0;    ///< [rad/s] or [m/s]
  float motor_force = 0;    ///< [N m] or [N] at most; 0: no motor
  float stiffness = 0;      ///< [N m/rad] or [N/m] towards the start, or of a spring towards `length`
  float damping = 0;        ///< [N m s] or [N s/m]
  float length = -1;        ///< [m] of a spring without force; < 0: that of the start

  bool turns() const { return kind == JointKind::Hinge; }
  bool slides() const { return kind == JointKind::Slider; }

  friend bool operator==(const JointSetup&, const JointSetup&) = default;
};

inline constexpr std::size_t kMostJoints = 4096;

}  // namespace riffle
