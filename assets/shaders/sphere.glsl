// Ray against unit sphere, in a frame at its centre whose z axis points at the eye. All numbers are of order one there,
// so that a small sphere far away keeps its precision.

// Square of the ray's distance from the centre; above 1 it misses.
float ray_distance2(vec2 offset, float k) {
  float s = dot(offset, offset);
  return s / (1.0 + s * k * k);
}

// Change of that square from one pixel to the next, along x and along y. dx, dy: the change of the offset, which is
// almost constant around a pixel. The difference of the squares at two pixels would give the slope half a pixel to one
// side.
vec2 ray_distance2_slope(vec2 offset, float k, vec2 dx, vec2 dy) {
  float w = 1.0 / (1.0 + dot(offset, offset) * k * k);
  return 2.0 * w * w * vec2(dot(offset, dx), dot(offset, dy));
}

// facing: cosine between the normal and the ray back to the eye.
vec3 ray_normal(vec2 offset, float k, float facing) {
  float s = dot(offset, offset);
  float w = 1.0 / (1.0 + s * k * k);
  return vec3(offset * w, s * k * w) + vec3(-offset * k, 1.0) * (facing * sqrt(w));
}

// The square in which a sphere is traced. It is perpendicular to the line from the eye to the centre and touches the
// sphere's nearest point. In the plane through the centre it has the half width of the tangent cone, so it covers the
// true silhouette. Under perspective that is an ellipse, which a screen-aligned square of the sphere's radius would cut
// off.

struct Square {
  vec3 right, up, back;  // view space; back points at the eye
  float k;               // radii per distance of the eye; 0 in an orthographic view
};

Square square_at(vec3 center, float radius, bool orthographic) {
  Square square;
  float distance_to_eye = length(center);
  square.back = orthographic ? vec3(0.0, 0.0, 1.0) : -center / distance_to_eye;
  square.right = normalize(abs(square.back.y) < 0.9 ? cross(vec3(0.0, 1.0, 0.0), square.back)
                                                    : cross(square.back, vec3(1.0, 0.0, 0.0)));
  square.up = cross(square.back, square.right);
  square.k = orthographic ? 0.0 : radius / distance_to_eye;
  return square;
}

// From the centre in its plane, in radii.
vec2 square_offset(Square square, vec2 corner) { return corner * inversesqrt(1.0 - square.k * square.k); }

vec3 square_corner(Square square, vec3 center, float radius, vec2 offset) {
  return center + radius * square.back + (1.0 - square.k) * radius * (square.right * offset.x + square.up * offset.y);
}

// Eye depth is dot(xyz, local normal) + w.
vec4 depth_plane_of(Square square, vec3 center, float radius) {
  return vec4(-radius * vec3(square.right.z, square.up.z, square.back.z), -center.z);
}
