#version 450 core
// A 2-D fluid: the particles' areas add up to a field that is 1 inside. Its level 1/2 is the outline. A particle alone
// does not reach it, so it has a core that adds another 1/2. Particles with others around them have no core: their outline
// would show it as a row of balls.
//
// A solid's area has no particles, so the field falls to 1/2 before the fluid ends at the solid. It is divided by the part of
// a disc that is outside the solids, as if the fluid went on in them. The square closes what particles near an uneven surface
// leave open: with it the level is reached up to half a spacing farther from the last particles.
//
// The discs of particles at a wall reach into the wall. That part is folded back into the box, as if the fluid went on
// behind a mirror: so the fluid fills the box up to the wall, and ends there. What reaches beyond a periodic face is
// added at the opposite face, or at its own where the opposite one is outside the picture. A face may lie at the picture's edge:
// so the fields reach farther than the picture.

#include "camera.glsl"
#include "paint.glsl"

in vec2 position;

uniform sampler2D surface;    // see fluid_surface.frag
uniform sampler2D thickness;  // see fluid_thickness.frag
uniform sampler2D cores;      // see fluid_surface.frag
uniform sampler2D solids;     // 1: a solid; with mipmaps
uniform bool has_solids;
uniform float fields_scale;   // 0.5..1: the fields and the solids are drawn so much smaller than the picture, around its middle
uniform sampler2D behind;     // sRGB
uniform mat4 view;            // from the world, whose plane z = 0 has the particles
uniform vec2 box_min, box_max;  // [m]
uniform ivec2 faces;          // of x and y, 0: open, 1: walled, 2: periodic
uniform float reach;          // [m] of a disc
uniform vec3 ink;             // linear

layout(location = 0) out vec4 pixel;

float level(float sum, float core) { return sum + 0.5 * core; }

// 0..1: the part of a pixel within the level
float part_within(float field, float width) { return clamp((field - 0.5) / width + 0.5, 0.0, 1.0); }

// Of a place in the picture, in the fields.
vec2 in_fields(vec2 at) { return 0.5 + fields_scale * (at - 0.5); }

vec2 place_of(vec2 at) { return in_fields(picture_place((view * vec4(at, 0.0, 1.0)).xyz)); }

// Where the discs that reach over the lower (-1) or the upper face (1) of an axis have drawn what belongs here.
float image(float x, int axis, int side, bool as_wall) {
  float low = box_min[axis], high = box_max[axis];
  if (faces[axis] == 2 && !as_wall) return side < 0 ? x + high - low : x - high + low;
  return 2.0 * (side < 0 ? low : high) - x;
}

// Whether a disc reaches so far over that face.
bool reached(float x, int axis, int side) {
  return faces[axis] != 0 && (side < 0 ? x - box_min[axis] : box_max[axis] - x) < reach;
}

// What belongs inside the box at a place beyond its faces.
vec2 folded(vec2 at) {
  for (int axis = 0; axis < 2; ++axis) {
    float low = box_min[axis], high = box_max[axis], x = at[axis];
    if (faces[axis] == 0 || (x >= low && x <= high)) continue;
    at[axis] = faces[axis] == 2 ? (x < low ? x + high - low : x - high + low) : 2.0 * (x < low ? low : high) - x;
  }
  return at;
}

// 0..1: the part of a disc around a place that is in solids.
// pixel: [m] of this picture
float solid_part(vec2 at, float pixel) {
  const int count = 2;             // of places to each side
  const float apart = 0.38;        // of the disc's radius
  float step = apart * reach;
  float level = log2(max(fields_scale * step / (2.0 * pixel), 1.0));  // the solids' picture has half the size
  if (textureLod(solids, place_of(at), level + 3.0).r <= 0.0) return 0.0;
  float sum = 0.0, weights = 0.0;
  for (int i = -count; i <= count; ++i)
    for (int k = -count; k <= count; ++k) {
      float d2 = apart * apart * float(i * i + k * k);
      if (d2 >= 1.0) continue;
      float weight = (1.0 - d2) * (1.0 - d2);
      sum += weight * textureLod(solids, place_of(folded(at + step * vec2(i, k))), level).r;
      weights += weight;
    }
  return sum / weights;
}

void main() {
  // The place in the plane.
  vec3 from = orthographic ? view_place(position, 0.0) : vec3(0.0);
  vec3 ray = view_ray(position), plane = view[3].xyz, normal = view[2].xyz;
  vec3 eye = from + ray * (dot(plane - from, normal) / dot(ray, normal));
  vec2 world = (transpose(mat3(view)) * (eye - plane)).xy;

  // In front of a wall's outer side there is nothing but stray particles; the field is that at the wall.
  vec2 low = mix(vec2(-1e30), box_min, notEqual(faces, ivec2(0))), high = mix(vec2(1e30), box_max, notEqual(faces, ivec2(0)));
  vec2 at = clamp(world, low, high);
  vec2 field = vec2(0.0);  // thickness and cores
  vec4 front = vec4(0.0);
  for (int i = -1; i <= 1; ++i)
    for (int k = -1; k <= 1; ++k) {
      if ((i != 0 && !reached(at.x, 0, i)) || (k != 0 && !reached(at.y, 1, k))) continue;
      vec2 there = place_of(vec2(i == 0 ? at.x : image(at.x, 0, i, false), k == 0 ? at.y : image(at.y, 1, k, false)));
      // The opposite face may be outside the picture. A mirror at the near face is the best guess then.
      if (there != clamp(there, 0.0, 1.0))
        there = place_of(vec2(i == 0 ? at.x : image(at.x, 0, i, true), k == 0 ? at.y : image(at.y, 1, k, true)));
      vec2 sum = textureLod(thickness, there, 0.0).ag, core = textureLod(cores, there, 0.0).rg;
      if (i != 0 || k != 0) sum.x -= sum.y, core.x -= core.y;  // a stray particle has no image
      field += vec2(sum.x, core.x);
      front += textureLod(surface, there, 0.0);
    }
  vec2 pixel_size = max(fwidth(world), vec2(1e-12));
  vec2 room = min(world - low, high - world) / pixel_size;
  float within_box = clamp(min(room.x, room.y) + 0.5, 0.0, 1.0);
  float fluid = level(field.x, field.y);
  vec2 here = in_fields(position);
  float strays = level(textureLod(thickness, here, 0.0).g, textureLod(cores, here, 0.0).g);
  if (has_solids) fluid /= pow(max(1.0 - solid_part(at, max(pixel_size.x, pixel_size.y)), 0.05), 2.0);
  float width = max(fwidth(fluid), 1e-4), stray_width = max(fwidth(strays), 1e-4);
  float inside = part_within(fluid, width) * within_box;
  if (within_box < 1.0) {
    float stray = part_within(strays, stray_width);
    if (stray > inside) {
      inside = stray;
      fluid = strays;
      width = stray_width;
      front = textureLod(surface, here, 0.0);
    }
  }
  if (inside <= 0.0) discard;
  vec3 color = color_of_paint(max(front, vec4(0.0, 0.0, 0.0, 1e-4)));
  float rim = 1.0 - smoothstep(0.5, 0.5 + max(0.12, 1.5 * width), fluid);
  color = mix(color, 0.35 * color, 0.75 * rim);
  vec3 own = textureLod(behind, position, 0.0).rgb;
  pixel = vec4(sqrt(mix(own * own, color, inside)), 1.0);
  gl_FragDepth = inside >= 0.5 ? window_depth(-eye.z) : 0.0;
}
