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
