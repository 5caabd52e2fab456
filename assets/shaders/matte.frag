#version 450 core
// Colour and alpha of a picture without a background, from the same picture over black and over white.

in vec2 position;

uniform sampler2D over_black;  // sRGB
uniform sampler2D over_white;

layout(location = 0) out vec4 pixel;  // sRGB, not multiplied by alpha

void main() {
  vec3 black = textureLod(over_black, position, 0.0).rgb, white = textureLod(over_white, position, 0.0).rgb;
  // Over a background b the picture is colour alpha + b (1 - alpha). Coloured water has an alpha for each of red, green
  // and blue; a file has one: their mean, or what the picture over white needs at least. The colour is the one that is
  // right over white.
  float mean = 1.0 - dot(white - black, vec3(1.0 / 3.0)), least = 1.0 - min(white.r, min(white.g, white.b));
  float alpha = clamp(max(mean, least), 0.0, 1.0);
  pixel = vec4(alpha > 0.0 ? clamp((white - (1.0 - alpha)) / alpha, 0.0, 1.0) : vec3(0.0), alpha);
}
