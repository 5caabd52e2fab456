#pragma once
/// Point clouds searched by OptiX as Zhu 2022 does it: a box of one half-width round each point, in a tree that the driver
/// builds and walks, and a very short ray from each query. Private to neighbors/. It compiles everywhere and works where
/// the driver has OptiX.

#include <memory>

#include "core/device/device.h"
#include "neighbors/optix/point_rays.h"

namespace riffle {

class OptixPoints {
 public:
  /// @throws Unavailable on the CPU, and on a GPU without OptiX: what is missing, and the structures that work here
  static std::unique_ptr<OptixPoints> make(const Device& device);
  virtual ~OptixPoints() = default;

  /// The points of the following builds, which must stay where they are until the last search. A point that is not
  /// finite is never found.
  /// points: (count) on the device; the nearer in space they are in order, the faster are searches. original: (count) the
  /// index to report for each; nullptr: its place.
  /// @throws Unavailable for more points than the driver takes
  virtual void take(const Vec4* points, const std::uint32_t* original, int count) = 0;

  /// Whether the last build() made this tree, of these points.
  virtual bool has(float half) const = 0;

  /// Makes the tree of the boxes. Does not wait. half: their half-width, from 0 on; may be infinite.
  virtual void build(float half) = 0;

  /// Traces `rays` rays through the boxes of the last build(). Does not wait. launch: what the search wants; the points,
  /// the boxes and their frame are filled in here.
  virtual void trace(PointLaunch launch, std::int64_t rays) = 0;

  virtual std::int64_t builds() const = 0;  ///< trees made so far
  virtual std::size_t memory_bytes() const = 0;
};

}  // namespace riffle
