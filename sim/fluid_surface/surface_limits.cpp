#include "sim/fluid_surface/surface_limits.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/text/number_text.h"

namespace riffle::fluid_surface {

void require_three_dimensions(const Domain& domain) {
  if (domain.dimension == 3) return;
  throw InputError(fmt::format(
      "a fluid's surface: found a scene of {} dimensions; allowed: 3, since triangles enclose a volume",
      domain.dimension));
}

void require_bytes(const Device& device, double bytes, const char* what, double count) {
  const auto free = static_cast<double>(free_memory(device));
  if (bytes > free)
    throw Unavailable(fmt::format("the fluid's surface has {:.0f} {}, which need {}; {} has {} free", count, what,
                                  bytes_text(bytes), device_name(device), bytes_text(free)));
}

void require_at_most(std::uint64_t most, const char* what, std::uint64_t count) {
  if (count > most)
    throw Unavailable(fmt::format("the fluid's surface has {} {}; allowed: up to {}", count, what, most));
}

}  // namespace riffle::fluid_surface
