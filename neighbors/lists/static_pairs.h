#pragma once
/// Pairs of moving particles and static ones, such as a fluid and its walls, for several sums over the same positions. Most
/// moving particles are far from static ones, and most static ones are dry: traversals then visit only those that have
/// pairs, and read them from lists. CUDA only: on the CPU nothing is kept, and traversals search.

#include <cstdint>

#include "neighbors/lists/row_lists.h"
#include "neighbors/neighbor_search.h"

namespace riffle {

class StaticPairs {
 public:
  explicit StaticPairs(const Device& device) : moving_(device), statics_(device), marks_(device) {}

  /// statics: a built search with SearchSettings::static_sources, `sources` its particles. moving: a built search,
  /// positions its particles, both in the orders that traversals expect. Does nothing on the CPU.
  void build(const NeighborSearch& statics, const Vec4* sources, const NeighborSearch& moving, const Vec4* positions,
             float h);

  /// The rows of the moving particles that may be near static ones; nullptr: search instead. They hold while the search is
  /// that of the last build(), and as long as no particle has moved by the difference between its h and that of a query.
  const RowView* of_moving(const NeighborSearch& moving) const { return serves(moving) ? &moving_.view() : nullptr; }
  /// The rows of the static particles that are near moving ones; nullptr also if the search of these is no grid.
  const RowView* of_statics(const NeighborSearch& moving) const {
    return serves(moving) && by_grid_ ? &statics_.view() : nullptr;
  }

  void outdate() { search_ = nullptr; }  ///< until the next build(): the static particles are elsewhere
  void forget();                         ///< the static particles are others: lists are fitted as in the first build()
  std::size_t memory_bytes() const { return moving_.memory_bytes() + statics_.memory_bytes() + marks_.bytes(); }

  struct Load {
    const Device& device;
    bool by_grid;                 ///< the search of the moving particles is a grid
    double moving, near;          ///< particles, those beside static ones
    double statics, wet;          ///< the same of static particles
    double longest, longest_wet;  ///< neighbours of the other kind that one has, but for few
  };
  static double estimate(const Load& load);  ///< approximate [bytes]

 private:
  bool serves(const NeighborSearch& moving) const { return search_ == &moving && version_ == moving.version(); }

  RowLists moving_, statics_;
  Buffer<std::uint8_t> marks_;              ///< (statics) all 0 between builds
  const NeighborSearch* search_ = nullptr;  ///< of the moving particles; nullptr: nothing is built
  std::uint64_t version_ = 0;
  bool by_grid_ = false;
};

}  // namespace riffle
