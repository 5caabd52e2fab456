#include "render/fluid/fluid_splat.h"

#include <algorithm>
#include <cmath>

#include "render/fluid/fluid_bulk.h"
#include "render/fluid/fluid_fields.h"
#include "render/particles/color_value.h"
#include "render/particles/fluid_disc.h"
#include "render/particles/scatter.cuh"
#include "render/particles/splat_light.h"

namespace riffle::render {
namespace {

/// As in paint.glsl.
RIFFLE_INLINE Vec3 paint_of(const SplatLook& look, float value) {
  if (look.palette_size == 0) return is_number(value) ? Vec3{place_on_map(look, value), 1, 0} : Vec3{0, 0, 0};
  constexpr float darkest = 0.012f;  // linear
  const Vec3 srgb = splat_color(look, value);
  return {-std::log(at_least(darkest, srgb.x * srgb.x)), -std::log(at_least(darkest, srgb.y * srgb.y)),
          -std::log(at_least(darkest, srgb.z * srgb.z))};
}

/// fluid_thickness.frag: every particle's volume, and its paint.
struct SpreadVolume {
  ColorValue color_value;
  SplatLook look;
  Vec4* sums;

  struct Own {
    Vec4 sum;
  };
  RIFFLE_INLINE Own of(std::int64_t i, Vec4, const SplatFrame& frame, const Disc& disc) const {
    const Vec3 paint = paint_of(look, color_value(i));
    const float enlarged = frame.radius * frame.radius / (disc.sphere.radius * disc.sphere.radius);  // keeps the volume
    const float t = peak(kThicknessRadius) * enlarged;
    return {make_vec4(t * paint, t)};
  }
  RIFFLE_INLINE void add(const Own& own, float weight, std::int64_t, std::int64_t sum) const {
    accumulate(&sums[sum], weight, own.sum);
  }
};

/// fluid_thickness.frag with WITHIN: the thickness down to some depths below the surface.
struct SpreadWithin {
  Vec4 within;           ///< [particle spacings] the depths
  float weight;          ///< [particle spacings] of thickness at the disc's middle
  float spacing;         ///< [m]
  const float* surface;  ///< [m]
  Vec4* sums;

  struct Own {
    float thickness, depth;
  };
  RIFFLE_INLINE Own of(std::int64_t, Vec4, const SplatFrame& frame, const Disc& disc) const {
    return {weight * frame.radius * frame.radius / (disc.sphere.radius * disc.sphere.radius), disc.sphere.depth};
  }
  RIFFLE_INLINE void add(const Own& own, float edge, std::int64_t pixel, std::int64_t sum) const {
    const float front = surface[pixel], below = front > 0 ? (own.depth - front) / spacing : 0.0f;
    if (below >= within.w + 0.5f) return;
    accumulate(&sums[sum], edge * own.thickness,
               {part(within.x - below), part(within.y - below), part(within.z - below), part(within.w - below)});
  }

 private:
  /// Of a layer of one spacing that is above a depth. @param room  [particle spacings] from its middle to the depth
  static RIFFLE_INLINE float part(float room) { return room > -0.5f ? (room < 0.5f ? room + 0.5f : 1.0f) : 0.0f; }
};

/// fluid_surface.frag: paint and foam of the visible fluid.
struct SpreadColor {
  ColorValue color_value;
  SplatLook look;
  SpreadThickness thickness;
  const Vec4* velocity;
  const float* speed;
  float foam_speed;      ///< [m/s]; 0: no foam
  const float* surface;  ///< [m]
  float inverse_reach;   ///< [1/m]
  Vec4* sums;
  float* foam_sums;

