#pragma once
/// The functors of one WCSPH step; walls, surface tension and shifting have headers of their own. Index spaces: i, j
/// are fluid particles in the search's order; b are wall particles in theirs. The w of neighbour records is the
/// particle's volume (fluid, in the force pass) or V_b / V_0 (walls).

#include "core/device/atomic.h"
#include "core/math/domain.h"
#include "core/math/extremes.h"
#include "core/math/lanes.h"
#include "core/math/math.h"
#include "core/math/periodic.h"
#include "core/math/vec.h"
#include "sim/inheritance/inheritance.h"
#include "sim/kernel.h"
#include "sim/step_control.h"
#include "sim/walls/face_contact.h"
#include "sim/wcsph/tait.h"
#include "sim/wcsph/wcsph.h"

namespace riffle::wcsph {

/// delta_i = sum_j W_ij, itself included.
template <class Kernel>
struct NumberDensityOf {
  Kernel kernel;
  const Vec4* position;
  Vec4* volume;  ///< out: position, delta_i

  template <class Real>
  struct Sums {
    Real delta;
  };
  struct State {
    Sums<float> sums;
  };
  template <class Real>
  struct Neighbor {};
  RIFFLE_HD State begin(int) const { return {{kernel.value(0.0f)}}; }
  template <class Real>
  RIFFLE_HD Neighbor<Real> read_neighbor(IndexOf<Real>, Real) const {
    return {};
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State&, Vec3Of<Real>, Real r2, const Neighbor<Real>&) const {
    sums.delta += kernel.value(quick_sqrt(r2));
  }
  RIFFLE_HD void end(State& state, int i) const { volume[i] = make_vec4(xyz(position[i]), state.sums.delta); }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = NumberDensityOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using NumberDensity = NumberDensityOf<SmoothingKernel>;

/// delta_i without what the particle has inherited.
struct InheritDensity {
  float rest_volume;  ///< V_0 [m^d]
  Inherited inherited;
  Vec4* volume;  ///< in and out: w delta_i
  RIFFLE_HD void operator()(std::int64_t i) const {
    volume[i].w = (1 + inherited.left(i, rest_volume * volume[i].w - 1)) / rest_volume;
  }
};

/// delta_i becomes the volume 1 / delta_i.
struct InvertDensity {
  Vec4* volume;
  RIFFLE_HD void operator()(std::int64_t i) const { volume[i].w = 1.0f / volume[i].w; }
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
    const float inverse_delta = 1.0f / delta;
    const float p = tait(delta * fluids.rest_volume, fluids.stiffness);
    density[i] = fluids.mass[f] * delta;
    volume[i].w = inverse_delta;
    const Vec4 v = velocity[i];
    flow[i] = {v.x, v.y, v.z, p * inverse_delta * inverse_delta};
  }
};

/// Force per mass on i from the fluid, and gravity:
///   m_i a_i = -sum_j (p_i / delta_i^2 + p_j / delta_j^2) grad W                pressure
///             + sum_j V_i V_j 2 mu_ij r.grad W / (r^2 + eta^2) v_ij            laminar viscosity (Morris et al. 1997)
///             - sum_j m_i m_j Pi_ij grad W, where v_ij.r_ij < 0                artificial viscosity (Monaghan 1992)
/// Every term is antisymmetric in i and j, so momentum is conserved to rounding. Within one fluid Pi_ij takes the mean
/// of 1/rho instead of the inverse of the mean rho: the same within 1e-4 at the 1 % compressibility of WCSPH, and
/// it needs no division. Between fluids of different density that would be far too much, so there it divides.
/// mu_ij is the harmonic mean 2 mu_i mu_j / (mu_i + mu_j): shear stress is continuous where two fluids touch, as the
/// flow of heat is between two conductors (Cleary and Monaghan 1999).
template <class Kernel, bool kOneFluid = false>
struct MomentumOf {
  Kernel kernel;
  FluidTable fluids;
  const std::uint32_t* fluid;
  const Vec4* volume;
  const Vec4* flow;
  Vec3 gravity;
  float artificial;  ///< alpha c0 h/2 [m^2/s]
  float eta2;        ///< 0.01 (h/2)^2 [m^2]
  Vec4* acceleration;

  template <class Real>
  struct Sums {
    Vec3Of<Real> force;
  };
  struct State {
    Sums<float> sums;
    Vec3 velocity;
    float volume;
    float pressure;
    float mass;
    float mu;
  };

  RIFFLE_HD State begin(int i) const {
    const std::uint32_t f = fluids.count == 1 ? 0 : fluid[i];
    const Vec4 flow_i = flow[i];
    return {{{0, 0, 0}}, xyz(flow_i), volume[i].w, flow_i.w, fluids.mass[f], fluids.dynamic_viscosity[f]};
  }

