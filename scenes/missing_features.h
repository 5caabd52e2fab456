#pragma once
/// What users ask of a fluid simulator and this version has not. Scenes, the command line and the README answer from here.

#include <span>
#include <string>
#include <string_view>

namespace riffle::scenes {

struct MissingFeature {
  std::string_view what;                    ///< "has no probes": follows "this version"
  std::string_view instead;                 ///< a sentence: what to do
  std::span<const std::string_view> words;  ///< names that keys and options for it would have, singular, in lower case
};

std::span<const MissingFeature> missing_features();

/// The feature that a key or an option of this name would be about; nullptr: none. "Obstacles", "--obstacle" and
/// "moving_obstacle" mean the same.
const MissingFeature* missing_feature(std::string_view name);

/// "this version has no probes. ..."
std::string sentence(const MissingFeature& feature);

}  // namespace riffle::scenes
