#include <cfloat>
#include <cmath>
#include <utility>

#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "core/error.h"
#include "render/particles/color_value.h"
#include "render/particles/gather_vertices.h"

#if RIFFLE_WITH_CUDA
#include <cuda_gl_interop.h>

#include "core/device/cuda_check.h"
#endif

namespace riffle {
namespace {

struct GatherVertices {
  const Vec4* position;
  ColorValue color_value;
  const float* gathered_speed;
  Vec4* out;
  float* speed;

  RIFFLE_HD void operator()(std::int64_t i) const {
    out[i] = make_vec4(xyz(position[i]), color_value(i));
    if (!speed) return;
    speed[i] = gathered_speed         ? gathered_speed[i]
               : color_value.velocity ? std::sqrt(length2(xyz(color_value.velocity[i])))
                                      : 0.0f;
  }
};

/// A ValueRange without initialisers, as shared memory needs it.
struct Extremes {
  float min, max;
};

struct FiniteRange {
  ColorValue color_value;

  RIFFLE_HD static Extremes identity() { return {FLT_MAX, -FLT_MAX}; }
  RIFFLE_HD static Extremes combine(Extremes a, Extremes b) {
    return {a.min < b.min ? a.min : b.min, a.max > b.max ? a.max : b.max};
  }
  RIFFLE_HD Extremes operator()(std::int64_t i) const {
    const float value = color_value(i);
    if (!(value >= -FLT_MAX && value <= FLT_MAX)) return identity();
    return {value, value};
  }
};

}  // namespace

void gather_vertices(const ParticleView& particles, Vec4* out, float* speed) {
  parallel_for(particles.device, "gather vertices", particles.count,
               GatherVertices{particles.position, color_value(particles), particles.speed, out, speed});
}

ValueRange measure_range(const ParticleView& particles) {
  if (particles.count <= 0) return {};
  const auto range =
      reduce<Extremes>(particles.device, "measure range", particles.count, FiniteRange{color_value(particles)});
  return range.min <= range.max ? ValueRange{range.min, range.max} : ValueRange{};
}

#if RIFFLE_WITH_CUDA

std::string interop_obstacle(const Device& device) {
  unsigned count = 0;
  int ordinals[16];
  const cudaError_t code = cudaGLGetDevices(&count, ordinals, 16, cudaGLDeviceListAll);
  if (code != cudaSuccess) {
    (void)cudaGetLastError();  // this answer is a state: the next launch must not report it as its own
    return std::string("CUDA finds no device of its own behind the OpenGL context (") + cudaGetErrorString(code) + ")";
  }
  for (unsigned i = 0; i < count; ++i)
    if (ordinals[i] == device.ordinal) return {};
  return "OpenGL draws on another GPU than the simulation's";
}

SharedBuffer::SharedBuffer(const Device& device, std::uint32_t gl_buffer) : device_(device) {
  cudaGraphicsResource_t resource = nullptr;
  RIFFLE_CUDA_CHECK(cudaSetDevice(device.ordinal));
  RIFFLE_CUDA_CHECK(cudaGraphicsGLRegisterBuffer(&resource, gl_buffer, cudaGraphicsRegisterFlagsWriteDiscard));
  resource_ = resource;
}

void SharedBuffer::gather(const ParticleView& particles, std::optional<std::size_t> speed_offset, StageTimer& timer) {
  if (particles.count <= 0) return;
  struct Mapping {
    cudaGraphicsResource_t resource;
    cudaStream_t stream;
    Mapping(cudaGraphicsResource_t r, cudaStream_t s) : resource(r), stream(s) {
      RIFFLE_CUDA_CHECK(cudaGraphicsMapResources(1, &resource, stream));
    }
    ~Mapping() { RIFFLE_CUDA_LOG(cudaGraphicsUnmapResources(1, &resource, stream)); }
  };
  Mapping mapping(static_cast<cudaGraphicsResource_t>(resource_), cuda_stream(particles.device));
  void* pointer = nullptr;
  std::size_t bytes = 0;
  RIFFLE_CUDA_CHECK(cudaGraphicsResourceGetMappedPointer(&pointer, &bytes, mapping.resource));
  const auto count = static_cast<std::size_t>(particles.count);
  if (bytes < (speed_offset ? *speed_offset + count * sizeof(float) : count * sizeof(Vec4)))
    throw RuntimeFailure("a shared vertex buffer is smaller than the particles");
  float* speed = speed_offset ? reinterpret_cast<float*>(static_cast<char*>(pointer) + *speed_offset) : nullptr;
  const auto timing = timer.scope("gather");
  gather_vertices(particles, static_cast<Vec4*>(pointer), speed);
}

void SharedBuffer::release() noexcept {
  if (resource_) RIFFLE_CUDA_LOG(cudaGraphicsUnregisterResource(static_cast<cudaGraphicsResource_t>(resource_)));
  resource_ = nullptr;
}

#else

std::string interop_obstacle(const Device&) { return "built without CUDA"; }
SharedBuffer::SharedBuffer(const Device&, std::uint32_t) { throw RuntimeFailure("built without CUDA"); }
void SharedBuffer::gather(const ParticleView&, std::optional<std::size_t>, StageTimer&) {}
void SharedBuffer::release() noexcept {}

#endif

SharedBuffer::SharedBuffer(SharedBuffer&& other) noexcept
    : device_(other.device_), resource_(std::exchange(other.resource_, nullptr)) {}

SharedBuffer& SharedBuffer::operator=(SharedBuffer&& other) noexcept {
  if (this != &other) {
    release();
    device_ = other.device_;
    resource_ = std::exchange(other.resource_, nullptr);
  }
  return *this;
}

#if RIFFLE_WITH_CUDA

SharedMapping::SharedMapping(const SharedBuffer& buffer, const Device& device)
    : resource_(buffer.resource_), stream_(device.stream) {
  auto resource = static_cast<cudaGraphicsResource_t>(resource_);
  RIFFLE_CUDA_CHECK(cudaGraphicsMapResources(1, &resource, cuda_stream(device)));
  const cudaError_t code = cudaGraphicsResourceGetMappedPointer(&data_, &bytes_, resource);
  if (code == cudaSuccess) return;
  RIFFLE_CUDA_LOG(cudaGraphicsUnmapResources(1, &resource, cuda_stream(device)));  // no destructor will do it
  RIFFLE_CUDA_CHECK(code);
}

SharedMapping::~SharedMapping() {
  auto resource = static_cast<cudaGraphicsResource_t>(resource_);
  RIFFLE_CUDA_LOG(cudaGraphicsUnmapResources(1, &resource, static_cast<cudaStream_t>(stream_)));
}

#else

SharedMapping::SharedMapping(const SharedBuffer&, const Device&) { throw RuntimeFailure("built without CUDA"); }
SharedMapping::~SharedMapping() = default;

#endif

}  // namespace riffle
