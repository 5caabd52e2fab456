#version 450 core
// From the rendered scene to the picture: smooths outlines, averages rendered pixels, applies ambient occlusion.

uniform sampler2D scene;      // colour, and in alpha the distance to the silhouette: see sphere.frag
uniform sampler2D depth;      // reversed
uniform sampler2D occlusion;
uniform float strength;       // of the occlusion

layout(location = 0) out vec4 pixel;

// How much of this pixel is covered by a sphere whose outline a pixel next to it holds: 0..0.5. The code of that pixel
// must name this pixel's direction; see sphere.frag.
float reach(float alpha, float towards_this) {
  float along = alpha * 255.0 - 63.0 * towards_this;
  return along > -0.5 && along < 62.5 ? max(along / 62.0 - 0.5, 0.0) : 0.0;
}

vec3 rendered(ivec2 at) {
  vec4 own = texelFetch(scene, at, 0);
#if SMOOTH
  // Two gathers return the alpha of all four neighbours: x is the upper left of four texels, counter-clockwise.
  vec2 size = vec2(textureSize(scene, 0));
  vec4 below = textureGather(scene, vec2(at) / size, 3);          // (-1,0) (0,0) (0,-1) (-1,-1)
  vec4 above = textureGather(scene, (vec2(at) + 1.0) / size, 3);  // (0,1) (1,1) (1,0) (0,0)
  float weight = 0.0;
  ivec2 other = ivec2(0);
  float code = floor(own.a * 255.0 + 0.5);
  float direction = floor((code + 0.5) / 63.0);
  float to_edge = (code - 63.0 * direction) / 62.0;
  bool edge = code < 251.5;
  if (edge && to_edge < 0.5) {
    // The sphere ends within this pixel: the rest of the pixel shows the next pixel's colour.
    weight = 0.5 - to_edge;
    float sign = mod(direction, 2.0) > 0.5 ? -1.0 : 1.0;
    other = direction < 1.5 ? ivec2(int(sign), 0) : ivec2(0, int(sign));
  } else {
    float from_right = reach(above.z, 1.0), from_left = reach(below.x, 0.0);
    float from_top = reach(above.x, 3.0), from_bottom = reach(below.z, 2.0);
    weight = max(max(from_right, from_left), max(from_top, from_bottom));
    if (edge) weight = 0.0;  // this pixel's own outline is in front
    bool sideways = weight == from_right || weight == from_left;
    other = sideways ? ivec2(weight == from_right ? 1 : -1, 0) : ivec2(0, weight == from_top ? 1 : -1);
  }
  ivec2 next = clamp(at + other, ivec2(0), ivec2(size) - 1);
  if (weight > 0.0) own.rgb = mix(own.rgb, texelFetch(scene, next, 0).rgb, weight);
#endif
  return own.rgb;
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
#if FACTOR == 1
  vec3 color = rendered(at);
#else
  vec3 color = vec3(0.0);
  for (int y = 0; y < FACTOR; ++y)
    for (int x = 0; x < FACTOR; ++x) {
      vec3 c = rendered(at * FACTOR + ivec2(x, y));
      color += c * c;  // averages light, not its square root
    }
  color = sqrt(color / float(FACTOR * FACTOR));
#endif
#if OCCLUSION
  float covered = 0.0;
  for (int y = 0; y < FACTOR; ++y)
    for (int x = 0; x < FACTOR; ++x) covered += float(texelFetch(depth, at * FACTOR + ivec2(x, y), 0).r > 0.0);
  if (covered > 0.0) {
    float visible = 0.0;
    ivec2 last = textureSize(occlusion, 0) - 1;
    for (int y = -2; y < 2; ++y)
      for (int x = -2; x < 2; ++x) visible += texelFetch(occlusion, clamp(at + ivec2(x, y), ivec2(0), last), 0).r;
    color *= mix(1.0, sqrt(visible / 16.0), strength * covered / float(FACTOR * FACTOR));
  }
#endif
  pixel = vec4(color, 1.0);
}
