#pragma once
/// Reductions over the particles. Private to sim/.

#include "core/domain.h"
#include "neighbors/neighbor_search.h"
#include "sim/diagnostics.h"
#include "sim/wcsph.h"

namespace riffle {

/// All arrays (count), in one common order, on the device.
struct MeasureInput {
  int count = 0;
  Domain domain;
  Vec3 gravity;
  FluidTable fluids;
  float exponent = 7;
  bool negative_pressure = false;
  const Vec4* position = nullptr;
  const Vec4* velocity = nullptr;
  const Vec4* acceleration = nullptr;
  const float* density = nullptr;
  const std::uint32_t* fluid = nullptr;
  const std::uint32_t* id = nullptr;
};

/// Waits for the device.
Diagnostics measure(const Device& device, const MeasureInput& input);

struct NeighborCountSummary {
  double mean = 0;
  std::uint32_t min = 0, max = 0;
};

/// positions in the order the search wants. Waits.
NeighborCountSummary count_neighbors(const NeighborSearch& search, const Vec4* positions, float h);

}  // namespace riffle
