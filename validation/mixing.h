#pragma once
/// How far two fluids have mixed: measures of a Rayleigh-Taylor layer from the particles alone.

#include <cstdint>
#include <vector>

namespace riffle {

/// The box that the layer lies in.
struct MixingBox {
  double bottom = 0, top = 1;  ///< [m]
  double middle = 0.5;         ///< height of the interface before the disturbance [m]
  double left = 0, right = 1;  ///< ends of the horizontal axis; the disturbance has this length [m]
  std::uint32_t heavy = 1;     ///< index of the heavy fluid; every other one is light
  int slabs = 64;              ///< number of slabs that the height is divided into
};

struct MixingMeasures {
  /// The amplitude a of an interface at middle + a cos(2 pi (x - left) / (right - left)), exact for any interface that
  /// is a function of x at uniform number density; and the same with the sine, which measures what is not the mode [m].
  double a_cos = 0, a_sin = 0;
  double bubble = 0;  ///< centre of the highest slab with more than 5 % light particles, above the middle [m]
  double spike = 0;   ///< centre of the lowest slab with less than 95 % light particles, below the middle [m]
  double width = 0;   ///< W = 6 integral of f (1 - f) dz, f the share of light particles in a slab [m]
  double centre_difference = 0;  ///< mean height of the heavy less that of the light particles [m]
};

/// Ignores slabs without particles.
/// @param height,across,fluid (N), the same particle at the same place
/// @throws RuntimeFailure when sizes differ, the box is empty, a position is not a number or one of the fluids is
///   missing
MixingMeasures measure_mixing(const std::vector<float>& height, const std::vector<float>& across,
                              const std::vector<std::uint32_t>& fluid, const MixingBox& box);

}  // namespace riffle
