#version 450 core
// One direction of the narrow-range filter (Truong and Yuksel 2018): a Gaussian over the depths that belong to the same
// surface. What is farther than the range counts as a little behind the middle, which rounds silhouettes; what is nearer
// counts as nothing, and its mirror image neither, so that the middle is not pulled to the other side. The range grows
// outwards with the depths that were taken, so that a surface seen at a grazing angle is one surface. The range's ends
// are soft: a pixel more or less within a hard one shows as grain in the normals.

uniform sampler2D depth;         // eye depth [m]; 0: no fluid
uniform ivec2 direction;         // (1, 0) or (0, 1)
uniform float deviation;         // of the Gaussian [m]
uniform float pixels_per_meter;  // at eye depth 1 [m], or everywhere in an orthographic view
uniform float range;             // [m]
uniform float behind;            // [m] how far behind the middle the farther ones count
uniform bool orthographic;
uniform bool fine;               // every pixel is taken, over as many as there are taps

layout(location = 0) out float filtered;

const int kTaps = 24;            // on each side, at most
const float kReach = 2.2;        // standard deviations

float fetch(ivec2 at, ivec2 size) {
  return all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size)) ? texelFetch(depth, at, 0).r : -1.0;
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  ivec2 size = textureSize(depth, 0);
  float middle = texelFetch(depth, at, 0).r;
  filtered = middle;
  if (middle <= 0.0) return;
  float sigma = deviation * pixels_per_meter / (orthographic ? 1.0 : middle);  // [pixel]
  if (fine) sigma = min(sigma, float(kTaps) / kReach);
  // Close to a particle the filter spans hundreds of pixels: some are skipped, and the fine pass smooths the rest.
  float stride = max(1.0, kReach * sigma / float(kTaps));
  int taps = min(int(ceil(kReach * sigma / stride)), kTaps);
  float falloff = -0.5 * stride * stride / max(sigma * sigma, 1e-6) * 1.442695;
  float sum = middle, weights = 1.0;
  float farthest = middle + range, nearest = middle - range, soft = 0.5 * range;
  for (int i = 1; i <= taps; ++i) {
    ivec2 step = direction * int(float(i) * stride + 0.5);
    float a = fetch(at + step, size), b = fetch(at - step, size);
    if (a < 0.0 && b < 0.0) break;
    // The picture's edge is no edge of the fluid: it counts as what is opposite.
    if (a < 0.0) a = b > 0.0 ? 2.0 * middle - b : b;
    if (b < 0.0) b = a > 0.0 ? 2.0 * middle - a : a;
    vec2 both = vec2(a, b);
    bvec2 fluid = greaterThan(both, vec2(0.0));
    vec2 near = mix(vec2(0.0), smoothstep(0.0, soft, nearest - both), fluid);
    vec2 far = mix(vec2(1.0), smoothstep(0.0, soft, both - farthest), fluid);
    float weight = exp2(falloff * float(i * i)) * (1.0 - near.x) * (1.0 - near.y);
    if (weight <= 0.0) continue;
    vec2 value = mix(both, vec2(middle + behind), far);
    sum += weight * (value.x + value.y);
    weights += 2.0 * weight;
    vec2 own = (1.0 - far) * (1.0 - near);
    farthest = max(farthest, max(mix(farthest, a + range, own.x), mix(farthest, b + range, own.y)));
    nearest = min(nearest, min(mix(nearest, a - range, own.x), mix(nearest, b - range, own.y)));
  }
  filtered = sum / weights;
}
