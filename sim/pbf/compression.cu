#include "neighbors/traverse.cuh"
#include "sim/pbf/pbf.h"
#include "sim/pbf/pbf_kernels.cuh"

namespace riffle::pbf {

void PbfSolver::measure_compression(const NeighborSearch& search, const Vec4* positions, Buffer<float>& compression,
                                    Buffer<std::uint32_t>& neighbors) {
  const auto n = static_cast<std::size_t>(search.count());
  compression.resize(n);
  neighbors.resize(n);
  MeasureCompression functor{kernel_, particle_volume_, false, compression.data(), neighbors.data()};
  for_each_neighbor(search, "compression", positions, kernel_.h, functor);
  if (boundary_.count() == 0) return;
  functor.of_walls = true;
  for_each_neighbor_in_grid(boundary_.search(), "compression at walls", boundary_.particles(), positions,
                            search.count(), kernel_.h, functor);
}

}  // namespace riffle::pbf
