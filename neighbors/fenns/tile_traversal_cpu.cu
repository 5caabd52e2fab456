#include <memory>
#include <vector>

#include "neighbors/fenns/tile_traversal.cuh"

namespace riffle {

namespace {

/// Collects the neighbours of each query for the functor. Never on a GPU, although the traversal can be compiled for one.
struct CollectForFunctor {
  const NeighborQuery* query;
  const HitFunctor* functor;

  struct State {
    QueryHits* hits;
  };

#if RIFFLE_ON_GPU
  RIFFLE_HD State begin(int) const { return {nullptr}; }
  RIFFLE_HD void neighbor(State&, int, int, Vec3, float) const {}
  RIFFLE_HD void end(State&, int) const {}
#else
  RIFFLE_HD State begin(int i) const {
    auto& spare = spare_hits();
    if (spare.empty()) spare.push_back(std::make_unique<QueryHits>(*query, *functor));
    QueryHits* hits = spare.back().release();
    spare.pop_back();
    hits->query = query;
    hits->functor = functor;
    hits->begin(i);
    return {hits};
  }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3 r_ij, float r2) const { state.hits->append(j, r_ij, r2); }
  RIFFLE_HD void end(State& state, int) const {
    state.hits->end();
    spare_hits().emplace_back(state.hits);
  }

 private:
  /// The calling thread's hits that no query uses: a block has up to kTileBlock queries at work at once.
  static std::vector<std::unique_ptr<QueryHits>>& spare_hits() {
    thread_local std::vector<std::unique_ptr<QueryHits>> spare;
    return spare;
  }
#endif
};

template <bool Self, bool Periodic>
void search_tiles(const TiledView& view, const NeighborQuery& query, const QueryBins& bins, const HitFunctor& functor) {
  const TileParts& parts = Self ? view.parts : bins.parts;
  const TileTraversal<Self, Periodic, CollectForFunctor> kernel{view.tiles, parts, view.halving,
                                                                query,      bins,  {&query, &functor}};
  parallel_ranges(parts.blocks + view.tiles.coarse.cells(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t index = begin; index != end; ++index) {
      TileShared shared;
      Block<kTileBlock> block(static_cast<int>(index));
      kernel(block, shared);
    }
  });
}

}  // namespace

void traverse_tiles_cpu(const TiledView& view, const NeighborQuery& query, const QueryBins* bins,
                        const HitFunctor& functor) {
  if (bins)
    search_tiles<false, true>(view, query, *bins, functor);
  else if (query.wrap.any)
    search_tiles<true, true>(view, query, {}, functor);
  else
    search_tiles<true, false>(view, query, {}, functor);
}

}  // namespace riffle
