#pragma once
/// The user's hand in the fluid.

namespace riffle::desktop {

/// How a hand stirs.
struct HandSetup {
  float size = 0.1f;      ///< radius, relative to the domain's largest extent
  float strength = 1.0f;  ///< relative to usual_stirring()
};

}  // namespace riffle::desktop
