#include "neighbors/optix/optix_context.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/text/log.h"
#include "neighbors/optix/optix_launch.h"
#include "neighbors/optix/optix_ptx.h"
#include "neighbors/optix/point_rays.h"

namespace riffle {

namespace {

static_assert(sizeof(RayBox) == 6 * sizeof(float));  // as OptiX reads boxes that are packed

int number_from(const char* variable) {
  const char* text = std::getenv(variable);
  return text ? std::atoi(text) : 0;
}

/// The flags for building a structure and for asking its size. It is traced twice per build or refit.
optix::BuildOptions build_options(bool update) {
  return {.flags = optix::kAllowUpdate | optix::kPreferFastTrace,
          .operation = update ? optix::kUpdate : optix::kBuild,
          .motion = {}};
}

/// One array of boxes with one kind of programs. The pointers must outlive the returned value.
optix::BuildInput build_input(const optix::DevicePointer* boxes, std::int64_t count, const std::uint32_t* flags) {
  optix::BuildInput input;
  input.type = optix::kInputCustomPrimitives;
  input.custom = {};
  input.custom.boxes = boxes;
  input.custom.count = static_cast<std::uint32_t>(count);
  input.custom.flags = flags;
  input.custom.records = 1;
  return input;
}

/// No any-hit program is called, also where a hit is reported to end a ray. Without the second flag, however, a box may be in the tree in
/// several pieces, and a particle would be found once in each piece that the ray is in.
constexpr std::uint32_t kGeometry = optix::kGeometryDisableAnyHit | optix::kGeometrySingleAnyHit;

optix::DevicePointer address(const void* pointer) { return reinterpret_cast<optix::DevicePointer>(pointer); }

/// The names in one PTX.
struct ProgramNames {
  std::string_view ptx;
  const char *launch, *ray_generation, *miss, *intersection;
};

/// What differs from set to set of programs.
struct ProgramSet {
  ProgramNames names;
  int payload_words;
};

ProgramSet set_of(OptixPrograms programs) {
  const auto of_points = [](std::string_view ptx, int words) {
    return ProgramSet{{ptx, kPointLaunchName, kPointRayGeneration, kPointMiss, kPointIntersection}, words};
  };
  switch (programs) {
    case OptixPrograms::Points: return of_points(optix_point_ptx(), PointRay::kWords);
    case OptixPrograms::FewNearest: return of_points(optix_nearest_8_ptx(), NearestRay<kFewNearest>::kWords);
    case OptixPrograms::PayloadNearest: return of_points(optix_nearest_15_ptx(), NearestRay<kMostNearest>::kWords);
    case OptixPrograms::Neighbors: break;
  }
  return {{optix_ptx(), kOptixLaunchName, kOptixRayGeneration, kOptixMiss, kOptixIntersection}, kOptixPayloadWords};
}

}  // namespace

OptixLog::OptixLog() : shown_(number_from("RIFFLE_OPTIX_LOG")), level_(std::max<int>(shown_, kError)) {}

std::string OptixLog::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(errors_, {});
}

void OptixLog::receive(unsigned level, const char* tag, const char* message, void* log) noexcept try {
  auto& self = *static_cast<OptixLog*>(log);
  if (static_cast<int>(level) <= self.shown_) log::info("OptiX [{}] {}", tag ? tag : "", message ? message : "");
  if (level > kError) return;
  const std::lock_guard lock(self.mutex_);
  if (!self.errors_.empty()) self.errors_ += "; ";
  self.errors_ += message ? message : "";
} catch (...) {  // called from the driver, which no exception may pass
}

std::shared_ptr<OptixContext> OptixContext::of(const Device& device, bool by_name, std::string* why_not,
                                               OptixPrograms programs) {
  // Never freed: when a program ends, CUDA may shut down before static objects here.
  static auto& tries = *new std::map<std::pair<int, std::string>, OptixTries<OptixContext>>;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const std::string library = optix_library_name();
  std::string why;
  auto context = tries[{device.ordinal, library}].get(
      programs, by_name, [&] { return std::make_shared<OptixContext>(device, library); },
      [&] { return free_memory(device); }, why);
  if (!context && why_not) *why_not = why;
  return context;
}

OptixContext::OptixContext(const Device& device, const std::string& library)
    : library_(library),
      validates_(number_from("RIFFLE_OPTIX_VALIDATION") != 0),
      handles_(new Handles, Release{&library_}) {
  free_memory(device);  // the first use of the GPU: makes its CUDA context the thread's, which OptiX takes
  const optix::ContextOptions context_options{.log = OptixLog::receive,
                                              .log_data = &log_,
                                              .log_level = log_.level(),
                                              .validation = validates_ ? optix::kValidateAll : 0};
  check(library_->context_create(nullptr, &context_options, &handles_->context), "making a context");
  check(library_->context_property(handles_->context, optix::kPropertyRtCoreVersion, &rt_core_version_,
                                   sizeof rt_core_version_),
        "asking for RT cores");
}

void OptixContext::prepare(OptixPrograms programs) {
  if (handles(programs).pipeline) return;
  try {
    compile(programs);
    link(programs);
  } catch (...) {
    handles_.get_deleter()(handles(programs));
    throw;
  }
}

OptixContext::~OptixContext() = default;

void OptixContext::Release::operator()(Handles* handles) const {
  const OptixLibrary& optix = *library;
  for (PipelineHandles& of : handles->of) (*this)(of);
  if (handles->context) optix.log_failure(optix->context_destroy(handles->context), "letting the context go");
  delete handles;
}

