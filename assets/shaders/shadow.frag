#version 450 core

in vec2 offset;
flat in vec3 optical_depth;

uniform float weight;

layout(location = 0) out vec4 sum;

void main() {
  float d2 = dot(offset, offset);
  if (d2 > 1.0) discard;
  sum = vec4(optical_depth * weight * (1.0 - d2), 1.0);
}
