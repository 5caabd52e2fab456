#include "render/fluid_filter.h"

#include <cmath>

#include "core/parallel.h"

namespace riffle {
namespace {

constexpr int kTaps = 24;       // on each side, at most
constexpr float kReach = 2.2f;  // standard deviations
constexpr float kNowhere = -1;  // beyond the picture's edge

/// Pixels of a row that one call filters. A GPU has a thread for each; the CPU goes through the taps with vectors of them.
constexpr int filter_run(bool gpu) { return gpu ? 1 : 16; }

/// 0..1 as x goes from 0 to 1 / inverse.
RIFFLE_INLINE float soft_step(float x, float inverse) {
  const float t = x * inverse;
  const float inside = t > 0 ? (t < 1 ? t : 1.0f) : 0.0f;
  return inside * inside * (3 - 2 * inside);
}
RIFFLE_INLINE float larger(float a, float b) { return a > b ? a : b; }
RIFFLE_INLINE float smaller(float a, float b) { return a < b ? a : b; }

/// One pixel's sums and the range of depths that are its surface's. Numbers of several pixels stay next to each other, so
/// that loops over pixels become vectors.
template <int Run>
struct Smoothing {
  float middle[Run], sum[Run], weights[Run], farthest[Run], nearest[Run];

  RIFFLE_INLINE void begin(int k, float depth, float range) {
    middle[k] = sum[k] = depth;
    weights[k] = 1;
    farthest[k] = depth + range;
    nearest[k] = depth - range;
  }

  /// @param a,b depths as far to either side; 0: no fluid
  RIFFLE_INLINE void add(int k, float a, float b, float gauss, float range, float behind, float inverse_soft) {
    // The picture's edge is no edge of the fluid: it counts as what is opposite.
    const float opposite_a = b > 0 ? 2 * middle[k] - b : 0.0f, opposite_b = a > 0 ? 2 * middle[k] - a : 0.0f;
    const bool outside = (a < 0) & (b < 0);
    const float one = a < 0 ? opposite_a : a, other = b < 0 ? opposite_b : b;
    const float near_one = one > 0 ? soft_step(nearest[k] - one, inverse_soft) : 0.0f;
    const float near_other = other > 0 ? soft_step(nearest[k] - other, inverse_soft) : 0.0f;
    const float far_one = one > 0 ? soft_step(one - farthest[k], inverse_soft) : 1.0f;
    const float far_other = other > 0 ? soft_step(other - farthest[k], inverse_soft) : 1.0f;
    const float both = gauss * (1 - near_one) * (1 - near_other);
    const float weight = outside ? 0.0f : both;
    const float beyond = middle[k] + behind;
    sum[k] += weight * (one + far_one * (beyond - one) + other + far_other * (beyond - other));
    weights[k] += 2 * weight;
    const float own_one = (1 - far_one) * (1 - near_one), own_other = (1 - far_other) * (1 - near_other);
    const float out_one = own_one * (one + range - farthest[k]), out_other = own_other * (other + range - farthest[k]);
    const float in_one = own_one * (one - range - nearest[k]), in_other = own_other * (other - range - nearest[k]);
    const float farther = larger(0, larger(out_one, out_other)), nearer = smaller(0, smaller(in_one, in_other));
    farthest[k] += weight > 0 ? farther : 0.0f;
    nearest[k] += weight > 0 ? nearer : 0.0f;
  }
};

struct FilterDepth {
  DepthFilter filter;
  const float* in;
  float* out;
  bool along_y;
  bool fine;  ///< every pixel is taken, over as many as there are taps
  float behind;

  /// A GPU's 128 threads take 32 x 4 pixels: along y they share the rows between.
  RIFFLE_HD void operator()(std::int64_t i) const {
    constexpr int run = filter_run(RIFFLE_ON_GPU), across = 32 / run;
    const auto index = static_cast<std::uint32_t>(i);
    const std::uint32_t tile = index / (across * 4), in_tile = index % (across * 4);
    const auto tiles_x = static_cast<std::uint32_t>(filter.pitch) / 32;
    const int x = static_cast<int>(tile % tiles_x * 32 + in_tile % across * run);
    const int y = static_cast<int>(tile / tiles_x * 4 + in_tile / across);
    if (y < filter.height) smooth_run<run>(x, y);
  }

