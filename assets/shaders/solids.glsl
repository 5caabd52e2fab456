// The corners of the solids' triangles.

struct Corner {
  vec4 at;      // world [m]
  vec4 normal;  // world
};

layout(std430, binding = 0) readonly buffer Corners { Corner corner[]; };
