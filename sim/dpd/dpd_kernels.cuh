#pragma once
/// The functors of one DPD step. i, j: particles in the search's order. The w of positions has the bits of the
/// particle's id, that of predicted velocities the bits of its fluid.

#include "core/device/atomic.h"
#include "core/math/domain.h"
#include "core/math/math.h"
#include "core/math/periodic.h"
#include "core/math/vec.h"
#include "sim/dpd/dpd.h"
#include "sim/motion/apparent_gravity.h"
#include "sim/walls/solid.h"

namespace riffle::dpd {

RIFFLE_INLINE Vec4 with_bits(Vec4 a, std::uint32_t bits) { return {a.x, a.y, a.z, float_from_bits(bits)}; }

struct MarkParticles {
  const std::uint32_t* id;
  const std::uint32_t* fluid;
  const Vec4* velocity;
  Vec4* position;   ///< in and out: w
  Vec4* predicted;  ///< out

  RIFFLE_HD void operator()(std::int64_t i) const {
    position[i] = with_bits(position[i], id[i]);
    predicted[i] = with_bits(velocity[i], fluid[i]);
  }
};

/// A particle on which no force has been computed. Its velocity is that of its position.
struct MarkNew {
  const Vec4* velocity;
  Vec4* acceleration;  ///< out
  Vec4* previous;      ///< out; of LeapFrog, else nullptr

  RIFFLE_HD void operator()(std::int64_t i) const {
    acceleration[i] = {0, 0, 0, 1};
    if (previous) previous[i] = velocity[i];
  }
};

/// Forgets the forces of the past at foreign particles that become own.
struct MarkOwnAgain {
  const std::uint32_t* own_again;
  const Vec4* velocity;
  Vec4* acceleration;  ///< out; of VelocityVerlet
  Vec4* previous;      ///< out; of LeapFrog, else nullptr

  RIFFLE_HD void operator()(std::int64_t i) const {
    if (own_again[i] == 0) return;
    if (previous)
      previous[i] = velocity[i];
    else
      acceleration[i] = {0, 0, 0, 1};
  }
};

struct CountNew {
  const Vec4* acceleration;
  const std::uint32_t* foreign;  ///< flags of particles that do not count; nullptr: none

  RIFFLE_HD static int identity() { return 0; }
  RIFFLE_HD static int combine(int a, int b) { return a + b; }
  RIFFLE_HD int operator()(std::int64_t i) const {
    return acceleration[i].w != 0 && !(foreign && foreign[i] != 0) ? 1 : 0;
  }
};

struct SkipOld {
  CountNew is_new;
  std::uint32_t* skip;  ///< out

  RIFFLE_HD void operator()(std::int64_t i) const { skip[i] = is_new(i) != 0 ? 0 : 1; }
};

/// Weights and products of one pair.
struct DpdPair {
  float inverse_r;  ///< 0 if both are at one point: there is then no direction and no force
  float weight;     ///< 1 - r / r_c
  float approach;   ///< e.v_ij

