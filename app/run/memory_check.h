#pragma once
/// Whether a scene fits into a device, known before anything is allocated.

#include <cstddef>
#include <string>

#include "core/device/device.h"
#include "sim/setup.h"

namespace riffle {

struct MemoryNeed {
  std::size_t needed = 0, free = 0;  ///< [bytes]
  double fitting_spacing = 0;        ///< [m]; a spacing that would fit, when this one does not
  bool fits() const { return needed <= free; }
};

MemoryNeed memory_need(const SimulationSetup& setup, const Device& device);

/// One sentence with both numbers, all that takes part in them, and the spacing that would fit.
std::string describe_shortage(const MemoryNeed& need, const SimulationSetup& setup, const Device& device);

/// The device of the request. Auto leaves a GPU whose memory is too small for the CPU, and says so.
/// @throws Unavailable when the device is not there or its memory is too small
Device select_device_for(const SimulationSetup& setup, DeviceRequest request);

/// @throws Unavailable where the device's memory is too small; the message is describe_shortage's
void require_memory(const SimulationSetup& setup, const Device& device);

}  // namespace riffle