  template <class Real>
  struct Neighbor {
    Vec4Of<Real> flow;
    Real volume;
    NumberOf<Real> fluid;
  };

  template <class Real>
  RIFFLE_HD Neighbor<Real> read_neighbor(IndexOf<Real> j, Real volume_j) const {
    return {read(flow, j), volume_j, kOneFluid || fluids.count == 1 ? NumberOf<Real>{} : read(fluid, j)};
  }

  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State& state, Vec3Of<Real> r_ij, Real r2,
                     const Neighbor<Real>& source) const {
    const Real gradient = kernel.gradient_over_r(quick_sqrt(r2));
    const Vec4Of<Real> flow_j = source.flow;
    const Real volume_j = source.volume;
    const Vec3Of<Real> v_ij = state.velocity - xyz(flow_j);
    const Real v_dot_r = dot(v_ij, r_ij);
    const Real over_r2 = quick_divide_by_normal(gradient, r2 + eta2);

    Real along_r = -(state.pressure + flow_j.w) * gradient, mu = state.mu;
    if constexpr (kOneFluid) {
      along_r += (0.5f * artificial * state.mass) * (state.volume + volume_j) * smaller_of(v_dot_r, 0.0f) * over_r2;
    } else {
      const Real mass_j = entry(fluids.mass, source.fluid), mu_j = entry(fluids.dynamic_viscosity, source.fluid);
      const Real ours = mass_j * state.volume, theirs = state.mass * volume_j;
      if constexpr (kBranchless) {
        // m_i m_j over the mean density; see above.
        const Real weight = 2 * ours * quick_divide(theirs, ours + theirs);
        along_r += artificial * weight * smaller_of(v_dot_r, 0.0f) * over_r2;
        constexpr float nothing = 1e-30f;  // [Pa s]; the quotient of two inviscid fluids is 0
        mu = 2 * mu * quick_divide(mu_j, mu + mu_j + nothing);
      } else {
        if (v_dot_r < 0) {
          const float weight =
              fluids.count == 1 ? 0.5f * (ours + theirs) : 2 * ours * quick_divide(theirs, ours + theirs);
          along_r += artificial * weight * v_dot_r * over_r2;
        }
        if (mu != mu_j) mu = 2 * mu * quick_divide(mu_j, mu + mu_j);
      }
    }
    const Real along_v = (2 * state.volume * mu) * (volume_j * r2) * over_r2;
    sums.force += along_r * r_ij + along_v * v_ij;
  }

  RIFFLE_HD void end(State& state, int i) const {
    acceleration[i] = make_vec4((1.0f / state.mass) * state.sums.force + gravity);
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = MomentumOf<BranchlessWendland, kBranchless>;
  bool has_twin(float h2) const { return kBranchless ? fluids.count == 1 : BranchlessWendland::replaces(kernel, h2); }
};
using Momentum = MomentumOf<SmoothingKernel>;

/// Symplectic Euler: v += a dt, x += v dt. Periodic axes wrap. A particle that crosses a wall in spite of its contact
/// is put back on the wall, loses its normal velocity, and is counted.
struct Integrate {
  FaceContact contact;
  float damping_rate;            ///< [1/s]
  double damping_time;           ///< [s]
  const Vec4* acceleration;      ///< nullptr: velocities are those of the step's end already
  const Vec4* shift;             ///< [m]; nullptr: none
  const std::uint32_t* foreign;  ///< flags of particles that stay as they are; nullptr: none
  Vec4* position;
  Vec4* velocity;
  ClockState* clock;

  RIFFLE_HD bool confine(float& x, float& v, float low, float high, Axis axis) const {
    if (axis == Axis::Periodic) {
      x = periodic_image(x, low, high);
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
    if (foreign && foreign[i] != 0) return;
    Vec3 v = xyz(velocity[i]);
    if (acceleration != nullptr) {
      v += dt * xyz(acceleration[i]);
      if (damping_rate > 0 && clock->time <= damping_time) v = (1 / (1 + damping_rate * dt)) * v;
      v = contact.damped(v, xyz(position[i]), dt, i);
    }
    Vec3 x = xyz(position[i]) + dt * v;
    if (shift != nullptr) x += contact.shortened(xyz(shift[i]), x);
    const Domain& domain = contact.domain;
    bool contained = confine(x.x, v.x, domain.min.x, domain.max.x, domain.axis[0]);
    contained |= confine(x.y, v.y, domain.min.y, domain.max.y, domain.axis[1]);
    if (domain.dimension == 3) contained |= confine(x.z, v.z, domain.min.z, domain.max.z, domain.axis[2]);
    if (contact.solids.count > 0) contained |= contact.confine(x, v, i);
    if (contained) atomic_add(&clock->contained, 1);
    velocity[i] = make_vec4(v);
    position[i] = make_vec4(x);
  }
};

}  // namespace riffle::wcsph
