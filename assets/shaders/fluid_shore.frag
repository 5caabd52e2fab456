#version 450 core
// Carries the fluid's surface on to the solids that it touches. Its last spheres before a solid end in scallops, beside which
// the solid is seen; and the filter has no pairs there. So the surface near a solid is a plane through what is seen of it
// around: the waterline is where this plane goes into the solid.

#include "camera.glsl"

in vec2 position;

uniform sampler2D depth;    // eye depth of the smooth surface [m]; 0: none
uniform sampler2D bulk;     // see fluid_bulk.frag
uniform sampler2D opaque;   // window depth of what is not fluid; 0: nothing
uniform float spacing;      // [m]
uniform float bump;         // see fluid_shade.frag

layout(location = 0) out float eye_depth;
layout(location = 1) out vec2 body;      // see fluid_bulk.frag; and eye depth of a solid that hides the fluid here [m], or 0
layout(location = 2) out float changed;  // 0..1: how much the plane counts here, whose places are too few to be smooth

const float kReach = 2.4;   // [particle spacings] radius of the surroundings
const float kFarSolid = 10.0;  // [particle spacings] behind the surface, from which on a solid is not told from none
const int kRings = 3, kDirections = 12;

float opaque_depth_at(ivec2 at) {
  float z = texelFetch(opaque, at, 0).r;
  return z <= 0.0 ? 1e30 : orthographic ? (z - depth_transform.x) / depth_transform.y : depth_transform.x / z;
}

bool in_front(float surface, float solid) { return surface > 0.0 && surface + bump < solid; }

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy), last = textureSize(depth, 0) - 1;
  eye_depth = texelFetch(depth, at, 0).r;
  body = vec2(texelFetch(bulk, at, 0).r, 0.0);
  float solid = opaque_depth_at(at);
  changed = 0.0;
  bool seen = in_front(eye_depth, solid);
  if (!seen && solid < 1e29) body.y = solid;
  float from = seen ? eye_depth : solid;
  float radius = kReach * 0.5 * float(last.y + 1) * spacing / (half_extent.y * (orthographic ? 1.0 : from));
  radius = max(radius, 4.0);

  // Both the fluid and a solid that hides it must be near.
  bool any_fluid = seen, any_solid = !seen;
  for (int i = 0; i < 6; ++i) {
    float angle = 3.14159265 / 3.0 * (float(i) + 0.25);
    ivec2 there = clamp(at + ivec2(0.85 * radius * vec2(cos(angle), sin(angle))), ivec2(0), last);
    float own_solid = opaque_depth_at(there);
    bool own_seen = in_front(texelFetch(depth, there, 0).r, own_solid);
    any_fluid = any_fluid || own_seen;
    any_solid = any_solid || (!own_seen && own_solid < 1e29);
  }
  // A processor that draws goes on after a return of some pixels, but leaves a loop that none has to do.
  int rings = any_fluid && any_solid && (seen || solid < 1e29) ? kRings : 0;

  // A plane of view space is one of window depths too. In particle spacings of eye depth from here, about.
  float weights = 0.0, hidden = 0.0, all = 0.0, room = 0.0, bodies = 0.0, t_sum = 0.0, t_squares = 0.0;
  vec2 sum = vec2(0.0), t_products = vec2(0.0);
  vec3 squares = vec3(0.0);  // xx, xy, yy
  for (int ring = 0; ring < rings; ++ring) {
    float away = (float(ring) + 0.67) / (float(kRings) - 0.33);
    for (int i = 0; i < kDirections; ++i) {
      float angle = 6.2831853 / float(kDirections) * (float(i) + 0.37 * float(ring) + 0.2);
      ivec2 step = ivec2(floor(radius * away * vec2(cos(angle), sin(angle)) + 0.5));
      ivec2 there = clamp(at + step, ivec2(0), last);
      float surface = texelFetch(depth, there, 0).r, behind = opaque_depth_at(there);
      float weight = away * (1.0 - 0.6 * away * away);  // the outer rings have more room
      all += weight;
      float room_here = surface > 0.0 ? min((behind - surface - bump) / spacing, kFarSolid) : -1.0;
      float above = clamp(2.0 * room_here, 0.0, 1.0);
      hidden += behind < 1e29 ? weight * (1.0 - above) : 0.0;
      if (above <= 0.0) continue;
      weight *= above;
      float t = (orthographic ? surface - from : from * (1.0 - from / surface)) / spacing;
      weight *= 1.0 - smoothstep(4.0, 8.0, abs(t));
      float own_body = texelFetch(bulk, there, 0).r;
      weight *= own_body;
      vec2 u = vec2(step) / radius;
      weights += weight;
      bodies += weight * own_body;
      room += weight * room_here;
      sum += weight * u;
      squares += weight * vec3(u.x * u.x, u.x * u.y, u.y * u.y);
      t_sum += weight * t;
      t_squares += weight * t * t;
      t_products += weight * t * u;
    }
  }
  if (rings == 0 || weights < 0.1 * all || hidden < 0.02 * all) return;
  vec2 mean = sum / weights;
  float t_mean = t_sum / weights;
  const float ridge = 0.004;  // few places on a line do not tell the slope across it
  vec3 spread = squares / weights - vec3(mean.x * mean.x, mean.x * mean.y, mean.y * mean.y) + vec3(ridge, 0.0, ridge);
  vec2 along = t_products / weights - t_mean * mean;
  vec2 slope = vec2(spread.z * along.x - spread.y * along.y, spread.x * along.y - spread.y * along.x) /
               (spread.x * spread.z - spread.y * spread.y);
  float t = t_mean - dot(slope, mean);
  float plane = orthographic ? from + t * spacing : from / max(1.0 - t * spacing / from, 0.1);
  // Where sheets and creases meet there is no plane. [particle spacings^2] across it
  float off = max(t_squares / weights - t_mean * t_mean - dot(slope, along), 0.0) / (1.0 + dot(slope, slope) / (kReach * kReach));
  float trust = 1.0 - smoothstep(0.02, 0.12, off);
  // Fluid with air before a solid has an outline of its own. Fluid that touches the solid comes closer to it.
  float gap = (solid - plane - bump) / spacing;
  if (trust <= 0.0 || (!seen && (gap > 2.5 || gap > 0.8 * room / weights))) return;
  changed = seen ? trust * smoothstep(0.13, 0.3, hidden / all) : 1.0;
  eye_depth = mix(eye_depth, plane, changed);
  if (!seen) body = vec2(bodies / weights, in_front(eye_depth, solid) ? 0.0 : solid);
}
