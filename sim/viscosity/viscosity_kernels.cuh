#pragma once
/// The functors of implicit viscosity; sim/viscosity/implicit_viscosity.h has the equations. Index spaces: i, j are fluid
/// particles in the search's order; b are wall particles in theirs. The w of neighbour records is the particle's volume
/// [m^d] or V_b / V_0 (walls).

#include "core/device/parallel.cuh"
#include "core/math/math.h"
#include "core/math/symmetric.h"
#include "sim/step_control.h"
#include "sim/viscosity/viscosity_table.h"
#include "sim/viscosity/viscous_state.h"
#include "sim/walls/wall_motion.h"

namespace riffle::viscosity {

/// What a particle adds to the sums.
RIFFLE_INLINE Sums sums_of(float product, float mass, Vec3 v) {
  const double m = mass;
  return {double{product}, m * double{v.x}, m * double{v.y}, m * double{v.z}, m};
}
RIFFLE_INLINE Sums add(const Sums& a, const Sums& b) {
  return {a.product + b.product, a.x + b.x, a.y + b.y, a.z + b.z, a.mass + b.mass};
}

/// v, shortened to that length if it is longer.
RIFFLE_INLINE Vec3 at_most(float length, Vec3 v) {
  const float squared = dot(v, v);
  return squared > length * length ? (length / sqrtf(squared)) * v : v;
}

/// The velocity that viscosity acts on: v + a dt.
struct StartVelocity {
  float most_push;  ///< change of velocity by the pressure, at most [m/s]
  const ClockState* clock;
  const Vec4* velocity;
  const Vec4* acceleration;
  const Vec4* pressure_acceleration;  ///< nullptr: `acceleration` contains it
  Vec4* start;

  RIFFLE_HD void operator()(std::int64_t i) const {
    Vec3 v = xyz(velocity[i]) + clock->dt * xyz(acceleration[i]);
    if (pressure_acceleration) v += at_most(most_push, clock->dt * xyz(pressure_acceleration[i]));
    start[i] = make_vec4(v);
  }
};

/// Particles at a free surface: sim/dfsph has the same measure. Counts own ones.
struct CountSurface {
  float largest;  ///< volume of a particle that is within the fluid [m^d]
  const std::uint32_t* foreign;
  const Vec4* volume;

  RIFFLE_HD static Sums identity() { return {}; }
  RIFFLE_HD static Sums combine(const Sums& a, const Sums& b) { return add(a, b); }
  RIFFLE_HD Sums operator()(std::int64_t i) const {
    if (foreign && foreign[i] != 0) return {};
    return {volume[i].w > largest ? 1.0 : 0.0, 0, 0, 0, 1};
  }
};

/// After CountSurface, whose `mass` is the number of particles.
struct ChooseForm {
  double full;  ///< particles_without_room()
  ViscousState* state;
  RIFFLE_HD void operator()(std::int64_t) const {
    state->along_pairs = state->sums.product > 0 || state->sums.mass < full ? 1 : 0;
  }
};

/// c (v . r) r, or c v.
RIFFLE_INLINE Vec3 pair_force(bool along_pairs, float c, Vec3 v, Vec3 r) {
  return along_pairs ? (c * dot(v, r)) * r : c * v;
}
RIFFLE_INLINE void add_pair(Symmetric3& block, bool along_pairs, float c, Vec3 r) {
  if (along_pairs) return add_outer(block, c, r);
  block.xx += c, block.yy += c, block.zz += c;
}

/// Impulses by viscosity that the start velocities would have in dt, and the fluid's part of the diagonal block.
struct Blocks {
  Table table;
  const ClockState* clock;
  const ViscousState* viscous;
  const std::uint32_t* fluid;
  const Vec4* volume;
  const Vec4* start;
  Vec4* residual;     ///< out [kg m/s]
  Symmetric3* block;  ///< out [kg]

  struct State {
    Vec3 velocity, force;
    Symmetric3 block;
    float mu;
    bool along_pairs;
  };
  using Source = Vec4;  ///< start velocity; w: volume
  RIFFLE_HD State begin(int i) const {
    return {xyz(start[i]), {0, 0, 0}, {}, table.dynamic[table.count == 1 ? 0 : fluid[i]], viscous->along_pairs != 0};
  }
  RIFFLE_HD Source fetch(int j, Vec4 x_j) const { return make_vec4(xyz(start[j]), x_j.w); }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3 r_ij, float r2, const Source& source) const {
    const float mu = table.count == 1 ? state.mu : Table::mixed(state.mu, table.dynamic[fluid[j]]);
    const float c = mu * source.w * table.weight(state.along_pairs, r2);
    add_pair(state.block, state.along_pairs, c, r_ij);
    state.force += pair_force(state.along_pairs, c, xyz(source) - state.velocity, r_ij);
  }
  RIFFLE_HD void end(State& state, int i) const {
    const float scale = clock->dt * volume[i].w * table.form(state.along_pairs).strength;
    residual[i] = make_vec4(scale * state.force);
    block[i] = scale * state.block;
  }
};

