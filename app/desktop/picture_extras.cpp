#include "app/desktop/picture_extras.h"

#include <algorithm>

namespace riffle {

namespace {

std::vector<Highlight> highlights_of(const ParticleFrame& frame) {
  std::vector<Highlight> highlights;
  if (!frame.picked) return highlights;
  for (const Vec4& neighbor : frame.neighbors) highlights.push_back({xyz(neighbor), 1.05f, {1.0f, 0.78f, 0.25f}});
  highlights.push_back({frame.picked->position, 1.15f, {0.95f, 0.2f, 0.2f}});
  return highlights;
}

/// Cells of one support radius.
GridOverlay cells_of(const SimulationSetup& setup) {
  GridOverlay grid;
  const Vec3 extent = setup.domain.extent();
  const float h = setup.support_radius(), edges[3] = {extent.x, extent.y, extent.z};
  float cell[3] = {1, 1, 1};
  for (int a = 0; a < setup.domain.dimension; ++a) {
    grid.counts[a] = std::max(1, static_cast<int>(edges[a] / h));
    cell[a] = edges[a] / static_cast<float>(grid.counts[a]);
  }
  grid.origin = setup.domain.min;
  grid.cell = {cell[0], cell[1], cell[2]};
  return grid;
}

CutPlane cut_of(const Domain& domain, const ExtrasChoice& choice) {
  const Vec3 normals[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Vec3 normal = choice.cut_flipped ? -normals[choice.cut_axis] : normals[choice.cut_axis];
  return {normal, dot(normal, domain.min + choice.cut_at * domain.extent())};
}

}  // namespace

PictureExtras::PictureExtras(const ParticleFrame& frame, const SimulationSetup& setup, const ExtrasChoice& choice)
    : highlights_(highlights_of(frame)) {
  extras_.highlights_through = true;
  if (choice.cells) extras_.grid = cells_of(setup);
  if (choice.cut_axis >= 0 && choice.cut_axis < setup.domain.dimension) extras_.cut = cut_of(setup.domain, choice);
}

Extras PictureExtras::view() const {
  Extras extras = extras_;
  extras.highlights = highlights_;
  return extras;
}

}  // namespace riffle
