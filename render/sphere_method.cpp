#include "render/sphere_method.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/error.h"

namespace riffle {
namespace {

constexpr std::array<std::string_view, 3> kNames{"raster", "splat", "auto"};

constexpr int kSplatAboveOnGpu = 1000000;
constexpr int kSplatAboveOnCpu = 0;

}  // namespace

std::string_view to_string(SphereMethod method) { return kNames[static_cast<std::size_t>(method)]; }

std::span<const std::string_view> sphere_method_names() { return kNames; }

SphereMethod sphere_method_from(std::string_view name) {
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end())
    throw InputError(fmt::format("'{}' is no way to draw spheres; there are {}", name, fmt::join(kNames, ", ")));
  return static_cast<SphereMethod>(at - kNames.begin());
}

SphereMethod choose_spheres(SphereMethod wanted, const Device& simulation_device, bool software, int count) {
  if (wanted != SphereMethod::Auto) return wanted;
  int above = kSplatAboveOnGpu;
  if (simulation_device.is_cpu()) {
    if (!software) return SphereMethod::Raster;
    above = kSplatAboveOnCpu;
  } else if (software) {
    above = 0;
  }
  return count > above ? SphereMethod::Splat : SphereMethod::Raster;
}

}  // namespace riffle
