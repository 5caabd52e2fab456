#pragma once
/// The data that the host and the ray programs share.

#include <cstdint>

#include "core/math/vec.h"
#include "neighbors/optix/ray_images.h"

namespace riffle {

/// One launch, a thread per query: the first of two launches counts, the second writes the counted neighbours. All
/// members are 0 by default: other values would be stored in the PTX, where OptiX must fill them in.
struct OptixLaunch {
  const Vec4* sources = nullptr;      ///< (source_count) positions from which the boxes were made
  const Vec4* queries = nullptr;      ///< (threads * stride)
  std::uint64_t boxes = 0;            ///< the structure that rays are traced through
  std::uint64_t* start = nullptr;     ///< (threads) counting: out, neighbours of each query; then: where they go
  std::uint32_t* neighbor = nullptr;  ///< nullptr: count
  RayFrame frame;
  float h2 = 0;
  int source_count = 0;
  int stride = 0;     ///< 1, or more for a sample: thread t takes query t * stride
  bool self = false;  ///< queries are the sources: i is not its own neighbour
};

inline constexpr const char* kOptixLaunchName = "launch";  ///< the programs' variable that holds it
inline constexpr const char* kOptixRayGeneration = "__raygen__neighbors";
inline constexpr const char* kOptixIntersection = "__intersection__sphere";
inline constexpr const char* kOptixMiss = "__miss__nothing";

/// Payload words of a ray: how many neighbours were found, where the row is (low word, high word), the querying image.
inline constexpr int kOptixPayloadWords = 4;

}  // namespace riffle
