#pragma once
/// Speeds of bodies, four bodies at a time.

#include <cstring>

#include "sim/bodies/geometry/lanes.h"

namespace riffle::bodies {

/// What a body adds to its velocity and spin, or to its way and turn.
struct alignas(64) Speed {
  D3 along;
  double unused = 0;
  D3 around;
  double unused_too = 0;
};

struct LaneSpeeds {
  Lanes3 along, around;
};

/// Columns of four rows.
inline void transpose(Lanes (&r)[4]) {
  const Lanes a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7),
              c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
  r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

inline LaneSpeeds speeds_of(const Speed* all, const int (&bodies)[kLanes]) {
  Lanes along[4], around[4];
  for (int l = 0; l < kLanes; ++l) {
    const char* speed = reinterpret_cast<const char*>(all + bodies[l]);
    std::memcpy(&along[l], speed, sizeof(Lanes));
    std::memcpy(&around[l], speed + sizeof(Lanes), sizeof(Lanes));
  }
  transpose(along);
  transpose(around);
  return {{along[0], along[1], along[2]}, {around[0], around[1], around[2]}};
}

/// @param none  the place of what feels nothing, which is not written
inline void keep_speeds(const LaneSpeeds& speeds, Speed* all, const int (&bodies)[kLanes], int none) {
  Lanes along[4] = {speeds.along.x, speeds.along.y, speeds.along.z, Lanes{}};
  Lanes around[4] = {speeds.around.x, speeds.around.y, speeds.around.z, Lanes{}};
  transpose(along);
  transpose(around);
  for (int l = 0; l < kLanes; ++l) {
    if (bodies[l] == none) continue;
    char* speed = reinterpret_cast<char*>(all + bodies[l]);
    std::memcpy(speed, &along[l], sizeof(Lanes));
    std::memcpy(speed + sizeof(Lanes), &around[l], sizeof(Lanes));
  }
}

}  // namespace riffle::bodies
