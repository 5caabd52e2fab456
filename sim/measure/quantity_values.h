#pragma once
/// The values of a quantity at all particles of a simulation.

#include <optional>

#include "core/device/buffer.h"
#include "neighbors/neighbor_search.h"
#include "sim/measure/quantity.h"
#include "sim/simulation.h"

namespace riffle {

/// Keeps its memory from call to call, and a search while the quantity needs one.
class QuantityValues {
 public:
  /// (count) on the simulation's device, in the order of its particles, as they are now. Valid until the next call, and
  /// until the next step. Does not change the run: sums over neighbours have a search of their own, since the running
  /// one is out of date once particles have moved. Asynchronous on CUDA.
  /// @throws Unavailable if memory is short; InputError if its particles lack the quantity
  const float* compute(const Simulation& simulation, Quantity quantity);

 private:
  struct Memory {
    Device device;
    Buffer<float> values;
    Buffer<Vec4> sorted;
    std::optional<NeighborSearch> search;
    bool deterministic = false;
  };
  void sum_over_neighbors(const Simulation& simulation, Quantity quantity);

  std::optional<Memory> memory_;
};

}  // namespace riffle
