#pragma once
/// The costs of searching a point cloud in one more part, measured on the device: what query_bundles.h chooses by.

#include <cstdint>

#include "core/device/device.h"
#include "neighbors/points/point_structure.h"
#include "neighbors/points/query_bundles.h"

namespace riffle {

/// The constants of the paper's cost model (Zhu 2022, section 5.2 and appendix A), for a structure of boxes.
struct BoxCosts {
  double start = 0;        ///< of a tree without boxes: its launches [ms]
  double box = 0;          ///< k1: of one more box in a tree [ms]
  double nearest = 0;      ///< k2: of a call of the intersection program that keeps the nearest [ms]
  double call = 0;         ///< k3: of a call that only takes the point [ms]
  double sphere_call = 0;  ///< k3 where the distance is compared with the radius [ms]

  /// As query_bundles.h wants them, for trees of `boxes` boxes.
  BundleCosts bundle_costs(std::int64_t boxes, QueryEnd end) const;
};

/// Measured once per process for each structure of boxes and each device. @throws Unavailable as the searches do
const BoxCosts& box_costs(const Device& device, PointStructure structure);

/// For bundles in `structure` over `points` points. Measured once per process, as above.
BundleCosts bundle_costs_of(const Device& device, PointStructure structure, std::int64_t points, QueryEnd end);

}  // namespace riffle
