#pragma once
/// A separate queue of work, for a thread that must not wait behind another's.

#include "core/device/device.h"

namespace riffle {

/// Launches and copies on device() run in their own order, beside those of the default stream. No effect on the CPU.
class DeviceStream {
 public:
  explicit DeviceStream(const Device& device);  ///< @throws RuntimeFailure when the driver refuses
  ~DeviceStream();
  DeviceStream(const DeviceStream&) = delete;
  DeviceStream& operator=(const DeviceStream&) = delete;

  const Device& device() const { return device_; }  ///< the same device, with this stream
  void synchronize() const;                         ///< waits for this stream only

 private:
  Device device_;
};

}  // namespace riffle
