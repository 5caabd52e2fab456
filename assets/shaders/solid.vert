#version 450 core
// A corner of a solid's triangle.

#include "solids.glsl"

uniform mat4 view;
uniform mat4 projection;

// Within the triangle also where the pixel's middle is not.
centroid out vec3 normal;  // view space
centroid out vec3 place;   // view space

void main() {
  Corner own = corner[gl_VertexID];
  vec4 at = view * vec4(own.at.xyz, 1.0);
  place = at.xyz;
  normal = mat3(view) * own.normal.xyz;
  gl_Position = projection * at;
}
