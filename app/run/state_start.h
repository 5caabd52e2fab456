#pragma once
/// A run that goes on from a state file, with the options of the one that goes on.

#include <memory>
#include <string>
#include <vector>

#include "app/command/scene_options.h"
#include "app/state/state_file.h"
#include "scenes/document/changed_keys.h"
#include "scenes/load.h"

namespace riffle {

struct StateStart {
  std::string file;
  /// With the setup of the simulation that wrote it, and without its goal if the options set time.end.
  SavedRun saved;
  bool is_pack = false;                    ///< the file is a pack that has the state in it
  double end_before = 0;                   ///< [s] time.end of that run
  std::vector<scenes::KeyChange> changes;  ///< by the options, of keys that the simulation takes notice of
  scenes::SceneSource source;  ///< of the state, with what the options change. Its files stay as long as it, or a copy
};

/// Whether the step of that length [s], at which a run came to its end, is another one than the scene has without an end: a fixed
/// step may lead to the end as it is, an adaptive one does not.
bool is_shortened(float dt, const SimulationSetup& setup);

/// Reads options.scene, the path of a state. @throws InputError for a file that is none, for mistakes in its scene, and for
/// options that change what only the start of a run reads
StateStart start_from_state(const SceneOptions& options);

}  // namespace riffle
