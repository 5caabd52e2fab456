#include "render/fluid/fluid_filter.h"

#include <cmath>
#include <iterator>

#include "core/device/parallel.cuh"
#include "render/fluid/fluid_fields.h"

namespace riffle::render {
namespace {

constexpr int kTaps = 24;       // on each side, at most
constexpr float kReach = 2.2f;  // standard deviations
constexpr float kNowhere = -1;  // beyond the picture's edge

/// Pixels of a row that one call filters. A GPU has a thread for each; the CPU handles them as vectors.
constexpr int filter_run(bool gpu) { return gpu ? 1 : 16; }

/// Rises from 0 to 1 as x goes from 0 to 1 / inverse.
RIFFLE_INLINE float soft_step(float x, float inverse) {
  const float t = x * inverse;
  const float inside = t > 0 ? (t < 1 ? t : 1.0f) : 0.0f;
  return inside * inside * (3 - 2 * inside);
}
RIFFLE_INLINE float larger(float a, float b) { return a > b ? a : b; }
RIFFLE_INLINE float smaller(float a, float b) { return a < b ? a : b; }

/// The sums of Run pixels, and for each the range of depths that belong to its surface. The same number of all pixels
/// lies in one array, so that the compiler vectorises loops over pixels.
template <int Run>
struct Smoothing {
  float middle[Run], sum[Run], weights[Run], farthest[Run], nearest[Run];

  RIFFLE_INLINE void begin(int k, float depth, float range) {
    middle[k] = sum[k] = depth;
    weights[k] = 1;
    farthest[k] = depth + range;
    nearest[k] = depth - range;
  }

  /// @param a,b depths at the same distance to either side; 0: no fluid
  RIFFLE_INLINE void add(int k, float a, float b, float gauss, float range, float inverse_soft) {
    // The picture's edge is not an edge of the fluid: a place beyond it counts as the opposite one does.
    const float opposite_a = b > 0 ? 2 * middle[k] - b : 0.0f, opposite_b = a > 0 ? 2 * middle[k] - a : 0.0f;
    const float one = a < 0 ? opposite_a : a, other = b < 0 ? opposite_b : b;
    const bool fluid = (one > 0) & (other > 0);
    const float own_one =
        (1 - soft_step(nearest[k] - one, inverse_soft)) * (1 - soft_step(one - farthest[k], inverse_soft));
    const float own_other =
        (1 - soft_step(nearest[k] - other, inverse_soft)) * (1 - soft_step(other - farthest[k], inverse_soft));
    const float weight = fluid ? gauss * own_one * own_other : 0.0f;
    sum[k] += weight * (one + other);
    weights[k] += 2 * weight;
    const float out_one = own_one * (one + range - farthest[k]), out_other = own_other * (other + range - farthest[k]);
    const float in_one = own_one * (one - range - nearest[k]), in_other = own_other * (other - range - nearest[k]);
    const float farther = larger(0, larger(out_one, out_other)), nearer = smaller(0, smaller(in_one, in_other));
    farthest[k] += weight > 0 ? farther : 0.0f;
    nearest[k] += weight > 0 ? nearer : 0.0f;
  }
};

/// The arrays of one pass, and the pixels of each call.
struct FilterPass {
  DepthFilter filter;
  const float* share;
  const float* in;
  float* out;

  /// First of the pixels that a call filters. A GPU's 128 threads filter 32 x 4 pixels: along y they share the rows
  /// between.
  struct Place {
    int x, y;
  };
  template <int Run>
  RIFFLE_INLINE Place place(std::int64_t i) const {
    constexpr int across = 32 / Run;
    const auto index = static_cast<std::uint32_t>(i);
    const std::uint32_t tile = index / (across * 4), in_tile = index % (across * 4);
    const auto tiles_x = static_cast<std::uint32_t>(filter.pitch) / 32;
    return {static_cast<int>(tile % tiles_x * 32 + in_tile % across * Run),
            static_cast<int>(tile / tiles_x * 4 + in_tile / across)};
  }

  RIFFLE_INLINE std::int64_t at(Place p) const { return std::int64_t{p.y} * filter.pitch + p.x; }

  /// Standard deviation [pixel].
  RIFFLE_INLINE float sigma(std::int64_t pixel, float middle) const {
    const float whole =
        middle > 0 ? filter.deviation * filter.pixels_per_meter / (filter.orthographic ? 1.0f : middle) : 0.0f;
    return whole * share[pixel];
  }

  RIFFLE_INLINE float inverse_soft() const { return 1 / larger(0.5f * filter.range, 1e-30f); }

