#pragma once
/// The levels of cells on which long waves of the pressure are found: sim/dfsph/coarse/coarse_pressure.h.

#include <cmath>
#include <cstdint>

#include "core/math/vec.h"
#include "core/platform.h"

namespace riffle::dfsph::coarse {

/// Cells of one level, x first. The next coarser level has half as many along each axis, rounded up.
struct Cells {
  int along[3] = {1, 1, 1};
  int dimension = 3;
  bool periodic[3] = {false, false, false};
  bool walled[3] = {false, false, false};

  RIFFLE_HD std::int64_t count() const { return std::int64_t{along[0]} * along[1] * along[2]; }
  RIFFLE_HD std::int64_t index(int x, int y, int z) const {
    return x + std::int64_t{along[0]} * (y + std::int64_t{along[1]} * z);
  }
  RIFFLE_HD Int3 place(std::int64_t c) const {
    const std::int64_t row = c / along[0];
    return {static_cast<int>(c % along[0]), static_cast<int>(row % along[1]), static_cast<int>(row / along[1])};
  }
  /// The place one cell further along an axis, on the other side of a periodic face; -1: there is none.
  RIFFLE_HD int beside(int place, int axis, int step) const {
    const int next = place + step;
    if (next >= 0 && next < along[axis]) return next;
    if (!periodic[axis]) return -1;
    return next < 0 ? next + along[axis] : next - along[axis];
  }
  Cells coarser() const {
    Cells result = *this;
    for (int& n : result.along) n = (n + 1) / 2;
    return result;
  }
};

/// What particles in a cell add up to. Integers, so that the sums do not depend on the order of the particles.
struct CellSums {
  std::uint64_t residual = 0;   ///< of those whose impulse may change, times dt: signed [kResidualUnit]
  std::uint64_t lightness = 0;  ///< least rest density / own rest density [kLightnessUnit]; 0 with one fluid
  std::uint32_t count = 0;      ///< fluid particles whose impulse may change
  std::uint32_t walls = 0;      ///< wall particles
  std::uint32_t roomy = 0;      ///< particles without pressure that are far from full
  std::uint32_t unused = 0;
};
inline constexpr double kResidualUnit = 0x1p-40;
inline constexpr double kLightnessUnit = 0x1p-24;

/// What a particle reads of a cell.
struct CellValue {
  float q;         ///< in a cell with fluid
  float beyond;    ///< q on the other side of a free surface in this cell, so that it is 0 at the surface
  float is_fluid;  ///< 1 or 0
  float counts;    ///< 0: wall particles and no fluid
};

/// Where the first level lies.
struct Placing {
  Cells cells;
  Vec3 origin;      ///< [m]
  float per_width;  ///< cells per metre
  float full;       ///< particles of a full cell

  /// -1: outside
  RIFFLE_HD int place(float x, int axis) const {
    if (axis >= cells.dimension) return 0;
    const float p = floorf((x - component(origin, axis)) * per_width);
    const int last = cells.along[axis] - 1;
    if (cells.periodic[axis] || cells.walled[axis]) return p >= 0 ? (p <= last ? static_cast<int>(p) : last) : 0;
    return p >= 0 && p <= last ? static_cast<int>(p) : -1;
  }
  /// -1: outside
  RIFFLE_HD std::int64_t cell(Vec3 x) const {
    const int a = place(x.x, 0), b = place(x.y, 1), c = place(x.z, 2);
    return a < 0 || b < 0 || c < 0 ? -1 : cells.index(a, b, c);
  }
};

/// One level of the equations
///   sum over neighbours n of (coefficient to n) (q_c - q_n) + (coefficient to no pressure) q_c = right_c.
struct Level {
  Cells cells;
  Vec4* coefficient;  ///< x, y, z: to the next cell along the axis; w: to where there is no pressure
  float* right;
  float* q;     ///< an approximation within a cycle
  float* next;  ///< the result of a cycle
};

}  // namespace riffle::dfsph::coarse
