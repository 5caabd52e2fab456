#pragma once
/// A copy of a device's memory that the host reads later, without stopping the device. On the CPU it is made at once.

#include <cstddef>
#include <memory>
#include <vector>

#include "core/device/device.h"

namespace riffle {

class LateCopy {
 public:
  explicit LateCopy(const Device& device);
  ~LateCopy();
  LateCopy(const LateCopy&) = delete;
  LateCopy& operator=(const LateCopy&) = delete;

  /// Queues the copy of what is there once all work queued so far is done. Waits for an earlier copy that has not arrived.
  void post(const void* from, std::size_t bytes);

  /// What was posted last. Waits until it has arrived; any thread may call it, one at a time. Valid until the next post().
  const void* wait();

 private:
  struct Mailbox;
  Device device_;
  std::vector<std::byte> host_;
  std::unique_ptr<Mailbox> mailbox_;
};

}  // namespace riffle
