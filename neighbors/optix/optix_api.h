#pragma once
/// The part of OptiX that Riffle uses, declared by hand: the build needs no SDK, and the program finds the driver's own
/// library at run time.
///
/// All declarations belong to one version of the binary interface, 55, that of OptiX 7.4 (drivers from 495 on). A
/// driver accepts many versions and gives each the layouts it had: 580 takes 36 to 105. The following change between
/// versions and must here be of this one version: the function table, the structs, the numbers of the enumerations, and
/// the intrinsics in neighbors/optix/optix_intrinsics.cuh.
///
/// Source of all numbers, orders and layouts: the headers that NVIDIA publishes as github.com/NVIDIA/optix-dev, tag
/// v7.4.0 (optix_7_types.h, optix_function_table.h, optix_stubs.h), checked against tag v7.5.0 and the table of names
/// in github.com/mitsuba-renderer/drjit-core, src/optix_api.cpp of 2022, which used the same version.

#include <cstddef>
#include <cstdint>

namespace riffle::optix {

inline constexpr int kAbiVersion = 55;
inline constexpr const char* kLibraryName = "libnvoptix.so.1";
inline constexpr const char* kEntryPoint = "optixQueryFunctionTable";

using Result = int;                     ///< 0: success
using DevicePointer = std::uint64_t;    ///< CUdeviceptr
using Stream = void*;                   ///< CUstream
using Context = struct ContextObject*;  ///< OptixDeviceContext
using Module = struct ModuleObject*;
using ProgramGroup = struct ProgramGroupObject*;
using Pipeline = struct PipelineObject*;
using Traversable = std::uint64_t;  ///< OptixTraversableHandle

inline constexpr Result kUnsupportedAbiVersion = 7801;

/// level: 1 fatal, 2 error, 3 warning, 4 progress.
using LogCallback = void (*)(unsigned level, const char* tag, const char* message, void* data);

struct ContextOptions {
  LogCallback log = nullptr;
  void* log_data = nullptr;
  int log_level = 0;
  std::uint32_t validation = 0;  ///< 0 or kValidateAll
};
inline constexpr std::uint32_t kValidateAll = 0xffffffffu;
inline constexpr int kPropertyRtCoreVersion = 0x2005;  ///< 10 for version 1.0; 0: the GPU has none

struct ModuleOptions {
  int max_registers = 0;  ///< 0: no limit
  int optimization = 0;   ///< 0: the default, which is the highest
  int debug = 0;
  const void* bound_values = nullptr;
  std::uint32_t bound_value_count = 0;
  std::uint32_t payload_type_count = 0;  ///< 0: payloads are words that all programs read and write
  const void* payload_types = nullptr;
};
inline constexpr int kDebugNone = 0x2350, kDebugMinimal = 0x2351;

struct PipelineOptions {
  int motion_blur = 0;
  std::uint32_t graph = 0;
  int payload_words = 0;
  int attribute_words = 2;  ///< the minimum
  std::uint32_t exceptions = 0;
  const char* params_name = nullptr;  ///< name of the launch's parameters in the programs
  std::uint32_t primitives = 0;
};
inline constexpr std::uint32_t kGraphSingleGas = 1u << 0;
inline constexpr std::uint32_t kPrimitivesCustom = 1u << 0;
inline constexpr std::uint32_t kExceptionStackOverflow = 1u << 0, kExceptionTraceDepth = 1u << 1,
                               kExceptionDebug = 1u << 3;

struct LinkOptions {
  std::uint32_t max_trace_depth = 0;
  int debug = 0;
};

struct Program {
  Module module = nullptr;
  const char* entry = nullptr;
};
struct ProgramGroupDescription {
  int kind = 0;
  std::uint32_t flags = 0;
  Program
      programs[3];  ///< of a hit group: closest hit, any hit, intersection; of ray generation and miss the first alone
};
inline constexpr int kIntersection = 2;
inline constexpr int kRayGeneration = 0x2421, kMiss = 0x2422, kHitGroup = 0x2424;

struct ProgramGroupOptions {
  const void* payload_type = nullptr;
};

struct StackSizes {
  std::uint32_t ray_generation = 0, miss = 0, closest_hit = 0, any_hit = 0, intersection = 0, continuation = 0,
                direct = 0;
};

struct CustomPrimitives {
  /// (1) of one motion key: on the device, aligned to 8 bytes, least and largest x, y, z of each box
  const DevicePointer* boxes = nullptr;
  std::uint32_t count = 0;
  std::uint32_t stride = 0;              ///< [bytes] 0: packed
  const std::uint32_t* flags = nullptr;  ///< (records)
  std::uint32_t records = 0;
  DevicePointer record_indices = 0;
  std::uint32_t record_index_size = 0, record_index_stride = 0;
  std::uint32_t index_offset = 0;
};
inline constexpr std::uint32_t kGeometryDisableAnyHit = 1u << 0, kGeometrySingleAnyHit = 1u << 1;

struct BuildInput {
  int type = 0;
  union {
    CustomPrimitives custom{};
    char room[1024];
  };
};
inline constexpr int kInputCustomPrimitives = 0x2142;

struct MotionOptions {
  std::uint16_t keys = 0, flags = 0;  ///< no keys: nothing moves
  float begin = 0, end = 0;
};
struct BuildOptions {
  std::uint32_t flags = 0;
  int operation = 0;
  MotionOptions motion;
};
inline constexpr std::uint32_t kAllowUpdate = 1u << 0, kPreferFastTrace = 1u << 2, kPreferFastBuild = 1u << 3;
inline constexpr int kBuild = 0x2161, kUpdate = 0x2162;
inline constexpr std::size_t kBuildAlignment = 128;  ///< alignment of a structure and of its scratch memory

struct BufferSizes {
  std::size_t output = 0, scratch = 0, update_scratch = 0;  ///< [bytes]
};

inline constexpr std::size_t kRecordHeader = 32, kRecordAlignment = 16;
struct BindingTable {
  DevicePointer ray_generation = 0, exception = 0;
  DevicePointer miss = 0;
  std::uint32_t miss_stride = 0, miss_count = 0;
  DevicePointer hit = 0;
  std::uint32_t hit_stride = 0, hit_count = 0;
  DevicePointer callable = 0;
  std::uint32_t callable_stride = 0, callable_count = 0;
};

/// In the order of the interface's version. Unused functions have a place but no type.
struct FunctionTable {
  using Unused = void (*)();

