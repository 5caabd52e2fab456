#include "neighbors/optix/optix_points.h"

#include <string>

#include "core/error.h"
#if RIFFLE_WITH_CUDA
#include <algorithm>

#include "core/device/workspace.h"
#include "neighbors/optix/optix_context.h"
#include "neighbors/optix/write_launch.cuh"
#endif

namespace riffle {

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw Unavailable("point search, structure: optix " + why + "; allowed there: points, boxes");
}

#if RIFFLE_WITH_CUDA

OptixPrograms programs_for(const PointLaunch& launch) {
  if (launch.task != PointTask::Nearest || launch.capacity > kMostNearest) return OptixPrograms::Points;
  return launch.capacity > kFewNearest ? OptixPrograms::PayloadNearest : OptixPrograms::FewNearest;
}

struct PutPointBoxes {
  const Vec4* points;
  RayFrame frame;
  RayBox* box;

  RIFFLE_HD void operator()(std::int64_t i) const { box[i] = ray_box(xyz(points[i]), frame); }
};

class PointsByOptix : public OptixPoints {
 public:
  PointsByOptix(const Device& device, std::shared_ptr<OptixContext> optix)
      : device_(device), optix_(std::move(optix)) {}

  void take(const Vec4* points, const std::uint32_t* original, int count) override {
    if (count > optix::kMostBoxes)
      throw Unavailable("point search, structure: optix holds " + std::to_string(optix::kMostBoxes) +
                        " boxes, and there are " + std::to_string(count) + " points; use structure: points or boxes");
    points_ = points;
    original_ = original;
    count_ = count;
    built_ = false;
  }

  bool has(float half) const override { return built_ && point_frame(half).h == frame_.h; }

  void build(float half) override {
    built_ = false;
    frame_ = point_frame(half);
    tree_ = 0;  // a ray meets nothing in it
    if (count_ > 0) {
      box_.resize(static_cast<std::size_t>(count_));
      parallel_for(device_, "boxes for rays", count_, PutPointBoxes{points_, frame_, box_.data()});
      const optix::BufferSizes sizes = optix_->sizes(box_.data(), count_);
      scratch_.resize(sizes.scratch);
      tree_memory_.resize(sizes.output);
      tree_ = optix_->build(device_, box_.data(), count_, false, scratch_, tree_memory_);
      ++builds_;
    }
    built_ = true;
  }

  void trace(PointLaunch launch, std::int64_t rays) override {
    launch.points = points_;
    launch.original = original_;
    launch.point_count = static_cast<std::uint32_t>(count_);
    launch.boxes = tree_;
    launch.frame = frame_;
    const OptixPrograms programs = programs_for(launch);
    const std::byte* records = records_of(programs);
    while (rays > 0) {
      const std::int64_t now = std::min(rays, optix::kMostRays);
      write_launch(device_, launch, launch_);
      optix_->launch(device_, programs, launch_.data(), now, records);
      launch.first += static_cast<std::uint64_t>(now);
      rays -= now;
    }
  }

  std::int64_t builds() const override { return builds_; }
  std::size_t memory_bytes() const override { return memory_.bytes(); }

 private:
  /// (records) on the device, made by the first call.
  const std::byte* records_of(OptixPrograms programs) {
    Buffer<std::byte>& records = *records_[static_cast<int>(programs)];
    if (records.empty()) {
      std::string why_not;
      const auto context = OptixContext::of(device_, true, &why_not, programs);
      if (!context) refuse("cannot be used: " + why_not);
      if (context != optix_)
        refuse("cannot be used any more: its library was loaded again during this run; start the program again");
      write_records(device_, optix_->records(programs), records);
    }
    return records.data();
  }

  Buffer<std::byte>* new_bytes() {
    Buffer<std::byte>& bytes = memory_.make();
    return &bytes;
  }

  Device device_;
  std::shared_ptr<OptixContext> optix_;
  const Vec4* points_ = nullptr;
  const std::uint32_t* original_ = nullptr;
  int count_ = 0;
  bool built_ = false;
  RayFrame frame_;
  optix::Traversable tree_ = 0;
  std::int64_t builds_ = 0;
  Workspace memory_{device_};
  Buffer<RayBox>& box_ = memory_.make();  ///< (count)
  Buffer<std::byte>& scratch_ = memory_.make();
  Buffer<std::byte>& tree_memory_ = memory_.make();
  Buffer<PointLaunch>& launch_ = memory_.make();  ///< (1)
  /// OptixContext::records() of each set of programs; empty until it is launched
  Buffer<std::byte>* const records_[kOptixPrograms] = {new_bytes(), new_bytes(), new_bytes(), new_bytes()};
};

#endif

}  // namespace

std::unique_ptr<OptixPoints> OptixPoints::make(const Device& device) {
  if (device.is_cpu()) refuse("runs only on an NVIDIA GPU, and this search is on the CPU");
#if RIFFLE_WITH_CUDA
  std::string why_not;
  if (auto context = OptixContext::of(device, true, &why_not, OptixPrograms::Points))
    return std::make_unique<PointsByOptix>(device, std::move(context));
  refuse("cannot be used: " + why_not);
#else
  refuse("is in no build without CUDA");
#endif
}

}  // namespace riffle
