#include "neighbors/build_sorted.h"

namespace riffle {

void copy_in_order(const NeighborSearch& search, const Vec4* positions, Buffer<Vec4>& sorted) {
  const auto n = static_cast<std::size_t>(search.count());
  sorted.resize(n);
  if (n == 0) return;
  if (search.wants_reorder()) {
    const GatherArray array{positions, sorted.data(), sizeof(Vec4)};
    gather(search.device(), search.order(), n, &array, 1);
  } else {
    copy_on_device(search.device(), sorted.data(), positions, n * sizeof(Vec4));
  }
}

void build_sorted(NeighborSearch& search, const Vec4* positions, int count, const Domain& domain, float h,
                  Buffer<Vec4>& sorted) {
  search.build(positions, count, domain, h);
  copy_in_order(search, positions, sorted);
}

}  // namespace riffle
