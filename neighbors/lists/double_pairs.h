#pragma once
/// The list of the article "Fixed-Radius Neighbour Search Using Thrust" from positions in double precision: vectors i and
/// j, each pair once, and their distances if wanted. A library call for other programs' particles; simulations have
/// positions in single precision and their own list (`thrust_pairs`).
///
///   DoublePairs search(device);
///   DoublePairList list(device);
///   search.build(points, count, radius, false, list);
///
/// All arithmetic is double and rounds once per operation, in one order: both devices list the same pairs in the same
/// order, with the same distances. What differs from the article: the candidates are tested twice, to count the pairs and
/// to write them, in place of flags and arrays as long as all candidates.

#include <cstdint>

#include "core/device/algorithms.h"
#include "core/device/workspace.h"
#include "core/platform.h"

namespace riffle {

struct DoublePoint {
  double x = 0, y = 0, z = 0;
};

/// |a - b|^2, the sum of squares from x to z.
RIFFLE_INLINE double square_distance(const DoublePoint& a, const DoublePoint& b) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
#if RIFFLE_ON_GPU
  return __dadd_rn(__dadd_rn(__dmul_rn(x, x), __dmul_rn(y, y)), __dmul_rn(z, z));
#else
  return x * x + y * y + z * z;
#endif
}

struct DoublePairList {
  explicit DoublePairList(const Device& device) : first(device), second(device), distance(device) {}
  Buffer<std::uint32_t> first, second;  ///< (pairs) the places of both in the caller's points
  Buffer<double> distance;              ///< (pairs); empty unless wanted

  std::size_t size() const { return first.size(); }
};

class DoublePairs {
 public:
  /// Coordinates up to this size: their squares must be numbers.
  static constexpr double kMostCoordinate = 1e150;

  explicit DoublePairs(const Device& device) : device_(device) {}

  /// Lists the pairs with |a - b|^2 < radius^2 on open axes, coincident points included. A point that is not finite is in
  /// no pair. points: (count) on the device. Waits for their extent, for the number of candidates and for that of pairs.
  /// @throws InputError for a radius that is not above 0, or too large coordinates; Unavailable for more points than
  /// numbers, for a list that does not fit, and for more than 2^44 candidates, which would take minutes to test
  void build(const DoublePoint* points, std::int64_t count, double radius, bool distances, DoublePairList& list);

  std::uint64_t candidates() const { return candidates_; }  ///< tested by the last build, each twice
  std::size_t memory_bytes() const { return memory_.bytes(); }

 private:
  Device device_;
  std::uint64_t candidates_ = 0;
  Workspace memory_{device_};
  Buffer<std::uint32_t>& key_ = memory_.make();         ///< (count)
  Buffer<std::uint32_t>& sorted_key_ = memory_.make();  ///< (count)
  Buffer<std::uint32_t>& index_ = memory_.make();       ///< (count)
  Buffer<std::uint32_t>& order_ = memory_.make();       ///< (count)
  Buffer<std::uint32_t>& cell_start_ = memory_.make();  ///< (cells + 1)
  Buffer<DoublePoint>& sorted_ = memory_.make();        ///< (count)
  Buffer<std::uint64_t>& start_ = memory_.make();       ///< (count + 1)
  ScratchMemory& scratch_ = memory_.make();
};

}  // namespace riffle
