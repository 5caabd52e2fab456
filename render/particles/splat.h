#pragma once
/// Draws particles as spheres without a rasteriser: kernels find each pixel's nearest sphere and light it. A chip with
/// few graphics units spends 14 ns of geometry on a sphere, however few pixels it has, and a software OpenGL much more.
///
/// - A pixel keeps a 64-bit key (splat_key) by an atomic minimum. The nearest sphere wins, and of two at one depth the
///   smaller index, as with the rasteriser, so a picture does not depend on the order of threads.
/// - One thread per sphere goes through the box around its silhouette. Most of a fluid is behind its surface, and a
///   pixel that holds something nearer costs one load. Spheres of many pixels would delay their warp: a second launch
///   of a fixed number of blocks shares their rows.
/// - Then each pixel's sphere is intersected again and lit, once per pixel and not once per covering sphere. That is
///   most of what makes splatting fast on a CPU.
/// - There are no tiles: consecutive particles are neighbours along x, so a warp's atomics go to adjacent pixels and
///   seldom to the same one. On the CPU only the covered box is passed on, because a full-screen pass of a software
///   OpenGL costs as much as splatting ten thousand spheres.

#include <cstdint>

#include "core/device/buffer.h"
#include "core/math/vec.h"
#include "core/timing/stage_timer.h"
#include "render/particles/splat_geometry.h"
#include "render/view.h"

namespace riffle::render {

/// Light and colours of assets/shaders/sphere.frag.
struct SplatLook {
  Vec3 key_light, sky;                  ///< eye space, unit vectors: towards the light, up in the world
  float least = 0, inverse_extent = 0;  ///< of the colour map's values
  int palette_size = 0;                 ///< 0: the colour map is used
  Vec3 palette[8];                      ///< sRGB
  const Vec4* color_map = nullptr;      ///< (kColorMapSize) sRGB, on the particles' device
};

/// A pixel in the layout of assets/shaders/splat.frag.
struct SplatPixel {
  std::uint32_t rgba;  ///< red lowest; alpha is the distance to the silhouette in sphere.frag's code
  float depth;         ///< window depth; 0: no sphere
};

struct DropSize;

class Splatter {
 public:
  explicit Splatter(const Device& device);

  /// Writes the nearest sphere of each pixel to keys(). Asynchronous on CUDA, on the stream of the particles' device,
  /// which must be the device given at construction.
  void splat(const ParticleView& particles, const SplatFrame& frame);

  /// The same with a size for each sphere, and without timing. frame.radius need only be positive.
  void splat_drops(const ParticleView& particles, const SplatFrame& frame, const DropSize& size);

  /// Colours the spheres that splat() found; needs the same particles and frame.
  /// @param out (height, pitch) in memory that the device writes; the pitch is a multiple of 16
  void shade(const ParticleView& particles, const SplatFrame& frame, const SplatLook& look, SplatPixel* out);

  /// A box around the spheres of the last shade(). On CUDA the whole picture, since the host would have to wait for a
  /// box.
  PixelBox covered(const SplatFrame& frame) const;

  const Buffer<std::uint64_t>& keys() const { return keys_; }  ///< (height, pitch), bottom row first: see splat_key()
  StageTimer& timer() { return timer_; }                       ///< stages "splat", "shade"

 private:
  template <class Size>
  void find(const ParticleView& particles, const SplatFrame& frame, const Size& size);

  Device device_;
  Buffer<std::uint64_t> keys_;
  Buffer<std::uint32_t> large_;        ///< (count) spheres of many pixels, in any order
  Buffer<std::uint32_t> large_count_;  ///< (1)
  Buffer<std::uint32_t> reach_;  ///< (4) from the picture's right, top, left and bottom edge to the farthest sphere
  StageTimer timer_;
};

}  // namespace riffle::render
