#pragma once
/// What a fluid's surface is refused for. Messages are made here, since nvcc does not compile the library that formats them.

#include <cstdint>

#include "core/device/device.h"
#include "core/math/domain.h"

namespace riffle::fluid_surface {

/// @throws InputError for a domain of two dimensions
void require_three_dimensions(const Domain& domain);

/// @throws Unavailable if the device has fewer bytes free. what: "particles", of which there are `count`
void require_bytes(const Device& device, double bytes, const char* what, double count);

/// @throws Unavailable if there are more than can be numbered
void require_at_most(std::uint64_t most, const char* what, std::uint64_t count);

}  // namespace riffle::fluid_surface
