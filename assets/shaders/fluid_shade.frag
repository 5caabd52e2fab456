#version 450 core
// Draws the fluid's surface over the background: refraction, absorption, reflection of the studio, highlights, foam.

#include "camera.glsl"
#include "environment.glsl"
#include "walls.glsl"
#include "paint.glsl"

in vec2 position;

uniform sampler2D depth;      // eye depth of the smooth surface [m]; 0: none
uniform sampler2D bulk;       // see fluid_bulk.frag, and with SOLIDS fluid_shore.frag
uniform sampler2D thickness;  // see fluid_thickness.frag
uniform sampler2D surface;    // see fluid_surface.frag
uniform sampler2D outline;    // 1: covered by spheres; with mipmaps
uniform sampler2D foam;       // times weight
uniform sampler2D behind;     // the scene without the fluid and without lines, sRGB
uniform sampler2D lined;      // the same with lines
uniform mat3 to_studio;       // view space to the studio's, in which y is up in the world
uniform vec3 key_light;       // view space, towards the light
uniform vec3 sky;             // view space, up in the world
uniform float spacing;        // [m]
uniform float absorption_length;  // [m]
uniform float opacity;        // 0: clear, 1: paint
uniform float refractive_index;
uniform float farthest_exit;  // [m] longest path of a refracted ray
uniform float bump;           // [m] from the fluid's surface outwards to the spheres' mean surface
uniform float lone_thickness;  // [particle spacings] of a particle alone
uniform vec3 around;          // linear, the studio's light that deep water gathers from all sides
#ifdef SOLIDS
uniform sampler2D opaque;     // window depth of what is not fluid; 0: nothing
uniform sampler2D nearest;    // eye depth of the nearest of all spheres [m]; 0: none
uniform sampler2D within;     // [particle spacings] of fluid above four depths below the surface
uniform vec4 within_depths;   // [particle spacings]
uniform vec3 backdrop;        // linear, of the background
const float roughness = 0.03;  // of the surface: how far a refracted ray is off, over its length
const float veil = 3.0;        // [1 / absorption length] at which a solid loses its contrast in the fluid
bool drop = false;            // this pixel shows a drop that is left out of the surface
float surface_at(vec2 at) { return drop ? textureLod(nearest, at, 0.0).r : textureLod(depth, at, 0.0).r; }
#else
float surface_at(vec2 at) { return textureLod(depth, at, 0.0).r; }
#endif

layout(location = 0) out vec4 pixel;

// Takes the smaller of the two one-sided slopes, because across a silhouette the other one joins two surfaces.
// jump: [m] by which the pixels before and after are off a plane, the larger of this and the present value.
vec3 slope(vec3 p, vec2 at, vec2 step, inout float jump) {
  float before = surface_at(at - step), after = surface_at(at + step);
  // On a plane depths are linear under an orthographic view, and their inverses under perspective.
  float middle = orthographic ? 0.5 * (before + after) : 2.0 * before * after / (before + after);
  if (before > 0.0 && after > 0.0) jump = max(jump, 2.0 * abs(middle + p.z));
  vec3 a = p - view_place(at - step, before), b = view_place(at + step, after) - p;
  if (before <= 0.0) return after > 0.0 ? b : view_place(at + step, -p.z) - p;
  if (after <= 0.0) return a;
  return abs(a.z) < abs(b.z) ? a : b;
}

#ifdef SOLIDS
float opaque_depth(float z) {  // of the eye [m]
  if (z <= 0.0) return 1e30;
  return orthographic ? (z - depth_transform.x) / depth_transform.y : depth_transform.x / z;
}
float opaque_depth_at(vec2 at) { return opaque_depth(textureLod(opaque, at, 0.0).r); }

// [m] by which a point is behind a solid that hides the fluid there; negative: before it, or there is none
float on_solid(vec3 at) {
  float z = textureLod(bulk, picture_place(at), 0.0).g;
  return z > 0.0 ? -at.z - z : -1.0;
}
#endif

