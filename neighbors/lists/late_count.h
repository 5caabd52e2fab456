#pragma once
/// A count on the device that the host wants without waiting for it. Private to neighbors/.

#include <cstdint>
#include <memory>

#include "core/device/device.h"

namespace riffle {

class LateCount {
 public:
  explicit LateCount(const Device& device);
  ~LateCount();

  /// Requests *count, a number on the device, unless an earlier request is still in flight. Does not wait.
  void request(const std::uint32_t* count);
  /// The last count that has arrived, 0 before the first: on CUDA a build or two behind, on the CPU up to date.
  std::uint32_t latest();
  /// Sets the count back to 0 and drops any request in flight.
  void forget();

 private:
  struct Copy;
  Device device_;
  std::uint32_t latest_ = 0;
  std::unique_ptr<Copy> copy_;
};

}  // namespace riffle
