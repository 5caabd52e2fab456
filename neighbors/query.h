#pragma once
/// One traversal's arguments, as kernels take them.

#include "core/math/vec.h"
#include "neighbors/separation.h"

namespace riffle {

struct NeighborQuery {
  const Vec4* sources = nullptr;  ///< the particles to find (j), in the order that the search wants
  const Vec4* queries = nullptr;  ///< the querying particles (i)
  int query_count = 0;
  float h2 = 0;  ///< h^2, rounded once: every method compares with the same number
  PeriodicWrap wrap;
  bool self = true;  ///< queries are the sources: i is not its own neighbour
};

}  // namespace riffle
