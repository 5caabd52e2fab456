#pragma once
/// A count that the device knows and the host wants without waiting for it. Private to neighbors/.

#include <cstdint>
#include <memory>

#include "core/device/device.h"

namespace riffle {

class LateCount {
 public:
  explicit LateCount(const Device& device);
  ~LateCount();

  /// Sends for *count, a number on the device, unless an earlier one is still on its way. Does not wait.
  void request(const std::uint32_t* count);
  /// The last that has arrived, 0 before the first: on CUDA a build or two behind, on the CPU never.
  std::uint32_t latest();
  /// Back to 0, whatever is on its way.
  void forget();

 private:
  struct Copy;
  Device device_;
  std::uint32_t latest_ = 0;
  std::unique_ptr<Copy> copy_;
};

}  // namespace riffle
