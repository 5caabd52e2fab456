#version 450 core
// Tells a body of fluid from drops: how much of a pixel's surroundings belongs to the same surface. What lies behind a
// drop has no say, so a drop in front of water is found as well as one in front of nothing, and a thin sheet is a body.
// A drop in front of a body hides its surface. There is one depth per pixel, so it is that of the body, from the
// surroundings: the drop shows in thickness, colour and foam, which are sums.

in vec2 position;

uniform sampler2D depth;         // of the spheres [m]; 0: no fluid
uniform float reach;             // [m] radius of the surroundings
uniform float pixels_per_meter;  // at eye depth 1 [m], or everywhere in an orthographic view
uniform vec2 same;               // [m] differences of depth up to which and from which on a surface is another one
uniform vec2 shares;             // shares of the surroundings at which a body begins and is complete
uniform bool orthographic;

layout(location = 0) out float bulk;     // 0: a drop alone, 1: a body
layout(location = 1) out float surface;  // [m] depth without drops in front of a body

const int kDirections = 6;  // and their opposites

float fetch(ivec2 at, ivec2 size) {
  return all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size)) ? texelFetch(depth, at, 0).r : -1.0;
}

// 1 if the differences are those of one surface.
vec2 near(vec2 difference) { return 1.0 - smoothstep(same.x, same.y, abs(difference)); }

void add(inout vec3 sums, float value) { sums += vec3(1.0, value, value * value); }

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  ivec2 size = textureSize(depth, 0);
  float middle = texelFetch(depth, at, 0).r;
  bulk = 0.0;
  surface = middle;
  if (middle <= 0.0) return;
  float radius = max(reach * pixels_per_meter / (orthographic ? 1.0 : middle), 2.5);
  vec2 sum = vec2(0.0), places = vec2(0.0);
  vec3 beyond = vec3(0.0);  // depths behind the middle, relative to it: number, sum, sum of squares
  for (int i = 0; i < kDirections; ++i) {
    float angle = 3.14159265 / float(kDirections) * (float(i) + 0.25);
    vec2 along = radius * vec2(cos(angle), sin(angle));
    // At half the radius and at the whole one; x and y are opposite to each other.
    ivec2 half_step = ivec2(floor(0.5 * along + 0.5)), step = 2 * half_step;
    vec2 inner = vec2(fetch(at + half_step, size), fetch(at - half_step, size));
    vec2 outer = vec2(fetch(at + step, size), fetch(at - step, size));
    vec2 has_inner = vec2(greaterThan(inner, vec2(0.0))), has_outer = vec2(greaterThan(outer, vec2(0.0)));
    vec2 own_inner = near(inner - middle), own_outer = near(outer - middle);
    // An oblique surface, however steep, lies on a line with the middle: across it, or to one side.
    own_inner = max(own_inner, has_inner.x * has_inner.y * near(vec2(0.5 * (inner.x + inner.y) - middle)));
    own_outer = max(own_outer, has_outer.x * has_outer.y * near(vec2(0.5 * (outer.x + outer.y) - middle)));
    vec2 line = has_inner * has_outer * near(2.0 * inner - outer - middle);
    sum += has_inner * max(own_inner, line) + has_outer * max(own_outer, line);
    vec2 far_inner = inner - middle, far_outer = outer - middle;
    bvec2 is_inner = greaterThan(far_inner, same.xx), is_outer = greaterThan(far_outer, same.xx);
    if (all(is_inner)) add(beyond, 0.5 * (far_inner.x + far_inner.y));
    if (all(is_outer)) add(beyond, 0.5 * (far_outer.x + far_outer.y));
    if (is_inner.x && is_outer.x) add(beyond, 2.0 * far_inner.x - far_outer.x);
    if (is_inner.y && is_outer.y) add(beyond, 2.0 * far_inner.y - far_outer.y);
    // Beyond the picture's edge it is unknown.
    places += vec2(greaterThanEqual(inner, vec2(0.0))) + vec2(greaterThanEqual(outer, vec2(0.0)));
  }
  bulk = smoothstep(shares.x, shares.y, (sum.x + sum.y) / max(places.x + places.y, 1.0));
  // There are as many estimates of the depth behind as there are places.
  if (beyond.x < max(sum.x + sum.y, float(kDirections))) return;
  float mean = beyond.y / beyond.x;
  // The depths behind must be those of one surface.
  if (mean < same.x || beyond.z / beyond.x - mean * mean > 2.0 * same.x * same.y) return;
  surface = middle + mean;
  bulk = 1.0;
}
