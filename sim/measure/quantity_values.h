#pragma once
/// The values of a quantity at all particles of a simulation.

#include <cstdint>
#include <memory>
#include <optional>

#include "core/device/buffer.h"
#include "neighbors/neighbor_search.h"
#include "sim/measure/quantity.h"
#include "sim/simulation.h"

namespace riffle {

/// Keeps its memory from call to call, and a search while the quantity needs one.
class QuantityValues {
 public:
  QuantityValues();
  QuantityValues(QuantityValues&&) noexcept;
  QuantityValues& operator=(QuantityValues&&) noexcept;
  ~QuantityValues();

  /// (count) on the simulation's device, in the order of its particles, as they are now. Valid until the next call, and
  /// until the next step. Does not change the run: sums over neighbours have a search of their own, since the running
  /// one is out of date once particles have moved. Asynchronous on CUDA.
  /// What a step leaves behind, pressures and the like, is not there before the first one, nor before the first one of
  /// another solver. It is then that of the next step, which a copy of the simulation does. The copy is kept until the
  /// simulation's moment() is another one.
  /// @throws Unavailable if memory is short; InputError if its particles lack the quantity
  const float* compute(const Simulation& simulation, Quantity quantity);

  /// That copy, for other things that a step leaves behind; nullptr where the
  /// simulation knows its last step, and without particles. Valid until the
  /// next call of either function. Waits. @throws Unavailable if memory is short
  Simulation* first_step(const Simulation& simulation);

 private:
  struct Memory {
    Device device;
    Buffer<float> values;
    Buffer<Vec4> sorted;
    std::optional<NeighborSearch> search;
    bool deterministic = false;
  };
  struct Ahead;
  const float* of_first_step(const Simulation& simulation, Quantity quantity);
  void reserve(const Simulation& simulation);
  void sum_over_neighbors(const Simulation& simulation, Quantity quantity);

  std::optional<Memory> memory_;
  std::unique_ptr<Ahead> ahead_;
};

}  // namespace riffle