  const char* (*error_name)(Result);
  const char* (*error_string)(Result);
  Result (*context_create)(void* cuda_context, const ContextOptions*, Context*);  ///< nullptr: the thread's current one
  Result (*context_destroy)(Context);
  Result (*context_property)(Context, int property, void* value, std::size_t bytes);
  Unused context_set_log_callback, context_set_cache_enabled, context_set_cache_location, context_set_cache_sizes,
      context_cache_enabled, context_cache_location, context_cache_sizes;
  Result (*module_create)(Context, const ModuleOptions*, const PipelineOptions*, const char* ptx, std::size_t ptx_bytes,
                          char* log, std::size_t* log_bytes, Module*);
  Unused module_create_with_tasks, module_compilation_state;
  Result (*module_destroy)(Module);
  Unused builtin_intersection_module, task_execute;
  Result (*program_group_create)(Context, const ProgramGroupDescription*, std::uint32_t count,
                                 const ProgramGroupOptions*, char* log, std::size_t* log_bytes, ProgramGroup*);
  Result (*program_group_destroy)(ProgramGroup);
  Result (*program_group_stack_size)(ProgramGroup, StackSizes*);
  Result (*pipeline_create)(Context, const PipelineOptions*, const LinkOptions*, const ProgramGroup*,
                            std::uint32_t count, char* log, std::size_t* log_bytes, Pipeline*);
  Result (*pipeline_destroy)(Pipeline);
  Result (*pipeline_set_stack_size)(Pipeline, std::uint32_t direct_from_traversal, std::uint32_t direct_from_state,
                                    std::uint32_t continuation, std::uint32_t graph_depth);
  Result (*accel_memory_usage)(Context, const BuildOptions*, const BuildInput*, std::uint32_t inputs, BufferSizes*);
  Result (*accel_build)(Context, Stream, const BuildOptions*, const BuildInput*, std::uint32_t inputs,
                        DevicePointer scratch, std::size_t scratch_bytes, DevicePointer output,
                        std::size_t output_bytes, Traversable*, const void* emitted, std::uint32_t emitted_count);
  Unused accel_relocation_info, accel_check_relocation, accel_relocate, accel_compact, convert_pointer, reserved_1,
      reserved_2;
  Result (*record_pack_header)(ProgramGroup, void* header);
  Result (*launch)(Pipeline, Stream, DevicePointer params, std::size_t params_bytes, const BindingTable*,
                   std::uint32_t width, std::uint32_t height, std::uint32_t depth);
  Unused denoiser_create, denoiser_destroy, denoiser_memory, denoiser_setup, denoiser_invoke, denoiser_intensity,
      denoiser_average_color, denoiser_create_with_model;
};

/// The library's only symbol. This version has no options.
using QueryFunctionTable = Result (*)(int abi, std::uint32_t options, void* keys, const void** values, void* table,
                                      std::size_t table_bytes);

/// Upper limits on the rays of a launch and on the boxes of a structure.
inline constexpr std::int64_t kMostRays = std::int64_t{1} << 30, kMostBoxes = std::int64_t{1} << 29;

static_assert(sizeof(FunctionTable) == 43 * sizeof(void*));
static_assert(offsetof(FunctionTable, context_property) == 4 * sizeof(void*));
static_assert(offsetof(FunctionTable, module_create) == 12 * sizeof(void*));
static_assert(offsetof(FunctionTable, module_destroy) == 15 * sizeof(void*));
static_assert(offsetof(FunctionTable, program_group_create) == 18 * sizeof(void*));
static_assert(offsetof(FunctionTable, pipeline_create) == 21 * sizeof(void*));
static_assert(offsetof(FunctionTable, accel_memory_usage) == 24 * sizeof(void*));
static_assert(offsetof(FunctionTable, record_pack_header) == 33 * sizeof(void*));
static_assert(offsetof(FunctionTable, launch) == 34 * sizeof(void*));
static_assert(sizeof(ContextOptions) == 24 && offsetof(ContextOptions, validation) == 20);
static_assert(sizeof(ModuleOptions) == 40 && offsetof(ModuleOptions, bound_values) == 16 &&
              offsetof(ModuleOptions, payload_types) == 32);
static_assert(sizeof(PipelineOptions) == 40 && offsetof(PipelineOptions, params_name) == 24 &&
              offsetof(PipelineOptions, primitives) == 32);
static_assert(sizeof(LinkOptions) == 8);
static_assert(sizeof(ProgramGroupDescription) == 56 && offsetof(ProgramGroupDescription, programs) == 8);
static_assert(sizeof(StackSizes) == 28);
static_assert(sizeof(CustomPrimitives) == 56 && offsetof(CustomPrimitives, flags) == 16 &&
              offsetof(CustomPrimitives, record_indices) == 32 && offsetof(CustomPrimitives, index_offset) == 48);
static_assert(sizeof(BuildInput) == 8 + 1024 && offsetof(BuildInput, custom) == 8);
static_assert(sizeof(BuildOptions) == 20 && offsetof(BuildOptions, motion) == 8);
static_assert(sizeof(BufferSizes) == 24);
static_assert(sizeof(BindingTable) == 64 && offsetof(BindingTable, hit) == 32);

}  // namespace riffle::optix
