#pragma once
/// The data that the host and the ray programs share.

#include <cstdint>

#include "core/math/vec.h"
#include "neighbors/optix/ray_images.h"

namespace riffle {

/// What a build of rows finds out on the device, for the host to read all at once.
struct OptixSums {
  std::uint64_t pairs = 0;  ///< counted
  double crowd = 0;         ///< pairs, estimated from the cubes of the Morton curve
  double sampled = 0;       ///< pairs, estimated from the rays of a sample
  int moved = 0;            ///< particles that have left their places of the last rebuild

  RIFFLE_HD bool within(double most_pairs, int most_moved) const {
    return crowd <= most_pairs && sampled <= most_pairs && moved <= most_moved;
  }
};

/// One launch, a thread per query: the first of two launches counts, the second writes the counted neighbours. All
/// members are 0 by default: other values would be stored in the PTX, where OptiX must fill them in.
struct OptixLaunch {
  const Vec4* sources = nullptr;      ///< (source_count) positions from which the boxes were made
  const Vec4* queries = nullptr;      ///< (threads * stride)
  std::uint64_t boxes = 0;            ///< the structure that rays are traced through
  std::uint64_t* start = nullptr;     ///< (threads) counting: out, neighbours of each query; then: where they go
  std::uint32_t* neighbor = nullptr;  ///< nullptr: count
  /// (1) If it is not within the limits below, there is nothing to count: the search is refused or made in another way.
  const OptixSums* sums = nullptr;
  double most_pairs = 0;
  RayFrame frame;
  float h2 = 0;
  int most_moved = 0;
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
