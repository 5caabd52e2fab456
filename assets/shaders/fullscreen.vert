#version 450 core
// One triangle over the whole target.

out vec2 position;  // 0..1 over the target, y up

void main() {
  position = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  gl_Position = vec4(2.0 * position - 1.0, 0.0, 1.0);
}
