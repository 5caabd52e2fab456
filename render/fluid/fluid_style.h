#pragma once
/// Knobs of the fluid look.

#include <optional>

namespace riffle::render {

enum class Look {
  Spheres,  ///< every particle is a sphere
  Fluid,    ///< the particles' common surface, as water
};

struct FluidStyle {
  float surface_radius = 0.75f;  ///< [particle spacings] of the spheres whose smoothed depth is the surface
  float smoothing = 1.0f;        ///< [particle spacings] standard deviation of the depth filter; 0: none
  float range = 5.0f;            ///< [particle spacings] difference in depth within one surface
  float absorption_length = 0;   ///< [m] after which light through the fluid has its colour; 0: 1/5 of the domain's
                                 ///< diagonal
  std::optional<float> opacity;  ///< 0: clear, 1: paint; default: 0 for a fluid's own colour, 0.75 if the colour
                                 ///< shows a quantity of the legend
  float refractive_index = 1.33f;
  float foam_speed = 0;  ///< [m/s] from which fluid whitens; spray whitens from half of it; 0: no foam
};

}  // namespace riffle::render
