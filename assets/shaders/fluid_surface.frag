#version 450 core
// Colour and foam of the visible fluid: a mean over the particles near the surface. Of fluids' own colours it is the mean
// of what they absorb, as it is for light that passes through both. A mean of the colours themselves would be lilac where
// blue meets orange, though no light there is.

in vec2 offset;
flat in float eye_depth;
flat in vec3 color;
flat in float enlarged;
flat in float foam;

uniform sampler2D depth;   // [m], of the surface; 0: none
uniform vec2 pixel_size;   // 1 / (width, height) of the target
uniform bool mixes_absorption;  // the colours are the fluids' own
uniform float reach;       // [m] depth below the surface from which a particle still shows its colour

layout(location = 0) out vec4 color_sum;  // or absorption, and weight
layout(location = 1) out float foam_sum;

void main() {
  float d2 = dot(offset, offset);
  if (d2 > 1.0) discard;
  float weight = (1.0 - d2) * (1.0 - d2);
  float surface = textureLod(depth, gl_FragCoord.xy * pixel_size, 0.0).r;
  if (surface > 0.0) {
    float below = max(0.0, eye_depth - surface) / reach;
    weight *= exp2(-1.44 * below * below);
  }
  weight *= 0.25;
  color_sum = vec4((mixes_absorption ? -log(max(color, vec3(0.012))) : color) * weight, weight);
  foam_sum = foam * weight;
}
