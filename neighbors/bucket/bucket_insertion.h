#pragma once
/// Puts particles into linked lists, in either of two ways. Private to neighbors/.

#include <cstdint>

#include "core/device/buffer.h"
#include "neighbors/bucket/bucket_lists.h"
#include "neighbors/neighbor_search.h"

namespace riffle {

/// What a re-sort records about a list.
inline constexpr std::uint8_t kListKept = 0;    ///< has lost no particle
inline constexpr std::uint8_t kListLost = 1;    ///< has lost a particle
inline constexpr std::uint8_t kListUndone = 2;  ///< taken apart: all of its particles are inserted again

class BucketInserter {
 public:
  /// After this many rounds an iterative insertion passes the rest to the atomic one.
  static constexpr int kMaxRounds = 64;

  BucketInserter(const Device& device, BucketInsertion insertion)
      : device_(device), insertion_(insertion), unvisited_(device) {}

  /// Finds every particle's cell and inserts all particles into empty lists.
  void insert_all(const Grid& grid, const Vec4* positions, const BucketLists& lists);

  /// Inserts the particles marked kPending, and those of lists that are kListUndone. expected: (1) on the device, the
  /// number marked; 0 only if no particle is to be inserted. The iterative insertion reads it.
  void insert_pending(const BucketLists& lists, const std::uint8_t* list_state, const std::uint32_t* expected);

  int rounds() const { return rounds_; }                      ///< of the last iterative insertion
  std::uint32_t handed_over() const { return handed_over_; }  ///< particles it passed to the atomic one
  std::size_t memory_bytes() const { return unvisited_.bytes(); }

 private:
  void insert_iteratively(const BucketLists& lists, std::uint32_t expected);
  void hand_over(const BucketLists& lists);

  Device device_;
  BucketInsertion insertion_;
  Buffer<std::uint32_t> unvisited_;  ///< (parts)
  int rounds_ = 0;
  std::uint32_t handed_over_ = 0;
  bool said_so_ = false;
};

}  // namespace riffle
