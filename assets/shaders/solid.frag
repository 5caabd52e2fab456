#version 450 core
// A solid's surface in the light of the spheres (sphere.frag), but dull: a flat face would mirror all over or nowhere.

centroid in vec3 normal;
centroid in vec3 place;

uniform bool orthographic;
uniform vec3 key_light;  // view space, towards the light
uniform vec3 sky;        // view space, up in the world
uniform vec3 color;      // linear

layout(location = 0) out vec4 pixel;

void main() {
  vec3 to_eye = orthographic ? vec3(0.0, 0.0, 1.0) : normalize(-place);
  vec3 n = normalize(normal);
  float facing = dot(n, to_eye);
  // Seen from inside, where the eye is in the solid.
  if (facing < 0.0 && !gl_FrontFacing) n = -n;
  float key = dot(n, key_light);
  float wrapped = max(0.0, 0.8 * key + 0.2);
  float hemisphere = 0.5 + 0.5 * dot(n, sky);
  vec3 fill = mix(vec3(0.13, 0.13, 0.15), vec3(0.36, 0.39, 0.44), hemisphere);
  vec3 light = color * (vec3(0.86, 0.84, 0.80) * wrapped + fill);
  pixel = vec4(sqrt(light), 1.0);
}
