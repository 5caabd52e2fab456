// The rule of the narrow-range filter (Truong and Yuksel 2018): a weighted mean over the depths that belong to the same
// surface. A depth beyond the range counts as a little behind the middle, which rounds silhouettes. A depth nearer than
// the range does not count, and neither does the opposite one, so that the middle is not pulled to the other side. The
// range grows outwards with the depths that count, so that a surface seen at a grazing angle is one surface. The range
// has soft ends: with hard ones each pixel that enters or leaves shows as grain in the normals.

uniform sampler2D depth;         // eye depth [m]; 0: no fluid
uniform sampler2D thickness;     // alpha: [particle spacings]
uniform float deviation;         // of the Gaussian [m]
uniform float pixels_per_meter;  // at eye depth 1 [m], or everywhere in an orthographic view
uniform float range;             // [m]
uniform float behind;            // [m] how far behind the middle the farther depths count
uniform vec2 smooth_layers;      // [particle spacings] thicknesses where the filter begins and where it is complete
uniform bool orthographic;

struct Smoothing {
  float middle, sum, weights, farthest, nearest;
};

Smoothing begin_smoothing(float middle) {
  return Smoothing(middle, middle, 1.0, middle + range, middle - range);
}

// Standard deviation [pixel]. A drop is already a sphere: filtering it with its surroundings would draw both out along
// the filter's directions.
float filter_width(float middle, vec2 at) {
  float sigma = deviation * pixels_per_meter / (orthographic ? 1.0 : middle);
  return sigma * smoothstep(smooth_layers.x, smooth_layers.y, textureLod(thickness, at, 0.0).a);
}

float fetch(ivec2 at, ivec2 size) {
  return all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size)) ? texelFetch(depth, at, 0).r : -1.0;
}

// a, b: fetch() at the same distance to either side.
void add_pair(inout Smoothing s, float a, float b, float gauss) {
  if (a < 0.0 && b < 0.0) return;
  // The picture's edge is not an edge of the fluid: a place beyond it counts as the opposite one does.
  if (a < 0.0) a = b > 0.0 ? 2.0 * s.middle - b : b;
  if (b < 0.0) b = a > 0.0 ? 2.0 * s.middle - a : a;
  vec2 both = vec2(a, b);
  bvec2 fluid = greaterThan(both, vec2(0.0));
  float soft = 0.5 * range;
  vec2 near = mix(vec2(0.0), smoothstep(0.0, soft, s.nearest - both), fluid);
  vec2 far = mix(vec2(1.0), smoothstep(0.0, soft, both - s.farthest), fluid);
  float weight = gauss * (1.0 - near.x) * (1.0 - near.y);
  if (weight <= 0.0) return;
  vec2 value = mix(both, vec2(s.middle + behind), far);
  s.sum += weight * (value.x + value.y);
  s.weights += 2.0 * weight;
  vec2 own = (1.0 - far) * (1.0 - near);
  s.farthest = max(s.farthest, max(mix(s.farthest, a + range, own.x), mix(s.farthest, b + range, own.y)));
  s.nearest = min(s.nearest, min(mix(s.nearest, a - range, own.x), mix(s.nearest, b - range, own.y)));
}
