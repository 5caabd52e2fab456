#version 450 core
// Edges of the domain as ribbons of constant width in pixels; six vertices per edge.

uniform mat4 view;
uniform mat4 projection;
uniform vec3 corner_min;
uniform vec3 corner_max;
uniform bool orthographic;
uniform float near_depth;    // [m]
uniform vec2 viewport;       // [pixel]
uniform float half_width;    // [pixel]
uniform vec2 fade_range;     // eye depth of the box: nearest, 1 / extent

out float across;            // pixels from the line's middle
out float fade;

const int kEdges[24] = int[](0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7);

vec3 corner(int i) {
  bvec3 high = bvec3((i & 1) != 0, (i & 2) != 0, (i & 4) != 0);
  return mix(corner_min, corner_max, high);
}

void main() {
  int edge = gl_VertexID / 6;
  int part = gl_VertexID % 6;
  vec3 a = (view * vec4(corner(kEdges[2 * edge]), 1.0)).xyz;
  vec3 b = (view * vec4(corner(kEdges[2 * edge + 1]), 1.0)).xyz;
  if (!orthographic) {  // the part behind the eye has no place on the screen
    if (max(-a.z, -b.z) <= near_depth) {
      gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
      across = fade = 0.0;
      return;
    }
    if (-a.z < near_depth) a = mix(a, b, (near_depth + a.z) / (a.z - b.z));
    if (-b.z < near_depth) b = mix(b, a, (near_depth + b.z) / (b.z - a.z));
  }
  vec4 clip_a = projection * vec4(a, 1.0);
  vec4 clip_b = projection * vec4(b, 1.0);
  vec2 screen_a = clip_a.xy / clip_a.w * 0.5 * viewport;
  vec2 screen_b = clip_b.xy / clip_b.w * 0.5 * viewport;
  vec2 along = screen_b - screen_a;
  float len = length(along);
  along = len > 1e-3 ? along / len : vec2(1.0, 0.0);
  vec2 normal = vec2(-along.y, along.x);

  bool at_b = part == 1 || part == 2 || part == 4;
  float side = (part == 2 || part == 4 || part == 5) ? 1.0 : -1.0;
  float reach = half_width + 1.0;  // the outermost pixel fades out
  vec4 clip = at_b ? clip_b : clip_a;
  vec2 screen = (at_b ? screen_b + along * half_width : screen_a - along * half_width) + normal * side * reach;
  gl_Position = vec4(screen / (0.5 * viewport) * clip.w, clip.z, clip.w);
  across = side * reach * clip.w;  // times w, undone in the fragment shader: linear on the screen
  float depth = at_b ? -b.z : -a.z;
  fade = clamp((depth - fade_range.x) * fade_range.y, 0.0, 1.0);
}
