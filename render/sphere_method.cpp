#include "render/sphere_method.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/error.h"

namespace riffle::render {
namespace {

constexpr std::array<std::string_view, 3> kNames{"raster", "splat", "auto"};

// Even a GPU with few graphics units draws a million spheres at interactive rates. On two cores the passes over all
// pixels that splatting adds cost as much as the triangles of some 2,000 spheres. docs/benchmarks.md has the figures.
constexpr int kSplatAboveOnGpu = 1000000;
constexpr int kSplatAboveOnCpu = 2000;

// The fluid look draws each particle four times with its shadow, and filters the result. Kernels are faster even at the
// smallest measured number of particles, on a GPU and on a processor.
constexpr int kSplatFluidAboveOnGpu = 30000;
constexpr int kSplatFluidAboveOnCpu = 0;

}  // namespace

std::string_view to_string(SphereMethod method) { return kNames[static_cast<std::size_t>(method)]; }

SphereMethod sphere_method_from(std::string_view name) {
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end())
    throw InputError(fmt::format("unknown way to draw spheres '{}'; allowed: {}", name, fmt::join(kNames, ", ")));
  return static_cast<SphereMethod>(at - kNames.begin());
}

std::optional<int> splat_above(const Device& simulation_device, bool software, Look look) {
  const bool fluid = look == Look::Fluid;
  if (simulation_device.is_cuda()) {
    if (software) return 0;  // otherwise the CPU would draw them
    return fluid ? kSplatFluidAboveOnGpu : kSplatAboveOnGpu;
  }
  if (!software) return std::nullopt;  // a GPU draws faster than a CPU splats
  return fluid ? kSplatFluidAboveOnCpu : kSplatAboveOnCpu;
}

SphereMethod choose_spheres(SphereMethod wanted, const Device& simulation_device, bool software, int count, Look look) {
  if (wanted != SphereMethod::Auto) return wanted;
  const auto above = splat_above(simulation_device, software, look);
  return above && count > *above ? SphereMethod::Splat : SphereMethod::Raster;
}

}  // namespace riffle::render
