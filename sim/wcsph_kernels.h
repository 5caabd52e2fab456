#pragma once
/// The functors of one WCSPH step. Index spaces: i, j fluid particles in the search's order; b wall particles in
/// theirs. Neighbour records carry in w: the particle's volume (fluid, in the force pass), V_b / V_0 (walls).

#include "core/atomic.h"
#include "core/domain.h"
#include "core/math.h"
#include "core/vec.h"
#include "sim/kernel.h"
#include "sim/step_control.h"
#include "sim/wcsph.h"

namespace riffle {

/// delta_i = sum_j W_ij, itself included.
struct NumberDensity {
  SmoothingKernel kernel;
  const Vec4* position;
  Vec4* volume;  ///< out: position, delta_i

  struct State {
    float delta;
  };
  RIFFLE_HD State begin(int) const { return {kernel.value(0)}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3, float r2) const { state.delta += kernel.value(quick_sqrt(r2)); }
  RIFFLE_HD void end(State& state, int i) const {
    const Vec4 x = position[i];
    volume[i] = {x.x, x.y, x.z, state.delta};
  }
};

/// Walls count as fluid of their own volume (Akinci et al. 2012, eq. 6).
struct WallNumberDensity {
  SmoothingKernel kernel;
  Vec4* volume;  ///< in and out: w delta_i

  struct State {
    float delta;
  };
  RIFFLE_HD State begin(int) const { return {0}; }
  using Source = float;  ///< V_b / V_0
  RIFFLE_HD Source fetch(int, Vec4 x_b) const { return x_b.w; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3, float r2, Source weight) const {
    state.delta += weight * kernel.value(quick_sqrt(r2));
  }
  RIFFLE_HD void end(State& state, int i) const { volume[i].w += state.delta; }
};

/// Tait: p = rho0 c0^2 / gamma ((rho / rho0)^gamma - 1).
struct TaitPressure {
  float exponent;
  bool negative_pressure;

  /// compression: rho / rho0; stiffness: rho0 c0^2 / gamma [Pa]
  RIFFLE_HD float operator()(float compression, float stiffness) const {
    float power;
    if (exponent == 7.0f) {  // water's, and six times as fast as powf
      const float square = compression * compression;
      power = square * square * square * compression;
    } else {
      power = powf(compression, exponent);
    }
    const float p = stiffness * (power - 1);
    return p > 0 || negative_pressure ? p : 0.0f;
  }
};

struct EquationOfState {
  FluidTable fluids;
  TaitPressure tait;
  const std::uint32_t* fluid;
  const Vec4* velocity;
  Vec4* volume;    ///< in: w delta_i; out: w 1 / delta_i
  Vec4* flow;      ///< out: velocity, p / delta^2
  float* density;  ///< out [kg/m^3]

  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::uint32_t f = fluids.count == 1 ? 0 : fluid[i];
    const float delta = volume[i].w;
    const float rho = fluids.mass[f] * delta;
    const float inverse_delta = 1.0f / delta;
    const float p = tait(rho / fluids.rest_density[f], fluids.stiffness[f]);
    density[i] = rho;
    volume[i].w = inverse_delta;
    const Vec4 v = velocity[i];
    flow[i] = {v.x, v.y, v.z, p * inverse_delta * inverse_delta};
  }
};

/// Force per mass on i from the fluid, and gravity:
///   m_i a_i = -sum_j (p_i / delta_i^2 + p_j / delta_j^2) grad W                  pressure
///             + sum_j V_i V_j (mu_i + mu_j) r.grad W / (r^2 + eta^2) v_ij        laminar viscosity (Morris et al. 1997)
///             - sum_j m_i m_j Pi_ij grad W, where v_ij.r_ij < 0                  artificial viscosity (Monaghan 1992)
/// Every term is antisymmetric in i and j, so momentum is conserved to rounding. Within one fluid Pi_ij takes the mean
/// of 1/rho instead of the inverse of the mean rho: the same within 1e-4 at the 1 % compressibility of WCSPH, and
/// it needs no division. Between fluids of different density that would be far too much, so there it divides.
struct Momentum {
  SmoothingKernel kernel;
  FluidTable fluids;
  const std::uint32_t* fluid;
  const Vec4* volume;
  const Vec4* flow;
  Vec3 gravity;
  float artificial;  ///< alpha c0 h/2 [m^2/s]
  float eta2;        ///< 0.01 (h/2)^2 [m^2]
  Vec4* acceleration;

  struct State {
    Vec3 force;
    Vec3 velocity;
    float volume;
    float pressure;
    float mass;
    float mu;
  };

  RIFFLE_HD State begin(int i) const {
    const std::uint32_t f = fluids.count == 1 ? 0 : fluid[i];
    const Vec4 flow_i = flow[i];
    return {{0, 0, 0}, xyz(flow_i), volume[i].w, flow_i.w, fluids.mass[f], fluids.dynamic_viscosity[f]};
  }

  struct Source {
    Vec4 flow;
    float volume;
  };
  RIFFLE_HD Source fetch(int j, Vec4 x_j) const { return {flow[j], x_j.w}; }

