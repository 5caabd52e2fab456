#pragma once
/// The functors of a DFSPH step. Index spaces: i, j are fluid particles in the search's order; b are wall particles in
/// theirs. The w of neighbour records: 1 / rest density or the impulse; for walls V_b / V_0. sim/dfsph/dfsph.h has the
/// equations.

#include <cmath>

#include "core/device/atomic.h"
#include "core/math/lanes.h"
#include "core/math/math.h"
#include "core/math/vec.h"
#include "sim/dfsph/solve_state.h"
#include "sim/inheritance/inheritance.h"
#include "sim/kernel.h"
#include "sim/step_control.h"
#include "sim/walls/face_contact.h"
#include "sim/wcsph/wcsph.h"

namespace riffle::dfsph {

/// One launch for particles and wall particles: small ones cost as much as their launch.
template <class Particle, class Wall>
struct Both {
  int particles;  ///< number
  Particle particle;
  Wall wall;

  RIFFLE_HD void operator()(std::int64_t i) const { i < particles ? particle(i) : wall(i - particles); }
};
template <class Particle, class Wall>
Both(int, Particle, Wall) -> Both<Particle, Wall>;

/// out: position, 1 / rest density.
struct Record {
  wcsph::FluidTable fluids;
  const std::uint32_t* fluid;
  const Vec4* position;
  Vec4* record;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Vec4 x = position[i];
    record[i] = {x.x, x.y, x.z, 1 / fluids.rest_density[fluids.count == 1 ? 0 : fluid[i]]};
  }
};

/// Excess and inverse diagonal of a particle. Walls count in the diagonal as if they moved: several wall particles feel
/// the same fluid particle, and with the diagonal of walls at rest the iteration would grow there. With this one its
/// matrix is below that of a fluid without walls. Also its density, the record that forces read, and the rate at which
/// s changes with the present velocities, where a solve that starts from no impulse begins.
template <class Kernel>
struct ConstrainOf {
  Kernel kernel;
  float rest_volume;   ///< V_0 [m^d]
  const Vec4* record;  ///< w: 1 / rest density
  const Vec4* wall;    ///< nullptr: no walls
  const float* wall_squares;
  const Vec4* wall_push;  ///< w: sum_b v_b g_ib
  const Vec4* velocity;
  float* excess;   ///< out
  float* inverse;  ///< out
  float* rate;     ///< out: ds / dt [1/s]
  Vec4* volume;    ///< out: position, 1 / delta
  float* density;  ///< out [kg/m^3]

