#pragma once
/// The particles' shadow on the floor by kernels; computes the same sums as assets/shaders/shadow.vert and .frag.

#include "core/device/buffer.h"
#include "core/math/vec.h"
#include "core/timing/stage_timer.h"
#include "render/particles/splat.h"
#include "render/view.h"

namespace riffle::render {

struct ShadowMap {
  int size = 0;                  ///< [texel] of each side
  Vec4 to_x, to_y;               ///< rows of world-to-texture: 0..1
  float half_x = 0, half_y = 0;  ///< of a particle's ellipse, in 0..1
  float weight = 0;              ///< optical depth in its middle
  bool colored = false;          ///< the light that passes has the fluid's colour
  Vec4 cut;                      ///< particles with dot(xyz, position) > w have no shadow; zeros: all have one
};

class ShadowSplatter {
 public:
  explicit ShadowSplatter(const Device& device);

  /// @param out (size, size) optical depths in red, green and blue, and the number of overlapping particles; in memory
  ///   that the device writes
  void run(const ParticleView& particles, const ShadowMap& map, const SplatLook& look, Vec4* out);

  StageTimer& timer() { return timer_; }  ///< stage "shadow"

 private:
  Device device_;
  Buffer<Vec4> sums_;  ///< (slices, size, size)
  StageTimer timer_;
};

}  // namespace riffle::render
