#pragma once
/// Values with which a key that may be a map can be given, so that its own keys are there to change.

#include <string>
#include <vector>

#include "scenes/document/parameters.h"
#include "scenes/scene.h"

namespace riffle::scenes {

struct WayToGive {
  std::string name;   ///< "standing_wave"; "given" where there is only one way
  std::string value;  ///< YAML in one line
};

/// With places and lengths that fit the scene; none for a key that is no map. The loader may still refuse one.
std::vector<WayToGive> ways_to_give(const Parameter& key, const Scene& scene);

}  // namespace riffle::scenes
