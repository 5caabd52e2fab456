#include "sim/late_flag.h"

#if RIFFLE_WITH_CUDA
#include "core/device/cuda_check.h"
#endif

namespace riffle {

#if RIFFLE_WITH_CUDA
/// Pinned copies of the flag on their way to the host. Copy number k lies in slot k % kSlots.
struct LateFlag::Mailbox {
  static constexpr int kSlots = kAhead + 1;
  std::uint32_t* slots = nullptr;
  cudaEvent_t arrived[kSlots] = {};
  std::uint64_t posted = 0, read = 0;
  std::uint64_t first = 0;  ///< copy of the present loop
  bool raised = false;

  Mailbox() {
    RIFFLE_CUDA_CHECK(cudaMallocHost(&slots, kSlots * sizeof(std::uint32_t)));
    for (cudaEvent_t& event : arrived) RIFFLE_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  }
  ~Mailbox() {
    for (cudaEvent_t event : arrived)  // a copy may still be writing to the slots
      if (event) RIFFLE_CUDA_LOG(cudaEventSynchronize(event));
    for (cudaEvent_t event : arrived)
      if (event) RIFFLE_CUDA_LOG(cudaEventDestroy(event));
    if (slots) RIFFLE_CUDA_LOG(cudaFreeHost(slots));
  }

  /// Reads the oldest copy that is not read. @return whether it has arrived
  bool take(bool wait) {
    const int slot = static_cast<int>(read % kSlots);
    const cudaError_t code = wait ? cudaEventSynchronize(arrived[slot]) : cudaEventQuery(arrived[slot]);
    if (!wait && code == cudaErrorNotReady) {
      cudaGetLastError();  // the next launch's check must not see it
      return false;
    }
    RIFFLE_CUDA_CHECK(code);
    if (read >= first && slots[slot] != 0) raised = true;
    ++read;
    return true;
  }
};
#else
struct LateFlag::Mailbox {};
#endif

LateFlag::LateFlag(const Device& device) : device_(device) {
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) mailbox_ = std::make_unique<Mailbox>();
#endif
}

LateFlag::~LateFlag() = default;

void LateFlag::begin() {
#if RIFFLE_WITH_CUDA
  if (!mailbox_) return;
  mailbox_->first = mailbox_->posted;
  mailbox_->raised = false;
#endif
}

bool LateFlag::raised(const std::uint32_t* flag, [[maybe_unused]] bool at_once) {
#if RIFFLE_WITH_CUDA
  if (mailbox_) {
    Mailbox& box = *mailbox_;
    if (box.posted - box.read == Mailbox::kSlots) box.take(true);  // the slot is needed
    const int slot = static_cast<int>(box.posted % Mailbox::kSlots);
    RIFFLE_CUDA_CHECK(
        cudaMemcpyAsync(&box.slots[slot], flag, sizeof *flag, cudaMemcpyDeviceToHost, cuda_stream(device_)));
    RIFFLE_CUDA_CHECK(cudaEventRecord(box.arrived[slot], cuda_stream(device_)));
    ++box.posted;
    while (!box.raised && box.read < box.posted && box.take(at_once)) {
    }
    if (!box.raised && box.posted - box.read > static_cast<std::uint64_t>(kAhead)) box.take(true);
    return box.raised;
  }
#endif
  return *flag != 0;
}

}  // namespace riffle
