#pragma once
/// The equations of the levels of sim/dfsph/coarse/coarse_grid.h and the parts of a multigrid cycle, one call per cell: one sweep
/// of damped Jacobi on the way down, from 0, and one on the way up.

#include <cmath>
#include <cstdint>

#include "core/math/vec.h"
#include "sim/dfsph/coarse/coarse_grid.h"
#include "sim/dfsph/solve_state.h"
#include "sim/step_control.h"

namespace riffle::dfsph::coarse {

inline constexpr float kDamping = 0.8f;

/// From a cell's centre to where the pressure is 0 [width of a cell].
RIFFLE_INLINE float to_surface(const CellSums& s, float full) {
  return fmaxf(fminf(1.0f, static_cast<float>(s.count) / full) - 0.25f, 0.25f);
}

/// The equations of the first level: the flow between cells that a difference of impulse causes, against the particles'
/// residuals. A face with fluid on one side only is a free surface, or a wall if wall particles are behind it.
struct Assemble {
  const SolveState* state;
  float full;   ///< particles of a full cell
  float face;   ///< area of a face over the width [m^(d - 2)]
  float scale;  ///< V_0 / bias^2, see AddToMean
  float least_density;
  const ClockState* clock;
  const CellSums* sums;
  Level level;

  RIFFLE_HD float conductance(const CellSums& s) const {
    const double lightness = s.lightness == 0 ? 1 : static_cast<double>(s.lightness) * kLightnessUnit / s.count;
    return face * static_cast<float>(lightness) / least_density;
  }
  RIFFLE_HD void operator()(std::int64_t c) const {
    if (state->waves == 0) return;
    const CellSums own = sums[c];
    float to_next[3] = {0, 0, 0}, to_none = 0, right = 0;
    if (own.count > 0) {
      const float mine = conductance(own), surface = mine / to_surface(own, full);
      const Int3 p = level.cells.place(c);
      for (int axis = 0; axis < level.cells.dimension; ++axis)
        for (int step = -1; step <= 1; step += 2) {
          int at[3] = {p.x, p.y, p.z};
          at[axis] = level.cells.beside(at[axis], axis, step);
          if (at[axis] < 0) {
            if (!level.cells.walled[axis] || own.roomy > 0) to_none += surface;
            continue;
          }
          const CellSums& next = sums[level.cells.index(at[0], at[1], at[2])];
          if (next.count > 0) {
            const float theirs = conductance(next);
            if (step > 0) to_next[axis] = 2 * mine * theirs / (mine + theirs);
          } else if (next.walls == 0 || own.roomy > 0) {
            to_none += surface;
          }
        }
      const double residual = static_cast<double>(static_cast<std::int64_t>(own.residual)) * kResidualUnit;
      right = scale * static_cast<float>(residual / clock->dt);
    }
    level.coefficient[c] = {to_next[0], to_next[1], to_next[2], to_none};
    level.right[c] = right;
  }
};

/// The equations of a coarser level. A face of a coarse cell is twice as wide as a fine one, and as far from the next.
struct Coarsen {
  Level fine, level;

