#include "core/device/late_copy.h"

#include <cstring>

#if RIFFLE_WITH_CUDA
#include "core/device/cuda_check.h"
#endif

namespace riffle {

#if RIFFLE_WITH_CUDA
struct LateCopy::Mailbox {
  void* pinned = nullptr;
  std::size_t capacity = 0;
  cudaEvent_t arrived = nullptr;

  Mailbox() { RIFFLE_CUDA_CHECK(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming)); }
  ~Mailbox() {
    RIFFLE_CUDA_LOG(cudaEventSynchronize(arrived));  // a copy may still be writing
    RIFFLE_CUDA_LOG(cudaEventDestroy(arrived));
    if (pinned) RIFFLE_CUDA_LOG(cudaFreeHost(pinned));
  }

  void reserve(std::size_t bytes) {
    if (bytes <= capacity) return;
    if (pinned) RIFFLE_CUDA_CHECK(cudaFreeHost(pinned));
    pinned = nullptr;
    RIFFLE_CUDA_CHECK(cudaMallocHost(&pinned, bytes));
    capacity = bytes;
  }
};
#else
struct LateCopy::Mailbox {};
#endif

LateCopy::LateCopy(const Device& device) : device_(device) {
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) mailbox_ = std::make_unique<Mailbox>();
#endif
}

LateCopy::~LateCopy() = default;

void LateCopy::post(const void* from, std::size_t bytes) {
#if RIFFLE_WITH_CUDA
  if (mailbox_) {
    RIFFLE_CUDA_CHECK(cudaEventSynchronize(mailbox_->arrived));
    mailbox_->reserve(bytes);
    RIFFLE_CUDA_CHECK(cudaMemcpyAsync(mailbox_->pinned, from, bytes, cudaMemcpyDeviceToHost, cuda_stream(device_)));
    RIFFLE_CUDA_CHECK(cudaEventRecord(mailbox_->arrived, cuda_stream(device_)));
    return;
  }
#endif
  host_.resize(bytes);
  std::memcpy(host_.data(), from, bytes);
}

const void* LateCopy::wait() {
#if RIFFLE_WITH_CUDA
  if (mailbox_) {
    RIFFLE_CUDA_CHECK(cudaEventSynchronize(mailbox_->arrived));
    return mailbox_->pinned;
  }
#endif
  return host_.data();
}

}  // namespace riffle