void OptixContext::Release::operator()(PipelineHandles& of) const {
  const OptixLibrary& optix = *library;
  if (of.pipeline) optix.log_failure(optix->pipeline_destroy(of.pipeline), "letting the pipeline go");
  for (const optix::ProgramGroup group : of.groups)
    if (group) optix.log_failure(optix->program_group_destroy(group), "letting a program go");
  if (of.module) optix.log_failure(optix->module_destroy(of.module), "letting the programs go");
  of = {};
}

void OptixContext::check(optix::Result code, const char* what, const char* details) {
  if (code == 0) return;
  std::string all = log_.take();
  if (*details) all = all.empty() ? details : all + "; " + details;
  library_.check(code, what, all);
}

void OptixContext::compile(OptixPrograms programs) {
  const auto [names, payload_words] = set_of(programs);
  optix::PipelineOptions& options = part(programs).options;
  PipelineHandles& made = handles(programs);
  options.graph = optix::kGraphSingleGas;
  options.payload_words = payload_words;
  options.params_name = names.launch;
  options.primitives = optix::kPrimitivesCustom;
  if (validates_)
    options.exceptions = optix::kExceptionStackOverflow | optix::kExceptionTraceDepth | optix::kExceptionDebug;
  const optix::ModuleOptions module_options{.debug = validates_ ? optix::kDebugMinimal : optix::kDebugNone};
  char text[4096] = "";
  std::size_t text_bytes = sizeof text;
  check(library_->module_create(handles_->context, &module_options, &options, names.ptx.data(), names.ptx.size(), text,
                                &text_bytes, &made.module),
        "compiling the programs", text);

  optix::ProgramGroupDescription descriptions[kGroups];
  descriptions[0].kind = optix::kRayGeneration;
  descriptions[0].programs[0] = {made.module, names.ray_generation};
  descriptions[1].kind = optix::kMiss;
  descriptions[1].programs[0] = {made.module, names.miss};
  descriptions[2].kind = optix::kHitGroup;
  descriptions[2].programs[optix::kIntersection] = {made.module, names.intersection};
  const optix::ProgramGroupOptions group_options;
  text_bytes = sizeof text, text[0] = 0;
  check(library_->program_group_create(handles_->context, descriptions, kGroups, &group_options, text, &text_bytes,
                                       made.groups),
        "naming the programs", text);
}

void OptixContext::link(OptixPrograms programs) {
  PipelineHandles& made = handles(programs);
  const optix::LinkOptions link_options{.max_trace_depth = 1,
                                        .debug = validates_ ? optix::kDebugMinimal : optix::kDebugNone};
  char text[4096] = "";
  std::size_t text_bytes = sizeof text;
  check(library_->pipeline_create(handles_->context, &part(programs).options, &link_options, made.groups, kGroups, text,
                                  &text_bytes, &made.pipeline),
        "linking the programs", text);
  optix::StackSizes most;
  for (const optix::ProgramGroup group : made.groups) {
    optix::StackSizes sizes;
    check(library_->program_group_stack_size(group, &sizes), "asking for stack sizes");
    most.ray_generation = std::max(most.ray_generation, sizes.ray_generation);
    most.miss = std::max(most.miss, sizes.miss);
    most.intersection = std::max(most.intersection, sizes.intersection);
  }
  // One trace deep: a ray calls only the miss program or the intersection programs of a single structure.
  check(library_->pipeline_set_stack_size(made.pipeline, 0, 0,
                                          most.ray_generation + std::max(most.miss, most.intersection), 1),
        "setting the stack size");

  for (int k = 0; k < kGroups; ++k)
    check(library_->record_pack_header(made.groups[k], part(programs).records + std::size_t(k) * optix::kRecordHeader),
          "packing a record");
}

optix::BufferSizes OptixContext::sizes(const RayBox* boxes, std::int64_t count) const {
  const optix::DevicePointer at = address(boxes);
  const optix::BuildOptions options = build_options(false);
  const optix::BuildInput input = build_input(&at, count, &kGeometry);
  optix::BufferSizes sizes;
  library_.check(library_->accel_memory_usage(handles_->context, &options, &input, 1, &sizes), "asking for sizes");
  return sizes;
}

optix::Traversable OptixContext::build(const Device& device, const RayBox* boxes, std::int64_t count, bool update,
                                       Buffer<std::byte>& scratch, Buffer<std::byte>& output) {
  const optix::DevicePointer at = address(boxes);
  const optix::BuildOptions options = build_options(update);
  const optix::BuildInput input = build_input(&at, count, &kGeometry);
  optix::Traversable tree = 0;
  check(library_->accel_build(handles_->context, device.stream, &options, &input, 1, address(scratch.data()),
                              scratch.size(), address(output.data()), output.size(), &tree, nullptr, 0),
        update ? "refitting the boxes" : "building the boxes");
  return tree;
}

void OptixContext::launch_bytes(const Device& device, OptixPrograms programs, const void* launch, std::size_t bytes,
                                std::int64_t threads, const std::byte* records) {
  const auto record = [&](int k) { return address(records) + std::uint64_t(k) * optix::kRecordHeader; };
  optix::BindingTable table;
  table.ray_generation = record(0);
  table.miss = record(1), table.miss_stride = optix::kRecordHeader, table.miss_count = 1;
  table.hit = record(2), table.hit_stride = optix::kRecordHeader, table.hit_count = 1;
  check(library_->launch(handles(programs).pipeline, device.stream, address(launch), bytes, &table,
                         static_cast<std::uint32_t>(threads), 1, 1),
        "tracing rays");
}

}  // namespace riffle
