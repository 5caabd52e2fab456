#pragma once
/// Raw allocation and copies on a device. The rest of the program uses Buffer<T>.

#include <cstddef>

#include "core/device/device.h"

namespace riffle {

/// @return `bytes` bytes, aligned to 256; nullptr for 0 bytes.
/// @throws Unavailable naming the bytes requested and the bytes free.
void* device_allocate(const Device& device, std::size_t bytes);
void device_free(const Device& device, void* pointer, std::size_t bytes) noexcept;

void fill_bytes(const Device& device, void* pointer, int value, std::size_t bytes);
void copy_on_device(const Device& device, void* to, const void* from, std::size_t bytes);
void copy_from_host(const Device& device, void* to, const void* host,
                    std::size_t bytes);  ///< returns when `host` may be reused
void copy_to_host(const Device& device, void* host, const void* from,
                  std::size_t bytes);  ///< returns when the data is there

/// Bytes that all buffers of the process hold on this kind of device now. Leak tests compare it.
std::size_t allocated_bytes(DeviceKind kind);

}  // namespace riffle