// 0..1: how much of the studio in a direction is hidden by the fluid itself. Where a jet meets a pool, the surface is
// hollow and sees the jet: without this it would mirror a lamp behind the jet.
// solid: what solids hide of it, and their colour, linear
float hidden(vec3 p, vec3 n, vec3 d, out vec4 solid) {
  const int steps = 24;
  float passed = 0.0, before = 0.0;  // [particle spacings]
  vec3 start = p + n * (0.5 * spacing);
  bool on = false;  // behind a solid
  solid = vec4(0.0);
  for (int k = 1; k <= steps; ++k) {
    float part = float(k) / float(steps), away = 14.0 * part * part, length_here = away - before;
    before = away;
    vec3 at = start + d * (away * spacing);
    if (!orthographic && at.z > -1e-6) break;
    vec2 place = picture_place(at);
    if (any(lessThan(place, vec2(0.0))) || any(greaterThan(place, vec2(1.0)))) break;
    float surface = textureLod(depth, place, 0.0).r;
#ifdef SOLIDS
    // Fluid that a solid hides does not hide the studio from here.
    bool was_on = on;
    on = on_solid(at) > 0.0;
    if (on && !was_on) {
      float high = away, low = away - length_here;
      for (int i = 0; i < 6; ++i) {
        float middle = 0.5 * (low + high);
        if (on_solid(start + d * (middle * spacing)) > 0.0) high = middle; else low = middle;
      }
      vec3 hit = start + d * (high * spacing);
      // Behind the solid by more than a ray gets in a step, it has not met the side that is seen.
      float met = 1.0 - smoothstep(0.5, 3.0, on_solid(hit) / spacing);
      vec2 margin = min(place, 1.0 - place);
      float far = high / 14.0;
      met *= (1.0 - far * far) * smoothstep(0.0, 0.05, min(margin.x, margin.y));
      if (met > solid.a) solid = vec4(picture_place(hit), 0.0, met);
      if (met > 0.5) break;
    }
    if (textureLod(bulk, place, 0.0).g > 0.0) continue;
#endif
    float behind_it = -at.z - surface;
    // A ray far behind a surface has passed it, as far as one knows: only the front side is known.
    float blocked = smoothstep(0.0, 3.0 * spacing, behind_it) * (1.0 - smoothstep(6.0, 12.0, behind_it / spacing));
    // Drops are smaller than what the steps find, so they would mirror as torn streaks.
    if (surface > 0.0 && blocked > 0.0)
      passed += blocked * length_here * (1.0 - part * part) * textureLod(bulk, place, 0.0).r;
  }
#ifdef SOLIDS
  // The pixel of the solid itself: between pixels, what is beside its silhouette would be mixed in, in stripes.
  ivec2 pixels = textureSize(behind, 0);
  vec3 color = texelFetch(behind, min(ivec2(solid.xy * vec2(pixels)), pixels - 1), 0).rgb;
  solid.rgb = color * color;
#endif
  // The way through the fluid, which begins with 0 at its outline. Whether the ray meets any would be a yes or a no, and
  // the mirror image would have torn edges, because the steps find the outline a little earlier or later.
  return 1.0 - exp(-3.0 * passed);
}

// Optical depth after some absorption lengths of fluid, of which one has the optical depth `each`. By Beer and Lambert's law
// alone deep water would let nothing through but its strongest channel, a blue close to violet. Real water scatters light
// back all along. So the colour deepens up to the fluid's own, and from there on only darkens.
vec3 absorbed(vec3 each, float lengths) {
  float grey = min(each.r, min(each.g, each.b));
  float known = min(lengths, 1e4), tint = known / pow(1.0 + pow(known, 4.0), 0.25);
  return grey * lengths + (each - grey) * tint;
}

// A mixture of linear colours with the brightness that light has, and the hue that the eye expects: white light on blue
// water looks lilac on a screen, whose colours keep their hue where sRGB values are mixed.
vec3 blend(vec3 under, vec3 over, float part) {
  const vec3 luminance = vec3(0.2126, 0.7152, 0.0722);
  vec3 mixed = mix(sqrt(max(under, 0.0)), sqrt(max(over, 0.0)), part);
  mixed *= mixed;
  return mixed * (dot(mix(under, over, part), luminance) / max(dot(mixed, luminance), 1e-6));
}

// Adds two layers to the real ones: a wedge of water mirrors inside and is never as clear as a single drop.
float layers_of(float thickness) { return max(thickness, 1.0) + 2.0 * smoothstep(0.5, 2.0, thickness); }

#ifdef SOLIDS
// [m] by which a point is behind what is opaque there
float behind_opaque(vec3 at) { return -at.z - opaque_depth_at(picture_place(at)); }