  RIFFLE_HD void operator()(std::int64_t c) const {
    const Int3 p = level.cells.place(c);
    const int* n = fine.cells.along;
    Vec4 a{0, 0, 0, 0};
    for (int k = 0; k < 8; ++k) {
      const int x = 2 * p.x + (k & 1), y = 2 * p.y + (k >> 1 & 1), z = 2 * p.z + (k >> 2);
      if (x >= n[0] || y >= n[1] || z >= n[2]) continue;
      const Vec4 f = fine.coefficient[fine.cells.index(x, y, z)];
      if ((k & 1) != 0 || x + 1 == n[0]) a.x += 0.5f * f.x;
      if ((k >> 1 & 1) != 0 || y + 1 == n[1]) a.y += 0.5f * f.y;
      if ((k >> 2) != 0 || z + 1 == n[2]) a.z += 0.5f * f.z;
      a.w += f.w;
    }
    level.coefficient[c] = a;
  }
};

/// A cell's equation: what its neighbours' q give, and the factor of its own.
struct Row {
  float others = 0, diagonal = 0;
};
RIFFLE_INLINE Row row_of(const Level& level, const float* q, std::int64_t c) {
  const Vec4 a = level.coefficient[c];
  const Int3 p = level.cells.place(c);
  Row row{0, a.w};
  for (int axis = 0; axis < level.cells.dimension; ++axis) {
    int at[3] = {p.x, p.y, p.z};
    const int here = at[axis];
    const float up = component(Vec3{a.x, a.y, a.z}, axis);
    at[axis] = level.cells.beside(here, axis, 1);
    if (at[axis] >= 0 && up > 0) {
      row.others += up * q[level.cells.index(at[0], at[1], at[2])];
      row.diagonal += up;
    }
    at[axis] = level.cells.beside(here, axis, -1);
    if (at[axis] < 0) continue;
    const std::int64_t below = level.cells.index(at[0], at[1], at[2]);
    const Vec4 b = level.coefficient[below];
    const float down = component(Vec3{b.x, b.y, b.z}, axis);
    if (!(down > 0)) continue;
    row.others += down * q[below];
    row.diagonal += down;
  }
  return row;
}

/// The sweep on the way down.
struct StartLevel {
  Level level;

  RIFFLE_HD void operator()(std::int64_t c) const {
    const float diagonal = row_of(level, level.right, c).diagonal;
    level.q[c] = diagonal > 0 ? kDamping * level.right[c] / diagonal : 0.0f;
  }
};

/// A sweep.
struct Smooth {
  Level level;
  const float* from;
  float* to;

  RIFFLE_HD void operator()(std::int64_t c) const {
    const Row row = row_of(level, from, c);
    to[c] = row.diagonal > 0 ? from[c] + kDamping * ((level.right[c] + row.others) / row.diagonal - from[c]) : 0.0f;
  }
};

/// What is left of the fine level's right side, and the coarse level's first sweep.
struct Restrict {
  Level fine, level;

  RIFFLE_HD void operator()(std::int64_t c) const {
    const Int3 p = level.cells.place(c);
    const int* n = fine.cells.along;
    float total = 0;
    for (int k = 0; k < 8; ++k) {
      const int x = 2 * p.x + (k & 1), y = 2 * p.y + (k >> 1 & 1), z = 2 * p.z + (k >> 2);
      if (x >= n[0] || y >= n[1] || z >= n[2]) continue;
      const std::int64_t i = fine.cells.index(x, y, z);
      const Row row = row_of(fine, fine.q, i);
      if (row.diagonal > 0) total += fine.right[i] + row.others - row.diagonal * fine.q[i];
    }
    level.right[c] = total;
    StartLevel{level}(c);
  }
};

/// Adds what the coarse level found, linear between its centres.
struct Prolong {
  Level fine, level;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Int3 p = fine.cells.place(i);
    const int at[3] = {p.x, p.y, p.z};
    float total = 0, weights = 0;
    for (int k = 0; k < 1 << fine.cells.dimension; ++k) {
      float weight = 1;
      int of[3] = {0, 0, 0};
      bool counts = true, outside = false;
      for (int axis = 0; axis < fine.cells.dimension; ++axis) {
        const bool far = (k >> axis & 1) != 0;
        weight *= far ? 0.25f : 0.75f;
        of[axis] = at[axis] / 2;
        if (!far) continue;
        of[axis] = level.cells.beside(of[axis], axis, at[axis] % 2 == 0 ? -1 : 1);
        if (of[axis] >= 0) continue;
        if (level.cells.walled[axis])
          counts = false;
        else
          outside = true;
      }
      if (!counts) continue;
      weights += weight;
      if (!outside) total += weight * level.next[level.cells.index(of[0], of[1], of[2])];
    }
    fine.q[i] += total / weights;
  }
};

}  // namespace riffle::dfsph::coarse
