#version 450 core
// Ambient occlusion from the depth buffer: how much of the hemisphere above a point is hidden by its surroundings.

in vec2 position;

uniform sampler2D depth;        // reversed: larger is nearer, 0 is the background
uniform vec2 depth_transform;   // see sphere.frag
uniform bool orthographic;
uniform vec2 half_extent;       // of the view at eye depth 1 [m], or of an orthographic view [m]
uniform float reach;            // [m]

layout(location = 0) out float visibility;

const int kSamples = 16;

float eye_depth(float z) {
  return orthographic ? (z - depth_transform.x) / depth_transform.y : depth_transform.x / z;
}

vec3 place(vec2 at, float z) {
  float d = eye_depth(z);
  return vec3((2.0 * at - 1.0) * half_extent * (orthographic ? 1.0 : d), -d);
}

void main() {
  float z = textureLod(depth, position, 0.0).r;
  if (z <= 0.0) {
    visibility = 1.0;
    return;
  }
  vec3 p = place(position, z);
  vec3 normal = normalize(cross(dFdx(p), dFdy(p)));
  vec2 reach_on_screen = reach / (half_extent * (orthographic ? 1.0 : -p.z)) * 0.5;
  // Interleaved gradient noise rotates the spiral from pixel to pixel; resolve.frag averages over the 4x4 pattern.
  float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  float hidden = 0.0;
  for (int i = 0; i < kSamples; ++i) {
    float r = (float(i) + 0.5) / float(kSamples);
    float angle = turn + float(i) * 2.3999632;  // the golden angle
    vec2 at = position + vec2(cos(angle), sin(angle)) * r * reach_on_screen;
    float other = textureLod(depth, at, 0.0).r;
    if (other <= 0.0) continue;
    vec3 to = place(at, other) - p;
    float d2 = dot(to, to);
    float falloff = max(0.0, 1.0 - d2 / (reach * reach));
    hidden += falloff * max(0.0, dot(normal, to) - 0.02 * reach) * inversesqrt(d2 + 1e-12);
  }
  visibility = clamp(1.0 - 1.7 * hidden / float(kSamples), 0.0, 1.0);
}
