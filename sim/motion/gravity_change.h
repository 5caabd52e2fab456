#pragma once
/// Gravity over time: a part that is added to the scene's constant gravity.

#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "core/math/vec.h"
#include "core/platform.h"
#include "sim/motion/drive.h"
#include "sim/motion/drive_place.h"

namespace riffle {

/// amplitude times sin(2 pi t / period + phase), t from `from` on, and a table by that time. The oscillation grows
/// smoothly over `ramp`; both are 0 before `from` and from `until` on. What kernels read of it.
struct GravityChangeParts {
  Vec3 amplitude{};                                      ///< [m/s^2]
  Oscillation oscillation;                               ///< a period of 0: there is none
  MotionTableView table;                                 ///< [m/s^2]
  float from = 0;                                        ///< [s]
  float until = std::numeric_limits<float>::infinity();  ///< [s]
  float ramp = 0;                                        ///< [s]

  bool given = false;  ///< otherwise there is no change, whatever stands above

  friend bool operator==(const GravityChangeParts&, const GravityChangeParts&) = default;
};

struct GravityChange : GravityChangeParts {
  std::string file;                         ///< of the table, from the scene's folder; "": there is none
  std::shared_ptr<const MotionTable> rows;  ///< keeps what `table` points to; nullptr before the file is read

  void follow(std::shared_ptr<const MotionTable> read) {
    rows = std::move(read);
    table = rows->view();
  }
  friend bool operator==(const GravityChange& a, const GravityChange& b) {
    return a.file == b.file && static_cast<const GravityChangeParts&>(a) == static_cast<const GravityChangeParts&>(b);
  }
};

/// What is added [m/s^2] at `time` [s]: along x, y and z.
struct AddedGravity {
  double value[3] = {0, 0, 0};
};

RIFFLE_INLINE AddedGravity added_gravity(const GravityChangeParts& change, double time) {
  AddedGravity added;
  if (!change.given || time < change.from || !(time < change.until)) return added;
  const double t = time - change.from;
  if (change.table.count > 0) {
    const TableValues rows = change.table.at(t);
    for (int a = 0; a < 3; ++a) added.value[a] = rows.value[a];
  }
  if (!(change.oscillation.period > 0)) return added;
  const double share = change.ramp > 0 ? drive_place::ramp_at(t, change.ramp).share : 1.0;
  const double phase = drive_place::kTurn * (change.oscillation.phase / 360 + t / change.oscillation.period);
  const double now = share * sin(phase);
  added.value[0] += now * change.amplitude.x;
  added.value[1] += now * change.amplitude.y;
  added.value[2] += now * change.amplitude.z;
  return added;
}

}  // namespace riffle