  RIFFLE_HD DpdPair(Vec3 r_ij, float r2, Vec3 v_ij, float inverse_cutoff) {
    const float r = quick_sqrt(r2);
    inverse_r = r > 0 ? quick_divide(1.0f, r) : 0.0f;
    weight = 1 - r * inverse_cutoff;
    approach = dot(r_ij, v_ij) * inverse_r;
  }
};

/// The source of random numbers; one type for every RandomKind. They are keyed on the clock's step rather than on the
/// host's count of steps: the host is a few steps ahead of the device, and those past the end of the run do nothing.
template <class Pair>
struct PairNumbers {
  Pair random;
  const ClockState* clock;
  bool first;  ///< the evaluation before a drift: it belongs to the last step, one before the clock's
  using State = typename Pair::Step;
  RIFFLE_HD State begin(int) const {
    return random.begin_step(first && clock->step > 0 ? clock->step - 1 : clock->step);
  }
  RIFFLE_HD float draw(const State& state, std::uint32_t id_i, std::uint32_t id_j) const { return state(id_i, id_j); }
  RIFFLE_HD void end(const State&, int) const {}
};

struct StreamNumbers {
  float* random;  ///< (N) in and out
  using State = KarpinskiStream;
  RIFFLE_HD State begin(int i) const {
    State state;
    state.r = random[i];
    return state;
  }
  RIFFLE_HD float draw(State& state, std::uint32_t, std::uint32_t) const { return state.next(); }
  RIFFLE_HD void end(const State& state, int i) const { random[i] = state.r; }
};

/// Calls launch() with the random numbers of the setup's kind.
template <class Launch>
void with_numbers(const SimulationSetup& setup, const ClockState* clock, bool first, float* stream,
                  const Launch& launch) {
  switch (setup.dpd.random) {
    case RandomKind::Philox: launch(PairNumbers<PhiloxPair>{PhiloxPair(setup.seed), clock, first}); return;
    case RandomKind::Karpinski: launch(PairNumbers<KarpinskiPair>{KarpinskiPair(setup.seed), clock, first}); return;
    case RandomKind::KarpinskiStream: launch(StreamNumbers{stream}); return;
  }
}

/// Forces, then the kick that ends the step.
template <class Numbers>
struct DpdForces {
  DpdTable table;
  Numbers numbers;
  float inverse_cutoff;
  Vec3 gravity;
  const ApparentGravity* apparent;  ///< nullptr: gravity is constant
  bool leap_frog;
  bool kick;  ///< false: the first evaluation, which only computes accelerations and the leap-frog's first half step
  const Vec4* position;
  const Vec4* predicted;
  const ClockState* clock;
  Vec4* acceleration;
  Vec4* velocity;
  Vec4* previous;                           ///< of LeapFrog
  const Vec4* wall_acceleration = nullptr;  ///< by walls that drag; nullptr: there are none

  struct State {
    Vec3 force;
    Vec3 velocity;
    std::uint32_t id, fluid;
    float noise;  ///< 1 / sqrt(dt)
    typename Numbers::State numbers;
  };
  struct Source {
    Vec4 predicted;
    std::uint32_t id;
  };

  RIFFLE_HD State begin(int i) const {
    const Vec4 v = predicted[i];
    const float dt = clock->dt;
    return {{0, 0, 0},       xyz(v), float_bits(position[i].w), float_bits(v.w), dt > 0 ? 1 / sqrtf(dt) : 0.0f,
            numbers.begin(i)};
  }

  RIFFLE_HD Source fetch(int j, Vec4 x_j) const { return {predicted[j], float_bits(x_j.w)}; }

  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ij, float r2, const Source& source) const {
    const DpdPair pair(r_ij, r2, state.velocity - xyz(source.predicted), inverse_cutoff);
    const std::uint32_t k = table.fluids == 1 ? 0 : state.fluid,
                        l = table.fluids == 1 ? 0 : float_bits(source.predicted.w);
    const float theta = numbers.draw(state.numbers, state.id, source.id);
    const float strength = table.repulsion[k][l] + table.noise[k][l] * state.noise * theta -
                           table.friction[k][l] * pair.weight * pair.approach;
    state.force += (strength * pair.weight * pair.inverse_r) * r_ij;
  }

  RIFFLE_HD void end(State& state, int i) const {
    const float dt = clock->dt;
    if (!(dt > 0)) return;  // the end of the run is reached: the state stays as it is
    numbers.end(state.numbers, i);
    const float inverse_mass = table.inverse_mass[table.fluids == 1 ? 0 : state.fluid];
    Vec3 g = gravity;
    if (apparent != nullptr) g = apparent->at(xyz(position[i])) + apparent->of_velocity(state.velocity);
    Vec3 a = inverse_mass * state.force + g;
    if (wall_acceleration) a += xyz(wall_acceleration[i]);
    acceleration[i] = make_vec4(a);
    const Vec3 v = xyz(velocity[i]);
    if (!leap_frog) {
      if (kick) velocity[i] = make_vec4(v + 0.5f * dt * a);
    } else if (kick) {
      previous[i] = make_vec4(v);
      velocity[i] = make_vec4(v + dt * a);
    } else {
      previous[i] = make_vec4(v - 0.5f * dt * a);
      velocity[i] = make_vec4(v + 0.5f * dt * a);
    }
  }
};

