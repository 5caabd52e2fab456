#pragma once
/// How often a thread has waited for a device. Tests count what a build of a search waits.

#include <cstdint>

namespace riffle {

/// Copies between host and device and synchronize() calls of this thread so far. On the CPU, where nothing waits, they
/// are counted too, so that one test is of both devices. Copies that arrive late (LateCopy) and events are not counted.
std::uint64_t device_waits();

void count_device_wait();  ///< for whoever waits

}  // namespace riffle
