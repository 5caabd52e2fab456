#pragma once
/// The mean of the pressures that density solves find: where the next one starts, and what is shown.

#include "core/math/math.h"
#include "core/math/vec.h"
#include "sim/dfsph/solve_state.h"
#include "sim/kernel.h"
#include "sim/step_control.h"
#include "sim/wcsph/wcsph.h"

namespace riffle::dfsph {

/// Share of the newest pressure in the mean (kNewShare). reach: h [m]; least: share at rest
RIFFLE_INLINE float newest_share(const ClockState& clock, float reach, float least) {
  float share = fminf(fmaxf(clock.max_speed * clock.dt / reach, least), kNewShare);
  share = fmaxf(share, static_cast<float>(clock.dt / clock.time));  // at first it is the mean over the time so far
  if (clock.dt < clock.previous_dt) share *= clock.dt / clock.previous_dt;
  return share;
}

/// Adds the pressure that a density solve has found to the mean, without its stripes. The sum over pairs does not see a
/// pressure that is too high and too low in every other row of particles: it pushes nothing, so nothing in a solve takes it
/// away. It is the part of the difference between neighbours that is not in the slope of the pressure, and the slope is
/// what the solve did to the velocities. Taking that part away is the correction of Rhie and Chow 1983.
template <class Kernel>
struct AddToMeanOf {
  Kernel kernel;
  float rest_volume;  ///< V_0 [m^d]
  float bias;         ///< slope that sum_j (p_i + p_j) g_ij has on the rest lattice where p has slope 1
  float reach;        ///< h [m]
  float calm_step;    ///< of a fluid at rest [s]
  float least_share;  ///< of the newest pressure in the mean
  wcsph::FluidTable fluids;
  const ClockState* clock;
  const std::uint32_t* fluid;
  const std::uint32_t* foreign;
  const Vec4* record;    ///< w: impulse
  const Vec4* pushed;    ///< u
  const Vec4* velocity;  ///< v
  float* pressure;       ///< in and out [Pa]

  struct State {
    Vec3 slope;
    float pressure, difference;
  };
  struct Source {
    Vec3 slope;      ///< of the pressure, times dt
    float pressure;  ///< times dt
  };
  RIFFLE_HD Source at(int i, float impulse) const {
    const float density = fluids.rest_density[fluids.count == 1 ? 0 : fluid[i]];
    return {density * (xyz(velocity[i]) - xyz(pushed[i])), bias * impulse};
  }
  RIFFLE_HD bool skip() const { return !(clock->dt > 0); }
  RIFFLE_HD State begin(int i) const {
    const Source own = at(i, record[i].w);
    return {own.slope, own.pressure, 0};
  }
  RIFFLE_HD Source fetch(int j, Vec4 x_j) const { return at(j, x_j.w); }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ij, float r2, const Source& source) const {
    state.difference += kernel.value(quick_sqrt(r2)) *
                        (source.pressure - state.pressure + 0.5f * dot(state.slope + source.slope, r_ij));
  }
  RIFFLE_HD void end(State& state, int i) const {
    if (foreign && foreign[i] != 0) return;
    float found = state.pressure;
    // A fluid shows by its motion what is wrong with the mean. In short steps it has less time to.
    const float strength = rest_volume * fminf(1, clock->dt / calm_step);
    if (found > 0) found = fmaxf(found + strength * state.difference, 0.0f);
    pressure[i] += newest_share(*clock, reach, least_share) * (found / clock->dt - pressure[i]);
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = AddToMeanOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using AddToMean = AddToMeanOf<SmoothingKernel>;

}  // namespace riffle::dfsph
