#include "neighbors/lists/static_pairs.h"

#include <algorithm>
#include <stdexcept>
#include <variant>

namespace riffle {

void StaticPairs::build(const NeighborSearch& statics, const Vec4* sources, const NeighborSearch& moving,
                        const Vec4* positions, float h) {
  search_ = nullptr;
  if (!moving.device().is_cuda()) return;
  if (!(h > 0 && h <= statics.build_radius() && h <= moving.build_radius()))
    throw std::logic_error("StaticPairs: h must be positive and at most the radius that both searches were built for");
  const auto* walls = std::get_if<GridView>(&statics.method_view());
  const int n = moving.count(), m = statics.count();
  if (n == 0 || m == 0 || !walls || walls->lap) return;
  const auto* fluid = std::get_if<GridView>(&moving.method_view());
  by_grid_ = fluid && !fluid->lap;
  if (by_grid_ && marks_.size() != static_cast<std::size_t>(m)) {
    marks_.resize(static_cast<std::size_t>(m));
    marks_.fill_zero();
  }
  const PeriodicWrap wrap = moving.wrap();
  moving_.choose(*walls, positions, n);
  moving_.list(*walls, {sources, positions, n, h * h, wrap, false}, m, by_grid_ ? marks_.data() : nullptr,
               moving.settings().deterministic);
  if (by_grid_) {
    statics_.choose(marks_.data(), m);
    statics_.list(*fluid, {positions, sources, m, h * h, wrap, false}, n, nullptr, moving.settings().deterministic);
  }
  search_ = &moving;
  version_ = moving.version();
}

void StaticPairs::forget() {
  search_ = nullptr;
  moving_.forget();
  statics_.forget();
}

double StaticPairs::estimate(const Load& load) {
  if (!load.device.is_cuda() || load.moving <= 0 || load.statics <= 0) return 0;
  const double moving = RowLists::estimate(load.moving, load.near, load.longest);
  return load.by_grid ? moving + load.statics + RowLists::estimate(load.statics, load.wet, load.longest_wet) : moving;
}

}  // namespace riffle