  RIFFLE_HD void neighbor(State& state, int, int j, Vec3 r_ij, float r2, const Source& source) const {
    const float gradient = kernel.gradient_over_r(quick_sqrt(r2));
    const Vec4 flow_j = source.flow;
    const float volume_j = source.volume;
    float mass_j = state.mass, mu_j = state.mu;
    if (fluids.count > 1) {
      const std::uint32_t f = fluid[j];
      mass_j = fluids.mass[f];
      mu_j = fluids.dynamic_viscosity[f];
    }
    const Vec3 v_ij = state.velocity - xyz(flow_j);
    const float v_dot_r = dot(v_ij, r_ij);
    const float over_r2 = quick_divide(gradient, r2 + eta2);

    float along_r = -(state.pressure + flow_j.w) * gradient;
    if (v_dot_r < 0) {
      const float mixed = mass_j * state.volume + state.mass * volume_j;
      // m_i m_j over the mean density; see above.
      const float weight = fluids.count == 1 ? 0.5f * mixed
                                             : quick_divide(2 * state.mass * mass_j * state.volume * volume_j, mixed);
      along_r += artificial * weight * v_dot_r * over_r2;
    }
    const float along_v = state.volume * volume_j * (state.mu + mu_j) * r2 * over_r2;
    state.force += along_r * r_ij + along_v * v_ij;
  }

  RIFFLE_HD void end(State& state, int i) const {
    acceleration[i] = make_vec4((1.0f / state.mass) * state.force + gravity);
  }
};

/// Pressure of a wall particle from its own density, as if it were fluid that cannot move; see sim/boundary.h. Its
/// compression acts with the mean stiffness of the fluids around it.
struct WallPressure {
  SmoothingKernel kernel;
  FluidTable fluids;
  TaitPressure tait;
  const std::uint32_t* fluid;
  const float* solid_density;
  float particle_volume;  ///< V_0 [m^d]
  float* pressure;        ///< out: p_b / delta_b^2

  struct State {
    float delta, stiffness;
  };
  RIFFLE_HD State begin(int) const { return {0, 0}; }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3, float r2) const {
    const float w = kernel.value(quick_sqrt(r2));
    state.delta += w;
    state.stiffness += w * fluids.stiffness[fluids.count == 1 ? 0 : fluid[j]];
  }
  RIFFLE_HD void end(State& state, int b) const {
    if (!(state.delta > 0)) {
      pressure[b] = 0;
      return;
    }
    const float delta = solid_density[b] + state.delta;
    pressure[b] = tait(delta * particle_volume, state.stiffness / state.delta) / (delta * delta);
  }
};

/// Force per mass from walls, which are at rest, so that laminar viscosity makes them no-slip.
struct WallForce {
  SmoothingKernel kernel;
  FluidTable fluids;
  float particle_volume;  ///< V_0 [m^d]
  const std::uint32_t* fluid;
  const Vec4* volume;
  const Vec4* flow;
  const float* wall_pressure;  ///< p_b / delta_b^2
  float eta2;
  Vec4* acceleration;  ///< in and out

  struct State {
    Vec3 force;
    Vec3 velocity;
    float pressure;
    float friction;
  };
  struct Source {
    float weight;  ///< V_b / V_0
    float pressure;
  };

  RIFFLE_HD State begin(int i) const {
    const std::uint32_t f = fluids.count == 1 ? 0 : fluid[i];
    const Vec4 flow_i = flow[i];
    return {{0, 0, 0}, xyz(flow_i), flow_i.w, 2 * fluids.dynamic_viscosity[f] * volume[i].w * particle_volume};
  }

  RIFFLE_HD Source fetch(int b, Vec4 x_b) const { return {x_b.w, wall_pressure[b]}; }

  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ib, float r2, const Source& wall) const {
    const float weighted = wall.weight * kernel.gradient_over_r(quick_sqrt(r2));
    state.force += (-(state.pressure + wall.pressure) * weighted) * r_ib +
                   quick_divide(state.friction * weighted * r2, r2 + eta2) * state.velocity;
  }

  RIFFLE_HD void end(State& state, int i) const {
    const std::uint32_t f = fluids.count == 1 ? 0 : fluid[i];
    const Vec3 a = xyz(acceleration[i]) + fluids.inverse_mass[f] * state.force;
    acceleration[i] = make_vec4(a);
  }
};

/// Symplectic Euler: v += a dt, x += v dt. Periodic axes wrap. A particle that crosses a wall all the same is put back
/// on it, its normal velocity removed, and counted.
struct Integrate {
  Domain domain;
  float damping_rate;   ///< [1/s]
  double damping_time;  ///< [s]
  const Vec4* acceleration;
  Vec4* position;
  Vec4* velocity;
  ClockState* clock;

  RIFFLE_HD bool confine(float& x, float& v, float low, float high, Axis axis) const {
    if (axis == Axis::Periodic) {
      if (x < low || x >= high) x -= (high - low) * floorf((x - low) / (high - low));
      if (x >= high) x = low;  // a hair below the lower face rounds onto the upper one
      return false;
    }
    if (axis == Axis::Open || (x >= low && x <= high)) return false;
    if (x < low) {
      x = low;
      v = v > 0 ? v : 0;
    } else if (x > high) {
      x = high;
      v = v < 0 ? v : 0;
    }
    return true;
  }

  RIFFLE_HD void operator()(std::int64_t i) const {
    const float dt = clock->dt;
    if (!(dt > 0)) return;
    Vec3 v = xyz(velocity[i]) + dt * xyz(acceleration[i]);
    if (damping_rate > 0 && clock->time <= damping_time) v = (1 / (1 + damping_rate * dt)) * v;
    Vec3 x = xyz(position[i]) + dt * v;
    bool contained = confine(x.x, v.x, domain.min.x, domain.max.x, domain.axis[0]);
    contained |= confine(x.y, v.y, domain.min.y, domain.max.y, domain.axis[1]);
    if (domain.dimension == 3) contained |= confine(x.z, v.z, domain.min.z, domain.max.z, domain.axis[2]);
    if (contained) atomic_add(&clock->contained, 1);
    velocity[i] = make_vec4(v);
    position[i] = make_vec4(x);
  }
};

}  // namespace riffle
