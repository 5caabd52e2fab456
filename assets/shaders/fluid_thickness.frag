#version 450 core
// How much fluid there is along the ray, and of what paint it is. Each particle spreads its volume over a disc
// with a smooth edge, so that the mean thickness is exact and no outline of a particle shows.

in vec2 offset;
flat in float eye_depth;
flat in vec3 paint;
flat in float enlarged;
#ifdef FLAT
flat in float stray;
#endif

#if WITHIN
uniform sampler2D depth;  // eye depth of the surface [m]; 0: none
uniform vec2 pixel_size;  // 1 / (width, height) of the target
uniform vec4 within;      // [particle spacings] below the surface
uniform float spacing;    // [m]
#endif
uniform float weight;  // [particle spacings] of thickness at the disc's middle

// Paint times thickness, and thickness [particle spacings].
// With WITHIN the thickness of what is less than four depths below the surface.
// With FLAT the thickness of particles beyond the walls, in green, and that of all, in alpha.
layout(location = 0) out vec4 sum;

void main() {
  float d2 = dot(offset, offset);
  if (d2 > 1.0) discard;
  float t = weight * enlarged * (1.0 - d2) * (1.0 - d2);
#ifdef FLAT
  sum = vec4(0.0, stray * t, 0.0, t);
#elif WITHIN
  // Each particle is a layer of one spacing.
  float surface = textureLod(depth, gl_FragCoord.xy * pixel_size, 0.0).r;
  float below = surface > 0.0 ? (eye_depth - surface) / spacing : 0.0;
  sum = t * clamp(within - below + 0.5, 0.0, 1.0);
#else
  sum = vec4(paint * t, t);
#endif
}