/// The walls' part of both. Not called far from walls.
struct WallBlocks {
  Table table;
  const ClockState* clock;
  const ViscousState* viscous;
  const std::uint32_t* fluid;
  const Vec4* volume;
  const Vec4* start;
  WallMotion walls;
  Vec4* residual;          ///< in and out
  Symmetric3* wall_block;  ///< out

  struct State {
    Vec3 velocity, force;
    Symmetric3 block;
    float sum;
    bool along_pairs;
  };
  using Source = float;  ///< V_b / V_0
  RIFFLE_HD State begin(int i) const { return {xyz(start[i]), {0, 0, 0}, {}, 0, viscous->along_pairs != 0}; }
  RIFFLE_HD Source fetch(int, Vec4 x_b) const { return x_b.w; }
  RIFFLE_HD void neighbor(State& state, int, int b, Vec3 r_ib, float r2, Source part) const {
    const float c = part * table.weight(state.along_pairs, r2);
    const Vec3 v_b = walls.at(b) + walls.turning(b, r_ib);  // the solid's where the fluid is
    state.sum += c;
    add_pair(state.block, state.along_pairs, c, r_ib);
    state.force += pair_force(state.along_pairs, c, v_b - state.velocity, r_ib);
  }
  RIFFLE_HD void end(State& state, int i) const {
    const float mu = table.dynamic[table.count == 1 ? 0 : fluid[i]];
    const Form& form = table.form(state.along_pairs);
    const float scale =
        clock->dt * mu * volume[i].w * table.wall_volume * form.strength * Table::wall_factor(form, state.sum);
    wall_block[i] = scale * state.block;
    residual[i] = make_vec4(xyz(residual[i]) + scale * state.force);
  }
};

struct ClearWallBlocks {
  Symmetric3* wall_block;
  RIFFLE_HD void operator()(std::int64_t i) const { wall_block[i] = {}; }
};

/// Inverse blocks, and the last step's change as the first guess. Returns the norm of the impulses.
struct InvertBlocks {
  Table table;
  const ClockState* clock;
  const std::uint32_t* fluid;
  const std::uint32_t* foreign;  ///< nullptr: none
  const Symmetric3* wall_block;  ///< nullptr: no walls
  const Vec4* last;              ///< acceleration by viscosity in the last step
  const Vec4* residual;
  Symmetric3* block;  ///< in: without mass and walls; out: the inverse of the whole [1/kg]
  Vec4* direction;    ///< out: the guess [m/s]
  Vec4* change;       ///< out: the same

  RIFFLE_HD static Sums identity() { return {}; }
  RIFFLE_HD static Sums combine(const Sums& a, const Sums& b) { return add(a, b); }
  RIFFLE_HD Sums operator()(std::int64_t i) const {
    const float m = table.mass[table.count == 1 ? 0 : fluid[i]];
    Symmetric3 whole = block[i];
    if (wall_block) whole = whole + wall_block[i];
    whole.xx += m, whole.yy += m, whole.zz += m;
    const Symmetric3 inverted = inverse(whole);
    block[i] = inverted;
    const Vec4 guess = make_vec4(clock->dt * xyz(last[i]));
    direction[i] = change[i] = guess;
    if (foreign && foreign[i] != 0) return {};
    const Vec3 b = xyz(residual[i]);
    return sums_of(dot(b, inverted * b), m, xyz(guess));
  }
};

/// The matrix times the directions.
struct Product {
  Table table;
  const ClockState* clock;
  const ViscousState* state;
  const std::uint32_t* fluid;
  const Vec4* volume;
  const Vec4* direction;
  const Symmetric3* wall_block;  ///< nullptr: no walls
  Vec4* product;                 ///< out [kg m/s]

