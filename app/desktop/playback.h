#pragma once
/// A scene that is being played: its simulation, and everything that a user may do to it between two steps. One thread.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/desktop/frame_exchange.h"
#include "app/desktop/stage_history.h"
#include "app/options.h"
#include "scenes/scene.h"
#include "sim/simulation.h"

namespace riffle {

class Playback {
 public:
  /// @throws as loading a scene and making its simulation
  Playback(const SceneOptions& options);

  const Scene& scene() const { return scene_; }
  Simulation& simulation() { return *simulation_; }
  const Simulation& simulation() const { return *simulation_; }

  /// One step of the simulation. @throws as Simulation::step
  void step();

  /// From time 0, with the neighbour search in use.
  void reset();

  void set_neighbors(const NeighborSetup& neighbors);

  /// "" while the state is a fluid's; looked at now and then, because it reads all particles.
  std::string what_is_wrong();

  /// The particles as they are now, coloured as the scene says. Waits for the device.
  void fill(ParticleFrame& frame) const;

  void set_coloring(const std::string& attribute) { scene_.picture.color_by = attribute; }

  StageHistory& stages() { return stages_; }

 private:
  SceneOptions options_;
  Scene scene_;
  std::unique_ptr<Simulation> simulation_;
  StageHistory stages_;
};

}  // namespace riffle
