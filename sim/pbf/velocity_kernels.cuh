#pragma once
/// The functors that end a step of position based fluids: the velocities that follow from the corrections. Names and index
/// spaces are those of sim/pbf/pbf_kernels.cuh.

#include "core/device/atomic.h"
#include "sim/pbf/pbf_kernels.cuh"

namespace riffle::pbf {

/// Where corrections may not make a particle as fast as they would.
struct SpeedBound {
  float largest = INFINITY;      ///< [m/s] what is faster before may stay so; infinite: there is no bound
  std::uint32_t* cut = nullptr;  ///< counts speeds that are cut

  RIFFLE_HD void apply(Vec3& v, Vec3 before) const {
    const float speed2 = length2(v);
    if (!(speed2 > largest * largest)) return;
    const float most2 = fmaxf(largest * largest, length2(before));
    if (!(speed2 > most2)) return;
    const float speed = sqrtf(speed2);
    v = speed < INFINITY ? (sqrtf(most2) / speed) * v : before;
    atomic_add(cut, 1);
  }
};

/// v = (x - x_old) / dt: the velocity of the prediction plus the corrections over dt. If the step before was longer,
/// they are divided by its dt instead: they undo the compression that it left, however short the present step is (the
/// last step of a run may be cut to a thousandth to end in time), and would otherwise give a burst of speed. What was
/// cut off becomes momentum in the same way. A particle behind a wall is put back on the wall, loses its velocity
/// towards the wall, and is counted. With dt = 0 nothing moves and nothing is counted.
struct FinishStep {
  Domain domain;
  SurfaceView solids;
  SolidImpulses impulses;
  SpeedBound bound;
  const float* dt;
  const float* previous_dt;
  const Vec4* moved;
  const Vec4* correction;
  const Vec4* predicted_velocity;
  const std::uint32_t* foreign;  ///< flags of particles whose position and predicted velocity stay; nullptr: none
  Vec4* velocity;                ///< out; may be predicted_velocity; w: 1 where cut_off has a value, else 0
  Vec4* position;                ///< in: as predicted; out
  Vec4* cut_off;                 ///< in: of Displace; out: momentum over the lightest mass [m/s]; nullptr: not wanted
  std::uint32_t* contained;      ///< counts particles behind walls

  /// @return whether x was behind a wall
  RIFFLE_HD static bool confine(float& x, float& v, float low, float high, Axis axis) {
    if (axis == Axis::Periodic) x = periodic_image(x, low, high);
    if (axis != Axis::Walled || !(x < low || x > high)) return false;  // NaN is for the diagnostics to find
    if (x < low) {
      x = low;
      v = v > 0 ? v : 0;
    } else {
      x = high;
      v = v < 0 ? v : 0;
    }
    return true;
  }

  RIFFLE_HD void operator()(std::int64_t i) const {
    const float step = *dt;
    Vec3 v = xyz(predicted_velocity[i]);
    if (!(step > 0)) {
      if (velocity != predicted_velocity) velocity[i] = make_vec4(v);
      position[i] = make_vec4(xyz(position[i]));
      return;
    }
    const Vec4 dx = correction[i];
    const float over_dt = 1 / fmaxf(step, *previous_dt), lost = cut_off ? dx.w : 0;
    v += over_dt * xyz(dx);
    bound.apply(v, xyz(predicted_velocity[i]));
    if (lost != 0) cut_off[i] = make_vec4(over_dt * xyz(cut_off[i]));
    if (foreign && foreign[i] != 0) {
      if (velocity != predicted_velocity) velocity[i] = make_vec4(v, lost);
      position[i] = make_vec4(xyz(position[i]));
      return;
    }
    Vec3 x = xyz(moved[i]);
    bool behind = confine(x.x, v.x, domain.min.x, domain.max.x, domain.axis[0]);
    behind |= confine(x.y, v.y, domain.min.y, domain.max.y, domain.axis[1]);
    if (domain.dimension == 3) behind |= confine(x.z, v.z, domain.min.z, domain.max.z, domain.axis[2]);
    if (solids.count > 0)
      behind |= solids.confine(
          x, v, [&](std::uint32_t solid, Vec3 at, Vec3 dv) { impulses.add_contact(solid + 1, i, at, dv); });
    if (behind) atomic_add(contained, 1);
    velocity[i] = make_vec4(v, lost);
    position[i] = make_vec4(x);
  }
};

/// omega_i = sum_j V_0 (v_j - v_i) x grad_j W_ij
struct Vorticity {
  SmoothingKernel kernel;
  float particle_volume;  ///< V_0 [m^d]
  const Vec4* velocity;
  Vec4* vorticity;  ///< out: omega, |omega| [1/s]

