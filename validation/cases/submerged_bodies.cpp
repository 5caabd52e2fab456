#include "validation/cases/submerged_bodies.h"

namespace riffle {

SimulationSetup tank_of_submerged_bodies(int dimension, int across) {
  SimulationSetup setup;
  setup.domain.dimension = dimension;
  setup.domain.max = {7 * kSubmergedWidth, kSubmergedDepth + kSubmergedWidth, kSubmergedDepth};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.spacing = kSubmergedWidth / static_cast<float>(across);
  setup.fluids.emplace_back();
  setup.bodies.emplace_back().max = {7 * kSubmergedWidth, kSubmergedDepth, kSubmergedDepth};
  const float y = 0.5f * kSubmergedDepth, z = dimension == 3 ? 0.5f * kSubmergedDepth : 0,
              half = 0.5f * kSubmergedWidth, depth = dimension == 3 ? half : 0;
  SolidRegion ball, box, polygon;
  ball.name = "ball";
  ball.shape = Shape::Sphere;
  ball.center = {1.5f * kSubmergedWidth, y, z};
  ball.radius = half;
  box.name = "box";
  box.min = {3.5f * kSubmergedWidth - half, y - half, z - depth};
  box.max = {3.5f * kSubmergedWidth + half, y + half, z + depth};
  polygon.name = "polygon";
  polygon.shape = Shape::Polygon;
  const float x = 5.5f * kSubmergedWidth;
  polygon.corners = {{x - half, y - 0.3f * half},
                     {x + 0.2f * half, y - half},
                     {x + half, y + 0.4f * half},
                     {x - 0.3f * half, y + half}};
  polygon.low = z - depth;
  polygon.high = z + depth;
  setup.solid_regions = {ball, box, polygon};
  return setup;
}

}  // namespace riffle
