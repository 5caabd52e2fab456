#pragma once
/// A scene that runs from its start, or from a state, to its end, with all outputs.

#include <string>
#include <vector>

#include "app/run/run_options.h"
#include "app/run/run_outputs.h"
#include "app/state/state_file.h"
#include "app/terminal/signals.h"
#include "core/device/device.h"
#include "scenes/document/changed_keys.h"
#include "scenes/scene.h"

namespace riffle {

/// Where a run goes on from.
struct RunStart {
  std::string file;
  SavedRun saved;                               ///< with the setup of the simulation that wrote it
  double end_before = 0;                        ///< [s] time.end of that run
  std::vector<scenes::KeyChange> changes = {};  ///< of parameters since then
};

/// @param saved  the scene for states; used where the options want some
/// @param from   nullptr: the scene's start. Its particles are given up once they are on the device
/// @return the exit code. @throws InputError, Unavailable and RuntimeFailure with the reason
int run_scene(const scenes::Scene& scene, const RunOptions& options, const Outputs& outputs, const Device& device,
              const Interruption& interruption, SavedScene saved, RunStart* from);

}  // namespace riffle
