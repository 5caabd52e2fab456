// The rule of the narrow-range filter (Truong and Yuksel 2018): a weighted mean over the depths that belong to the same
// surface. A depth out of range does not count, and neither does the opposite one: one side alone would pull the middle
// towards it, and an oblique surface would turn up towards the eye along its outline. The range grows outwards with the
// depths that count, so that a surface seen at a grazing angle is one surface. The range has soft ends: with hard ones
// each pixel that enters or leaves shows as grain in the normals.

uniform sampler2D depth;         // eye depth [m]; 0: no fluid
uniform sampler2D bulk;          // see fluid_bulk.frag
uniform float deviation;         // of the Gaussian [m]
uniform float pixels_per_meter;  // at eye depth 1 [m], or everywhere in an orthographic view
uniform float range;             // [m]
uniform bool orthographic;

struct Smoothing {
  float middle, sum, weights, farthest, nearest;
};

Smoothing begin_smoothing(float middle) {
  return Smoothing(middle, middle, 1.0, middle + range, middle - range);
}

// Standard deviation [pixel]. A drop is already a sphere: filtering it with its surroundings would draw both out along
// the filter's directions.
float filter_width(float middle, ivec2 at) {
  float sigma = deviation * pixels_per_meter / (orthographic ? 1.0 : middle);
  return sigma * texelFetch(bulk, at, 0).r;
}

float fetch(ivec2 at, ivec2 size) {
  return all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size)) ? texelFetch(depth, at, 0).r : -1.0;
}

// a, b: fetch() at the same distance to either side.
void add_pair(inout Smoothing s, float a, float b, float gauss) {
  // The picture's edge is not an edge of the fluid: a place beyond it counts as the opposite one does.
  if (a < 0.0) a = b > 0.0 ? 2.0 * s.middle - b : b;
  if (b < 0.0) b = a > 0.0 ? 2.0 * s.middle - a : a;
  if (a <= 0.0 || b <= 0.0) return;
  vec2 both = vec2(a, b);
  float soft = 0.5 * range;
  vec2 own = (1.0 - smoothstep(0.0, soft, s.nearest - both)) * (1.0 - smoothstep(0.0, soft, both - s.farthest));
  float weight = gauss * own.x * own.y;
  if (weight <= 0.0) return;
  s.sum += weight * (a + b);
  s.weights += 2.0 * weight;
  s.farthest = max(s.farthest, max(mix(s.farthest, a + range, own.x), mix(s.farthest, b + range, own.y)));
  s.nearest = min(s.nearest, min(mix(s.nearest, a - range, own.x), mix(s.nearest, b - range, own.y)));
}
