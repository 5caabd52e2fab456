#pragma once
/// Between the particles and the cells of sim/dfsph/coarse/coarse_pressure.h. Every functor does nothing unless the iteration
/// wants long waves.

#include <cmath>
#include <cstdint>

#include "core/device/atomic.h"
#include "core/math/vec.h"
#include "sim/dfsph/coarse/coarse_equations.cuh"
#include "sim/dfsph/coarse/coarse_grid.h"
#include "sim/dfsph/dfsph_kernels.cuh"
#include "sim/dfsph/wall_kernels.cuh"

namespace riffle::dfsph::coarse {

struct ClearCells {
  const SolveState* state;
  CellSums* sums;
  RIFFLE_HD void operator()(std::int64_t c) const {
    if (state->waves != 0) sums[c] = {};
  }
};

/// dt times a residual, as errors are counted, in units of the sums.
RIFFLE_INLINE std::uint64_t in_units(float residual, float dt) {
  const float error = fmaxf(fminf(dt * residual, kLargestError), -kLargestError);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<double>(error) * (1 / kResidualUnit)));
}

/// Those whose iterate stays above 0 count: the others have no pressure, whatever a long wave adds.
struct Gather {
  /// A particle without pressure has room if its density may grow by more than this share.
  static constexpr float kRoomy = 0.02f;

  Placing placing;
  wcsph::FluidTable fluids;
  float least_density;
  bool clamped;
  const ClockState* clock;
  const SolveState* state;
  const std::uint32_t* foreign;  ///< nullptr: none
  const std::uint32_t* fluid;
  const Vec4* record;  ///< w: trial, without long waves yet
  const Base* base;
  const float* inverse;
  CellSums* sums;

  RIFFLE_HD void operator()(std::int64_t i) const {
    if (state->waves == 0 || !(inverse[i] > 0) || (foreign && foreign[i] != 0)) return;
    const std::int64_t c = placing.cell(xyz(record[i]));
    if (c < 0) return;
    const float residual = base[i].residual, dt = clock->dt;
    if (clamped && !(record[i].w > 0)) {
      if (!(base[i].impulse > 0) && dt * residual < -kRoomy) atomic_add(&sums[c].roomy, 1u);
      return;
    }
    atomic_add(&sums[c].residual, in_units(residual, dt));
    atomic_add(&sums[c].count, 1u);
    if (fluids.count == 1) return;
    const double lightness = double{least_density} / fluids.rest_density[fluid[i]];
    atomic_add(&sums[c].lightness, static_cast<std::uint64_t>(lightness * (1 / kLightnessUnit)));
  }
};

/// Cells with wall particles are no free surface. Their residuals do not count: they are not divided among devices.
struct CountWalls {
  Placing placing;
  const SolveState* state;
  const Vec4* wall;
  CellSums* sums;

  RIFFLE_HD void operator()(std::int64_t b) const {
    if (state->waves == 0) return;
    const std::int64_t cell = placing.cell(xyz(wall[b]));
    if (cell >= 0) atomic_add(&sums[cell].walls, 1u);
  }
};

/// What devices share of a cell. A sum of whole numbers below 2^53 does not depend on how it was divided.
inline constexpr int kSharedSums = 4;
struct ReadSums {
  const CellSums* sums;
  double* shared;
  RIFFLE_HD void operator()(std::int64_t c) const {
    double* out = shared + kSharedSums * c;
    out[0] = static_cast<double>(static_cast<std::int64_t>(sums[c].residual));
    out[1] = static_cast<double>(sums[c].lightness);
    out[2] = sums[c].count;
    out[3] = sums[c].roomy;
  }
};
struct WriteSums {
  const double* shared;
  CellSums* sums;
  RIFFLE_HD void operator()(std::int64_t c) const {
    const double* in = shared + kSharedSums * c;
    sums[c].residual = static_cast<std::uint64_t>(static_cast<std::int64_t>(in[0]));
    sums[c].lightness = static_cast<std::uint64_t>(in[1]);
    sums[c].count = static_cast<std::uint32_t>(in[2]);
    sums[c].roomy = static_cast<std::uint32_t>(in[3]);
  }
};

