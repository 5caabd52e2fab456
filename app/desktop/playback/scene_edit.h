#pragma once
/// A change of the scene on its way from the panels to the simulation.

#include <string>

#include "scenes/format/format.h"
#include "scenes/scene.h"

namespace riffle::desktop {

/// A scene that differs from the one that is played.
struct SceneEdit {
  scenes::Scene scene;
  scenes::Effect effect = scenes::Effect::Restart;  ///< the strongest of all keys that differ
  std::string what = {};                            ///< the last change, "solver.temperature from 1 to 0.5"
};

}  // namespace riffle::desktop
