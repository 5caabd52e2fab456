#pragma once
/// Points of PLY files. Private to clouds/.

#include "bench/clouds/point_sink.h"
#include "core/text/ply.h"

namespace riffle::bench {

/// Header and all elements; the points of `vertex`. @throws InputError
void read_ply(InputBytes& in, PointSink& sink);

}  // namespace riffle::bench