  template <int Run>
  RIFFLE_INLINE void smooth_run(int x0, int y) const {
    const std::int64_t first = std::int64_t{y} * filter.pitch + x0;
    const float range = filter.range, inverse_soft = 1 / larger(0.5f * range, 1e-30f);
    Smoothing<Run> own;
    float stride[Run], gauss[Run], ratio[Run], step_ratio[Run];
    int taps[Run];
    int most = 0;
    bool adjacent = true;
    for (int k = 0; k < Run; ++k) {
      const float middle = x0 + k < filter.width ? in[first + k] : 0.0f;
      own.begin(k, middle, range);
      float sigma =
          middle > 0 ? filter.deviation * filter.pixels_per_meter / (filter.orthographic ? 1.0f : middle) : 0.0f;
      if (fine) sigma = smaller(sigma, kTaps / kReach);
      // Close to a particle the filter spans hundreds of pixels: some are skipped, and the fine pass smooths the rest.
      stride[k] = larger(1, kReach * sigma / kTaps);
      taps[k] = static_cast<int>(smaller(std::ceil(kReach * sigma / stride[k]), kTaps));
      // exp(-1/2 (i stride / sigma)^2) from one i to the next: a factor, which itself has a constant one.
      ratio[k] = std::exp(-0.5f * stride[k] * stride[k] / larger(sigma * sigma, 1e-6f));
      step_ratio[k] = ratio[k] * ratio[k];
      gauss[k] = 1;
      most = taps[k] > most ? taps[k] : most;
      adjacent = adjacent && stride[k] == 1;
    }
    const int count = along_y ? filter.height : filter.width, at = along_y ? y : x0;
    const std::int64_t pixel = along_y ? filter.pitch : 1;
    RIFFLE_NO_UNROLL
    for (int i = 1; i <= most; ++i) {
      float a[Run], b[Run];
      if (Run > 1 && adjacent && at - i >= 0 && at + i + (along_y ? 0 : Run - 1) < count) {
        const float* after = in + first + i * pixel;
        const float* before = in + first - i * pixel;
        for (int k = 0; k < Run; ++k) a[k] = after[k], b[k] = before[k];
      } else {
        for (int k = 0; k < Run; ++k) {
          const int step = static_cast<int>(static_cast<float>(i) * stride[k] + 0.5f), place = at + (along_y ? 0 : k);
          a[k] = place + step < count ? in[first + k + step * pixel] : kNowhere;
          b[k] = place >= step ? in[first + k - step * pixel] : kNowhere;
        }
      }
      for (int k = 0; k < Run; ++k) {
        gauss[k] *= ratio[k];
        ratio[k] *= step_ratio[k];
        own.add(k, a[k], b[k], i <= taps[k] ? gauss[k] : 0.0f, range, behind, inverse_soft);
      }
    }
    for (int k = 0; k < Run; ++k) out[first + k] = own.middle[k] > 0 ? own.sum[k] / own.weights[k] : own.middle[k];
  }
};

}  // namespace

void filter_depth(const Device& device, const DepthFilter& filter, float* depth, float* scratch) {
  if (!(filter.deviation > 0)) return;
  const std::int64_t tiles = std::int64_t{filter.pitch / 32} * ((filter.height + 3) / 4);
  const std::int64_t calls = tiles * 128 / filter_run(device.is_cuda());
  for (int pass = 0; pass < filter.passes; ++pass) {
    // Not every time, or drops, which are outline everywhere, would sink.
    const float behind = pass == 0 ? filter.behind : 0.0f;
    parallel_for(device, "filter along x", calls, FilterDepth{filter, depth, scratch, false, pass > 0, behind});
    parallel_for(device, "filter along y", calls, FilterDepth{filter, scratch, depth, true, pass > 0, behind});
  }
}

}  // namespace riffle
