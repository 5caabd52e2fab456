#pragma once
/// Particles on their way from the simulation's thread to the window's: three slots, so that neither waits for the other.

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "app/desktop/scene/search_cells.h"
#include "core/device/buffer.h"
#include "core/math/vec.h"
#include "render/view.h"
#include "sim/measure/probe.h"

namespace riffle {

/// One moment of a simulation, as the window draws it.
struct ParticleFrame {
  Device device;          ///< where the vertices are
  Buffer<Vec4> vertices;  ///< (count) of {x, y, z, colour value}, on `device`
  Buffer<float> speed;    ///< (count) [m/s], on `device`; empty where no look needs it
  int count = 0;
  float radius = 0.01f;                  ///< [m] of every sphere
  float spacing = 0.02f;                 ///< [m] mean distance of neighbours in the bulk
  std::optional<ParticleReport> picked;  ///< the particle that is followed
  std::vector<Vec4> neighbors;           ///< its neighbours' positions, w their distance [m]
  SearchCells cells;                     ///< where they were asked for (Worker::show_cells)
  double time = 0;                       ///< [s] simulated
  std::uint64_t step = 0;
  std::uint64_t scene = 0;   ///< of WorkerStatus::scene_version: whose particles these are
  std::uint64_t number = 0;  ///< of the frame, from 1; grows
  std::uint64_t movie = 0;   ///< which one it is for (Worker::start_movie); 0: none, and it may be missed
  int movie_frames = 0;      ///< so many of the movie's frames it is, more than 1 where a step spans several

  /// The vertices, to be drawn from this stream's device.
  ParticleView view(const Device& drawing) const;
};

/// One thread writes and one reads. The newest frame wins; a reader keeps the one it has until it takes another.
class FrameExchange {
 public:
  /// The writer's next frame; its content is that of three frames ago.
  ParticleFrame& begin_write();
  void end_write();  ///< everything that was launched for it must be done

  /// The newest frame, or the one that was read last when there is no newer; nullptr before the first.
  const ParticleFrame* read();

  /// Whether the newest frame has been read. The writer may skip making another until then.
  bool consumed() const;

 private:
  mutable std::mutex mutex_;
  std::array<ParticleFrame, 3> frames_;
  int writing_ = 0, newest_ = 1, reading_ = 2;
  bool fresh_ = false;  ///< newest_ has not been read
  bool any_ = false;
  std::uint64_t number_ = 0;
};

}  // namespace riffle
