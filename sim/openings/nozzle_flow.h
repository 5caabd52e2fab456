#pragma once
/// An inlet as kernels read it: where its nozzle is, and the flow in it over time.

#include <cstdint>

#include "core/platform.h"
#include "sim/motion/drive_place.h"
#include "sim/openings/nozzle_frame.h"

namespace riffle {

struct NozzleFlow {
  NozzleFrame frame;
  double length = 0;                    ///< [m] of the nozzle
  double speed = 0;                     ///< [m/s] without table, ramp and end
  double per_area = 0;                  ///< [1/m^(d-1)] way for a volume
  MotionTableView table;                ///< as InletSetup::table
  float from = 0, until = 0, ramp = 0;  ///< [s]
  std::uint32_t first_site = 0, sites = 0, fluid = 0;

  struct Flow {
    double way, speed;  ///< [m] since the start, [m/s]
  };
  /// At `time` [s] of the simulation. A spline through speeds may swing below 0 between two rows: the speed is then 0.
  RIFFLE_HD Flow at(double time) const {
    const bool stands = time < from || !(time < until);
    double t = (time < until ? time : double{until}) - from;
    if (!(t > 0)) t = 0;
    const drive_place::Ramp share = drive_place::ramp_at(t, ramp);
    Flow flow{speed * share.integral, speed * share.share};
    if (table.count > 0) {
      const TableValues rows = table.at(t);
      flow.way += rows.value[0] - table.knots[0].value[0] + per_area * (rows.value[1] - table.knots[0].value[1]);
      flow.speed += rows.rate[0] + per_area * rows.rate[1];
    }
    if (stands || !(flow.speed > 0)) flow.speed = 0;
    return flow;
  }
};

}  // namespace riffle
