#include "sim/meshes/triangle_mesh.h"

#include <cmath>
#include <numbers>

namespace riffle {

IndexedMesh placed(const IndexedMesh& mesh, const MeshPlacement& placement) {
  const auto turn = [](double& a, double& b, float degrees) {
    const double angle = degrees * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
    const double first = c * a - s * b;
    b = s * a + c * b;
    a = first;
  };
  IndexedMesh result = mesh;
  for (Vec3& v : result.vertices) {
    double x = double{placement.scale.x} * v.x, y = double{placement.scale.y} * v.y,
           z = double{placement.scale.z} * v.z;
    turn(y, z, placement.rotation.x);
    turn(z, x, placement.rotation.y);
    turn(x, y, placement.rotation.z);
    v = {static_cast<float>(x + placement.at.x), static_cast<float>(y + placement.at.y),
         static_cast<float>(z + placement.at.z)};
  }
  return result;
}

}  // namespace riffle
