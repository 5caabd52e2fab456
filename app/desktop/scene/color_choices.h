#pragma once
/// What the window says about the scene's keys of colours.

#include <optional>
#include <string>

#include "core/math/vec.h"

namespace riffle {
struct QuantityInfo;
}
namespace riffle::scenes {
struct Parameter;
struct Scene;
}  // namespace riffle::scenes

namespace riffle::desktop {

/// "Speed [m/s]: the length of the velocity."
std::string sentence_of(const QuantityInfo& quantity, const scenes::Scene& scene);

/// A word that a key can be.
struct WordHelp {
  std::string tip;      ///< what it means, and why it is not allowed; "" for nothing
  bool allowed = true;  ///< with this scene
};
WordHelp help_of(const scenes::Parameter& key, const std::string& word, const scenes::Scene& scene);

/// The colour that pictures use in place of the value of such a key, where a fluid before it has the same.
std::optional<Vec3> color_in_pictures(const scenes::Parameter& key, const scenes::Scene& scene);

}  // namespace riffle::desktop
