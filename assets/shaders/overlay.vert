#version 450 core
// Rectangles of the legend and glyphs of its text, in pixels from the picture's upper left corner.

struct Quad {
  vec4 place;    // left, top, right, bottom [pixel]
  vec4 texture;  // left, top, right, bottom, 0..1; of a plate [pixel] from the upper left corner of its middle part
  vec4 color;    // sRGB and opacity
  // x: 0 plain, 1 glyph, 2 colour bar, 3 plate; y: screen pixels per distance-field unit, of a bar 1 if it lies, of a plate
  // over how many pixels it fades; z, w: halo's opacity and width [pixel], of a plate size of its middle part [pixel]
  vec4 kind;
};

layout(std430, binding = 1) readonly buffer Quads { Quad quad[]; };

uniform vec2 viewport;  // [pixel]

out vec2 texture_at;
flat out vec4 color;
flat out vec4 kind;

const vec2 kCorners[6] = vec2[](vec2(0, 0), vec2(0, 1), vec2(1, 1), vec2(0, 0), vec2(1, 1), vec2(1, 0));

void main() {
  Quad q = quad[gl_VertexID / 6];
  vec2 corner = kCorners[gl_VertexID % 6];
  vec2 at = mix(q.place.xy, q.place.zw, corner);
  texture_at = mix(q.texture.xy, q.texture.zw, corner);
  color = q.color;
  kind = q.kind;
  gl_Position = vec4(2.0 * at.x / viewport.x - 1.0, 1.0 - 2.0 * at.y / viewport.y, 0.0, 1.0);
}