  struct State {
    Vec3 direction, sum;
    float mu;
    bool along_pairs;
  };
  using Source = Vec4;  ///< direction; w: volume
  RIFFLE_HD bool skip() const { return state->done != 0; }
  RIFFLE_HD State begin(int i) const {
    return {xyz(direction[i]), {0, 0, 0}, table.dynamic[table.count == 1 ? 0 : fluid[i]], state->along_pairs != 0};
  }
  RIFFLE_HD Source fetch(int j, Vec4 x_j) const { return make_vec4(xyz(direction[j]), x_j.w); }
  RIFFLE_HD void neighbor(State& s, int, int j, Vec3 r_ij, float r2, const Source& source) const {
    const float mu = table.count == 1 ? s.mu : Table::mixed(s.mu, table.dynamic[fluid[j]]);
    s.sum +=
        pair_force(s.along_pairs, mu * source.w * table.weight(s.along_pairs, r2), s.direction - xyz(source), r_ij);
  }
  RIFFLE_HD void end(State& s, int i) const {
    const float m = table.mass[table.count == 1 ? 0 : fluid[i]];
    Vec3 q = m * s.direction + (clock->dt * volume[i].w * table.form(s.along_pairs).strength) * s.sum;
    if (wall_block) q += wall_block[i] * s.direction;
    product[i] = make_vec4(q);
  }
};

/// The residual of the first guess. Returns its norm.
struct BeginIteration {
  Table table;
  const std::uint32_t* fluid;
  const std::uint32_t* foreign;
  const Vec4* product;
  const Symmetric3* inverse;
  Vec4* residual;
  Vec4* direction;

  RIFFLE_HD static Sums identity() { return {}; }
  RIFFLE_HD static Sums combine(const Sums& a, const Sums& b) { return add(a, b); }
  RIFFLE_HD Sums operator()(std::int64_t i) const {
    direction[i] = {0, 0, 0, 0};  // Turn makes the first one; a foreign particle that nobody refreshes keeps its guess
    if (foreign && foreign[i] != 0) return {};
    const Vec3 r = xyz(residual[i]) - xyz(product[i]), z = inverse[i] * r;
    residual[i] = make_vec4(r);
    return sums_of(dot(r, z), table.mass[table.count == 1 ? 0 : fluid[i]], z);
  }
};

/// Direction times product.
struct Curvature {
  const std::uint32_t* foreign;
  const Vec4* direction;
  const Vec4* product;

  RIFFLE_HD static Sums identity() { return {}; }
  RIFFLE_HD static Sums combine(const Sums& a, const Sums& b) { return add(a, b); }
  RIFFLE_HD Sums operator()(std::int64_t i) const {
    if (foreign && foreign[i] != 0) return {};
    return {double{dot(xyz(direction[i]), xyz(product[i]))}, 0, 0, 0, 0};
  }
};

/// A step along the direction. Returns the norm of the residual that is left.
struct Advance {
  Table table;
  const ViscousState* state;
  const std::uint32_t* fluid;
  const std::uint32_t* foreign;
  const Vec4* direction;
  const Vec4* product;
  const Symmetric3* inverse;
  Vec4* change;
  Vec4* residual;

  RIFFLE_HD static Sums identity() { return {}; }
  RIFFLE_HD static Sums combine(const Sums& a, const Sums& b) { return add(a, b); }
  RIFFLE_HD Sums operator()(std::int64_t i) const {
    if (state->done != 0 || (foreign && foreign[i] != 0)) return {};
    const Vec3 r = xyz(residual[i]) - state->length * xyz(product[i]);
    change[i] = make_vec4(xyz(change[i]) + state->length * xyz(direction[i]));
    residual[i] = make_vec4(r);
    const Vec3 z = inverse[i] * r;
    return sums_of(dot(r, z), table.mass[table.count == 1 ? 0 : fluid[i]], z);
  }
};

/// The next direction.
struct Turn {
  const ViscousState* state;
  const std::uint32_t* foreign;
  const Vec4* residual;
  const Symmetric3* inverse;
  Vec4* direction;

  RIFFLE_HD void operator()(std::int64_t i) const {
    if (state->done != 0 || (foreign && foreign[i] != 0)) return;
    direction[i] = make_vec4(inverse[i] * xyz(residual[i]) - state->mean + state->kept * xyz(direction[i]));
  }
};

/// Returns the change of the acceleration since the last step along the velocity, and the velocities.
struct AddViscosity {
  Table table;
  const ClockState* clock;
  const std::uint32_t* fluid;
  const std::uint32_t* foreign;
  const Vec4* velocity;  ///< at the start of the step
  const Vec4* change;
  Vec4* acceleration;  ///< in and out
  Vec4* last;          ///< in and out

