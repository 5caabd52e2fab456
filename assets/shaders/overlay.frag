#version 450 core

in vec2 texture_at;
flat in vec4 color;
flat in vec4 kind;

uniform sampler2D glyphs;     // signed distance, 0.5 on the outline, more inside
uniform sampler2D color_map;  // one row
uniform vec3 halo;            // sRGB behind the text

layout(location = 0) out vec4 pixel;

void main() {
  if (kind.x < 0.5) {
    pixel = color;
  } else if (kind.x < 1.5) {
    float signed_distance = (texture(glyphs, texture_at).r - 0.5) * kind.y;  // [pixel], positive inside
    float ink = clamp(signed_distance + 0.5, 0.0, 1.0);
    float glow = kind.z * smoothstep(0.0, 1.0, clamp(signed_distance / kind.w + 1.0, 0.0, 1.0));
    float alpha = ink + glow * (1.0 - ink);
    pixel = vec4(mix(halo, color.rgb, alpha > 0.0 ? ink / alpha : 0.0), alpha * color.a);
  } else if (kind.x > 2.5) {
    vec2 outside = max(max(-texture_at, texture_at - kind.zw), 0.0);
    pixel = vec4(color.rgb, color.a * (1.0 - smoothstep(0.0, 1.0, length(outside) / max(kind.y, 1e-3))));
  } else {
    float texels = float(textureSize(color_map, 0).x);
    float value = kind.y > 0.5 ? texture_at.x : texture_at.y;
    pixel = vec4(texture(color_map, vec2((value * (texels - 1.0) + 0.5) / texels, 0.5)).rgb, color.a);
  }
}
