#include "core/timing/time_marks.h"

#include <chrono>
#include <vector>

#if RIFFLE_WITH_CUDA
#include "core/device/cuda_check.h"
#endif

namespace riffle {

struct TimeMarks::Impl {
  Device device;
  std::vector<std::chrono::steady_clock::time_point> points;
#if RIFFLE_WITH_CUDA
  std::vector<cudaEvent_t> events;
#endif

  Impl(const Device& d, int count) : device(d), points(static_cast<std::size_t>(count)) {
#if RIFFLE_WITH_CUDA
    if (!device.is_cuda()) return;
    events.resize(points.size(), nullptr);
    for (cudaEvent_t& event : events) RIFFLE_CUDA_CHECK(cudaEventCreate(&event));
#endif
  }

  ~Impl() {
#if RIFFLE_WITH_CUDA
    for (cudaEvent_t event : events)
      if (event) RIFFLE_CUDA_LOG(cudaEventDestroy(event));
#endif
  }
};

TimeMarks::TimeMarks(const Device& device, int count) : impl_(std::make_unique<Impl>(device, count)) {}
TimeMarks::~TimeMarks() = default;
TimeMarks::TimeMarks(TimeMarks&&) noexcept = default;

void TimeMarks::set(int k) {
#if RIFFLE_WITH_CUDA
  if (impl_->device.is_cuda()) {
    RIFFLE_CUDA_CHECK(cudaEventRecord(impl_->events[static_cast<std::size_t>(k)], cuda_stream(impl_->device)));
    return;
  }
#endif
  impl_->points[static_cast<std::size_t>(k)] = std::chrono::steady_clock::now();
}

double TimeMarks::milliseconds(int a, int b) const {
  const auto first = static_cast<std::size_t>(a), last = static_cast<std::size_t>(b);
#if RIFFLE_WITH_CUDA
  if (impl_->device.is_cuda()) {
    float ms = 0;
    RIFFLE_CUDA_CHECK(cudaEventSynchronize(impl_->events[last]));
    RIFFLE_CUDA_CHECK(cudaEventElapsedTime(&ms, impl_->events[first], impl_->events[last]));
    return double{ms};
  }
#endif
  return std::chrono::duration<double, std::milli>(impl_->points[last] - impl_->points[first]).count();
}

}  // namespace riffle
