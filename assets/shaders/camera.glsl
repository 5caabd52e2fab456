// From window and eye depths to places in view space.

uniform vec2 depth_transform;  // window depth: x / eye depth under perspective, x + y * eye depth otherwise
uniform bool orthographic;
uniform vec2 half_extent;      // of the view at eye depth 1, or of an orthographic view [m]

float window_depth(float eye_depth) {
  return orthographic ? depth_transform.x + depth_transform.y * eye_depth : depth_transform.x / eye_depth;
}

// at: 0..1 over the picture
vec3 view_place(vec2 at, float eye_depth) {
  return vec3((2.0 * at - 1.0) * half_extent * (orthographic ? 1.0 : eye_depth), -eye_depth);
}

vec2 picture_place(vec3 p) { return 0.5 + 0.5 * p.xy / (half_extent * (orthographic ? 1.0 : -p.z)); }

// Unit vector from the eye through a point of the picture.
vec3 view_ray(vec2 at) {
  return orthographic ? vec3(0.0, 0.0, -1.0) : normalize(vec3((2.0 * at - 1.0) * half_extent, -1.0));
}
