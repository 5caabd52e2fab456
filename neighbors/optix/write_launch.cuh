#pragma once
/// The parameters of a launch of ray programs, written on the device: a copy from the host would wait for it. Private to
/// neighbors/; include it only from .cu files.

#include "core/device/buffer.h"
#include "core/device/parallel.cuh"

namespace riffle {

template <class Launch>
struct WriteLaunch {
  Launch launch;
  Launch* to;

  RIFFLE_HD void operator()(std::int64_t) const { *to = launch; }
};

/// to: (1) out. Asynchronous.
template <class Launch>
void write_launch(const Device& device, const Launch& launch, Buffer<Launch>& to) {
  to.resize(1);
  parallel_for(device, "parameters of rays", 1, WriteLaunch<Launch>{launch, to.data()});
}

}  // namespace riffle