/// The velocities of the drag. VelocityVerlet: v + lambda dt a of the step's start, which is (lambda - 1/2) dt a beyond
/// the present half-step velocity. LeapFrog: 3/2 v(n-1/2) - 1/2 v(n-3/2).
struct Predict {
  float beyond_half;     ///< lambda - 1/2
  const Vec4* previous;  ///< of LeapFrog, else nullptr
  const Vec4* velocity;
  const Vec4* acceleration;
  const std::uint32_t* fluid;
  const ClockState* clock;
  Vec4* predicted;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Vec3 v = xyz(velocity[i]);
    const Vec3 ahead = previous ? 0.5f * (v - xyz(previous[i])) : (beyond_half * clock->dt) * xyz(acceleration[i]);
    predicted[i] = with_bits(make_vec4(v + ahead), fluid[i]);
  }
};

/// One coordinate of a particle that meets a mirror at 0 within the step, under the constant acceleration a. Between the
/// mirror and its neighbours a particle is pushed against the mirror; as if the push changed its direction in the mirror,
/// each reflection at another part of a step would add energy, and the fluid beside walls would be hot.
struct Bounce {
  float s;         ///< after the step, 0 or above
  float v;         ///< half a step ahead of the step's start, with what the mirror gave
  float rest = 0;  ///< the part of the step after it met the mirror, the last time

  /// @param end  < 0, where it would be without the mirror  @param ahead  the velocity half a step ahead of the start
  RIFFLE_HD Bounce(float end, float ahead, float a, float dt) {
    const float start = end - ahead * dt, first = ahead - 0.5f * a * dt;
    const float d = first * first - 2 * a * start;
    if (!(start >= 0) || !(d > 0)) {  // it was behind the mirror already, or by rounding
      s = -end;
      v = -ahead;
      return;
    }
    const float speed = sqrtf(d);  // at the mirror
    const float until = 2 * start / (speed - first);
    rest = until < dt ? dt - until : 0;
    if (a < 0 && speed > 0 && rest * -a > 2 * speed) {  // it comes back, perhaps several times
      const float round = 2 * speed / -a;
      rest -= round * floorf(rest / round);
    }
    s = rest * (speed + 0.5f * a * rest);
    s = s > 0 ? s : 0;
    v = speed + a * (rest - 0.5f * dt);
  }
};

// Arrays in a kernel's arguments are read by constant indices: by others, each thread would copy all arguments to its
// local memory first (half of the step of 65,536 particles).
template <class T>
RIFFLE_INLINE T pick3(int axis, const T (&of)[3]) {
  return axis == 0 ? of[0] : axis == 1 ? of[1] : of[2];
}
RIFFLE_INLINE Vec3 face_velocity(const FaceVelocities& faces, std::uint32_t face) {
  const bool upper = face % 2 != 0;
  const Vec3 along[3] = {upper ? faces.velocity[0][1] : faces.velocity[0][0],
                         upper ? faces.velocity[1][1] : faces.velocity[1][0],
                         upper ? faces.velocity[2][1] : faces.velocity[2][0]};
  return pick3(static_cast<int>(face / 2), along);
}

/// x += v dt, with v half a step ahead; VelocityVerlet computes that v first. Reflections also mirror the velocity before,
/// of the leap-frog. Walls with friction send a particle back along the way it came, as seen from the wall.
struct Drift {
  Domain domain;
  FaceVelocities faces;
  bool no_slip;
  SurfaceView solids;
  SolidImpulses impulses;
  bool leap_frog;
  ClockState* clock;
  Vec4* position;
  Vec4* velocity;
  const Vec4* acceleration;
  Vec4* previous;                ///< of LeapFrog, else nullptr
  const std::uint32_t* foreign;  ///< flags of particles that stay as they are; nullptr: none

  struct Met {
    bool any = false, upper = false;
    float rest = 0;  ///< as of Bounce
  };

  /// The faces across an axis, where x has gone behind one.
  RIFFLE_HD static Met bounce(float& x, float& v, float a, float dt, float low, float high, Axis axis) {
    if (axis != Axis::Walled || !(x < low || x > high)) return {};
    const bool lower = x < low;
    const Bounce off(lower ? x - low : high - x, lower ? v : -v, lower ? a : -a, dt);
    x = lower ? low + off.s : high - off.s;
    v = lower ? off.v : -off.v;
    return {true, !lower, off.rest};
  }

