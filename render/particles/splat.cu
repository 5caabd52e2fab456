#include "render/particles/splat.h"

#include <algorithm>

#include "core/device/parallel.cuh"
#include "render/color_map.h"
#include "render/particles/color_value.h"
#include "render/particles/fluid_disc.h"
#include "render/particles/splat_light.h"

namespace riffle::render {
namespace {

struct ClearKeys {
  std::uint64_t* keys;
  RIFFLE_HD void operator()(std::int64_t i) const { keys[i] = kNoSplat; }
};

/// Pixels first, first + stride, ... <= last of one row. Most of a fluid's spheres are behind others: a pixel whose
/// sphere is nearer than this whole sphere costs only one load.
struct RowSplat {
  SplatFrame frame;
  std::uint64_t* keys;

  /// @param least the sphere's least_key()
  RIFFLE_INLINE void operator()(const SplatSphere& sphere, float layer, std::uint64_t least, std::uint32_t index, int y,
                                int first, int last, int stride) const {
    const float ray_y = frame.ray_y(y);
    std::uint64_t* row = keys + std::int64_t{y} * frame.pitch;
#if RIFFLE_ON_GPU
    for (int x = first; x <= last; x += stride) {
      const std::uint64_t seen = atomic_load(&row[x]);
      if (seen < least) continue;
      const float depth = front_depth(frame, sphere, meet(frame, sphere, frame.ray_x(x), ray_y));
      if (!(depth > 0)) continue;
      const std::uint64_t key = splat_key(layer * depth, index);
      if (key < seen) atomic_min(&row[x], key);
    }
#else
    // Depths of a few pixels at a time, in a loop that the compiler vectorises.
    (void)stride;
    constexpr int batch = 8;
    for (int x = first; x <= last; x += batch) {
      const int count = last - x + 1 < batch ? last - x + 1 : batch;
      bool hidden = true;
      for (int k = 0; k < count && hidden; ++k) hidden = atomic_load(&row[x + k]) < least;
      if (hidden) continue;
      float depth[batch];
      for (int k = 0; k < batch; ++k)
        depth[k] = front_depth(frame, sphere, meet(frame, sphere, frame.ray_x(x + k), ray_y));
      for (int k = 0; k < count; ++k)
        if (depth[k] > 0) atomic_min(&row[x + k], splat_key(layer * depth[k], index));
    }
#endif
  }
};

struct SameSize {
  float radius;
  RIFFLE_INLINE float operator()(Vec4) const { return radius; }
  static RIFFLE_INLINE float layer(std::int64_t) { return 1; }
};

/// One thread per sphere. Spheres of many pixels are listed for SplatLarge.
template <class Size>
struct SplatSpheres {
  const Vec4* position;
  RowSplat splat_row;
  Size size;
  std::int64_t large_above;  ///< [pixel]
  std::uint32_t* large;
  std::uint32_t* large_count;

  RIFFLE_HD void operator()(std::int64_t i) const {
    SplatSphere sphere;
    const Vec4 p = position[i];
    if (!place_sphere(splat_row.frame, p, size(p), sphere)) return;
    const PixelBox box = pixel_box(splat_row.frame, sphere);
    if (box.empty()) return;
    const auto index = static_cast<std::uint32_t>(i);
    if (box.size() > large_above) {
      large[atomic_count(large_count, 0)] = index;
      return;
    }
    const float layer = size.layer(i);
    const std::uint64_t least = least_key(splat_row.frame, sphere, layer) | index;
    for (int y = box.y0; y <= box.y1; ++y) splat_row(sphere, layer, least, index, y, box.x0, box.x1, 1);
  }
};

/// The spheres of many pixels: each is split into bands of rows. A block takes a band, a warp takes a row.
template <class Size>
struct SplatLarge {
  static constexpr int kBlock = 128, kLanes = 32, kRows = kBlock / kLanes, kBands = 8;
  struct Shared {};

  const Vec4* position;
  RowSplat splat_row;
  Size size;
  const std::uint32_t* large;
  const std::uint32_t* large_count;
  int blocks;

  RIFFLE_HD void operator()(Block<kBlock>& block, Shared&) const {
    const std::int64_t parts = std::int64_t{*large_count} * kBands;
    for (std::int64_t part = block.index(); part < parts; part += blocks) {
      const std::uint32_t index = large[part / kBands];
      const int band = static_cast<int>(part % kBands);
      block.each_thread([&](int t) {
        const int lane = t % kLanes;
        if (!RIFFLE_ON_GPU && lane != 0) return;  // on the CPU one thread takes the whole row
        SplatSphere sphere;
        const Vec4 p = position[index];
        if (!place_sphere(splat_row.frame, p, size(p), sphere)) return;
        const PixelBox box = pixel_box(splat_row.frame, sphere);
        const float layer = size.layer(index);
        const std::uint64_t least = least_key(splat_row.frame, sphere, layer) | index;
        for (int y = box.y0 + band * kRows + t / kLanes; y <= box.y1; y += kBands * kRows)
          splat_row(sphere, layer, least, index, y, box.x0 + lane, box.x1, kLanes);
      });
    }
  }
};

/// Consecutive pixels of a row that a call of ShadePixels lights. A GPU has a thread for each; on the CPU the compiler
/// vectorises the loop over them.
constexpr int shade_run(bool gpu) { return gpu ? 1 : 16; }

struct ShadePixels {
  const Vec4* position;
  ColorValue color_value;
  SplatFrame frame;
  SplatLook look;
  const std::uint64_t* keys;
  SplatPixel* out;
  std::uint32_t* reach;  ///< (4) of the covered pixels, see Splatter::covered(); nullptr if not needed

