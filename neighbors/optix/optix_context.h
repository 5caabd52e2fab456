#pragma once
/// OptiX on one GPU: the ray programs, compiled and linked, and the calls that a search makes. Private to neighbors/,
/// and only in builds with CUDA.

#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "core/device/buffer.h"
#include "neighbors/optix/optix_launch.h"
#include "neighbors/optix/optix_library.h"

namespace riffle {

/// Messages of OptiX: kept for the text of the next failure, and shown if RIFFLE_OPTIX_LOG asks for it, from 1 (fatal
/// errors) to 4 (everything).
class OptixLog {
 public:
  OptixLog();
  int level() const { return level_; }
  std::string take();  ///< the errors since the last call
  static void receive(unsigned level, const char* tag, const char* message, void* log) noexcept;

 private:
  static constexpr unsigned kError = 2;
  int shown_ = 0, level_ = 0;
  std::mutex mutex_;
  std::string errors_;
};

class OptixContext {
 public:
  /// This GPU's context, made by the first call and kept until the program ends; FailedOptixTry says when a failed try
  /// is repeated. even_without_rt_cores: even if the GPU has none. @return nullptr if unwanted or impossible, and why
  static std::shared_ptr<OptixContext> of(const Device& device, bool even_without_rt_cores,
                                          std::string* why_not = nullptr);

  /// @throws Unavailable when the library cannot be used; RuntimeFailure when OptiX refuses something
  OptixContext(const Device& device, const std::string& library);
  ~OptixContext();
  OptixContext(const OptixContext&) = delete;
  OptixContext& operator=(const OptixContext&) = delete;

  bool has_rt_cores() const { return rt_core_version_ > 0; }

  /// Must precede the calls below. Compiles the programs, which takes a second if the driver has not done so before.
  /// @throws RuntimeFailure with the compiler's message
  void prepare();

  /// Memory that build() needs. boxes: as for build().
  optix::BufferSizes sizes(const RayBox* boxes, std::int64_t count) const;

  /// Builds a tree over boxes: (count) on the device. Asynchronous, on the device's stream. update: the boxes of the
  /// tree in `output` have moved, and their number is unchanged.
  /// @return the tree for OptixLaunch::boxes
  optix::Traversable build(const Device& device, const RayBox* boxes, std::int64_t count, bool update,
                           Buffer<std::byte>& scratch, Buffer<std::byte>& output);

  /// The records by which launch() finds the programs, to be copied to the device.
  std::span<const std::byte> records() const { return records_; }

  /// Runs `threads` threads. Asynchronous, on the device's stream. launch: (1) on the device; records: records() there.
  void launch(const Device& device, const OptixLaunch* launch, std::int64_t threads, const std::byte* records);

 private:
  void compile();
  void link();
  void check(optix::Result code, const char* what, const char* details = "");

  OptixLibrary library_;
  OptixLog log_;
  bool validates_ = false;
  unsigned rt_core_version_ = 0;
  optix::PipelineOptions options_;
  static constexpr int kGroups = 3;  ///< ray generation, miss, intersection
  alignas(optix::kRecordAlignment) std::byte records_[kGroups * optix::kRecordHeader] = {};

  /// The handles that the library's functions made and release, in the order in which they must be released.
  struct Handles {
    optix::Context context = nullptr;
    optix::Module module = nullptr;
    optix::ProgramGroup groups[kGroups] = {};
    optix::Pipeline pipeline = nullptr;
  };
  struct Release {
    const OptixLibrary* library;
    void operator()(Handles* handles) const;
  };
  std::unique_ptr<Handles, Release> handles_;
};

}  // namespace riffle
