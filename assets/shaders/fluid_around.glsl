// What lies around a pixel of the picture of depths: 24 places, 12 at half the reach and 12 at the whole one.
//
// fluid_bulk.frag asks how many of them belong to the pixel's own surface: with few it is a drop, with many a body.
// fluid_particle.vert asks for each particle whether it is a drop in front of other fluid: few places belong to its
// surface, and many are behind it. Such a drop would hide the surface behind it. There is one depth per pixel, so the
// drop gives way as a whole, and shows in thickness, colour and foam, which are sums.

uniform sampler2D depth;         // of the nearest sphere [m]; 0: no fluid
uniform float reach;             // [m] radius of the surroundings
uniform float pixels_per_meter;  // at eye depth 1 [m], or everywhere in an orthographic view
uniform vec2 same;               // [m] differences of depth up to which and from which on a surface is another one
uniform bool orthographic;

const int kDirections = 6;  // and their opposites

float fetch_around(ivec2 at, ivec2 size) {
  return all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size)) ? texelFetch(depth, at, 0).r : -1.0;
}

// 1 if the differences are those of one surface.
vec2 near(vec2 difference) { return 1.0 - smoothstep(same.x, same.y, abs(difference)); }

// Numbers of places: within the picture; on the same surface as the middle; on surfaces behind it.
// middle: depth [m] at this pixel
vec3 places_around(ivec2 at, float middle) {
  ivec2 size = textureSize(depth, 0);
  float radius = max(reach * pixels_per_meter / (orthographic ? 1.0 : middle), 2.5);
  vec2 own = vec2(0.0), all_places = vec2(0.0), behind = vec2(0.0);
  for (int i = 0; i < kDirections; ++i) {
    float angle = 3.14159265 / float(kDirections) * (float(i) + 0.25);
    vec2 along = radius * vec2(cos(angle), sin(angle));
    // x and y are opposite to each other.
    ivec2 half_step = ivec2(floor(0.5 * along + 0.5)), step = 2 * half_step;
    vec2 inner = vec2(fetch_around(at + half_step, size), fetch_around(at - half_step, size));
    vec2 outer = vec2(fetch_around(at + step, size), fetch_around(at - step, size));
    vec2 has_inner = vec2(greaterThan(inner, vec2(0.0))), has_outer = vec2(greaterThan(outer, vec2(0.0)));
    vec2 own_inner = near(inner - middle), own_outer = near(outer - middle);
    // An oblique surface, however steep, lies on a line with the middle: across it, or to one side.
    own_inner = max(own_inner, has_inner.x * has_inner.y * near(vec2(0.5 * (inner.x + inner.y) - middle)));
    own_outer = max(own_outer, has_outer.x * has_outer.y * near(vec2(0.5 * (outer.x + outer.y) - middle)));
    vec2 line = has_inner * has_outer * near(2.0 * inner - outer - middle);
    own += has_inner * max(own_inner, line) + has_outer * max(own_outer, line);
    behind += vec2(greaterThan(inner - middle, same.xx)) + vec2(greaterThan(outer - middle, same.xx));
    // Beyond the picture's edge it is unknown.
    all_places += vec2(greaterThanEqual(inner, vec2(0.0))) + vec2(greaterThanEqual(outer, vec2(0.0)));
  }
  return vec3(all_places.x + all_places.y, own.x + own.y, behind.x + behind.y);
}
