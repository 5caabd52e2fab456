// Ray against unit sphere, in a frame at its centre whose z axis points at the eye: all numbers are of order one there,
// so that a small sphere far away keeps its digits.

// Square of the ray's distance from the centre; above 1 it misses.
float ray_distance2(vec2 offset, float k) {
  float s = dot(offset, offset);
  return s / (1.0 + s * k * k);
}

// facing: cosine between the normal and the ray back to the eye.
vec3 ray_normal(vec2 offset, float k, float facing) {
  float s = dot(offset, offset);
  float w = 1.0 / (1.0 + s * k * k);
  return vec3(offset * w, s * k * w) + vec3(-offset * k, 1.0) * (facing * sqrt(w));
}
