#pragma once
/// Positions sorted along a Morton curve. Private to neighbors/.

#include <cstdint>

#include "core/device/algorithms.h"
#include "core/device/workspace.h"
#include "core/math/domain.h"
#include "neighbors/order/bounding_box.h"

namespace riffle {

/// How many particles share a cube of a given edge.
struct CrowdStats {
  double cubes = 0;  ///< in the box round the particles
  std::int64_t occupied = 0;
  std::uint32_t max = 0;
};

/// The domain's box, with a margin that leaves 2^14 of the 2^21 cells per axis for the inside.
BoundingBox morton_frame(const Domain& domain);

class MortonOrder {
 public:
  explicit MortonOrder(const Device& device);

  /// positions: (count). Those that are not finite come last. frame: codes resolve the occupied part of it; positions
  /// outside are clamped, so that a particle that has flown away does not use up all bits.
  void sort(const Vec4* positions, int count, int dimension, const BoundingBox& frame);

  const std::uint32_t* order() const { return order_.data(); }      ///< (count)
  const std::uint32_t* low_words() const { return low_.data(); }    ///< (count) of the codes, by input index
  const std::uint32_t* high_words() const { return high_.data(); }  ///< (count)

  CrowdStats crowds(float edge) const;  ///< waits

  /// Estimates the pairs (i, j), i != j, within h from 1,024 positions, each tested against up to 256 in its cube (edge
  /// h to 2 h): finds at least a fifth for evenly spread positions, all for a crowd at one point, and never many more
  /// than exist. The time does not grow with the crowd. Does not wait. sorted: (count) the positions in order(). partial:
  /// memory that the caller keeps. pairs: (1) on the device, out; untouched if there are no positions.
  void estimate_pairs(const Vec4* sorted, float h, Buffer<double>& partial, double* pairs) const;
  double pairs_within_cubes(const Vec4* sorted, float h) const;  ///< the same number on the host. Waits

  BoundingBox bounds() const;  ///< of the positions, within the frame. Waits
  std::size_t memory_bytes() const { return memory_.bytes(); }
  /// Approximate [bytes] for `count` positions.
  static double estimate(const Device& device, std::int64_t count);

 private:
  int bits_below(int level) const;  ///< of a code: those that cubes of the level ignore

  Device device_;
  int count_ = 0, dimension_ = 3;
  Workspace memory_{device_};
  Buffer<std::uint32_t>& extent_ = memory_.make();      ///< (6) of the particles, as numbers that order as floats do
  Buffer<std::uint32_t>& low_ = memory_.make();         ///< (count) codes by input index
  Buffer<std::uint32_t>& high_ = memory_.make();        ///< (count) codes by input index
  Buffer<std::uint32_t>& key_ = memory_.make();         ///< (count)
  Buffer<std::uint32_t>& sorted_key_ = memory_.make();  ///< (count)
  Buffer<std::uint32_t>& index_ = memory_.make();       ///< (count)
  Buffer<std::uint32_t>& order_ = memory_.make();       ///< (count)
  ScratchMemory& scratch_ = memory_.make();
};

}  // namespace riffle
