// A photographer's studio around the scene: a bright sky that fades to the horizon, three soft lamps, a floor. Linear.

uniform vec3 sky_top;      // linear
uniform vec3 sky_bottom;   // linear

// 0..1 across a lamp with a soft edge, which is 1/2 at half its width. On calm water a lamp with an edge has an image
// with an edge, and the faintest ripples bend it into dark lines.
float lamp(float away, float half_width) {
  float far = away / half_width;
  return exp2(-far * far);
}

// d.y is up in the world; x and z are fixed directions. The horizon is dark, so that the rim of a drop, which mirrors
// it, stands out from a bright background.
vec3 environment(vec3 d) {
  vec3 sky = sky_top * mix(0.16, 0.95, smoothstep(-0.02, 0.55, d.y));
  vec3 below = sky_bottom * mix(0.16, 0.5, smoothstep(0.02, -0.6, d.y));
  vec3 light = mix(below, sky, smoothstep(-0.03, 0.03, d.y));
  // Lamps: a wide one overhead, a round one at the side, a strip behind.
  vec3 key_axis = normalize(vec3(-0.35, 0.85, 0.40));
  float facing = dot(d, key_axis);
  if (facing > 0.0) {
    vec3 wide = normalize(cross(vec3(0.0, 0.0, 1.0), key_axis));
    vec2 at = vec2(dot(d, wide), dot(d, cross(key_axis, wide))) / facing;
    light += 1.9 * lamp(at.x, 0.52) * lamp(at.y, 0.27);
  }
  float aside = 1.0 - dot(d, normalize(vec3(0.9, 0.38, 0.15)));
  light += vec3(0.75, 0.80, 0.85) * lamp(sqrt(2.0 * max(aside, 0.0)), 0.33);
  light += vec3(0.80, 0.78, 0.74) * lamp(d.y - 0.30, 0.11) * smoothstep(0.2, 0.95, -d.z);
  return light;
}
