#pragma once
/// The ways to draw particles as spheres or as a fluid's surface, and the choice between them.

#include <optional>
#include <string_view>

#include "core/device/device.h"
#include "render/fluid/fluid_style.h"

namespace riffle::render {

enum class SphereMethod {
  Raster,  ///< OpenGL draws a square for each particle
  Splat,   ///< kernels on the particles' device find each pixel's nearest sphere, or make the fields of the fluid look
  Auto,    ///< choose_spheres() chooses one of the two
};

std::string_view to_string(SphereMethod method);         ///< "raster", "splat", "auto"
SphereMethod sphere_method_from(std::string_view name);  ///< @throws InputError with all names

/// Auto splats more particles than this; none: never.
/// @param software  whether OpenGL draws on the CPU
std::optional<int> splat_above(const Device& simulation_device, bool software, Look look = Look::Spheres);

/// Raster or Splat.
/// @param wanted  is returned unless it is Auto
SphereMethod choose_spheres(SphereMethod wanted, const Device& simulation_device, bool software, int count,
                            Look look = Look::Spheres);

}  // namespace riffle::render
