#pragma once
/// What the host and the ray programs agree on.

#include <cstdint>

#include "core/math/vec.h"
#include "neighbors/optix/ray_images.h"

namespace riffle {

/// One launch, a thread per query: the first of two counts, the second writes what was counted. All of it is 0 by itself:
/// other values would stand in the PTX, where OptiX is to fill them in.
struct OptixLaunch {
  const Vec4* sources = nullptr;      ///< (source_count) as they were when the boxes were put round them
  const Vec4* queries = nullptr;      ///< (threads * stride)
  std::uint64_t boxes = 0;            ///< the structure that rays are traced through
  std::uint64_t* start = nullptr;     ///< (threads) counting: out, neighbours of each query; then: where they go
  std::uint32_t* neighbor = nullptr;  ///< nullptr: count
  RayFrame frame;
  float h2 = 0;
  int source_count = 0;
  int stride = 0;     ///< 1, or more for a sample: thread t asks for query t * stride
  bool self = false;  ///< queries are the sources: i is not its own neighbour
};

inline constexpr const char* kOptixLaunchName = "launch";  ///< the variable of the programs that holds it
inline constexpr const char* kOptixRayGeneration = "__raygen__neighbors";
inline constexpr const char* kOptixIntersection = "__intersection__sphere";
inline constexpr const char* kOptixMiss = "__miss__nothing";

/// Words that go with a ray: how many neighbours were found, where the row is (low word, high word), which image asks.
inline constexpr int kOptixPayloadWords = 4;

}  // namespace riffle