// [particle spacings] of fluid down to a depth below the surface, of which there are `all` in all. From a known depth on
// it cannot grow faster than the depth does.
// known: the texture `within` here
float before(float room, float all, vec4 known) {
  known += max(room - within_depths, 0.0);
  return min(min(min(known.x, known.y), min(known.z, known.w)), min(all, room));
}

// Where in the picture a ray through the fluid ends, after `path` [m] or at a solid. Shortens the path to that.
vec2 exit_between_solids(vec3 p, vec3 bent, inout float path, float surface) {
  const int steps = 12;
  float step = path / float(steps), low = path, high = path;
  bool met = false, passes = false;
  for (int k = 1; k <= steps && !met; ++k) {
    vec3 there = p + bent * (step * float(k));
    float behind = behind_opaque(there);
    bool straight = -there.z - behind < surface;  // a solid before the fluid: the ray passes behind it
    bool enters = behind > 0.0 && !straight && !passes;
    if (enters) high = step * float(k), low = high - step;
    // In one step it comes no farther behind what it meets than it goes, and somewhat more where that slopes.
    met = enters && behind < 2.0 * step;
    // Otherwise it is behind a silhouette, and may come out again: whether a step finds a corner that it passes is chance.
    passes = behind > 0.0 && !straight;
  }
  if (met || passes) {
    float off = 1e30;
    for (int i = 0; i < 5; ++i) {
      float middle = 0.5 * (low + high), between = behind_opaque(p + bent * middle);
      if (between > 0.0) high = middle, off = between; else low = middle;
    }
    // It has met the solid, or else it ends behind it, where nothing is known: it shows what is beside the silhouette.
    path = met && off < 0.25 * step ? high : low;
  }
  return picture_place(p + bent * path);
}

// What is seen through the fluid around a place of the picture. One pixel of it would do for a surface that is known
// exactly. This one has bumps of a spacing, so a ray ends somewhere in a cone. Where the cone meets a silhouette, one pixel
// shows one side or the other, and the next frame the opposite one.
struct Seen {
  vec3 color;   // linear
  float fluid;  // [particle spacings] before it, of which there are `all` along the ray
  float solid;  // 0..1: how much of it is solid
};
Seen seen_around(vec2 at, float radius, float surface, float all) {
  const int places = 12;
  ivec2 size = textureSize(opaque, 0);
  float weights = 0.0;
  vec4 known = textureLod(within, position, 0.0);
  // Where the ray itself ends on no solid, what is behind the solids (a floor say) is seen as sharp as through calm water.
  vec4 four = textureGather(opaque, at);
  bool open = max(max(four.x, four.y), max(four.z, four.w)) <= 0.0;
  vec3 far = textureLod(behind, clamp(at, 0.5 / vec2(size), 1.0 - 0.5 / vec2(size)), 0.0).rgb;
  Seen seen = Seen(vec3(0.0), 0.0, 0.0);
  for (int i = 0; i <= places; ++i) {
    // The last place is this pixel. It counts where the others are hidden by what is in front of the fluid.
    float angle = 2.3999632 * float(i), away = i < places ? radius * sqrt((float(i) + 0.5) / float(places)) : 0.0;
    vec2 place = i < places ? at : position;
    ivec2 there = clamp(ivec2(floor(place * vec2(size) + away * vec2(cos(angle), sin(angle)))), ivec2(0), size - 1);
    float z = opaque_depth(texelFetch(opaque, there, 0).r), room = z - surface;
    float weight = i < places ? smoothstep(0.0, 0.5 * spacing, room) : 0.5 * float(places) * max(0.5 - weights / float(places), 0.0) + 1e-4;
    vec3 own = open && z > 1e29 && i < places ? far : texelFetch(behind, there, 0).rgb;
    weights += weight;
    seen.color += weight * own * own;
    seen.fluid += weight * before(max(room, 0.0) / spacing, all, known);
    seen.solid += weight * float(z < 1e29);
  }
  return Seen(seen.color / weights, seen.fluid / weights, seen.solid / weights);
}
#endif

// own: eye depth of the surface here [m]
float covered(vec2 at, float own) {
  float there = surface_at(at);
#ifdef SOLIDS
  if (drop) return float(abs(there - own) < 2.0 * spacing);
#endif
  return float(there > 0.0);
}

