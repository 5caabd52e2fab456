#pragma once
/// Damping zones: boxes in which velocities are relaxed towards 0, so that waves end there and do not come back.

#include <cstddef>

#include "core/math/vec.h"
#include "core/text/words.h"

namespace riffle {

/// The face of a damping zone at which it damps most. The values are 2 axis + (1 for the upper one).
enum class BoxFace { XMin, XMax, YMin, YMax, ZMin, ZMax };
inline constexpr Word<BoxFace> kBoxFaceWords[] = {
    {BoxFace::XMin, "x_min"}, {BoxFace::XMax, "x_max"}, {BoxFace::YMin, "y_min"},
    {BoxFace::YMax, "y_max"}, {BoxFace::ZMin, "z_min"}, {BoxFace::ZMax, "z_max"},
};
constexpr std::span<const Word<BoxFace>> words_of(BoxFace) { return kBoxFaceWords; }

/// Each step of length dt divides velocities by 1 + dt strength s^2, where s grows from 0 at the inner face to 1 at the
/// outer one.
struct DampingZone {
  Vec3 min{}, max{};              ///< [m]; in 2-D z does not matter
  float strength = 0;             ///< [1/s]
  BoxFace outer = BoxFace::XMax;  ///< the other face across the same axis is the inner one

  int axis() const { return static_cast<int>(outer) / 2; }
  bool upper() const { return static_cast<int>(outer) % 2 == 1; }

  friend bool operator==(const DampingZone&, const DampingZone&) = default;
};

inline constexpr std::size_t kMostDampingZones = 8;

}  // namespace riffle