  /// After a reflection at a wall with friction: the motion along the wall, relative to it, is turned back too. x and v are
  /// those of the reflection, `along` the velocity along the wall relative to it, before.
  /// @return the change of v
  RIFFLE_HD static Vec3 turn_back(Vec3 along, float rest, Vec3& x, Vec3& v) {
    const Vec3 change = -2 * along;
    x += rest * change;
    v += change;
    return change;
  }
  RIFFLE_HD static Vec3 without(Vec3 v, int axis) {
    return {axis == 0 ? 0 : v.x, axis == 1 ? 0 : v.y, axis == 2 ? 0 : v.z};
  }

  /// @return -1 after an odd number of reflections, else 1.
  RIFFLE_HD static float fold(float& x, float low, float high, Axis axis) {
    if (axis == Axis::Open || (x >= low && x < high) || x != x) return 1;
    if (axis == Axis::Periodic) {
      x = periodic_image(x, low, high);
      if (x < low) x = low;
      return 1;
    }
    if (x == high) return 1;
    const float extent = high - low;
    // The path repeats after two extents. Far outside, where the remainder of x is rounding error, any place inside is
    // as good.
    float along = x - low - 2 * extent * floorf((x - low) / (2 * extent));
    const bool turned = along > extent;
    if (turned) along = 2 * extent - along;
    x = low + along;
    x = x < low ? low : x > high ? high : x;
    return turned ? -1.0f : 1.0f;
  }

  /// @return what the faces that have mirrored x do to a vector: factors of 1 and -1
  RIFFLE_HD Vec3 fold(Vec3& x) const {
    return {fold(x.x, domain.min.x, domain.max.x, domain.axis[0]),
            fold(x.y, domain.min.y, domain.max.y, domain.axis[1]),
            domain.dimension == 3 ? fold(x.z, domain.min.z, domain.max.z, domain.axis[2]) : 1.0f};
  }
  RIFFLE_HD static bool mirrors(Vec3 sign) { return !(sign.x == 1 && sign.y == 1 && sign.z == 1); }
  RIFFLE_HD static Vec3 times(Vec3 sign, Vec3 a) { return {sign.x * a.x, sign.y * a.y, sign.z * a.z}; }

  /// Mirrors the velocity of particle i. @param m  the velocity before
  RIFFLE_HD void mirror(Vec3 sign, std::int64_t i, Vec3 x, Vec3& v, Vec3& m) const {
    const Vec3 before = v;
    v = times(sign, v);
    m = times(sign, m);
    impulses.add_face_contact(i, x, v - before);
  }

  /// At the domain's faces, with the acceleration a. What is still outside is folded.
  /// @return whether a face has changed the velocity
  RIFFLE_HD bool meet_faces(std::int64_t i, Vec3& x, Vec3& v, Vec3& m, Vec3 a, float dt) const {
    const Vec3 before = v;
    const Met met[3] = {
        bounce(x.x, v.x, a.x, dt, domain.min.x, domain.max.x, domain.axis[0]),
        bounce(x.y, v.y, a.y, dt, domain.min.y, domain.max.y, domain.axis[1]),
        domain.dimension == 3 ? bounce(x.z, v.z, a.z, dt, domain.min.z, domain.max.z, domain.axis[2]) : Met{}};
    if (met[0].any) m.x = -m.x;
    if (met[1].any) m.y = -m.y;
    if (met[2].any) m.z = -m.z;
    impulses.add_face_contact(i, x, v - before);
    if (no_slip) {
      RIFFLE_UNROLL
      for (int axis = 0; axis < 3; ++axis) {
        if (!met[axis].any) continue;
        const auto face = static_cast<std::uint32_t>(2 * axis + (met[axis].upper ? 1 : 0));
        const Vec3 u = face_velocity(faces, face);
        m -= 2 * without(m - u, axis);
        impulses.add_to_face(face, i, x, turn_back(without(v - u, axis), met[axis].rest, x, v));
      }
    }
    const Vec3 sign = fold(x);
    const bool folded = mirrors(sign);
    if (folded) mirror(sign, i, x, v, m);
    return met[0].any || met[1].any || met[2].any || folded;
  }