  RIFFLE_HD static StepSums identity() { return {}; }
  RIFFLE_HD static StepSums combine(const StepSums& a, const StepSums& b) {
    return {a.change + b.change, a.speed2 + b.speed2, a.x + b.x, a.y + b.y, a.z + b.z, a.mass + b.mass};
  }
  RIFFLE_HD StepSums operator()(std::int64_t i) const {
    if (!(clock->dt > 0) || (foreign && foreign[i] != 0)) return {};
    const Vec3 a = (1 / clock->dt) * xyz(change[i]), v = xyz(velocity[i]);
    const double m = table.mass[table.count == 1 ? 0 : fluid[i]];
    const StepSums sums{m * double{dot(a - xyz(last[i]), v)},
                        m * double{length2(v)},
                        m * double{v.x},
                        m * double{v.y},
                        m * double{v.z},
                        m};
    last[i] = make_vec4(a);
    acceleration[i] = make_vec4(xyz(acceleration[i]) + a);
    return sums;
  }
};

// What one thread decides.

/// After InvertBlocks.
struct Reset {
  bool keep_momentum;
  ViscousState* state;
  RIFFLE_HD void operator()(std::int64_t) const {
    ViscousState s;
    s.along_pairs = state->along_pairs;
    s.given = state->sums.product;
    if (keep_momentum) s.mean = state->sums.mean();
    *state = s;
  }
};

/// Takes the momentum out of the first guess.
struct Center {
  const ViscousState* state;
  Vec4* direction;
  Vec4* change;
  RIFFLE_HD void operator()(std::int64_t i) const {
    direction[i] = change[i] = make_vec4(xyz(change[i]) - state->mean);
  }
};

/// After BeginIteration. Where the start velocities cause next to nothing, what a wrong guess has left is the measure.
struct Begin {
  float bound;
  bool keep_momentum;
  const ClockState* clock;
  ViscousState* state;

  RIFFLE_HD void operator()(std::int64_t) const {
    ViscousState s;
    s.along_pairs = state->along_pairs;
    s.left = state->sums.product;
    if (keep_momentum) s.mean = state->sums.mean();
    s.given = fmax(state->given, kLeastReduction * s.left);
    s.done = clock->dt > 0 && s.error() > bound ? 0 : 1;
    *state = s;
  }
};

/// After Curvature.
struct ChooseLength {
  ViscousState* state;
  RIFFLE_HD void operator()(std::int64_t) const {
    if (state->done != 0) return;
    const double curvature = state->sums.product;
    state->length = curvature > 0 ? static_cast<float>(state->left / curvature) : 0.0f;
    if (!(curvature > 0)) state->done = 1;  // nothing left, or not a number
  }
};

/// After Advance.
struct Decide {
  float bound;
  bool keep_momentum;
  std::uint32_t most_iterations;
  ViscousState* state;
  RIFFLE_HD void operator()(std::int64_t) const {
    ViscousState s = *state;
    if (s.done != 0) return;
    s.kept = static_cast<float>(s.sums.product / s.left);
    s.left = s.sums.product;
    if (keep_momentum) s.mean = s.sums.mean();
    ++s.iterations;
    if (!(s.error() > bound) || s.iterations >= most_iterations) s.done = 1;
    *state = s;
  }
};

/// At the end of the step. The next step follows from the error of this one.
struct Report {
  float bound;
  float step_error;
  bool relative_to_walls;
  float least_step;   ///< [s]
  float least_speed;  ///< [m/s]
  const ViscousState* state;
  const StepSums* sums;
  ClockState* clock;
  RIFFLE_HD void operator()(std::int64_t) const {
    if (!(clock->dt > 0)) return;
    SolveReport& report = clock->viscous_solve;
    report.iterations = state->iterations;
    report.all_iterations += report.iterations;
    report.mean_error = report.largest_error = state->error();
    if (!(state->error() <= bound)) ++clock->viscous_unconverged;

    const StepSums s = *sums;
    double speed2 = s.speed2 / s.mass;
    if (!relative_to_walls) speed2 -= (s.x * s.x + s.y * s.y + s.z * s.z) / (s.mass * s.mass);
    const double speed = fmax(sqrt(fmax(speed2, 0.0)), double{least_speed});
    const double error = 0.5 * double{clock->dt} * fabs(s.change) / (s.mass * speed);
    const double allowed = double{step_error} * speed;
    double factor = error > 0 ? sqrt(allowed / error) : error == 0 ? double{kMostGrowth} : double{kMostShrinkage};
    factor = fmin(fmax(factor, double{kMostShrinkage}), double{kMostGrowth});
    const auto wanted = static_cast<float>(factor * double{clock->dt});
    float next = clock->viscous_step > least_step ? clock->viscous_step : least_step;
    if (factor < 1)
      next = wanted > least_step ? wanted : least_step;
    else if (wanted > next)  // a step that something else shortened says nothing against longer ones
      next = wanted;
    clock->viscous_step = next;
  }
};

}  // namespace riffle::viscosity
