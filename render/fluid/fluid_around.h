#pragma once
/// What lies around a place of the picture of depths. For kernels; computes the same as assets/shaders/fluid_around.glsl,
/// which explains it.

#include <cmath>

#include "core/platform.h"
#include "render/fluid/fluid_fields.h"
#include "render/fluid/fluid_filter.h"
#include "render/particles/fluid_disc.h"

namespace riffle::render {

struct FluidAround {
  DepthFilter filter;
  float reach = 0;               ///< [m]
  float same = 0, other = 0;     ///< [m]
  const float* depth = nullptr;  ///< (height, pitch) of the nearest sphere [m], 0: no fluid
  float along_x[kBulkDirections] = {}, along_y[kBulkDirections] = {};

  FluidAround(const DepthFilter& picture, float spacing, float same_spacings, float other_spacings, const float* depths)
      : filter(picture),
        reach(kBulkReach * spacing),
        same(same_spacings * spacing),
        other(other_spacings * spacing),
        depth(depths) {
    for (int d = 0; d < kBulkDirections; ++d) {
      const float angle = 3.14159265f / static_cast<float>(kBulkDirections) * (static_cast<float>(d) + 0.25f);
      along_x[d] = std::cos(angle);
      along_y[d] = std::sin(angle);
    }
  }

  struct Places {
    float all = 0;     ///< within the picture
    float own = 0;     ///< on the surface of the middle
    float behind = 0;  ///< on surfaces behind it
  };

  /// @param middle  depth [m] at this pixel
  RIFFLE_INLINE Places look(int x, int y, float middle) const {
    Places places;
    const float wanted = reach * filter.pixels_per_meter / (filter.orthographic ? 1.0f : middle);
    const float radius = wanted > 2.5f ? wanted : 2.5f;
    for (int d = 0; d < kBulkDirections; ++d) {
      const auto dx = static_cast<int>(std::floor(0.5f * radius * along_x[d] + 0.5f));
      const auto dy = static_cast<int>(std::floor(0.5f * radius * along_y[d] + 0.5f));
      // At half the radius and at the whole one; 0 and 1 are opposite to each other.
      const float inner[2] = {fetch(x + dx, y + dy), fetch(x - dx, y - dy)};
      const float outer[2] = {fetch(x + 2 * dx, y + 2 * dy), fetch(x - 2 * dx, y - 2 * dy)};
      const float across_inner = across(inner, middle), across_outer = across(outer, middle);
      for (int k = 0; k < 2; ++k) {
        const float line = inner[k] > 0 && outer[k] > 0 ? near(2 * inner[k] - outer[k] - middle) : 0.0f;
        if (inner[k] > 0) places.own += larger(larger(line, across_inner), near(inner[k] - middle));
        if (outer[k] > 0) places.own += larger(larger(line, across_outer), near(outer[k] - middle));
        places.all += (inner[k] >= 0 ? 1.0f : 0.0f) + (outer[k] >= 0 ? 1.0f : 0.0f);
        places.behind += (inner[k] - middle > same ? 1.0f : 0.0f) + (outer[k] - middle > same ? 1.0f : 0.0f);
      }
    }
    return places;
  }

 private:
  static RIFFLE_INLINE float larger(float a, float b) { return a > b ? a : b; }

  /// 1 if the difference is that of one surface.
  RIFFLE_INLINE float near(float difference) const { return 1 - smooth_step(same, other, std::fabs(difference)); }

  RIFFLE_INLINE float across(const float* pair, float middle) const {
    return pair[0] > 0 && pair[1] > 0 ? near(0.5f * (pair[0] + pair[1]) - middle) : 0.0f;
  }

  /// -1 beyond the picture's edge
  RIFFLE_INLINE float fetch(int x, int y) const {
    const bool inside = x >= 0 && y >= 0 && x < filter.width && y < filter.height;
    return inside ? depth[std::int64_t{y} * filter.pitch + x] : -1.0f;
  }
};

}  // namespace riffle::render
