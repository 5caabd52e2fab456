#pragma once
/// The place of a nozzle in the scene.

#include "core/math/vec.h"

namespace riffle {

struct NozzleFrame {
  double origin[3] = {0, 0, 0};   ///< [m] InletSetup::center
  double along[3] = {0, -1, 0};   ///< unit vector: the direction
  double across[3] = {1, 0, 0};   ///< likewise, in the plane of the mouth; `width` lies along it
  double upwards[3] = {0, 0, 0};  ///< likewise, at right angles to it; in 2-D 0

  /// way: [m] along the direction; x, y: [m] along `across` and `upwards`
  RIFFLE_HD Vec3 at(double way, double x, double y) const {
    return {static_cast<float>(origin[0] + way * along[0] + x * across[0] + y * upwards[0]),
            static_cast<float>(origin[1] + way * along[1] + x * across[1] + y * upwards[1]),
            static_cast<float>(origin[2] + way * along[2] + x * across[2] + y * upwards[2])};
  }
};

}  // namespace riffle
