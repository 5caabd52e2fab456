#version 450 core
// Smooths over some pixels in both dimensions at once, under the rule of the narrow-range filter. It removes the
// streaks that the filter's two directions leave along rows and columns. Few pixels, first far apart and then close (an
// a-trous filter), add up to a wide smoothing.

#include "narrow_range.glsl"

uniform int apart;  // [pixel]

layout(location = 0) out float filtered;

// Half of 5 x 5 pixels, from the middle outwards because the range grows. The other half is opposite.
const ivec2 kHalf[12] = ivec2[12](ivec2(1, 0), ivec2(0, 1), ivec2(1, 1), ivec2(1, -1), ivec2(2, 0), ivec2(0, 2),
                                  ivec2(2, 1), ivec2(2, -1), ivec2(1, 2), ivec2(1, -2), ivec2(2, 2), ivec2(2, -2));

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  ivec2 size = textureSize(depth, 0);
  float middle = texelFetch(depth, at, 0).r;
  filtered = middle;
  if (middle <= 0.0) return;
  float sigma = min(filter_width(middle, at), float(apart));
#ifdef SHORE
  // Few pixels have a shore. A processor that draws goes on after a return of some pixels, but leaves a loop that none has to do.
  int count = sigma > 0.0 ? 12 : 0;
#else
  const int count = 12;
  if (sigma <= 0.0) return;
#endif
  float falloff = -0.5 * float(apart * apart) / max(sigma * sigma, 1e-6) * 1.442695;
  Smoothing own = begin_smoothing(middle);
  for (int i = 0; i < count; ++i) {
    ivec2 step = apart * kHalf[i];
    add_pair(own, fetch(at + step, size), fetch(at - step, size),
             exp2(falloff * float(kHalf[i].x * kHalf[i].x + kHalf[i].y * kHalf[i].y)));
  }
  filtered = own.sum / own.weights;
}
