#include "core/device/device_stream.h"

#if RIFFLE_WITH_CUDA
#include "core/device/cuda_check.h"
#endif

namespace riffle {

#if RIFFLE_WITH_CUDA

DeviceStream::DeviceStream(const Device& device) : device_(device) {
  if (device.is_cpu()) return;
  cudaStream_t stream = nullptr;
  RIFFLE_CUDA_CHECK(cudaSetDevice(device.ordinal));
  RIFFLE_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  device_.stream = stream;
}

DeviceStream::~DeviceStream() {
  if (device_.is_cuda()) RIFFLE_CUDA_LOG(cudaStreamDestroy(cuda_stream(device_)));
}

void DeviceStream::synchronize() const {
  if (device_.is_cuda()) RIFFLE_CUDA_CHECK(cudaStreamSynchronize(cuda_stream(device_)));
}

#else

DeviceStream::DeviceStream(const Device& device) : device_(device) {}
DeviceStream::~DeviceStream() = default;
void DeviceStream::synchronize() const {}

#endif

}  // namespace riffle
