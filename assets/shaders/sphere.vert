#version 450 core
// One square per particle, pulled from the particle buffer: six vertices each, no vertex attributes.
// The square is perpendicular to the line from the eye to the centre and touches the sphere's nearest point. In the
// plane through the centre it has the half width of the tangent cone, so it covers the true silhouette, which under
// perspective is an ellipse that a screen-aligned square of the sphere's radius would cut off.

layout(std430, binding = 0) readonly buffer Particles { vec4 particle[]; };  // x, y, z [m], colour value

uniform mat4 view;
uniform mat4 projection;
uniform float sphere_radius;    // [m]
uniform bool orthographic;
uniform float pixel_angle;      // height of a pixel: tan(angle) under perspective, [m] in an orthographic view
uniform vec2 value_range;       // of the colour map's ends: (minimum, 1 / extent)
uniform int palette_size;       // 0: colour map
uniform vec3 palette[8];        // sRGB
uniform sampler2D color_map;    // one row
uniform vec3 key_light;         // view space, towards the light
uniform vec3 sky;               // view space, up in the world

out vec2 offset;                // from the centre in its plane, in radii
flat out vec3 color;            // linear
flat out vec3 local_key;
flat out vec3 local_sky;
flat out vec4 depth_plane;      // (dot with the local normal) + w is the eye depth [m]
flat out float inverse_distance;  // radii per distance of the eye; 0 in an orthographic view

const vec2 kCorners[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, -1), vec2(1, 1), vec2(-1, 1));

vec3 color_of(float value) {
  if (!(abs(value) < 3e38)) return vec3(0.45);  // not a number: a grey that no map has
  if (palette_size > 0) return palette[clamp(int(value + 0.5), 0, palette_size - 1)];
  float t = clamp((value - value_range.x) * value_range.y, 0.0, 1.0);
  float texels = float(textureSize(color_map, 0).x);
  return textureLod(color_map, vec2((t * (texels - 1.0) + 0.5) / texels, 0.5), 0.0).rgb;
}

void main() {
  vec4 p = particle[gl_VertexID / 6];
  vec2 corner = kCorners[gl_VertexID % 6];
  vec3 center = (view * vec4(p.xyz, 1.0)).xyz;
  float distance_to_eye = length(center);
  // A sphere below the size of a pixel would come and go from picture to picture: it is drawn as large as one.
  float pixel = pixel_angle * (orthographic ? 1.0 : -center.z);  // [m]
  float radius = max(sphere_radius, 0.7 * pixel);
  // Every comparison is false for a NaN, so a broken particle is not drawn; nor is one that the eye is inside of.
  bool drawable = all(lessThan(abs(p.xyz), vec3(1e30))) && (orthographic || distance_to_eye > 1.001 * radius);
  if (!drawable) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    offset = vec2(2.0);
    color = local_key = local_sky = vec3(0.0);
    depth_plane = vec4(0.0);
    inverse_distance = 0.0;
    return;
  }

  vec3 back = orthographic ? vec3(0.0, 0.0, 1.0) : -center / distance_to_eye;
  vec3 right = normalize(abs(back.y) < 0.9 ? cross(vec3(0.0, 1.0, 0.0), back) : cross(back, vec3(1.0, 0.0, 0.0)));
  vec3 up = cross(back, right);
  float k = orthographic ? 0.0 : radius / distance_to_eye;
  float cone = inversesqrt(1.0 - k * k);
  offset = corner * cone;
  inverse_distance = k;

  vec3 position = center + radius * back + (1.0 - k) * radius * (right * offset.x + up * offset.y);
  gl_Position = projection * vec4(position, 1.0);

  mat3 to_local = transpose(mat3(right, up, back));
  local_key = to_local * key_light;
  local_sky = to_local * sky;
  depth_plane = vec4(-radius * vec3(right.z, up.z, back.z), -center.z);
  vec3 srgb = color_of(p.w);
  color = srgb * srgb;  // a gamma of 2 is close enough to sRGB and costs one multiplication
}
