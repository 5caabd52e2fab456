#version 450 core
// Colour and alpha of a picture without a background, from the same picture over black and over white.

in vec2 position;

uniform sampler2D over_black;  // sRGB
uniform sampler2D over_white;

layout(location = 0) out vec4 pixel;  // sRGB, not multiplied by alpha

void main() {
  vec3 black = textureLod(over_black, position, 0.0).rgb, white = textureLod(over_white, position, 0.0).rgb;
  // Over a background b the picture is colour alpha + b (1 - alpha). Coloured water has an alpha for each of red, green
  // and blue; a file has their mean.
  float alpha = clamp(1.0 - dot(white - black, vec3(1.0 / 3.0)), 0.0, 1.0);
  pixel = vec4(alpha > 0.0 ? min(black / alpha, 1.0) : vec3(0.0), alpha);
}