// 0..1: the part of this pixel that is inside the outline of a body of fluid. The spheres reach 0.75 spacings beyond their
// middles, in scallops; the fluid half a spacing. So its outline is where a disc of about a spacing is covered to 0.65: a
// line along a row of spheres, a quarter of a spacing below their tops.
float within_outline(float eye_depth) {
  vec2 pixels = vec2(textureSize(outline, 0));
  float apart = max(0.5 * pixels.y * spacing / (half_extent.y * (orthographic ? 1.0 : eye_depth)), 2.0);  // [pixel] a spacing
  if (textureLod(outline, position, log2(2.0 * apart)).r > 0.998) return 1.0;
  float level = log2(max(0.35 * apart, 1.0));
  float sum = textureLod(outline, position, level).r, weights = 1.0;
  for (int i = 0; i < 6; ++i) {
    float angle = 3.14159265 / 3.0 * (float(i) + 0.25);
    vec2 along = apart * vec2(cos(angle), sin(angle)) / pixels;
    sum += 0.67 * textureLod(outline, position + 0.4 * along, level).r + 0.2 * textureLod(outline, position + 0.8 * along, level).r;
    weights += 0.87;
  }
  return clamp((sum / weights - 0.65) * apart + 0.5, 0.0, 1.0);  // the sum falls by 1 in about a spacing
}

