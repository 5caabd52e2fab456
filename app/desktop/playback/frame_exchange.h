#pragma once
/// Carries particles from the simulation's thread to the window's. Three slots: neither thread waits for the other.

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "app/desktop/scene/search_cells.h"
#include "core/device/buffer.h"
#include "core/math/vec.h"
#include "core/timing/stage_timer.h"
#include "render/view.h"
#include "sim/measure/inspect.h"

namespace riffle::desktop {

/// One moment of a simulation, in the form in which the window draws it.
struct ParticleFrame {
  Device device;             ///< holds the vertices
  Buffer<Vec4> vertices;     ///< (count) of {x, y, z, colour value}, on `device`
  Buffer<float> speed;       ///< (count) [m/s], on `device`; empty unless the look needs it
  Buffer<std::uint32_t> id;  ///< (count) of each particle, on `device`
  int count = 0;
  float radius = 0.01f;                  ///< [m] of every sphere
  float spacing = 0.02f;                 ///< [m] mean distance between neighbours in the bulk
  std::optional<ParticleReport> picked;  ///< the particle that is followed
  float picked_value = 0;                ///< its colour value
  std::vector<Vec4> neighbors;           ///< positions of its neighbours; w is their distance [m]
  std::vector<Vec3> culprits;       ///< where particles were in the step in which they had a fault; finite places only
  SearchCells cells;                ///< empty unless requested (Worker::show_cells)
  StageStats color_cost;            ///< of computing the colour values; no samples if they cost nothing
  std::vector<DrivenPlace> bodies;  ///< as Simulation::body_places()
  double time = 0;                  ///< [s] simulated
  std::uint64_t step = 0;
  std::uint64_t scene = 0;   ///< WorkerStatus::scene_version that the particles belong to
  std::uint64_t number = 0;  ///< of the frame: counts from 1
  std::uint64_t movie = 0;   ///< number of the movie that needs it (Worker::start_movie); 0: none, it may be skipped

  /// The particles, to be drawn on the stream of `drawing`.
  render::ParticleView view(const Device& drawing) const;
};

/// One thread writes and one reads. The reader gets the newest frame, and keeps it until it reads again.
class FrameExchange {
 public:
  /// The writer's next frame. It still holds an old frame.
  ParticleFrame& begin_write();
  void end_write();  ///< all device work on it must have finished

  /// The newest frame, which may be the one that was read last; nullptr before the first.
  const ParticleFrame* read();

  /// Whether the newest frame has been read. Until then the writer may skip the next one.
  bool consumed() const;

 private:
  mutable std::mutex mutex_;
  std::array<ParticleFrame, 3> frames_;
  int writing_ = 0, newest_ = 1, reading_ = 2;
  bool fresh_ = false;  ///< newest_ has not been read
  bool any_ = false;
  std::uint64_t number_ = 0;
};

}  // namespace riffle::desktop
