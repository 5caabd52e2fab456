#pragma once
/// How a driven solid moves: a given function of time, whatever the fluid does. Its parts add up.
///
/// A solid begins where the scene puts it and stands still until `from`. A constant velocity or rate grows from 0 over
/// `ramp`; what goes back and forth has its amplitude grow. From `until` on the solid stands still where it is then.

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "core/math/vec.h"
#include "sim/motion/motion_table.h"
#include "sim/motion/wavemaker.h"

namespace riffle {

/// Back and forth around a middle: amplitude times sin(2 pi t / period + phase), t from SolidDrive::from on. The solid
/// begins at its place: the value at t = 0 is subtracted.
struct Oscillation {
  float period = 0;  ///< [s]; 0: there is none
  float phase = 0;   ///< [degrees]
  friend bool operator==(const Oscillation&, const Oscillation&) = default;
};

/// What kernels read of a motion.
struct DriveParts {
  Vec3 velocity{};  ///< [m/s]

  Vec3 sway_amplitude{};  ///< [m]
  Oscillation sway;

  bool rotates = false;
  Vec3 about{};           ///< [m] a point on the axis, in the scene; it moves with the solid
  Vec3 axis{0, 0, 1};     ///< of any length above 0; in 2-D z
  float rate = 0;         ///< [rad/s] counterclockwise for an observer whom the axis points at
  float turns = 0;        ///< [1/s] likewise, added to it
  float swing_angle = 0;  ///< [degrees] amplitude
  Oscillation swing;

  MotionTableView table;  ///< way [m] and angle [rad], by the time from `from` on; less those of its first row

  WavemakerSetup wave;  ///< where the scene gives one, sway or rotation follow from it: see wavemaker::apply()

  float from = 0;                                        ///< [s]
  float until = std::numeric_limits<float>::infinity();  ///< [s]
  float ramp = 0;                                        ///< [s]

  bool given = false;  ///< the scene drives the solid; otherwise it is a fixed one, whatever stands above

  friend bool operator==(const DriveParts&, const DriveParts&) = default;
};

struct SolidDrive : DriveParts {
  std::string file;                         ///< of the table, from the scene's folder; "": there is none
  std::shared_ptr<const MotionTable> rows;  ///< keeps what `table` points to; nullptr before the file is read

  void follow(std::shared_ptr<const MotionTable> read) {
    rows = std::move(read);
    table = rows->view();
  }
  friend bool operator==(const SolidDrive& a, const SolidDrive& b) {
    return a.file == b.file && static_cast<const DriveParts&>(a) == static_cast<const DriveParts&>(b);
  }
};

}  // namespace riffle