void main() {
  vec2 texel = 1.0 / vec2(textureSize(depth, 0));
  float eye_depth = textureLod(depth, position, 0.0).r;
  if (eye_depth <= 0.0) discard;
#ifdef SOLIDS
  // A solid may stand between the surface and a drop that is left out of it.
  float solid = opaque_depth_at(position), front = textureLod(nearest, position, 0.0).r;
  drop = eye_depth + bump > solid && front > 0.0 && front + bump < solid && front < eye_depth - 1.5 * spacing;
  if (drop) eye_depth = front;
#endif
  float body = textureLod(bulk, position, 0.0).r;
#ifdef SOLIDS
  if (drop) body = 0.0;
#endif
  // The tips of spheres that stand out of a body's outline are no drops beside it.
  float outlined = body;
  if (body < 1.0) {
    vec2 beside = vec2(0.35 * spacing) / (2.0 * half_extent * (orthographic ? 1.0 : eye_depth));
    for (int i = 0; i < 6; ++i) {
      float angle = 3.14159265 / 3.0 * (float(i) + 0.25);
      outlined = max(outlined, textureLod(bulk, position + beside * vec2(cos(angle), sin(angle)), 0.0).r);
    }
  }
#ifdef SOLIDS
  if (drop) outlined = 0.0;
#endif
  float inside = outlined > 0.0 ? mix(1.0, within_outline(eye_depth), outlined) : 1.0;
  if (inside <= 0.0) discard;
  gl_FragDepth = window_depth(eye_depth + bump);

  vec3 p = view_place(position, eye_depth);
  vec3 ray = view_ray(position);
  float jump = 0.0;
  vec3 right = slope(p, position, vec2(texel.x, 0.0), jump), up = slope(p, position, vec2(0.0, texel.y), jump);
  vec3 n = normalize(cross(right, up));
  vec3 round_normal = n;
  // On a wall the normal is known, and there are no drops.
  Chord here = chord(position);
  float wall = here.hits ? 1.0 - smoothstep(0.05, 0.3, max(eye_depth - here.enters, 0.0) * here.slant / spacing) : 0.0;
#ifdef SOLIDS
  if (drop) wall = 0.0;
#endif
  n = normalize(mix(n, mat3(view) * here.normal, wall));
  body = mix(body, 1.0, wall);
  // Drops of a few pixels have a normal of their own in each, and would glitter: spray is seen as a whole.
  n = normalize(mix(-ray, n, mix(0.35, 1.0, body)));
  // The normal of a visible surface never turns away from the eye, but at silhouettes the differences say otherwise.
  float facing = -dot(n, ray);
  if (facing < 0.04) {
    n = normalize(n + (0.04 - facing) * -ray);
    facing = max(-dot(n, ray), 0.02);
  }

  vec4 through = textureLod(thickness, position, 0.0);
  // Next to a jump of depth the normal is a guess.
  float sure = mix(1.0 - smoothstep(0.1, 0.7, jump / spacing), 1.0, wall);
  vec3 bent = refract(ray, normalize(mix(-ray, n, mix(0.3, 1.0, sure))), 1.0 / refractive_index);
#ifdef SOLIDS
  // Fluid behind a solid is not seen.
  if (drop) through *= min(1.0, lone_thickness / max(through.a, 1e-3));
  float path = min(layers_of(through.a) * spacing, farthest_exit);
  vec2 exit_at = exit_between_solids(p, bent, path, eye_depth);
  if (drop) exit_at = position;  // beside the solid there would be the scene without the surface
  // [pixel] of a spread of `roughness` at the end of the ray, and not less than the edges of pixels
  float spread = drop ? 0.0 : 1.2 + roughness * path * 0.5 / (texel.y * half_extent.y * (orthographic ? 1.0 : eye_depth));
  Seen seen = seen_around(exit_at, spread, eye_depth, through.a);
  if (!drop) through *= seen.fluid / max(through.a, 1e-3);
#endif
  float layers = layers_of(through.a);
  float meters = layers * spacing;
  vec3 each = absorption_of_paint(max(through, vec4(0.0, 0.0, 0.0, 1e-3)));
  vec3 optical_depth = absorbed(each, meters / absorption_length);
  vec4 shown = textureLod(surface, position, 0.0);
  vec3 color = exp(-each);
  if (shown.a > 1e-4) color = color_of_paint(shown);
  float white = shown.a > 1e-4 ? textureLod(foam, position, 0.0).r / shown.a : 0.0;

#ifdef SOLIDS
  // A solid in water loses its contrast to what is around it, exponentially with the way of the light (Duntley 1948). It
  // fades into the water, which would otherwise turn from blue to olive along the silhouette of an orange solid. A film or a
  // drop is too thin for that.
  float deep_here = drop ? 0.0 : through.a * spacing / absorption_length;
  float veiled = 1.0 - exp(-veil * deep_here);
  vec3 beyond = mix(seen.color, max(backdrop, around * deep_here), seen.solid * veiled * veiled);
#else
  vec2 exit_at = clamp(picture_place(p + bent * min(meters, farthest_exit)), 0.5 * texel, 1.0 - 0.5 * texel);
  vec3 beyond = textureLod(behind, exit_at, 0.0).rgb;
  beyond *= beyond;
#endif
  // Lines are not refracted, since they are not objects in the water: refraction would turn the box's lines into loops.
  vec3 own = textureLod(lined, position, 0.0).rgb;
  vec3 unlined = textureLod(behind, position, 0.0).rgb;
  // Much of the light that leaves deep water towards the eye came into it from the sides. In front of something bright
  // that is what lies behind; in front of something dark it is the studio.
  float deep = 1.0 - exp(-1.5 * meters / absorption_length);
  vec3 gathered = around * deep * deep;
  vec3 transmitted = max(beyond + own * own - unlined * unlined, gathered) * exp(-optical_depth);

  float key = dot(n, key_light);
  float wrapped = max(0.0, 0.75 * key + 0.25);
  float hemisphere = 0.5 + 0.5 * dot(n, sky);
  vec3 diffuse_light = vec3(0.80, 0.79, 0.76) * wrapped + mix(vec3(0.16), vec3(0.42, 0.44, 0.48), hemisphere);
  // Light that the fluid scatters back: paint scatters all of it, water more the deeper it is.
  float scattered = mix(0.30 * (1.0 - exp(-meters / absorption_length)), 1.0, opacity);
  vec3 water = mix(transmitted, color * diffuse_light, scattered);

  vec3 mirrored = reflect(ray, n);
  float grazing = 1.0 - facing;
  // Schlick's approximation with a little more at middle angles, because the fluid mirrors only the studio.
  float fresnel = 0.03 + 0.97 * grazing * grazing * grazing * grazing;
  // Mirroring where the normal is a guess would sprinkle the outline with single pixels.
  float mirror = body * sure;
  // A thin layer mirrors less: a jet that mirrored the whole studio would look like smoke.
  float thick = smoothstep(1.0, 5.0, through.a);
  fresnel = min(fresnel, 0.9) * mix(0.35, 1.0, thick) * mix(0.3, 1.0, mirror);
  // The walls are not drawn, so the fluid does not mirror at them as at the air: seen along it a wall would be white.
  fresnel *= mix(1.0, 0.25, wall);
  vec3 half_way = normalize(key_light - ray);
  float glint = pow(max(0.0, dot(n, half_way)), 300.0);
  // A ray that only grazes the surface goes on almost straight, so it shows what is behind.
  vec3 reflection = mix(environment(to_studio * mirrored), own * own, grazing * grazing);
  vec4 solid_seen = vec4(0.0);
  float shut = fresnel > 0.02 && mirror > 0.0 ? hidden(p, n, mirrored, solid_seen) : 0.0;
  reflection = mix(reflection, solid_seen.rgb, solid_seen.a);
  // The hiding fluid is as clear as this one, of half an absorption length say.
  reflection = mix(reflection, mix(own * own * sqrt(color), water, opacity), shut);
  vec3 linear = blend(water, reflection, fresnel) + vec3(0.8 * glint * (1.0 - shut) * (1.0 - solid_seen.a) * mirror * mix(0.1, 1.0, thick));
  // Foam covers what it lies on, the more the thicker it is. It scatters light many times, so it is lit softly, and
  // where the normal is a guess as if it faced the sky.
  float foam_cover = clamp(white, 0.0, 1.0) * (1.0 - exp(-3.0 * through.a));
  vec3 soft = normalize(mix(sky + key_light, n, mix(0.5, 0.8, mirror)));
  float lit = smoothstep(0.0, 1.0, 0.5 + 0.5 * dot(soft, key_light));
  // Its rim is darker than its middle, or spray in front of something white could not be seen.
  vec3 foam_color = vec3(0.82, 0.84, 0.86) * mix(vec3(0.42, 0.48, 0.56), vec3(1.0), lit) * mix(0.75, 1.0, facing);
  linear = blend(linear, foam_color, 0.92 * foam_cover);

  // A drop shows the studio around it along its rim: darker than something bright behind it, brighter than something dark.
  // Drops that touch would be a heap of marbles. The smaller a drop, the wider and fainter its highlight, or it would be a pixel that comes and goes.
  float radius = 0.45 * spacing * 0.5 / (texel.y * half_extent.y * (orthographic ? 1.0 : eye_depth));  // [pixel]
  float bead = (1.0 - body) * (1.0 - smoothstep(1.1, 1.6, through.a / lone_thickness)) * sure;
  bead *= smoothstep(2.0, 5.5, radius);
#ifdef SOLIDS
  // A drop before a solid is drawn larger if there is water behind the solid, so its highlight would move.
  if (solid < 1e29) bead *= 0.2;
#endif
  if (bead > 0.0) {
    float front_on = clamp(-dot(round_normal, ray), 0.0, 1.0), rim = 1.0 - front_on * front_on;
    vec3 studio = 0.32 * (sky_top + sky_bottom) * mix(vec3(1.0), color, 0.5);
    linear = blend(linear, studio, 0.6 * bead * rim * rim);
    float large = smoothstep(3.0, 8.0, radius);
    linear += bead * mix(0.3, 0.8, large) * pow(max(0.0, dot(round_normal, half_way)), mix(8.0, 50.0, large));
  }

  // A pixel on the outline shows the background in proportion to the part of its neighbourhood that is not fluid.
  float cover = 4.0 + 2.0 * (covered(position + vec2(texel.x, 0.0), eye_depth) + covered(position - vec2(texel.x, 0.0), eye_depth) +
                             covered(position + vec2(0.0, texel.y), eye_depth) + covered(position - vec2(0.0, texel.y), eye_depth)) +
                covered(position + texel, eye_depth) + covered(position - texel, eye_depth) +
                covered(position + vec2(texel.x, -texel.y), eye_depth) + covered(position + vec2(-texel.x, texel.y), eye_depth);
  // So does a pixel with very little fluid, which rounds off the bumps of single spheres in the outline.
  float alpha = inside * clamp(cover / 8.0 - 1.0, 0.0, 1.0) * smoothstep(0.01, 0.15, through.a);
#ifdef SOLIDS
  // A film on a solid is clear. Its rim, where spheres go into the solid, would be a dark line with teeth.
  alpha *= smoothstep(0.0, 0.8, (solid - eye_depth - bump) / spacing);
#endif
  pixel = vec4(sqrt(mix(own * own, linear, alpha)), 1.0);
}