  template <class Real>
  struct Sums {
    Vec3Of<Real> gradient;
    Real delta, squares, rate;
  };
  struct State {
    Sums<float> sums;
    Vec3 velocity;
    float lightness;
  };
  template <class Real>
  struct Neighbor {
    Vec3Of<Real> velocity;
    Real lightness;  ///< 1 / rest density
  };
  RIFFLE_HD State begin(int i) const { return {{{0, 0, 0}, kernel.value(0.0f), 0, 0}, xyz(velocity[i]), record[i].w}; }
  template <class Real>
  RIFFLE_HD Neighbor<Real> read_neighbor(IndexOf<Real> j, Real lightness) const {
    return {xyz(read(velocity, j)), lightness};
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State& state, Vec3Of<Real> r_ij, Real r2,
                     const Neighbor<Real>& source) const {
    const Real r = quick_sqrt(r2), gradient = kernel.gradient_over_r(r);
    sums.delta += kernel.value(r);
    sums.gradient += gradient * r_ij;
    sums.squares += source.lightness * (gradient * gradient * r2);
    sums.rate += gradient * dot(state.velocity - source.velocity, r_ij);
  }
  RIFFLE_HD void end(State& state, int i) const {
    const Sums<float>& sums = state.sums;
    Vec3 gradient = rest_volume * sums.gradient;
    float filled = rest_volume * sums.delta, squares = rest_volume * rest_volume * sums.squares;
    float r = rest_volume * sums.rate;
    if (wall) {
      r += dot(state.velocity, xyz(wall[i])) - wall_push[i].w;
      squares += state.lightness * wall_squares[i];
      gradient += xyz(wall[i]);
      filled += wall[i].w;
    }
    const float diagonal = state.lightness * length2(gradient) + squares;
    const Vec4 x = record[i];
    excess[i] = filled - 1;
    inverse[i] = diagonal > 0 ? 1 / diagonal : 0.0f;
    rate[i] = r;
    density[i] = filled / state.lightness;
    volume[i] = {x.x, x.y, x.z, rest_volume / filled};
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = ConstrainOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using Constrain = ConstrainOf<SmoothingKernel>;

/// Sums over own particles.
struct CountFill {
  const std::uint32_t* foreign;
  const float* excess;
  const Vec4* velocity;

  RIFFLE_HD static FillSums identity() { return {}; }
  RIFFLE_HD static FillSums combine(const FillSums& a, const FillSums& b) {
    return {a.excess + b.excess, a.roomy + b.roomy, a.count + b.count, a.speed + b.speed};
  }
  RIFFLE_HD FillSums operator()(std::int64_t i) const {
    if (foreign && foreign[i] != 0) return {};
    return {double{excess[i]}, excess[i] < kRoom ? 1.0 : 0.0, 1.0, double{sqrtf(length2(xyz(velocity[i])))}};
  }
};

/// The offset is the mean excess where there is no room, and 0 elsewhere. A surface at rest alone may look as if there were no
/// room: the domain must be full too. Rounded, so that it hardly ever depends on how a sum was divided among devices.
struct FindFill {
  bool clamped;
  double full;  ///< particles_without_room()
  float reach;  ///< h [m]
  const ClockState* clock;
  Fill* fill;

  RIFFLE_HD void operator()(std::int64_t) const {
    const FillSums& sums = fill->sums;
    double mean = sums.roomy == 0 && sums.count > 0 && sums.count >= full ? sums.excess / sums.count : 0;
    if (clamped && !(mean > 0)) mean = 0;
    constexpr double unit = 0x1p-20;
    fill->offset = static_cast<float>(unit * floor(mean / unit + 0.5));
    const double speed = sums.count > 0 ? sums.speed / sums.count : 0;
    fill->share = correction_share(static_cast<float>(speed * clock->dt), reach);
  }
};

struct BeginSolve {
  SolveKind kind;
  const Fill* fill;
  SolveState* state;

  RIFFLE_HD void operator()(std::int64_t) const {
    SolveState s;
    if (kind == SolveKind::Density) s.weight = first_weight(fill->share);
    *state = s;
  }
};

/// What stands beside the rate of density in the residual [1/s]. Where there is room, the density may grow until there
/// is none.
RIFFLE_INLINE float allowance(SolveKind kind, bool clamped, float excess, const Fill& fill, float dt) {
  excess -= fill.offset;
  if (clamped && excess < 0) return excess / dt;
  return kind == SolveKind::Density ? correction(excess, fill.share) / dt : 0.0f;
}

/// Impulses at the start of a solve: those of the pressure of the last step. A solve that starts from none has its first
/// residuals from the rates that the constraints found.
struct StartSolve {
  const ClockState* clock;
  bool clamped;           ///< phi >= 0
  float bias;             ///< as of AddToMean
  const float* pressure;  ///< nullptr: the solve starts from 0
  const Fill* fill;
  const float* excess;
  float* residual;  ///< in: rate; out, if the solve starts from 0
  Vec4* record;
  float* impulse;

  RIFFLE_HD void operator()(std::int64_t i) const {
    if (!pressure) residual[i] += allowance(SolveKind::Divergence, clamped, excess[i], *fill, clock->dt);
    float phi = pressure ? pressure[i] * clock->dt / bias : 0.0f;
    if (clamped && !(phi > 0)) phi = 0;
    record[i].w = impulse[i] = phi;
  }
};

/// u of the present impulses.
template <class Kernel>
struct PushOf {
  Kernel kernel;
  wcsph::FluidTable fluids;
  const SolveState* state;
  const std::uint32_t* fluid;
  const Vec4* record;    ///< w: impulse
  const Vec4* velocity;  ///< v
  const Vec4* wall;      ///< nullptr: no walls
  const Vec4* wall_push;
  Vec4* pushed;  ///< out: u

  template <class Real>
  struct Sums {
    Vec3Of<Real> push;
  };
  struct State {
    Sums<float> sums;
    float impulse;
  };
  template <class Real>
  using Neighbor = Real;  ///< impulse
  RIFFLE_HD bool skip() const { return state->done != 0; }
  RIFFLE_HD State begin(int i) const { return {{{0, 0, 0}}, record[i].w}; }
  template <class Real>
  RIFFLE_HD Real read_neighbor(IndexOf<Real>, Real phi) const {
    return phi;
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State& own, Vec3Of<Real> r_ij, Real r2, Real phi) const {
    sums.push += ((own.impulse + phi) * kernel.gradient_over_r(quick_sqrt(r2))) * r_ij;
  }
  RIFFLE_HD void end(State& state, int i) const {
    Vec3 push = fluids.rest_volume * state.sums.push;
    if (wall) push += state.impulse * xyz(wall[i]) + xyz(wall_push[i]);
    const float lightness = 1 / fluids.rest_density[fluids.count == 1 ? 0 : fluid[i]];
    pushed[i] = make_vec4(xyz(velocity[i]) - lightness * push);
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = PushOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using Push = PushOf<SmoothingKernel>;

/// Residuals of the present velocities u.
template <class Kernel>
struct ResidualOf {
  Kernel kernel;
  float rest_volume;  ///< V_0 [m^d]
  SolveKind kind;
  bool clamped;  ///< phi >= 0
  const ClockState* clock;
  const SolveState* state;
  const Fill* fill;
  const float* excess;
  const Vec4* pushed;
  const Vec4* wall;       ///< nullptr: no walls
  const Vec4* wall_push;  ///< w: sum_b v_b g_ib
  float* residual;        ///< out [1/s]

  template <class Real>
  struct Sums {
    Real rate;
  };
  struct State {
    Sums<float> sums;
    Vec3 velocity;
  };
  template <class Real>
  using Neighbor = Vec4Of<Real>;  ///< u_j
  RIFFLE_HD bool skip() const { return state->done != 0; }
  RIFFLE_HD State begin(int i) const { return {{0}, xyz(pushed[i])}; }
  template <class Real>
  RIFFLE_HD Vec4Of<Real> read_neighbor(IndexOf<Real> j, Real) const {
    return read(pushed, j);
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State& own, Vec3Of<Real> r_ij, Real r2, const Vec4Of<Real>& u_j) const {
    sums.rate += kernel.gradient_over_r(quick_sqrt(r2)) * dot(own.velocity - xyz(u_j), r_ij);
  }
  RIFFLE_HD void end(State& state, int i) const {
    float r = rest_volume * state.sums.rate;
    if (wall) r += dot(state.velocity, xyz(wall[i])) - wall_push[i].w;
    residual[i] = r + allowance(kind, clamped, excess[i], *fill, clock->dt);
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = ResidualOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using Residual = ResidualOf<SmoothingKernel>;

/// An iterate from the present impulse.
RIFFLE_INLINE float corrected(float present, float residual, float inverse, float relaxation, bool clamped) {
  const float phi = present + relaxation * residual * inverse;
  return clamped && !(phi > 0) ? 0.0f : phi;
}

/// The next impulses.
struct Advance {
  float relaxation;
  bool clamped;
  const SolveState* state;
  const std::uint32_t* foreign;
  const float* residual;
  const float* inverse;
  Vec4* record;
  float* impulse;

  RIFFLE_HD void operator()(std::int64_t i) const {
    if (state->done != 0 || (foreign && foreign[i] != 0)) return;
    const float next = corrected(record[i].w, residual[i], inverse[i], relaxation, clamped);
    float present = next + state->extrapolation * (next - impulse[i]);
    if (clamped && !(present > 0)) present = 0;
    impulse[i] = next;
    record[i].w = present;
  }
};

/// The velocities that the solve has found.
struct FinishSolve {
  bool from_rates;  ///< the first residuals were those of the present velocities: u is known from the second on
  const ClockState* clock;
  const SolveState* state;
  const std::uint32_t* foreign;
  const Vec4* pushed;
  Vec4* velocity;
  Vec4* acceleration;  ///< nullptr: not wanted

  RIFFLE_HD void operator()(std::int64_t i) const {
    if (!(clock->dt > 0) || (foreign && foreign[i] != 0)) return;
    if (from_rates && state->iterations <= 1) return;
    if (acceleration) acceleration[i] = make_vec4((1 / clock->dt) * (xyz(pushed[i]) - xyz(velocity[i])));
    velocity[i] = pushed[i];
  }
};

/// The velocity as forces read it.
struct Flow {
  const Vec4* velocity;
  Vec4* flow;
  RIFFLE_HD void operator()(std::int64_t i) const { flow[i] = make_vec4(xyz(velocity[i])); }
};

/// v += a dt.
struct Accelerate {
  float damping_rate;   ///< [1/s]
  double damping_time;  ///< [s]
  const ClockState* clock;
  const std::uint32_t* foreign;
  const Vec4* acceleration;
  Vec4* velocity;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const float dt = clock->dt;
    if (!(dt > 0) || (foreign && foreign[i] != 0)) return;
    Vec3 v = xyz(velocity[i]) + dt * xyz(acceleration[i]);
    if (damping_rate > 0 && clock->time <= damping_time) v = (1 / (1 + damping_rate * dt)) * v;
    velocity[i] = make_vec4(v);
  }
};

/// v as it ends with contact.
struct Contact {
  FaceContact contact;
  const ClockState* clock;
  const std::uint32_t* foreign;
  const Vec4* position;
  Vec4* velocity;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const float dt = clock->dt;
    if (!(dt > 0) || (foreign && foreign[i] != 0)) return;
    const Vec3 x = xyz(position[i]), way = dt * xyz(velocity[i]), shortened = contact.shortened(way, x, i, 1 / dt);
    Vec3 v = xyz(velocity[i]);
    if (shortened.x != way.x) v.x = shortened.x / dt;
    if (shortened.y != way.y) v.y = shortened.y / dt;
    if (shortened.z != way.z) v.z = shortened.z / dt;
    velocity[i] = make_vec4(v);
  }
};

}  // namespace riffle::dfsph
