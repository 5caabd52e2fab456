#pragma once
/// The pressure that follows from a particle's density, on the host and on the device.

#include <cstdint>

#include "sim/setup.h"
#include "sim/wcsph/tait.h"

namespace riffle {

struct Pressure {
  wcsph::TaitPressure tait{7, false};
  float stiffness = 0;                  ///< [Pa]
  float rest_density[kMaxFluids] = {};  ///< [kg/m^3]

  /// [Pa] density: [kg/m^3]; fluid: an index
  RIFFLE_HD float operator()(float density, std::uint32_t fluid) const {
    return tait(density / rest_density[fluid], stiffness);
  }
};

}  // namespace riffle
