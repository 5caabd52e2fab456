#pragma once
/// The parameters of a launch of ray programs and the programs' records, written on the device: a copy from the host would
/// wait for it. Private to neighbors/; include it only from .cu files.

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>

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

struct WriteRecords {
  static constexpr std::size_t kMost = 128;  ///< [bytes]
  std::byte records[kMost];
  std::byte* to;

  RIFFLE_HD void operator()(std::int64_t i) const { to[i] = records[i]; }
};

/// to: (records) out. Asynchronous.
inline void write_records(const Device& device, std::span<const std::byte> records, Buffer<std::byte>& to) {
  if (records.size() > WriteRecords::kMost) throw std::logic_error("more records than a kernel's parameters hold");
  to.resize(records.size());
  WriteRecords write{.records = {}, .to = to.data()};
  std::copy(records.begin(), records.end(), write.records);
  parallel_for(device, "records of ray programs", static_cast<std::int64_t>(records.size()), write);
}

}  // namespace riffle