  struct State {
    Vec3 omega, velocity;
  };
  using Source = Vec4;
  RIFFLE_HD State begin(int i) const { return {{0, 0, 0}, xyz(velocity[i])}; }
  RIFFLE_HD Source fetch(int j, Vec4) const { return velocity[j]; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ij, float r2, const Source& v_j) const {
    // grad_j W_ij = -W'/r r_ij
    const Vec3 v = xyz(v_j) - state.velocity, g = (-kernel.gradient_over_r(quick_sqrt(r2))) * r_ij;
    state.omega += Vec3{v.y * g.z - v.z * g.y, v.z * g.x - v.x * g.z, v.x * g.y - v.y * g.x};
  }
  RIFFLE_HD void end(State& state, int i) const {
    const Vec3 omega = particle_volume * state.omega;
    vorticity[i] = make_vec4(omega, sqrtf(length2(omega)));
  }
};

/// XSPH, v_i += c sum_j (m_ij / m_i) V_0 (v_j - v_i) W_ij with the harmonic mean m_ij, so that momentum is conserved;
/// vorticity confinement, v_i += dt strength (N x omega_i), N along sum_j |omega_j| grad W_ij (Fedkiw, Stam and Jensen
/// 2001), which does not conserve it; and the momentum p that Correct cut off, of which a neighbour i of j gets
/// sharing V_0 W_ij p_j and j itself the rest, so that the sum is p_j. j would otherwise fly off: its neighbours were
/// pushed too far because it could not move.
struct RefineVelocity {
  SmoothingKernel kernel;
  float particle_volume;  ///< V_0 [m^d]
  float xsph;
  float confinement;  ///< [m]
  float sharing;      ///< with which a particle of the rest lattice keeps nothing
  const float* dt;
  const Vec4* position;   ///< w inverse mass
  const Vec4* velocity;   ///< before; w: 1 where cut_off has a value, else 0
  const Vec4* vorticity;  ///< nullptr: no confinement
  const Vec4* cut_off;    ///< p over the lightest mass [m/s]
  SpeedBound bound;       ///< of what cut_off adds
  Vec4* refined;          ///< out

  struct State {
    Vec3 change, velocity, slope;
    float weight, others;
  };
  struct Source {
    Vec4 velocity;
    float weight, vorticity;
  };
  RIFFLE_HD State begin(int i) const { return {{0, 0, 0}, xyz(velocity[i]), {0, 0, 0}, position[i].w, 0}; }
  RIFFLE_HD Source fetch(int j, Vec4 x_j) const { return {velocity[j], x_j.w, vorticity ? vorticity[j].w : 0.0f}; }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3 r_ij, float r2, const Source& source) const {
    const float r = quick_sqrt(r2), w = kernel.value(r);
    // m_ij / m_i = 2 w_i / (w_i + w_j)
    const float share =
        source.weight == state.weight ? xsph : quick_divide(2 * xsph * state.weight, state.weight + source.weight);
    state.change += (share * w) * (xyz(source.velocity) - state.velocity);
    state.others += w;
    if (source.velocity.w != 0) state.change += (sharing * state.weight * w) * xyz(cut_off[j]);
    if (vorticity) state.slope += (source.vorticity * kernel.gradient_over_r(r)) * r_ij;
  }
  RIFFLE_HD void end(State& state, int i) const {
    Vec3 v = state.velocity;
    if (*dt > 0) {
      v += particle_volume * state.change;
      if (velocity[i].w != 0) v += (state.weight * (1 - sharing * particle_volume * state.others)) * xyz(cut_off[i]);
      const float steepness = sqrtf(length2(state.slope));
      if (vorticity && steepness > 0) {
        const Vec3 n = (1 / steepness) * state.slope, omega = xyz(vorticity[i]);
        v += (*dt * confinement) *
             Vec3{n.y * omega.z - n.z * omega.y, n.z * omega.x - n.x * omega.z, n.x * omega.y - n.y * omega.x};
      }
      bound.apply(v, state.velocity);
    }
    refined[i] = make_vec4(v);
  }
};

}  // namespace riffle::pbf