  template <int Run>
  RIFFLE_INLINE void write(std::int64_t first, const Smoothing<Run>& own) const {
    for (int k = 0; k < Run; ++k) out[first + k] = own.middle[k] > 0 ? own.sum[k] / own.weights[k] : own.middle[k];
  }
};

/// One pass of the filter; Rule decides which pixels count, and how much.
template <class Rule>
struct FilterKernel {
  FilterPass pass;
  Rule rule;

  RIFFLE_HD void operator()(std::int64_t i) const {
    constexpr int run = filter_run(RIFFLE_ON_GPU);
    const auto place = pass.place<run>(i);
    if (place.y < pass.filter.height) filter_run_at<run>(place);
  }

 private:
  template <int Run>
  RIFFLE_INLINE void filter_run_at(FilterPass::Place place) const {
    const std::int64_t first = pass.at(place);
    Smoothing<Run> own;
    typename Rule::template Weights<Run> weights;
    for (int k = 0; k < Run; ++k) {
      const float middle = place.x + k < pass.filter.width ? pass.in[first + k] : 0.0f;
      own.begin(k, middle, pass.filter.range);
      rule.begin(k, pass.sigma(first + k, middle), weights);
    }
    rule.add(pass, place, weights, own);
    pass.write(first, own);
  }
};

/// fluid_filter.frag
struct AlongAxis {
  bool along_y;

  template <int Run>
  struct Weights {
    float stride[Run], reach[Run], gauss[Run], ratio[Run], step_ratio[Run];
    int most = 0;
    bool adjacent = true;
  };

  template <int Run>
  RIFFLE_INLINE void begin(int k, float sigma, Weights<Run>& w) const {
    // Close to a particle the filter spans hundreds of pixels. This pass skips some; Neighborhood smooths the rest.
    w.stride[k] = larger(1, kReach * sigma / kTaps);
    w.reach[k] = smaller(kReach * sigma / w.stride[k], kTaps);
    // From one i to the next exp(-1/2 (i stride / sigma)^2) changes by a factor, which itself changes by a constant
    // one.
    w.ratio[k] = std::exp(-0.5f * w.stride[k] * w.stride[k] / larger(sigma * sigma, 1e-6f));
    w.step_ratio[k] = w.ratio[k] * w.ratio[k];
    w.gauss[k] = 1;
    const auto taps = static_cast<int>(std::ceil(w.reach[k]));
    w.most = taps > w.most ? taps : w.most;
    w.adjacent = w.adjacent && w.stride[k] == 1;
  }

  template <int Run>
  RIFFLE_INLINE void add(const FilterPass& pass, FilterPass::Place place, Weights<Run>& w, Smoothing<Run>& own) const {
    const DepthFilter& filter = pass.filter;
    const float inverse_soft = pass.inverse_soft();
    const std::int64_t first = pass.at(place);
    const int count = along_y ? filter.height : filter.width, at = along_y ? place.y : place.x;
    const std::int64_t pixel = along_y ? filter.pitch : 1;
    RIFFLE_NO_UNROLL
    for (int i = 1; i <= w.most; ++i) {
      float a[Run], b[Run];
      if (Run > 1 && w.adjacent && at - i >= 0 && at + i + (along_y ? 0 : Run - 1) < count) {
        const float* after = pass.in + first + i * pixel;
        const float* before = pass.in + first - i * pixel;
        for (int k = 0; k < Run; ++k) a[k] = after[k], b[k] = before[k];
      } else {
        for (int k = 0; k < Run; ++k) {
          const int step = static_cast<int>(static_cast<float>(i) * w.stride[k] + 0.5f);
          const int own_at = at + (along_y ? 0 : k);
          a[k] = own_at + step < count ? pass.in[first + k + step * pixel] : kNowhere;
          b[k] = own_at >= step ? pass.in[first + k - step * pixel] : kNowhere;
        }
      }
      for (int k = 0; k < Run; ++k) {
        w.gauss[k] *= w.ratio[k];
        w.ratio[k] *= w.step_ratio[k];
        // The last tap counts in proportion to how far the reach extends into it, so that a slightly longer reach never
        // adds a whole pixel at once.
        const float share = smaller(w.reach[k] - static_cast<float>(i - 1), 1);
        own.add(k, a[k], b[k], share > 0 ? w.gauss[k] * share : 0.0f, filter.range, inverse_soft);
      }
    }
  }
};

/// fluid_smooth.frag
struct Neighborhood {
  int apart;  ///< [pixel]

