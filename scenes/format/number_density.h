#pragma once
/// The spacing of particles by their number per volume.

#include <cmath>

namespace riffle::scenes {

/// @param density  [1/m^dimension]
inline float spacing_of(float density, int dimension) {
  return static_cast<float>(std::pow(double{density}, -1.0 / dimension));
}

}  // namespace riffle::scenes
