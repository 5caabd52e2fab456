#version 450 core
// One direction of the narrow-range filter: a Gaussian along a row or a column.

#include "narrow_range.glsl"

uniform ivec2 direction;   // (1, 0) or (0, 1)

layout(location = 0) out float filtered;

const int kTaps = 24;      // on each side, at most
const float kReach = 2.2;  // standard deviations

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  ivec2 size = textureSize(depth, 0);
  float middle = texelFetch(depth, at, 0).r;
  filtered = middle;
  if (middle <= 0.0) return;
  float sigma = filter_width(middle, at);
  // Close to a particle the filter spans hundreds of pixels. It skips some, and fluid_smooth.frag smooths the rest.
  float stride = max(1.0, kReach * sigma / float(kTaps));
  float reach = kReach * sigma / stride;
  int taps = min(int(ceil(reach)), kTaps);
  float falloff = -0.5 * stride * stride / max(sigma * sigma, 1e-6) * 1.442695;
  Smoothing own = begin_smoothing(middle);
  for (int i = 1; i <= taps; ++i) {
    ivec2 step = direction * int(float(i) * stride + 0.5);
    // The last tap counts in proportion to how far the reach extends into it, so that a slightly longer reach never
    // adds a whole pixel at once.
    float gauss = exp2(falloff * float(i * i)) * min(reach - float(i - 1), 1.0);
    add_pair(own, fetch(at + step, size), fetch(at - step, size), gauss);
  }
  filtered = own.sum / own.weights;
}
