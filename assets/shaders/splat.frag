#version 450 core
// Copies spheres that kernels have lit into the scene: colour and depth of each pixel.

layout(std430, binding = 0) readonly buffer Splats { uvec2 splat[]; };  // (rows, pitch) of {RGBA8, window depth's bits}

uniform int pitch;      // [pixel] from one row to the next
uniform int first_row;  // first row in the buffer

layout(location = 0) out vec4 pixel;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  uvec2 own = splat[(at.y - first_row) * pitch + at.x];
  if (own.y == 0u) discard;
  gl_FragDepth = uintBitsToFloat(own.y);
  pixel = unpackUnorm4x8(own.x);
}
