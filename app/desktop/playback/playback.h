#pragma once
/// A scene that is being played: its simulation, and everything that a user may do to it between two steps. One thread.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/desktop/playback/frame_exchange.h"
#include "app/desktop/playback/instruments.h"
#include "app/desktop/playback/snapshot_history.h"
#include "app/desktop/scene/orbit_camera.h"
#include "app/desktop/timings/stage_history.h"
#include "app/desktop/timings/step_window.h"
#include "app/run/run_series.h"
#include "app/run/stability.h"
#include "core/error.h"
#include "scenes/document/edited_scene.h"
#include "sim/measure/probe.h"
#include "sim/simulation.h"

namespace riffle {

/// How a hand stirs.
struct HandSetup {
  float size = 0.1f;      ///< radius, in largest extents of the domain
  float strength = 1.0f;  ///< in terms of usual_stirring()
};

/// A scene that differs from the one that is played.
struct SceneEdit {
  Scene scene;
  Effect effect = Effect::Restart;  ///< the greatest of any key that differs
  std::string what = {};            ///< "solver.temperature from 1 to 0.5": what was changed last
};

class Playback {
 public:
  /// @throws as loading a scene and making its simulation
  /// @param software_gl the processor draws (settle_picture)
  /// @param progress asked while a scene is brought to time 0, here and after edits: StartGivenUp where it says so
  explicit Playback(const SceneOptions& options, bool software_gl = true, StartProgress progress = {});

  const Scene& scene() const { return scene_; }                                 ///< its picture settled
  const std::shared_ptr<const SceneSource>& source() const { return source_; }  ///< as it was loaded
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

  /// Goes on with that scene: from time 0, from the present state, or as if nothing had happened.
  /// @throws as Simulation's constructors; nothing has then changed.
  void edit(const SceneEdit& edit);

  /// Goes on from the present state on another device. @throws likewise
  void set_device(DeviceRequest request);

  /// The first particle on a ray, to be followed from now on; none: no particle is followed.
  void pick(const Ray& ray);
  void unpick() { picked_.reset(); }

  /// A hand in the fluid, where the ray meets it. A hand that is new takes its depth from the first particle on the ray, and
  /// keeps it while it moves. @param kind nullopt: the hand is taken out
  void stir(const Ray& ray, std::optional<StirringKind> kind, const HandSetup& hand);
  std::optional<ParticleReport> picked() const;  ///< as it is now. Waits.

  /// A table of diagnostics from now on, one row every so often [s] (0: the scene's frame interval), for a file.
  void start_series(const std::filesystem::path& file, double every);
  void finish_series();  ///< writes it, if there is one. @throws RuntimeFailure
  std::size_t series_rows() const { return series_ ? series_->rows() : 0; }

  /// Gives the device's memory back and keeps the state in the host's, for as long as `meanwhile` runs. Where that throws the
  /// simulation is there again, as it was, and what was thrown goes on. @throws as Simulation's constructors besides
  template <class Action>
  void set_aside(const Action& meanwhile) {
    const SimulationState state = simulation_->save_state();
    const SimulationSetup setup = simulation_->setup();
    const Device device = simulation_->device();
    simulation_.reset();
    try {
      meanwhile();
    } catch (...) {
      simulation_ = std::make_unique<Simulation>(setup, device, state);
      restart_timings();
      throw;
    }
  }

  /// Nothing while the state is a fluid's; looked at now and then, because it reads all particles.
  std::optional<BlowUp> what_is_wrong();

  /// The particles as they are now, coloured as the scene says. Waits for the device.
  /// @param cells whether the cells of the search shall be in it
  void fill(ParticleFrame& frame, bool cells = false) const;

  /// A column for the steps since the last call, and what the last steps took. Waits.
  StepStatistics sample_timings();
  const StageHistory& stages() const { return stages_; }
  Instruments& instruments() { return instruments_; }

 private:
  void restart_timings();
  TimedSetup timed_setup() const;
  void begin(const Scene& scene, const Device& device);
  /// `change` makes another simulation. Where both are more than the device holds it is tried without the old one.
  template <class Change>
  void make_room_for(const Change& change) {
    try {
      change();
    } catch (const Unavailable&) {
      set_aside(change);
    }
  }
  void show(const Scene& scene);
  void change_search(const NeighborSetup& neighbors);
  void continue_with(const SimulationSetup& setup, const Device& device);

  SceneOptions options_;
  bool software_gl_;
  StartProgress progress_;
  std::shared_ptr<const SceneSource> source_;
  Scene scene_;
  std::unique_ptr<Simulation> simulation_;
  StageHistory stages_;
  StepWindow steps_;
  double stepped_ms_ = 0;  ///< that all steps took on the host's clock since stages_ restarted
  TimedSetup timed_;       ///< that stages_ knows of
  Instruments instruments_;
  SnapshotHistory history_;
  std::optional<std::uint32_t> picked_;  ///< id
  std::optional<Vec3> hand_at_;          ///< [m] in the plane that the hand moves in
  Vec3 hand_normal_{};                   ///< of that plane
  std::optional<RunSeries> series_;
  std::filesystem::path series_file_;
};

}  // namespace riffle
