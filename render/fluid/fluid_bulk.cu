#include "render/fluid/fluid_bulk.h"

#include <cmath>

#include "core/device/parallel.cuh"
#include "render/fluid/fluid_fields.h"
#include "render/particles/fluid_disc.h"

namespace riffle::render {
namespace {

struct FindBulk {
  DepthFilter filter;
  float reach;        ///< [m]
  float same, other;  ///< [m]
  const float* spheres;
  float* bulk;
  float* surface;
  float along_x[kBulkDirections], along_y[kBulkDirections];

  RIFFLE_HD void operator()(std::int64_t i) const {
    const auto pitch = static_cast<std::uint32_t>(filter.pitch);
    const auto x = static_cast<int>(static_cast<std::uint32_t>(i) % pitch);
    const auto y = static_cast<int>(static_cast<std::uint32_t>(i) / pitch);
    const float middle = spheres[i];
    bulk[i] = 0;
    surface[i] = middle;
    if (x < filter.width && middle > 0) look_around(i, x, y, middle);
  }

 private:
  struct Moments {
    float count = 0, sum = 0, squares = 0;
    RIFFLE_INLINE void add(float value) { count += 1, sum += value, squares += value * value; }
  };

  static RIFFLE_INLINE float larger(float a, float b) { return a > b ? a : b; }

  /// 1 if the difference is that of one surface.
  RIFFLE_INLINE float near(float difference) const { return 1 - smooth_step(same, other, std::fabs(difference)); }

  /// -1 beyond the picture's edge
  RIFFLE_INLINE float fetch(int x, int y) const {
    const bool inside = x >= 0 && y >= 0 && x < filter.width && y < filter.height;
    return inside ? spheres[std::int64_t{y} * filter.pitch + x] : -1.0f;
  }

  RIFFLE_INLINE void look_around(std::int64_t i, int x, int y, float middle) const {
    const float radius = larger(reach * filter.pixels_per_meter / (filter.orthographic ? 1.0f : middle), 2.5f);
    float sum = 0, places = 0;
    Moments beyond;  // depths behind the middle, relative to it
    for (int d = 0; d < kBulkDirections; ++d) {
      const auto dx = static_cast<int>(std::floor(0.5f * radius * along_x[d] + 0.5f));
      const auto dy = static_cast<int>(std::floor(0.5f * radius * along_y[d] + 0.5f));
      // At half the radius and at the whole one; 0 and 1 are opposite to each other.
      const float inner[2] = {fetch(x + dx, y + dy), fetch(x - dx, y - dy)};
      const float outer[2] = {fetch(x + 2 * dx, y + 2 * dy), fetch(x - 2 * dx, y - 2 * dy)};
      const float across_inner = across(inner, middle), across_outer = across(outer, middle);
      for (int k = 0; k < 2; ++k) {
        const float line = inner[k] > 0 && outer[k] > 0 ? near(2 * inner[k] - outer[k] - middle) : 0.0f;
        if (inner[k] > 0) sum += larger(larger(line, across_inner), near(inner[k] - middle));
        if (outer[k] > 0) sum += larger(larger(line, across_outer), near(outer[k] - middle));
        places += (inner[k] >= 0 ? 1.0f : 0.0f) + (outer[k] >= 0 ? 1.0f : 0.0f);
        if (behind(inner[k], middle) && behind(outer[k], middle)) beyond.add(2 * inner[k] - outer[k] - middle);
      }
      if (behind(inner[0], middle) && behind(inner[1], middle)) beyond.add(0.5f * (inner[0] + inner[1]) - middle);
      if (behind(outer[0], middle) && behind(outer[1], middle)) beyond.add(0.5f * (outer[0] + outer[1]) - middle);
    }
    const float share = smooth_step(kBulkBegins, kBulkComplete, sum / larger(places, 1));
    bulk[i] = share;
    if (beyond.count < larger(sum, kBulkDirections)) return;
    const float mean = beyond.sum / beyond.count;
    if (mean < same || beyond.squares / beyond.count - mean * mean > 2 * same * other) return;
    surface[i] = middle + mean;
    bulk[i] = 1;
  }
  RIFFLE_INLINE float across(const float* pair, float middle) const {
    return pair[0] > 0 && pair[1] > 0 ? near(0.5f * (pair[0] + pair[1]) - middle) : 0.0f;
  }
  RIFFLE_INLINE bool behind(float depth, float middle) const { return depth - middle > same; }
};

}  // namespace

void find_bulk(const Device& device, const DepthFilter& filter, float spacing, const float* spheres, float* bulk,
               float* surface) {
  FindBulk find{filter, kBulkReach * spacing, kBulkSame * spacing, kBulkOther * spacing, spheres, bulk, surface, {},
                {}};
  for (int d = 0; d < kBulkDirections; ++d) {
    const float angle = 3.14159265f / static_cast<float>(kBulkDirections) * (static_cast<float>(d) + 0.25f);
    find.along_x[d] = std::cos(angle);
    find.along_y[d] = std::sin(angle);
  }
  parallel_for(device, "find bulk", std::int64_t{filter.pitch} * filter.height, find);
}

}  // namespace riffle::render
