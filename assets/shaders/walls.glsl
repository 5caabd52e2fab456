// Where a ray from the eye goes through the domain's box. Needs camera.glsl.

uniform mat4 view;               // from the world
uniform vec3 box_min, box_max;   // [m], very large across open axes

struct Chord {
  bool hits;
  float enters, leaves;  // [m] eye depth
  vec3 normal;           // world, outwards, of the wall through which it enters
  float slant;           // 0..: [m] that the ray comes away from this wall while its eye depth grows by 1 m
  vec3 from, along;      // world: a point of the ray, and the way for 1 m of eye depth
};

// at: 0..1 over the picture
Chord chord(vec2 at) {
  Chord c;
  mat3 to_world = transpose(mat3(view));
  c.from = to_world * ((orthographic ? view_place(at, 0.0) : vec3(0.0)) - view[3].xyz);
  c.along = to_world * (orthographic ? vec3(0.0, 0.0, -1.0) : vec3((2.0 * at - 1.0) * half_extent, -1.0));
  vec3 along = mix(c.along, vec3(1e-12), lessThan(abs(c.along), vec3(1e-12)));
  vec3 low = (box_min - c.from) / along, high = (box_max - c.from) / along;
  vec3 first = min(low, high), last = max(low, high);
  c.enters = max(max(first.x, first.y), first.z);
  c.leaves = min(min(last.x, last.y), last.z);
  c.hits = c.enters < c.leaves;
  vec3 axis = c.enters == first.x ? vec3(1, 0, 0) : c.enters == first.y ? vec3(0, 1, 0) : vec3(0, 0, 1);
  c.slant = abs(dot(axis, along));
  c.normal = -axis * sign(dot(axis, along));
  return c;
}