  struct Own {
    Vec4 paint;
    float depth, foam;
  };
  RIFFLE_INLINE Own of(std::int64_t i, Vec4 position, const SplatFrame&, const Disc& disc) const {
    float foam = 0;
    if (foam_speed > 0) {
      // Spray whitens at half the speed of the bulk.
      const float alone = thickness.aloneness(position);
      const float fast = speed ? speed[i] : velocity ? std::sqrt(length2(xyz(velocity[i]))) : 0.0f;
      foam = smooth_step(foam_speed, 1.7f * foam_speed, fast * (1 + alone));
    }
    return {make_vec4(paint_of(look, color_value(i)), 1), disc.sphere.depth, foam};
  }
  RIFFLE_INLINE void add(const Own& own, float weight, std::int64_t pixel, std::int64_t sum) const {
    const float front = surface[pixel];
    if (front > 0 && own.depth > front) {
      const float below = (own.depth - front) * inverse_reach;
      if (below > 4) return;  // exp2(-23): most of a fluid is behind its surface
      weight *= std::exp2(-1.44f * below * below);
    }
    weight *= 0.25f;
    accumulate(&sums[sum], weight, own.paint);
    if (own.foam > 0) accumulate(&foam_sums[sum], weight * own.foam);
  }
};

/// Discs of many pixels, listed for SpreadLarge.
struct LargeDiscs {
  std::int64_t above;  ///< [pixel]
  std::uint32_t* index;
  std::uint32_t* count;
};

template <class What>
struct RowSpread {
  SplatFrame frame;
  What what;

  /// Pixels first, first + stride, ... <= last of a row. @param offset of the slice's sums
  RIFFLE_INLINE void operator()(const Disc& disc, const typename What::Own& own, int y, int first, int last, int stride,
                                std::int64_t offset) const {
    // On the CPU a few pixels at a time, in a loop that the compiler vectorises.
    constexpr int batch = RIFFLE_ON_GPU ? 1 : 8;
    const float ray_y = frame.ray_y(y);
    const std::int64_t row = std::int64_t{y} * frame.pitch;
    for (int x = first; x <= last; x += RIFFLE_ON_GPU ? stride : batch) {
      float edge[batch];
      for (int k = 0; k < batch; ++k) edge[k] = 1 - disc_offset2(frame, disc, frame.ray_x(x + k), ray_y);
      for (int k = 0; k < batch && x + k <= last; ++k)
        if (edge[k] > 0) what.add(own, edge[k] * edge[k], row + x + k, offset + row + x + k);
    }
  }
};

template <class What>
struct SpreadDiscs {
  const Vec4* position;
  RowSpread<What> spread_row;
  LargeDiscs large;

  RIFFLE_INLINE void operator()(std::int64_t i, std::int64_t offset) const {
    const Vec4 p = position[i];
    Disc disc;
    if (!place_disc(spread_row.frame, p, disc)) return;
    const PixelBox box = pixel_box(spread_row.frame, disc.sphere);
    if (box.empty()) return;
#if RIFFLE_ON_GPU
    if (box.size() > large.above) {
      large.index[atomic_count(large.count, 0)] = static_cast<std::uint32_t>(i);
      return;
    }
#endif
    const auto own = spread_row.what.of(i, p, spread_row.frame, disc);
    for (int y = box.y0; y <= box.y1; ++y) spread_row(disc, own, y, box.x0, box.x1, 1, offset);
  }
};

/// CUDA: each large disc is split into bands of rows. A block takes a band, a warp takes a row.
template <class What>
struct SpreadLarge {
  static constexpr int kBlock = 128, kLanes = 32, kRows = kBlock / kLanes, kBands = 8;
  struct Shared {};

  const Vec4* position;
  RowSpread<What> spread_row;
  LargeDiscs large;
  int blocks;

  RIFFLE_HD void operator()(Block<kBlock>& block, Shared&) const {
    const std::int64_t parts = std::int64_t{*large.count} * kBands;
    for (std::int64_t part = block.index(); part < parts; part += blocks) {
      const std::uint32_t i = large.index[part / kBands];
      const int band = static_cast<int>(part % kBands);
      block.each_thread([&](int t) {
        const Vec4 p = position[i];
        Disc disc;
        if (!place_disc(spread_row.frame, p, disc)) return;
        const PixelBox box = pixel_box(spread_row.frame, disc.sphere);
        const auto own = spread_row.what.of(i, p, spread_row.frame, disc);
        for (int y = box.y0 + band * kRows + t / kLanes; y <= box.y1; y += kBands * kRows)
          spread_row(disc, own, y, box.x0 + t % kLanes, box.x1, kLanes, 0);
      });
    }
  }
};

/// Converts the splatted keys to eye depths [m], 0 where there is no sphere.
struct TakeDepth {
  static constexpr float kBehind = 0x1p-40f;  ///< less than window depths of the front, more than those of the rest
  SplatFrame frame;
  const std::uint64_t* keys;
  float* depth;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::uint64_t key = keys[i];
    float window = splat_depth(key);
    if (window < kBehind) window *= 1 / kSplatBehindAll;
    const float eye = frame.orthographic ? (window - frame.depth_x) / frame.depth_y : frame.depth_x / window;
    depth[i] = key == kNoSplat ? 0.0f : eye;
  }
};

/// The fine depth in the middle of each coarse pixel.
struct TakeSurface {
  SplatFrame fine, coarse;
  const float* depth;
  float* surface;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const auto pitch = static_cast<std::uint32_t>(coarse.pitch);
    const auto x = static_cast<std::uint32_t>(i) % pitch, y = static_cast<std::uint32_t>(i) / pitch;
    const int fine_x = place(x, fine.width, coarse.width), fine_y = place(y, fine.height, coarse.height);
    surface[i] = depth[std::int64_t{fine_y} * fine.pitch + fine_x];
  }
  static RIFFLE_INLINE int place(std::uint32_t at, int fine_count, int coarse_count) {
    const std::int64_t middle = (2 * std::int64_t{at} + 1) * fine_count / (2 * std::int64_t{coarse_count});
    return middle < fine_count ? static_cast<int>(middle) : fine_count - 1;
  }
};

