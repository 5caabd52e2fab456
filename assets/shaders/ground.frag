#version 450 core
// A floor under the domain that fades into the background, with the particles' shadow on it. It writes no depth, since
// only the fluid stands on it.

#include "camera.glsl"

in vec2 position;

uniform mat4 from_view;       // view space to world
uniform vec3 origin;          // [m] a point of the floor, below the middle of the domain
uniform vec3 normal;          // up
uniform vec3 right;           // along the tiles
uniform vec3 forward;
uniform float tile;           // [m]
uniform float extent;         // [m] radius at which the floor has faded out
uniform vec3 tint;            // linear, of the light tiles
uniform float contrast;       // of the dark ones
uniform sampler2D shadow;     // optical depth of the fluid above, in red, green and blue
uniform mat4 to_shadow;       // world to 0..1 over `shadow`
uniform float shadow_strength;
uniform float softness;       // mipmap level

layout(location = 0) out vec4 pixel;

// Mean of the checker pattern over a pixel: the pattern is the product of two square waves, whose integral is a
// triangle wave.
float checker(vec2 at, vec2 width) {
  vec2 w = max(width, vec2(1e-4));
  vec2 wave = 2.0 * (abs(fract((at - 0.5 * w) * 0.5) - 0.5) - abs(fract((at + 0.5 * w) * 0.5) - 0.5)) / w;
  return 0.5 - 0.5 * wave.x * wave.y;
}

void main() {
  vec3 ray = mat3(from_view) * view_ray(position);
  vec3 eye = (from_view * vec4(orthographic ? view_place(position, 0.0) : vec3(0.0), 1.0)).xyz;
  float down = -dot(ray, normal);
  float height = dot(eye - origin, normal);
  float travel = height / max(down, 1e-5);
  vec3 from_middle = eye + ray * travel - origin;
  vec2 at = vec2(dot(from_middle, right), dot(from_middle, forward));
  vec2 width = fwidth(at) / tile;
  float fade = 1.0 - smoothstep(0.25, 1.0, length(at) / extent);
  if (down <= 1e-4 || height <= 0.0 || fade <= 0.0) discard;
  vec3 color = tint * (1.0 - contrast * checker(at / tile, width));
  vec3 optical_depth = vec3(0.0);
  vec3 place = (to_shadow * vec4(eye + ray * travel, 1.0)).xyz;
  if (all(greaterThan(place.xy, vec2(0.0))) && all(lessThan(place.xy, vec2(1.0)))) {
    // Two widths: a core where the fluid touches the floor, and a wide soft edge.
    optical_depth = 0.5 * (textureLod(shadow, place.xy, softness).rgb + textureLod(shadow, place.xy, softness + 1.5).rgb);
  }
  // The shadow has no colour: a coloured one with soft edges looks like a glow beside the fluid, and like more fluid where
  // the two meet. It is lighter than the light that passes, as the clearest channel is: water above the floor stays bright.
  vec3 passes = exp(-optical_depth);
  float clearest = max(passes.r, max(passes.g, passes.b));
  float light = mix(1.0, mix(dot(passes, vec3(0.2126, 0.7152, 0.0722)), clearest, 0.6), shadow_strength);
  pixel = vec4(sqrt(color * light), fade);
}
