#include "neighbors/lists/late_count.h"

#if RIFFLE_WITH_CUDA
#include "core/device/cuda_check.h"
#endif

namespace riffle {

#if RIFFLE_WITH_CUDA

struct LateCount::Copy {
  std::uint32_t* count = nullptr;  ///< page-locked, so that the copy does not wait
  cudaEvent_t arrived = nullptr;
  bool under_way = false;

  Copy() {
    RIFFLE_CUDA_CHECK(cudaMallocHost(&count, sizeof *count));
    RIFFLE_CUDA_CHECK(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming));
  }
  ~Copy() {
    if (arrived) RIFFLE_CUDA_LOG(cudaEventSynchronize(arrived));  // a copy may still be in flight
    if (arrived) RIFFLE_CUDA_LOG(cudaEventDestroy(arrived));
    if (count) RIFFLE_CUDA_LOG(cudaFreeHost(count));
  }
};

void LateCount::request(const std::uint32_t* count) {
  if (device_.is_cpu()) {
    latest_ = *count;
    return;
  }
  latest();  // takes an arrived count, so that the next can be sent
  if (copy_ && copy_->under_way) return;
  if (!copy_) copy_ = std::make_unique<Copy>();
  RIFFLE_CUDA_CHECK(cudaMemcpyAsync(copy_->count, count, sizeof *count, cudaMemcpyDeviceToHost, cuda_stream(device_)));
  RIFFLE_CUDA_CHECK(cudaEventRecord(copy_->arrived, cuda_stream(device_)));
  copy_->under_way = true;
}

std::uint32_t LateCount::latest() {
  if (copy_ && copy_->under_way) {
    const cudaError_t code = cudaEventQuery(copy_->arrived);
    if (code == cudaSuccess) {
      copy_->under_way = false;
      latest_ = *copy_->count;
    } else if (code == cudaErrorNotReady) {
      cudaGetLastError();  // clears it: not an error, and a later check must not see it
    } else {
      RIFFLE_CUDA_CHECK(code);
    }
  }
  return latest_;
}

// The next copy goes to the same place, later on the same stream, so a copy in flight does no harm.
void LateCount::forget() {
  latest_ = 0;
  if (copy_) copy_->under_way = false;
}

#else

struct LateCount::Copy {};
void LateCount::request(const std::uint32_t* count) { latest_ = *count; }
std::uint32_t LateCount::latest() { return latest_; }
void LateCount::forget() { latest_ = 0; }

#endif

LateCount::LateCount(const Device& device) : device_(device) {}
LateCount::~LateCount() = default;

}  // namespace riffle