struct HandOver {
  const Vec4* from;
  Vec4* to;
  RIFFLE_HD void operator()(std::int64_t i) const { to[i] = from[i]; }
};

std::size_t pixels_of(const SplatFrame& frame) {
  return static_cast<std::size_t>(frame.pitch) * static_cast<std::size_t>(frame.height);
}

}  // namespace

FluidLayout fluid_layout(const FluidSplat& splat) {
  const SplatFrame &fine = splat.fine, &coarse = splat.coarse;
  FluidLayout layout;
  layout.bulk = layout.depth + pixels_of(fine) * sizeof(float);
  layout.thickness = layout.bulk + pixels_of(fine) * sizeof(float);
  layout.color = layout.thickness + pixels_of(coarse) * sizeof(Vec4);
  layout.foam = layout.color + pixels_of(coarse) * sizeof(Vec4);
  layout.nearest = layout.foam + pixels_of(coarse) * sizeof(float);
  layout.within = layout.nearest + (splat.solids ? pixels_of(fine) * sizeof(float) : 0);
  layout.bytes = layout.within + (splat.solids ? pixels_of(coarse) * sizeof(Vec4) : 0);
  return layout;
}

FluidSplatter::FluidSplatter(const Device& device)
    : device_(device),
      splatter_(device),
      depth_(device),
      scratch_(device),
      bulk_(device),
      layers_(device),
      surface_(device),
      thickness_(device),
      color_(device),
      within_(device),
      foam_(device),
      large_(device),
      large_count_(device, 1),
      timer_(device) {}

void FluidSplatter::resize(const FluidSplat& splat) {
  const std::array<int, 4> wanted{splat.fine.width, splat.fine.height, splat.coarse.width, splat.coarse.height};
  const std::size_t fine = pixels_of(splat.fine), coarse = pixels_of(splat.coarse);
  if (wanted != size_) {
    // Buffers do not shrink on their own, so a window that was large for a moment would keep its memory forever.
    depth_.release(), scratch_.release(), bulk_.release(), surface_.release();
    thickness_.release(), color_.release(), within_.release(), foam_.release();
    splatter_ = Splatter(device_);
    size_ = wanted;
    slices_ = scatter_slices(device_, coarse);
  }
  const std::size_t sums = coarse * static_cast<std::size_t>(slices_);
  depth_.resize(fine);
  scratch_.resize(fine);
  bulk_.resize(fine);
  surface_.resize(coarse);
  thickness_.resize(sums);
  color_.resize(sums);
  within_.resize(splat.solids ? sums : 0);
  foam_.resize(sums);
}

template <class What>
void FluidSplatter::spread(const ParticleView& particles, const SplatFrame& frame, const What& what) {
  if (particles.count <= 0 || !(frame.radius > 0) || !is_finite(frame.radius)) return;
  const bool gpu = device_.is_cuda();
  large_.resize(gpu ? static_cast<std::size_t>(particles.count) : 0);
  const LargeDiscs large{256, large_.data(), large_count_.data()};  // a thread with a larger disc would delay its warp
  if (gpu) fill_bytes(device_, large_count_.data(), 0, sizeof(std::uint32_t));
  const RowSpread<What> row{frame, what};
  scatter(device_, "spread discs", particles.count, slices_, static_cast<std::int64_t>(pixels_of(frame)),
          SpreadDiscs<What>{particles.position, row, large});
  if (!gpu) return;
  constexpr int blocks = 1024;  // enough for all: only the device knows the number of large discs
  parallel_blocks<SpreadLarge<What>::kBlock>(device_, "spread large discs", blocks,
                                             SpreadLarge<What>{particles.position, row, large, blocks});
}

