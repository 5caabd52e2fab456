#version 450 core
// From four samples per pixel to the scene: mean colour and depth of a solid, and the distance to its silhouette in the
// code of sphere.frag.

uniform sampler2DMS color;  // sRGB
uniform sampler2DMS depth;  // reversed; 0: no solid

layout(location = 0) out vec4 pixel;

const int kSamples = 4;

int covered(ivec2 at) {
  if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, textureSize(depth)))) return kSamples;
  int count = 0;
  for (int i = 0; i < kSamples; ++i) count += int(texelFetch(depth, at, i).r > 0.0);
  return count;
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec3 light = vec3(0.0);
  float depths = 0.0;
  int own = 0;
  for (int i = 0; i < kSamples; ++i) {
    float d = texelFetch(depth, at, i).r;
    if (d <= 0.0) continue;
    ++own;
    depths += d;
    vec3 c = texelFetch(color, at, i).rgb;
    light += c * c;
  }
  // Less than half belongs to what is beside the solid. The solid's pixel next to it holds how much this one has of it.
  if (2 * own < kSamples) discard;
  ivec4 next = ivec4(covered(at + ivec2(1, 0)), covered(at - ivec2(1, 0)), covered(at + ivec2(0, 1)),
                     covered(at - ivec2(0, 1)));
  int least = min(min(next.x, next.y), min(next.z, next.w));
  float code = 255.0;
  if (2 * least < kSamples && (own < kSamples || least > 0)) {
    float direction = next.x == least ? 0.0 : next.y == least ? 1.0 : next.z == least ? 2.0 : 3.0;
    // [pixel] from this pixel's middle to the silhouette
    float to_edge = float(own + least) / float(kSamples) - 0.5;
    code = 63.0 * direction + floor(62.0 * clamp(to_edge, 0.0, 1.0) + 0.5);
  }
  pixel = vec4(sqrt(light / float(own)), code / 255.0);
  gl_FragDepth = depths / float(own);
}
