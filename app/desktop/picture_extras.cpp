#include "app/desktop/picture_extras.h"

namespace riffle {

namespace {

std::vector<Highlight> highlights_of(const ParticleFrame& frame) {
  std::vector<Highlight> highlights;
  if (!frame.picked) return highlights;
  for (const Vec4& neighbor : frame.neighbors) highlights.push_back({xyz(neighbor), 1.05f, {1.0f, 0.78f, 0.25f}});
  highlights.push_back({frame.picked->position, 1.15f, {0.95f, 0.2f, 0.2f}});
  return highlights;
}

CutPlane cut_of(const Domain& domain, const ExtrasChoice& choice) {
  const Vec3 normals[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Vec3 normal = choice.cut_flipped ? -normals[choice.cut_axis] : normals[choice.cut_axis];
  return {normal, dot(normal, domain.min + choice.cut_at * domain.extent())};
}

/// A tree's boxes end at the particles' middles: inside the spheres that are drawn no line of them would be seen.
std::vector<BoxView> round_spheres(std::vector<BoxView> boxes, float radius) {
  const float wider = 1.05f * radius;
  for (BoxView& box : boxes) {
    const Vec3 by{wider, wider, box.two_dimensional ? 0 : wider};
    box.min = box.min - by;
    box.max = box.max + by;
  }
  return boxes;
}

}  // namespace

PictureExtras::PictureExtras(const ParticleFrame& frame, const Domain& domain, const ExtrasChoice& choice)
    : highlights_(highlights_of(frame)) {
  extras_.highlights_through = true;
  if (choice.cells) {
    extras_.grid = frame.cells.grid;
    boxes_ = round_spheres(frame.cells.boxes, frame.radius);
  }
  if (choice.cut_axis >= 0 && choice.cut_axis < domain.dimension) extras_.cut = cut_of(domain, choice);
}

Extras PictureExtras::view() const {
  Extras extras = extras_;
  extras.highlights = highlights_;
  extras.boxes = boxes_;
  return extras;
}

}  // namespace riffle
