#pragma once
/// Whether a scene fits into a device's memory, before anything is allocated.

#include <cstddef>
#include <optional>
#include <string>

#include "core/device/device.h"
#include "scenes/warning.h"
#include "sim/setup.h"

namespace riffle {

struct MemoryNeed {
  std::size_t needed = 0, free = 0;  ///< [bytes]
  double fitting_spacing = 0;        ///< [m]; a spacing that would fit, when this one does not
  /// [bytes] of `needed` that the state takes which a run holds (app/run/run_guard.h). A run does without where they are missing.
  std::size_t held = 0;
  bool fits() const { return needed - held <= free; }
};

MemoryNeed memory_need(const SimulationSetup& setup, const Device& device);

/// One sentence with needed and free memory, what needs it, and a spacing that would fit.
std::string describe_shortage(const MemoryNeed& need, const SimulationSetup& setup, const Device& device);

/// With `structure: auto` rtnn measures its own tree and OptiX's, one after the other, beside the one in use. The need of
/// memory_need() is estimated with its own tree. @return the need with OptiX's, as a sentence; "" where nothing is measured
std::string tree_choice_memory(const SimulationSetup& setup, const Device& device);

/// The device of the request. For Auto it is the CPU when the GPU's memory is too small, and a warning says so.
/// @param warning gets that warning, which is logged too
/// @throws Unavailable when there is no such device or its memory is too small
Device select_device_for(const SimulationSetup& setup, DeviceRequest request,
                         std::optional<scenes::Warning>* warning = nullptr);

/// @throws Unavailable where the device's memory is too small; the message is describe_shortage's
void require_memory(const SimulationSetup& setup, const Device& device);

}  // namespace riffle
