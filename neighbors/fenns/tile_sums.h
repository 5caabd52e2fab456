#pragma once
/// How `fenns` sums over neighbours, where a measurement compares the two ways. Steps always gather.

#include "core/text/words.h"

namespace riffle {

enum class TileSums {
  Gather,   ///< a thread sums for its own particle (neighbors/fenns/tile_traversal.cuh)
  Scatter,  ///< the paper's: threads add to the sums of the particles they find (neighbors/fenns/tile_scatter.cuh)
};
inline constexpr Word<TileSums> kTileSumsWords[] = {{TileSums::Gather, "gather"}, {TileSums::Scatter, "scatter"}};
constexpr std::span<const Word<TileSums>> words_of(TileSums) { return kTileSumsWords; }

}  // namespace riffle
