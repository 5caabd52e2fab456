#pragma once
/// How particles become spheres or a fluid's surface on the picture, and which way is taken when nobody says.

#include <optional>
#include <span>
#include <string_view>

#include "core/device/device.h"
#include "render/fluid/fluid_style.h"

namespace riffle {

enum class SphereMethod {
  Raster,  ///< OpenGL draws a square for each: a GPU's graphics units do it
  Splat,   ///< kernels on the particles' device find each pixel's nearest sphere, or make the fields of the fluid look
  Auto,    ///< one of the two, by choose_spheres()
};

std::string_view to_string(SphereMethod method);          ///< "raster", "splat", "auto"
std::span<const std::string_view> sphere_method_names();  ///< in the order of SphereMethod
SphereMethod sphere_method_from(std::string_view name);   ///< @throws InputError naming the methods there are

/// Auto splats where there are more particles than this; none: never.
/// @param software OpenGL draws on the processor
std::optional<int> splat_above(const Device& simulation_device, bool software, Look look = Look::Spheres);

/// Raster or Splat.
/// @param wanted is returned unless it is Auto
SphereMethod choose_spheres(SphereMethod wanted, const Device& simulation_device, bool software, int count,
                            Look look = Look::Spheres);

}  // namespace riffle
