#include "app/desktop/picture/picture_extras.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/desktop/playback/frame_exchange.h"
#include "app/run/scene_view.h"
#include "render/color_map.h"

namespace riffle::desktop {

namespace {

constexpr Vec3 kPickedColor{0.95f, 0.2f, 0.2f};

/// A tree's boxes end at the particles' centres. The drawn spheres would hide their edges, so the boxes are made wider.
std::vector<render::BoxView> round_spheres(std::vector<render::BoxView> boxes, float radius) {
  const float wider = 1.05f * radius;
  for (render::BoxView& box : boxes) {
    const Vec3 by{wider, wider, box.two_dimensional ? 0 : wider};
    box.min = box.min - by;
    box.max = box.max + by;
  }
  return boxes;
}

/// Whether the nearest image of `other` is beyond a periodic face.
bool through_a_face(Vec3 particle, Vec3 other, const Domain& domain) {
  const Vec3 apart = other - particle, extent = domain.extent();
  const float by[3] = {apart.x, apart.y, apart.z}, all[3] = {extent.x, extent.y, extent.z};
  for (int axis = 0; axis < domain.dimension; ++axis)
    if (domain.periodic(axis) && std::fabs(by[axis]) > 0.5f * all[axis]) return true;
  return false;
}

/// Moves a highlight `by` [m] towards the camera, at most half of the distance. It looks the same from there.
render::Highlight brought_forward(render::Highlight highlight, const Camera& camera, float by) {
  const Vec3 to_camera = camera.orthographic ? camera.position - camera.target : camera.position - highlight.position;
  const float distance = std::sqrt(length2(to_camera));
  if (!(distance > 0)) return highlight;
  const float part = camera.orthographic ? by / distance : std::min(0.5f, by / distance);
  highlight.position = highlight.position + part * to_camera;
  if (!camera.orthographic) highlight.radius_scale *= 1 - part;
  return highlight;
}

std::vector<Vec3> colors_of(const render::ColorScale& scale) {
  std::vector<Vec3> colors;
  for (const render::PaletteEntry& entry : scale.palette) colors.push_back(entry.rgb);
  if (!colors.empty()) return colors;
  const auto map = render::color_map(scale.colormap);
  constexpr std::size_t kEvery = 15;
  for (std::size_t i = 0; i < map.size(); i += kEvery) {
    const auto [r, g, b] = map[i];
    colors.push_back(Vec3{static_cast<float>(r), static_cast<float>(g), static_cast<float>(b)} * (1.0f / 255));
  }
  return colors;
}

bool cut_away(const std::optional<render::CutPlane>& cut, Vec3 at) { return cut && dot(cut->normal, at) > cut->offset; }

}  // namespace

Vec3 neighbor_color(const render::ColorScale& scale) {
  constexpr std::array<Vec3, 5> candidates = {
      Vec3{1.0f, 0.78f, 0.25f}, {0.95f, 0.3f, 0.9f}, {0.2f, 0.9f, 0.95f}, {0.55f, 0.95f, 0.3f}, {0.97f, 0.97f, 0.97f}};
  const std::vector<Vec3> taken = colors_of(scale);
  const auto nearest = [&](Vec3 color) {
    float least = length2(color - kPickedColor);
    for (const Vec3& other : taken) least = std::min(least, length2(color - other));
    return least;
  };
  return *std::max_element(candidates.begin(), candidates.end(),
                           [&](const Vec3& a, const Vec3& b) { return nearest(a) < nearest(b); });
}

PictureExtras::PictureExtras(const ParticleFrame& frame, const Domain& domain, const ExtrasChoice& choice,
                             const Camera& camera, const render::ColorScale& scale) {
  extras_.highlights_through = true;
  if (choice.cells) {
    extras_.grid = frame.cells.grid;
    boxes_ = round_spheres(frame.cells.boxes, frame.radius);
  }
  extras_.cut = cut_plane(choice.cut, domain);
  for (const Vec3 place : frame.culprits)
    if (!cut_away(extras_.cut, place))
      highlights_.push_back(brought_forward({place, 1.15f, kPickedColor}, camera, 2 * frame.radius));
  if (!frame.picked) return;
  const Vec3 color = neighbor_color(scale), pale = 0.5f * (color + Vec3{0.5f, 0.5f, 0.5f});
  float reach = 0;
  for (const Vec4& neighbor : frame.neighbors) {
    reach = std::max(reach, neighbor.w);
    const bool beyond = through_a_face(frame.picked->position, xyz(neighbor), domain);
    neighborhood_.through_faces += beyond;
    if (cut_away(extras_.cut, xyz(neighbor)))
      ++neighborhood_.cut_away;
    else
      highlights_.push_back({xyz(neighbor), 1.05f, beyond ? pale : color});
  }
  neighborhood_.itself_cut_away = cut_away(extras_.cut, frame.picked->position);
  if (neighborhood_.itself_cut_away) return;
  // Otherwise its neighbours would hide it.
  highlights_.push_back(
      brought_forward({frame.picked->position, 1.15f, kPickedColor}, camera, reach + 2 * frame.radius));
}

render::Extras PictureExtras::view() const {
  render::Extras extras = extras_;
  extras.highlights = highlights_;
  extras.boxes = boxes_;
  return extras;
}

}  // namespace riffle::desktop
