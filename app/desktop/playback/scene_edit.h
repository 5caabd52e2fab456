#pragma once
/// A change of the scene on its way from the panels to the simulation.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scenes/document/changed_keys.h"
#include "scenes/format/format.h"
#include "scenes/load.h"
#include "scenes/scene.h"

namespace riffle::desktop {

using scenes::KeyChange;

/// The changes of both, one after the other. A key that is then as it was before is left out.
std::vector<KeyChange> joined(std::vector<KeyChange> first, const std::vector<KeyChange>& second);

/// A scene that differs from the one that is played.
struct SceneEdit {
  scenes::Scene scene;
  scenes::Effect effect = scenes::Effect::Restart;  ///< the strongest of all keys that differ
  std::string what = {};                            ///< the last change, "solver.temperature from 1 to 0.5"
  std::uint64_t from = 0;  ///< WorkerStatus::state that it was made for: in another one it is left out; 0: any
  std::uint64_t to = 0;    ///< state that it leads to; 0: a new one
  std::vector<KeyChange> changes = {};  ///< since the last edit, or since the beginning of the slider's movement
  bool goes_on = false;                 ///< the same movement of a slider as the last edit
  bool takes_back = false;              ///< it undoes the change before
  std::shared_ptr<const scenes::SceneSource> document = {};  ///< of the scene; nullptr: nobody knows it
};

}  // namespace riffle::desktop
