#include "app/run/memory_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/text/log.h"
#include "core/text/number_text.h"
#include "sim/guard/held_state.h"
#include "sim/openings/nozzle.h"
#include "sim/simulation.h"
#include "sim/start/sampling.h"
#include "sim/walls/domain_faces.h"

namespace riffle {

namespace {

std::size_t held_bytes(const SimulationSetup& setup) {
  return held_state_bytes(setup, count_particles(setup) + static_cast<std::int64_t>(FilledNozzles(setup).count()));
}

/// To two digits.
double rounded_down(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)) - 1);
  return std::floor(value / power) * power;
}

}  // namespace

MemoryNeed memory_need(const SimulationSetup& setup, const Device& device) {
  MemoryNeed need{estimate_memory(setup, device), free_memory(device), 0, held_bytes(setup)};
  need.needed += need.held;
  if (need.fits()) return need;
  SimulationSetup coarser = setup;
  const double ratio =
      static_cast<double>(need.needed - need.held) / static_cast<double>(std::max<std::size_t>(need.free, 1));
  double spacing = setup.spacing * std::pow(ratio, 1.0 / setup.domain.dimension);
  for (int attempt = 0; attempt < 40; ++attempt, spacing *= 1.1) {  // walls shrink slower than the fluid does
    const double power = std::pow(10.0, std::floor(std::log10(spacing)) - 1);
    coarser.spacing = static_cast<float>(std::ceil(spacing / power) * power);  // two digits
    if (estimate_memory(coarser, device) > need.free) continue;
    need.fitting_spacing = coarser.spacing;
    break;
  }
  return need;
}

std::string describe_shortage(const MemoryNeed& need, const SimulationSetup& setup, const Device& device) {
  // A scene has one of the two keys. DPD fluids are known by their number density.
  const bool by_density = solver_info(setup).thermal;
  const double fitting = need.fitting_spacing;
  const std::string remedy =
      fitting > 0
          ? fmt::format("; {} would fit, and so may a smaller domain",
                        by_density ? fmt::format("particles.number_density={:.3g} (particles.spacing={:.2g})",
                                                 rounded_down(std::pow(fitting, -setup.domain.dimension)), fitting)
                                   : fmt::format("particles.spacing={:.2g}", fitting))
          : fmt::format("; a {} or a smaller domain needs less",
                        by_density ? "smaller particles.number_density" : "larger particles.spacing");
  const double needed = static_cast<double>(need.needed - need.held), free = static_cast<double>(need.free);
  return fmt::format(
      "{} makes {} particles, {} wall particles and a grid of {:.0f} cells, which need about "
      "{}; {} has {} free, {} short{}",
      by_density ? fmt::format("a number density of {:.4g}", 1 / setup.particle_volume())
                 : fmt::format("a particle spacing of {:g}", setup.spacing),
      count_particles(setup), count_boundary_particles(setup), count_cells(setup), bytes_text(needed),
      device_name(device), bytes_text(free), bytes_text(std::max(0.0, needed - free)), remedy);
}

std::string tree_choice_memory(const SimulationSetup& setup, const Device& device) {
  const NeighborSetup& chosen = setup.neighbors;
  if (!device.is_cuda() || chosen.automatic || setup.deterministic || chosen.method != NeighborMethod::Rtnn ||
      chosen.structure != TreeStructure::Automatic)
    return "";
  SimulationSetup by_optix = setup;
  by_optix.neighbors.structure = TreeStructure::Optix;
  return fmt::format(
      "about {} where rtnn chooses OptiX; the first step measures its own tree and OptiX's, and for a moment takes "
      "both, where they fit",
      bytes_text(static_cast<double>(estimate_memory(by_optix, device) + held_bytes(setup))));
}

namespace {

void require(const MemoryNeed& need, const SimulationSetup& setup, const Device& device) {
  if (!need.fits()) throw Unavailable(describe_shortage(need, setup, device));
}

}  // namespace

Device select_device_for(const SimulationSetup& setup, DeviceRequest request, std::optional<scenes::Warning>* warning) {
  Device device = select_device(request);
  MemoryNeed need = memory_need(setup, device);
  if (!need.fits() && request == DeviceRequest::Auto && device.is_cuda()) {
    const std::string text = describe_shortage(need, setup, device) + "; using the CPU";
    log::warn("{}", text);
    if (warning) *warning = scenes::Warning{scenes::WarningKind::GpuTooSmall, "", "", text};
    device = select_device(DeviceRequest::Cpu);
    need = memory_need(setup, device);
  }
  require(need, setup, device);
  return device;
}

void require_memory(const SimulationSetup& setup, const Device& device) {
  require(memory_need(setup, device), setup, device);
}

}  // namespace riffle
