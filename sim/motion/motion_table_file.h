#pragma once
/// Tables of motion from files.

#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "sim/motion/motion_table.h"

namespace riffle::motion_table {

/// A column that a file may have.
struct Column {
  const char* name;
  const char* unit;  ///< "m": the name may stand as "x [m]" too
  int value;         ///< 0 to kTableValues - 1
  bool rate;         ///< the file has the derivative, which is integrated
  double scale;      ///< of the file's numbers
};

/// Values: a way along x, y, z [m] and an angle [rad].
inline constexpr Column kMotionColumns[] = {
    {"x", "m", 0, false, 1},   {"y", "m", 1, false, 1},
    {"z", "m", 2, false, 1},   {"angle", "degrees", 3, false, 0.017453292519943295},
    {"vx", "m/s", 0, true, 1}, {"vy", "m/s", 1, true, 1},
    {"vz", "m/s", 2, true, 1}, {"rate", "rad/s", 3, true, 1},
};

/// Values: gravity along x, y, z [m/s^2].
inline constexpr Column kGravityColumns[] = {
    {"x", "m/s^2", 0, false, 1}, {"y", "m/s^2", 1, false, 1}, {"z", "m/s^2", 2, false, 1}};

/// Values: the way of an inlet's flow [m] and its volume [m^3], in 2-D [m^2].
inline constexpr Column kInflowColumns[] = {{"speed", "m/s", 0, true, 1}, {"rate", "m^3/s", 1, true, 1}};

/// Two rows between which a value changes more than ten times as fast as before and after them.
struct Jump {
  double from = 0, to = 0;  ///< [s]
  int value = 0;            ///< 0 to kTableValues - 1
  double change = 0;
};

/// The first one. @param least  smaller changes are none; for each value
std::optional<Jump> find_jump(std::span<const MotionKnot> knots, const double (&least)[kTableValues]);

/// A comma-separated file: lines that begin with #, a line of names with t [s] and some of the columns, then a row for
/// each time, ascending. Between the rows: the cubic spline, whose curvature is 0 at both ends. A file that was read
/// before and has not changed gives the same table while somebody holds it.
/// @throws InputError with the file, what was found and what is allowed
std::shared_ptr<const MotionTable> read(const std::filesystem::path& file, std::span<const Column> columns);

}  // namespace riffle::motion_table