void FluidSplatter::run(const ParticleView& particles, const FluidSplat& splat, void* out) {
  resize(splat);
  const auto fine = static_cast<std::int64_t>(pixels_of(splat.fine));
  const auto coarse = static_cast<std::int64_t>(pixels_of(splat.coarse));
  const FluidLayout layout = fluid_layout(splat);
  const auto hand_over = [&](const void* from, std::size_t at, std::size_t bytes) {
    parallel_for(device_, "hand over", static_cast<std::int64_t>(bytes / sizeof(Vec4)),
                 HandOver{static_cast<const Vec4*>(from), reinterpret_cast<Vec4*>(static_cast<std::byte*>(out) + at)});
  };
  const SpreadThickness spread_thickness{splat.coarse, thickness_.data(), peak(kThicknessRadius)};
  {
    const auto timing = timer_.scope("fluid thickness");
    thickness_.fill_zero();
    spread(particles, splat.coarse, SpreadVolume{color_value(particles), splat.look, thickness_.data()});
    sum_slices<Vec4>(device_, thickness_.data(), slices_, coarse, thickness_.data());
  }
  {
    const auto timing = timer_.scope("fluid depth");
    DropSize size{splat.fine.radius, spread_thickness};
    const auto find_depth = [&] {
      splatter_.splat_drops(particles, splat.fine, size);
      parallel_for(device_, "take depth", fine, TakeDepth{splat.fine, splatter_.keys().data(), depth_.data()});
    };
    find_depth();
    hand_over(depth_.data(), layout.nearest, layout.within - layout.nearest);
    layers_.resize(static_cast<std::size_t>(std::max(particles.count, 0)));
    for (int pass = 0; pass < kDropPasses; ++pass) {
      size.layers = nullptr;
      find_drops(particles, splat.filter, splat.spacing, splat.fine, size, depth_.data(), layers_.data());
      size.layers = layers_.data();
      find_depth();
    }
  }
  {
    const auto timing = timer_.scope("fluid filter");
    find_bulk(device_, splat.filter, splat.spacing, depth_.data(), bulk_.data());
    filter_depth(device_, splat.filter, bulk_.data(), depth_.data(), scratch_.data());
    smooth_depth(device_, splat.filter, bulk_.data(), depth_.data(), scratch_.data());
  }
  {
    const auto timing = timer_.scope("fluid color");
    parallel_for(device_, "take surface", coarse,
                 TakeSurface{splat.fine, splat.coarse, depth_.data(), surface_.data()});
    if (splat.solids) {
      within_.fill_zero();
      spread(particles, splat.coarse,
             SpreadWithin{{kWithin[0], kWithin[1], kWithin[2], kWithin[3]},
                          peak(kThicknessRadius),
                          splat.spacing,
                          surface_.data(),
                          within_.data()});
      sum_slices<Vec4>(device_, within_.data(), slices_, coarse, within_.data());
      hand_over(within_.data(), layout.within, layout.bytes - layout.within);
    }
    color_.fill_zero();
    foam_.fill_zero();
    spread(particles, splat.coarse,
           SpreadColor{color_value(particles), splat.look, spread_thickness, particles.velocity, particles.speed,
                       splat.foam_speed, surface_.data(), 1 / (kSurfaceReach * splat.spacing), color_.data(),
                       foam_.data()});
    sum_slices<Vec4>(device_, color_.data(), slices_, coarse, color_.data());
    sum_slices<float>(device_, foam_.data(), slices_, coarse, foam_.data());
    hand_over(depth_.data(), layout.depth, layout.bulk - layout.depth);
    hand_over(bulk_.data(), layout.bulk, layout.thickness - layout.bulk);
    hand_over(thickness_.data(), layout.thickness, layout.color - layout.thickness);
    hand_over(color_.data(), layout.color, layout.foam - layout.color);
    hand_over(foam_.data(), layout.foam, layout.nearest - layout.foam);
  }
}

}  // namespace riffle::render
