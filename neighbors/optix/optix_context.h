#pragma once
/// OptiX on one GPU: the ray programs, compiled and linked, and the calls that a search makes. Private to neighbors/,
/// and only in builds with CUDA.

#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "core/device/buffer.h"
#include "neighbors/optix/optix_library.h"
#include "neighbors/optix/optix_program_sets.h"
#include "neighbors/optix/optix_retry.h"
#include "neighbors/optix/ray_images.h"

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
  /// This GPU's context with these programs ready, made by the first call and kept until the program ends; OptixTries
  /// says when a failed try is repeated. by_name: the settings name OptiX.
  /// @return nullptr if it is impossible, and why
  static std::shared_ptr<OptixContext> of(const Device& device, bool by_name, std::string* why_not = nullptr,
                                          OptixPrograms programs = OptixPrograms::Neighbors);

  /// @throws Unavailable when the library cannot be used; RuntimeFailure when OptiX refuses something
  OptixContext(const Device& device, const std::string& library);
  ~OptixContext();
  OptixContext(const OptixContext&) = delete;
  OptixContext& operator=(const OptixContext&) = delete;

  bool has_rt_cores() const { return rt_core_version_ > 0; }

  /// Must precede the calls below that name the programs. Compiles them, which takes a second if the driver has not done
  /// so before.
  /// @throws RuntimeFailure with the compiler's message; then nothing of them is left
  void prepare(OptixPrograms programs);

  /// Memory that build() needs. boxes: as for build().
  optix::BufferSizes sizes(const RayBox* boxes, std::int64_t count) const;

  /// Builds a tree over boxes: (count) on the device. Asynchronous, on the device's stream. update: the boxes of the
  /// tree in `output` have moved, and their number is unchanged.
  /// @return the tree for the launch's `boxes`
  optix::Traversable build(const Device& device, const RayBox* boxes, std::int64_t count, bool update,
                           Buffer<std::byte>& scratch, Buffer<std::byte>& output);

  /// The records by which launch() finds the programs, to be copied to the device.
  std::span<const std::byte> records(OptixPrograms programs) const { return part(programs).records; }

  /// Runs `threads` threads. Asynchronous, on the device's stream. launch: (1) on the device, of the programs' type;
  /// records: records() there.
  template <class Launch>
  void launch(const Device& device, OptixPrograms programs, const Launch* launch, std::int64_t threads,
              const std::byte* records) {
    launch_bytes(device, programs, launch, sizeof *launch, threads, records);
  }

 private:
  static constexpr int kGroups = 3;  ///< ray generation, miss, intersection
  /// What belongs to one OptixPrograms.
  struct Part {
    optix::PipelineOptions options;
    alignas(optix::kRecordAlignment) std::byte records[kGroups * optix::kRecordHeader] = {};
  };
  Part& part(OptixPrograms programs) { return parts_[static_cast<int>(programs)]; }
  const Part& part(OptixPrograms programs) const { return parts_[static_cast<int>(programs)]; }

  void launch_bytes(const Device& device, OptixPrograms programs, const void* launch, std::size_t bytes,
                    std::int64_t threads, const std::byte* records);
  void compile(OptixPrograms programs);
  void link(OptixPrograms programs);
  void check(optix::Result code, const char* what, const char* details = "");

  OptixLibrary library_;
  OptixLog log_;
  bool validates_ = false;
  unsigned rt_core_version_ = 0;
  Part parts_[kOptixPrograms];

  /// The handles that the library's functions made and release. Each is released before those above it.
  struct PipelineHandles {
    optix::Module module = nullptr;
    optix::ProgramGroup groups[kGroups] = {};
    optix::Pipeline pipeline = nullptr;
  };
  struct Handles {
    optix::Context context = nullptr;
    PipelineHandles of[kOptixPrograms];
  };
  PipelineHandles& handles(OptixPrograms programs) { return handles_->of[static_cast<int>(programs)]; }
  struct Release {
    const OptixLibrary* library;
    void operator()(Handles* handles) const;
    void operator()(PipelineHandles& of) const;  ///< of one OptixPrograms, which has none then
  };
  std::unique_ptr<Handles, Release> handles_;
};

}  // namespace riffle
