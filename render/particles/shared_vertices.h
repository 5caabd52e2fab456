#pragma once
/// Particles on their way to the screen: a ring of vertex buffers that one gather kernel fills.

#include <cstddef>
#include <optional>

#include "core/timing/stage_timer.h"
#include "render/gl/shared_ring.h"
#include "render/view.h"

namespace riffle::render {

/// Its context must stay current.
class SharedVertices {
 public:
  explicit SharedVertices(const Device& device);  ///< @param device  of the particles

  /// Gathers into the next slot; slots grow and shrink with the count.
  /// @param speeds  gather the speeds too, behind the vertices
  /// @throws RuntimeFailure when the view is on another device than the one given at construction.
  void update(const ParticleView& particles, bool speeds = false);

  GLuint buffer() const { return ring_.buffer(); }  ///< (count) of {x, y, z, value}
  int count() const { return count_; }
  /// Where the (count) speeds [m/s] begin in buffer() [bytes], aligned for a storage block; none if not gathered.
  std::optional<std::size_t> speed_offset() const { return speed_offset_; }

  void drawn() { ring_.drawn(); }  ///< call it after the draws that read buffer()

  TransferPath path() const { return ring_.path(); }
  StageTimer& timer() { return timer_; }              ///< stage "gather": the kernel alone
  std::size_t capacity() const { return capacity_; }  ///< of the current slot [particles]

 private:
  Device device_;
  SharedRing ring_;
  int count_ = 0;
  std::size_t capacity_ = 0;
  std::optional<std::size_t> speed_offset_;
  StageTimer timer_;
};

}  // namespace riffle::render