  RIFFLE_HD void operator()(std::int64_t i) const {
    constexpr int run = shade_run(RIFFLE_ON_GPU);
    const std::int64_t first = i * run;
    const auto pitch = static_cast<std::uint32_t>(frame.pitch);
    const auto y = static_cast<int>(static_cast<std::uint32_t>(first) / pitch);
    const auto x = static_cast<int>(static_cast<std::uint32_t>(first) % pitch);

    // One array per number, because the compiler does not vectorise arrays of structs.
    float center_x[run] = {}, center_y[run] = {}, scale[run] = {}, red[run] = {}, green[run] = {}, blue[run] = {};
    bool any = false;
    std::uint64_t before = kNoSplat;
    SplatSphere sphere{};
    Vec3 srgb;
    for (int k = 0; k < run; ++k) {
      const std::uint64_t key = keys[first + k];
      if (key == kNoSplat) continue;
      const std::uint32_t index = splat_index(key);
      if (!any || index != splat_index(before)) {
        place_sphere(frame, position[index], sphere);
        srgb = splat_color(look, color_value(index));
      }
      any = true;
      before = key;
      center_x[k] = sphere.x, center_y[k] = sphere.y, scale[k] = sphere.scale;
      red[k] = srgb.x, green[k] = srgb.y, blue[k] = srgb.z;
    }
    if (any) {
      std::uint32_t rgba[run];
      for (int k = 0; k < run; ++k)
        rgba[k] = lit_pixel(frame, look, SplatSphere{center_x[k], center_y[k], scale[k], 0, 0},
                            Vec3{red[k], green[k], blue[k]}, frame.ray_x(x + k), frame.ray_y(y));
      for (int k = 0; k < run; ++k) out[first + k] = {rgba[k], splat_depth(keys[first + k])};
      if (reach) extend(x, y, x + run - 1);
    } else {
      for (int k = 0; k < run; ++k) out[first + k] = {0, 0};
    }
  }

  RIFFLE_HD void extend(int x0, int y, int x1) const {
    const auto width = frame.pitch, height = frame.height;
    const int all[4] = {width - x0, height - y, x1 + 1, y + 1};
    for (int side = 0; side < 4; ++side) {
      const auto value = static_cast<std::uint32_t>(all[side]);
      if (atomic_load(&reach[side]) < value) atomic_max(&reach[side], value);
    }
  }
};

}  // namespace

Splatter::Splatter(const Device& device)
    : device_(device), keys_(device), large_(device), large_count_(device, 1), reach_(device, 4), timer_(device) {}

template <class Size>
void Splatter::find(const ParticleView& particles, const SplatFrame& frame, const Size& size) {
  const auto pixels = static_cast<std::size_t>(frame.pitch) * static_cast<std::size_t>(frame.height);
  keys_.resize(pixels);
  const Device& device = particles.device;
  parallel_for(device, "clear keys", static_cast<std::int64_t>(pixels), ClearKeys{keys_.data()});
  if (particles.count <= 0 || !(frame.radius > 0) || !is_finite(frame.radius)) return;
  // A thread with more pixels than this would delay its warp, or on the CPU the other cores.
  const std::int64_t large_above = device.is_cuda() ? 256 : 16384;
  large_.resize(static_cast<std::size_t>(particles.count));
  fill_bytes(device, large_count_.data(), 0, sizeof(std::uint32_t));
  const RowSplat row{frame, keys_.data()};
  parallel_for(device, "splat spheres", particles.count,
               SplatSpheres<Size>{particles.position, row, size, large_above, large_.data(), large_count_.data()});
  // Only the device knows the number of large spheres. These are enough blocks for all; blocks without work end at
  // once.
  const int blocks = device.is_cuda() ? 1024 : 8 * cpu_threads();
  parallel_blocks<SplatLarge<Size>::kBlock>(
      device, "splat large spheres", blocks,
      SplatLarge<Size>{particles.position, row, size, large_.data(), large_count_.data(), blocks});
}

void Splatter::splat(const ParticleView& particles, const SplatFrame& frame) {
  const auto timing = timer_.scope("splat");
  find(particles, frame, SameSize{frame.radius});
}

void Splatter::splat_drops(const ParticleView& particles, const SplatFrame& frame, const DropSize& size) {
  find(particles, frame, size);
}

void Splatter::shade(const ParticleView& particles, const SplatFrame& frame, const SplatLook& look, SplatPixel* out) {
  const auto timing = timer_.scope("shade");
  const std::int64_t pixels = std::int64_t{frame.pitch} * frame.height;
  const Device& device = particles.device;
  if (device.is_cpu()) reach_.fill_zero();
  parallel_for(device, "shade", pixels / shade_run(device.is_cuda()),
               ShadePixels{particles.position, color_value(particles), frame, look, keys_.data(), out,
                           device.is_cpu() ? reach_.data() : nullptr});
}

PixelBox Splatter::covered(const SplatFrame& frame) const {
  if (device_.is_cuda()) return {0, 0, frame.width - 1, frame.height - 1};
  const std::uint32_t* reach = reach_.data();
  if (reach[0] == 0) return {};
  const auto side = [&](int k) { return static_cast<int>(reach[k]); };
  return {frame.pitch - side(0), frame.height - side(1), std::min(side(2), frame.width) - 1, side(3) - 1};
}

}  // namespace riffle::render