struct WriteValues {
  float full;  ///< particles of a full cell
  const SolveState* state;
  const CellSums* sums;
  const float* q;
  CellValue* value;

  RIFFLE_HD void operator()(std::int64_t c) const {
    if (state->waves == 0) return;
    const CellSums s = sums[c];
    if (s.count > 0)
      value[c] = {q[c], q[c] * (1 - 1 / to_surface(s, full)), 1, 1};
    else
      value[c] = {0, 0, 0, s.walls > 0 ? 0.0f : 1.0f};
  }
};

/// q at a place, linear between centres of cells; 0 where there is no fluid. Faces and solids do not count.
struct Field {
  Placing placing;
  const CellValue* value;

  RIFFLE_HD float at(Vec3 x) const {
    const std::int64_t own = placing.cell(x);
    const float beyond = own >= 0 ? value[own].beyond : 0.0f;
    int cell[3][2] = {{0, 0}, {0, 0}, {0, 0}};
    float weight[3][2] = {{1, 0}, {1, 0}, {1, 0}};
    bool outside[3][2] = {{false, false}, {false, false}, {false, false}};
    const int dimension = placing.cells.dimension;
    for (int axis = 0; axis < dimension; ++axis) {
      const float s = (component(x, axis) - component(placing.origin, axis)) * placing.per_width - 0.5f;
      const float low = floorf(s), part = s - low;
      const int n = placing.cells.along[axis];
      for (int upper = 0; upper < 2; ++upper) {
        float place = low + static_cast<float>(upper);
        weight[axis][upper] = upper == 1 ? part : 1 - part;
        const bool inside = place >= 0 && place < static_cast<float>(n);
        if (!inside && placing.cells.periodic[axis]) {
          place += place < 0 ? static_cast<float>(n) : -static_cast<float>(n);
        } else if (!inside) {
          if (placing.cells.walled[axis])
            weight[axis][upper] = 0;
          else
            outside[axis][upper] = true;
          place = 0;
        }
        cell[axis][upper] = place >= 0 && place < static_cast<float>(n) ? static_cast<int>(place) : 0;
      }
    }
    float total = 0, weights = 0;
    for (int k = 0; k < 1 << dimension; ++k) {
      const int a = k & 1, b = k >> 1 & 1, c = k >> 2;
      const float w = weight[0][a] * weight[1][b] * weight[2][c];
      const bool out = outside[0][a] || outside[1][b] || outside[2][c];
      const CellValue v = out ? CellValue{0, 0, 0, 1} : value[placing.cells.index(cell[0][a], cell[1][b], cell[2][c])];
      weights += w * v.counts;
      total += w * v.counts * (v.is_fluid != 0 ? v.q : beyond);
    }
    return weights > 1e-6f ? total / weights : 0.0f;
  }
};

/// Adds the long waves to the trial.
struct AddWave {
  bool clamped;
  const SolveState* state;
  Field field;
  const float* inverse;
  Vec4* record;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Vec4 x = record[i];
    if (state->waves == 0 || !(inverse[i] > 0) || (clamped && !(x.w > 0))) return;
    const float next = x.w + field.at(xyz(x));
    record[i].w = clamped && !(next > 0) ? 0.0f : next;
  }
};

struct AddWallWave {
  bool clamped;
  const SolveState* state;
  Field field;
  const Vec4* wall;
  WallConstraint* constraint;

  RIFFLE_HD void operator()(std::int64_t b) const {
    WallConstraint& c = constraint[b];
    if (state->waves == 0 || !(c.inverse > 0) || (clamped && !(c.present > 0))) return;
    const float next = c.present + field.at(xyz(wall[b]));
    c.present = clamped && !(next > 0) ? 0.0f : next;
  }
};

}  // namespace riffle::dfsph::coarse
