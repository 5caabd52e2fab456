#pragma once
/// A scene that is being played: its simulation, and everything that a user may do to it between two steps. One thread.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/desktop/frame_exchange.h"
#include "app/desktop/snapshot_history.h"
#include "app/desktop/stage_history.h"
#include "app/options.h"
#include "scenes/scene.h"
#include "sim/probe.h"
#include "sim/simulation.h"

namespace riffle {

class Playback {
 public:
  /// @throws as loading a scene and making its simulation
  Playback(const SceneOptions& options);

  const Scene& scene() const { return scene_; }
  Simulation& simulation() { return *simulation_; }
  const Simulation& simulation() const { return *simulation_; }

  /// One step of the simulation. What was remembered of later times is forgotten. @throws as Simulation::step
  void step();

  /// Keeps the present state to go back to, if it is time for that. @param wall [s] on a clock that only grows
  void remember(double wall);

  /// To the remembered moment at or before that time. Parameters and search stay as they are now.
  void seek(double time);

  /// To time 0, with everything that was changed since.
  void reset() { seek(0); }

  const SnapshotHistory& history() const { return history_; }

  /// Goes on from the present state with other parameters, or on another device.
  /// @throws as Simulation's constructors; nothing has then changed.
  void continue_with(const SimulationSetup& setup, const Device& device);

  /// The first particle on a ray, to be followed from now on; none: no particle is followed.
  void pick(Vec3 origin, Vec3 direction);
  void unpick() { picked_.reset(); }
  std::optional<ParticleReport> picked() const;  ///< as it is now. Waits.

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
  SnapshotHistory history_;
  std::optional<std::uint32_t> picked_;  ///< id
};

}  // namespace riffle
