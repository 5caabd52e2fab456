#pragma once
/// The fluid look's fields without a rasteriser: thickness, smooth depth, colour and foam by kernels on the particles'
/// device. render/fluid/fluid_renderer.h describes the fields and shades them. By OpenGL every particle goes through
/// five passes, 14 ns of geometry each on a chip with few graphics units.
///
/// - Depth is the 64-bit minimum of splatted spheres, with each drop's own radius; so thickness comes first.
/// - Thickness and colour are sums over pixels (render/particles/scatter.cuh). A particle adds no colour to a pixel
///   whose surface is more than four reaches in front of it. A picture repeats bit by bit on the CPU; on a GPU the
///   rounding of the sums, a level of brightness at most, depends on timing.
/// - The filter is the shader's, with the Gaussian's weights by a recurrence. Sums stay in 32 bits; blending has 16.
/// - OpenGL fills textures from one buffer with all fields: a copy on the GPU, without a pass over the picture.
/// - The default is one sample per pixel: outlines against the background are already soft, and four samples would cost
///   four times what depends on pixels. Inner outlines then have steps.

#include <array>

#include "core/device/buffer.h"
#include "core/timing/stage_timer.h"
#include "render/fluid/fluid_filter.h"
#include "render/particles/splat.h"
#include "render/particles/splat_geometry.h"
#include "render/view.h"

namespace riffle::render {

/// Parameters for the fields of one picture.
struct FluidSplat {
  SplatFrame fine;    ///< the scene, with the radius of the surface's spheres
  SplatFrame coarse;  ///< for thickness and colour, with the radius of the discs
  SplatLook look;     ///< for its colours; its light is not used
  DepthFilter filter;
  float spacing = 0;     ///< [m]
  float foam_speed = 0;  ///< [m/s]; 0: no foam
  bool solids = false;   ///< whether what pictures with solids need is handed over
};

/// Places of the fields in the memory that is handed over. Each field has its frame's (height, pitch).
struct FluidLayout {
  std::size_t depth = 0;      ///< [bytes] from the beginning: float, eye depth [m], 0: no fluid
  std::size_t bulk = 0;       ///< float: see fluid_bulk.frag
  std::size_t thickness = 0;  ///< Vec4: see fluid_thickness.frag
  std::size_t color = 0;      ///< Vec4: see fluid_surface.frag
  std::size_t foam = 0;       ///< float
  std::size_t nearest = 0;    ///< float, eye depth [m] of the nearest of all spheres, 0: none; with solids
  std::size_t within = 0;     ///< Vec4: thickness down to the depths of kWithin; with solids
  std::size_t bytes = 0;
};
FluidLayout fluid_layout(const FluidSplat& splat);

class FluidSplatter {
 public:
  explicit FluidSplatter(const Device& device);

  /// Asynchronous on CUDA, on the stream of the particles' device, which must be the device given at construction. On a
  /// GPU the sums' rounding depends on which thread adds first.
  /// @param out  laid out by fluid_layout(), in memory that the device writes; it is not read
  void run(const ParticleView& particles, const FluidSplat& splat, void* out);

  /// Stages "fluid thickness", "fluid depth", "fluid filter", "fluid color"; the last includes the transfer.
  StageTimer& timer() { return timer_; }

 private:
  void resize(const FluidSplat& splat);
  template <class What>
  void spread(const ParticleView& particles, const SplatFrame& frame, const What& what);

  Device device_;
  Splatter splatter_;
  Buffer<float> depth_, scratch_;  ///< of the scene's size
  Buffer<float> bulk_;             ///< likewise, 0: a drop alone, 1: a body of fluid
  Buffer<float> layers_;           ///< (count) see find_drops()
  Buffer<float> surface_;          ///< (coarse) depth at which colours are collected
  // On the CPU each slice of the particles has separate sums; on CUDA there is one slice with atomic additions.
  Buffer<Vec4> thickness_, color_;     ///< (slices, coarse)
  Buffer<Vec4> within_;                ///< likewise, with solids
  Buffer<float> foam_;                 ///< likewise
  Buffer<std::uint32_t> large_;        ///< (count) discs of many pixels, in any order
  Buffer<std::uint32_t> large_count_;  ///< (1)
  std::array<int, 4> size_{};          ///< of both frames
  int slices_ = 1;
  StageTimer timer_;
};

}  // namespace riffle::render