  template <int Run>
  struct Weights {
    float ratio[Run];  // of the Gaussian, `apart` pixels from the middle
    bool any = false;
  };

  template <int Run>
  RIFFLE_INLINE void begin(int k, float width, Weights<Run>& w) const {
    const float sigma = smaller(width, static_cast<float>(apart));
    const auto step = static_cast<float>(apart);
    w.ratio[k] = sigma > 0 ? std::exp(-0.5f * step * step / larger(sigma * sigma, 1e-6f)) : 0.0f;
    w.any = w.any || sigma > 0;
  }

  template <int Run>
  RIFFLE_INLINE void add(const FilterPass& pass, FilterPass::Place place, const Weights<Run>& w,
                         Smoothing<Run>& own) const {
    if (!w.any) return;
    // Half of 5 x 5 pixels, from the middle outwards. The other half is opposite.
    constexpr int half_x[] = {1, 0, 1, 1, 2, 0, 2, 2, 1, 1, 2, 2}, half_y[] = {0, 1, 1, -1, 0, 2, 1, -1, 2, -2, 2, -2};
    const float inverse_soft = pass.inverse_soft();
    RIFFLE_UNROLL
    for (int i = 0; i < 12; ++i) add_pair<Run>(pass, place, half_x[i], half_y[i], w.ratio, inverse_soft, own);
  }

 private:
  /// exp(-1/2 distance2 (apart / sigma)^2) for the five distances that occur.
  static RIFFLE_INLINE float gauss(float ratio, int distance2) {
    const float two = ratio * ratio, four = two * two;
    return distance2 == 1   ? ratio
           : distance2 == 2 ? two
           : distance2 == 4 ? four
                            : four * (distance2 == 5 ? ratio : four);
  }

  template <int Run>
  RIFFLE_INLINE void add_pair(const FilterPass& pass, FilterPass::Place place, int step_x, int step_y,
                              const float* ratio, float inverse_soft, Smoothing<Run>& own) const {
    const DepthFilter& filter = pass.filter;
    const int dx = apart * step_x, dy = apart * step_y, distance2 = step_x * step_x + step_y * step_y;
    const std::int64_t first = pass.at(place), offset = std::int64_t{dy} * filter.pitch + dx;
    const bool above = place.y + dy >= 0 && place.y + dy < filter.height;
    const bool below = place.y - dy >= 0 && place.y - dy < filter.height;
    float a[Run], b[Run];
    if (Run > 1 && above && below && place.x >= dx && place.x + dx + Run <= filter.width) {
      for (int k = 0; k < Run; ++k) a[k] = pass.in[first + k + offset], b[k] = pass.in[first + k - offset];
    } else {
      for (int k = 0; k < Run; ++k) {
        const int x = place.x + k;
        a[k] = above && x + dx < filter.width ? pass.in[first + k + offset] : kNowhere;
        b[k] = below && x >= dx ? pass.in[first + k - offset] : kNowhere;
      }
    }
    for (int k = 0; k < Run; ++k) own.add(k, a[k], b[k], gauss(ratio[k], distance2), filter.range, inverse_soft);
  }
};

std::int64_t filter_calls(const Device& device, const DepthFilter& filter) {
  const std::int64_t tiles = std::int64_t{filter.pitch / 32} * ((filter.height + 3) / 4);
  return tiles * 128 / filter_run(device.is_cuda());
}

}  // namespace

void filter_depth(const Device& device, const DepthFilter& filter, const float* share, float* depth, float* scratch) {
  if (!(filter.deviation > 0)) return;
  const std::int64_t calls = filter_calls(device, filter);
  const FilterPass along_x{filter, share, depth, scratch};
  const FilterPass along_y{filter, share, scratch, depth};
  parallel_for(device, "filter along x", calls, FilterKernel<AlongAxis>{along_x, {false}});
  parallel_for(device, "filter along y", calls, FilterKernel<AlongAxis>{along_y, {true}});
}

void smooth_depth(const Device& device, const DepthFilter& filter, const float* share, float* depth, float* scratch) {
  if (!(filter.deviation > 0)) return;
  static_assert(std::size(kSmoothSteps) % 2 == 0, "the result must end up in `depth`");
  FilterPass pass{filter, share, depth, scratch};
  for (const int apart : kSmoothSteps) {
    parallel_for(device, "smooth depth", filter_calls(device, filter), FilterKernel<Neighborhood>{pass, {apart}});
    pass = {filter, share, pass.out, pass.out == depth ? scratch : depth};
  }
}

}  // namespace riffle::render
