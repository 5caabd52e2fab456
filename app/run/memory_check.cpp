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
  const std::string remedy =
      need.fitting_spacing > 0
          ? fmt::format("; particles.spacing={:.2g} would fit, and so may a smaller domain", need.fitting_spacing)
          : "; a larger particles.spacing or a smaller domain needs less";
  const double needed = static_cast<double>(need.needed - need.held), free = static_cast<double>(need.free);
  return fmt::format(
      "a particle spacing of {:g} makes {} particles, {} wall particles and a grid of {:.0f} cells, which need about "
      "{}; {} has {} free, {} short{}",
      setup.spacing, count_particles(setup), count_boundary_particles(setup), count_cells(setup), bytes_text(needed),
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
      "both, "
      "where they fit",
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