  /// Mirrors particle i at the surface of each solid that it is in, one after the other, as at a plane that touches the
  /// surface. @return whether any has
  RIFFLE_HD bool reflect(std::int64_t i, Vec3& x, Vec3& v, Vec3& m, Vec3 a, float dt) const {
    bool any = false;
    solids.for_each_near(x, 0, [&](std::uint32_t solid, SurfaceDistance d) {
      if (!(d.distance < 0)) return;
      any = true;
      const Vec3 surface = solids.velocity(solid, x), relative = v - surface;
      const float ahead = dot(relative, d.normal);
      const Bounce off(d.distance, ahead, dot(a, d.normal), dt);
      Vec3 change = (off.v - ahead) * d.normal;
      x += (off.s - d.distance) * d.normal;
      v += change;
      if (no_slip) {
        change += turn_back(relative - ahead * d.normal, off.rest, x, v);
        m -= 2 * (m - surface);
      } else {
        m -= 2 * dot(m - surface, d.normal) * d.normal;
      }
      // Where it met the surface: angular momentum is kept.
      impulses.add_contact(solid + 1, i, x - off.rest * v, change);
    });
    return any;
  }

  RIFFLE_HD void operator()(std::int64_t i) const {
    const float dt = clock->dt;
    if (!(dt > 0)) return;
    if (foreign && foreign[i] != 0) return;
    const Vec3 a = xyz(acceleration[i]);
    Vec3 v = xyz(velocity[i]);
    if (!leap_frog) v += 0.5f * dt * a;
    const Vec4 from = position[i];
    Vec3 x = xyz(from) + dt * v;
    Vec3 m = leap_frog ? xyz(previous[i]) : Vec3{0, 0, 0};
    bool turned = meet_faces(i, x, v, m, a, dt);
    if (solids.count > 0 && reflect(i, x, v, m, a, dt)) {
      turned = true;
      mirror(fold(x), i, x, v, m);  // a solid beside a face may have sent it there
      // What is still inside a solid, in a corner for example, is put on its surface and counted.
      if (solids.confine(x, v,
                         [&](std::uint32_t solid, Vec3 at, Vec3 dv) { impulses.add_contact(solid + 1, i, at, dv); })) {
        atomic_add(&clock->contained, 1);
        mirror(fold(x), i, x, v, m);
      }
    }
    position[i] = make_vec4(x, from.w);
    velocity[i] = make_vec4(v);
    if (turned && leap_frog) previous[i] = make_vec4(m);
  }
};

struct MeanVelocity {
  const Vec4* a;
  const Vec4* b;
  Vec4* mean;
  RIFFLE_HD void operator()(std::int64_t i) const { mean[i] = make_vec4(0.5f * (xyz(a[i]) + xyz(b[i]))); }
};

struct HalfKick {
  float half_dt;
  const Vec4* velocity;
  const Vec4* acceleration;
  Vec4* out;
  RIFFLE_HD void operator()(std::int64_t i) const {
    out[i] = make_vec4(xyz(velocity[i]) + half_dt * xyz(acceleration[i]));
  }
};

/// Energy and virials of the pairs; each particle gets half of a pair's.
template <class Numbers>
struct DpdVirial {
  DpdForces<Numbers> forces;
  Vec4* out;  ///< (N) energy, virial of the conservative forces, that of drag and random forces, neighbours

  struct State {
    typename DpdForces<Numbers>::State force;
    float energy, conservative, thermostat, count;
  };
  RIFFLE_HD State begin(int i) const { return {forces.begin(i), 0, 0, 0, 0}; }
  using Source = typename DpdForces<Numbers>::Source;
  RIFFLE_HD Source fetch(int j, Vec4 x_j) const { return forces.fetch(j, x_j); }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ij, float r2, const Source& source) const {
    const DpdTable& table = forces.table;
    const DpdPair pair(r_ij, r2, state.force.velocity - xyz(source.predicted), forces.inverse_cutoff);
    const std::uint32_t k = table.fluids == 1 ? 0 : state.force.fluid,
                        l = table.fluids == 1 ? 0 : float_bits(source.predicted.w);
    const float theta = forces.numbers.draw(state.force.numbers, state.force.id, source.id);
    const float r = r2 * pair.inverse_r;
    state.energy += 0.25f * table.repulsion[k][l] * pair.weight * pair.weight / forces.inverse_cutoff;
    state.conservative += 0.5f * table.repulsion[k][l] * pair.weight * r;
    state.thermostat +=
        0.5f * r * pair.weight *
        (table.noise[k][l] * state.force.noise * theta - table.friction[k][l] * pair.weight * pair.approach);
    state.count += 1;
  }
  RIFFLE_HD void end(State& state, int i) const {
    out[i] = {state.energy, state.conservative, state.thermostat, state.count};
  }
};

}  // namespace riffle::dpd
