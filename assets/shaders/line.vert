#version 450 core
// Line segments as ribbons of constant width in pixels; six vertices per segment.

layout(std430, binding = 1) readonly buffer Segments { vec4 end[]; };  // two per segment, world [m]

uniform mat4 view;
uniform mat4 projection;
uniform bool orthographic;
uniform float near_depth;    // [m]
uniform float forward;       // [m] distance by which the depth test takes lines to be nearer
uniform vec2 viewport;       // [pixel]
uniform float half_width;    // [pixel]
uniform vec2 fade_range;     // eye depths of the domain: nearest, 1 / extent

out float across;            // pixels from the line's middle
out float fade;

void main() {
  int segment = gl_VertexID / 6;
  int part = gl_VertexID % 6;
  vec3 a = (view * vec4(end[2 * segment].xyz, 1.0)).xyz;
  vec3 b = (view * vec4(end[2 * segment + 1].xyz, 1.0)).xyz;
  if (!orthographic) {  // clips the part behind the eye
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
  vec3 tested = at_b ? b : a;
  tested.z = min(tested.z + forward, orthographic ? 1e30 : -near_depth);
  vec4 clip_tested = projection * vec4(tested, 1.0);
  clip.z = clip_tested.z / clip_tested.w * clip.w;
  vec2 screen = (at_b ? screen_b + along * half_width : screen_a - along * half_width) + normal * side * reach;
  gl_Position = vec4(screen / (0.5 * viewport) * clip.w, clip.z, clip.w);
  across = side * reach * clip.w;  // times w, which the fragment shader divides by: linear on the screen
  float depth = at_b ? -b.z : -a.z;
  fade = clamp((depth - fade_range.x) * fade_range.y, 0.0, 1.0);
}
