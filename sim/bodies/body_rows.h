#pragma once
/// What free bodies add to the matrix of an iteration for pressure, and how much of it the diagonal needs.
///
/// A body of mass M gets the momentum V_0 sum_k w_k phi_k G_k, with the force G_k that the constraint k of a particle (w = 1) or
/// wall particle (w = V_b / V_0) has on it per impulse. By that the residual r_k loses G_k M^-1 V_0 sum_l w_l phi_l G_l. M and
/// G have six parts each, of which three are angular. In parts where M is 1, the diagonal matrix of
///   sum_a |G_ka| V_0 sum_l w_l |G_la|
/// is nowhere below that (each is a sum of absolute values over a row). With it in the diagonal the iteration grows no more beside
/// a body than elsewhere, however light the body is.

#include <cmath>
#include <cstdint>

#include "core/device/atomic.h"
#include "core/math/math.h"
#include "sim/bodies/coupled_body.h"
#include "sim/kernel.h"

namespace riffle {

/// V_0 sum_l w_l |G_la| of each body, in units, as integers: the sum does not depend on the order.
struct BodyRows {
  std::uint64_t* sums = nullptr;  ///< (regions, 6)
  float spacing = 0;              ///< [m] parts of a body are some 1 / (spacing sqrt(M))

  static constexpr float kUnits = 0x1p24f;

  RIFFLE_HD void add(std::uint32_t region, const CoupledBody& body, const float (&parts)[6], float weight) const {
    const float units = kUnits * weight * spacing / body.inverse_root;
    for (int a = 0; a < 6; ++a) {
      const float part = units * fabsf(parts[a]);
      if (part > 0)
        atomic_add(&sums[6 * std::size_t{region} + a], static_cast<std::uint64_t>(ceilf(fminf(part, 0x1p50f))));
    }
  }
  /// What the diagonal gains [m^2/(kg m^2/m^d)]. volume: V_0
  RIFFLE_HD float row(std::uint32_t region, const CoupledBody& body, const float (&parts)[6], float volume) const {
    float sum = 0;
    for (int a = 0; a < 6; ++a) sum += fabsf(parts[a]) * static_cast<float>(sums[6 * std::size_t{region} + a]);
    return sum * volume * body.inverse_root / (spacing * kUnits);
  }
};

/// Of fluid particles beside bodies: adds to the rows, or finds what the diagonal gains. Where a particle meets several bodies in
/// turns, parts of its sums are added without their signs: the row is then larger than it need be.
struct RowsOfParticles {
  SmoothingKernel kernel;
  float volume;  ///< V_0 [m^d]
  CoupledView view;
  BodyRows rows;
  float* gain;  ///< (particles) out; nullptr: adds to the rows

  struct State {
    std::uint32_t region;
    float parts[6];
    float row;
  };
  struct Source {
    std::uint32_t solid;  ///< 0: of no free body
    float weight;
    Vec3 at;  ///< [m] from the body's centre
  };
  RIFFLE_HD State begin(int) const { return {0, {0, 0, 0, 0, 0, 0}, 0}; }
  RIFFLE_HD Source fetch(int b, Vec4 x_b) const {
    if (view.of(b) == nullptr) return {0, 0, {0, 0, 0}};
    const std::uint32_t s = view.solid[b];
    return {s, x_b.w, view.places.from_center(s, xyz(x_b))};
  }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ib, float r2, const Source& b) const {
    if (b.solid == 0) return;
    const std::uint32_t region = b.solid - 1;
    if (region != state.region) {
      leave(state);
      state.region = region;
    }
    float parts[6];
    view.bodies[region].parts_of((b.weight * volume * kernel.gradient_over_r(quick_sqrt(r2))) * r_ib, b.at, parts);
    for (int a = 0; a < 6; ++a) state.parts[a] += parts[a];
  }
  RIFFLE_HD void end(State& state, int i) const {
    leave(state);
    if (gain != nullptr) gain[i] = state.row;
  }

  RIFFLE_HD void leave(State& state) const {
    const CoupledBody& body = view.bodies[state.region];
    if (!body.free()) return;  // none has been met
    if (gain != nullptr)
      state.row += rows.row(state.region, body, state.parts, volume);
    else
      rows.add(state.region, body, state.parts, 1);
    for (float& part : state.parts) part = 0;
  }
};

/// The same of the bodies' wall particles.
struct RowsOfWalls {
  SmoothingKernel kernel;
  float volume;  ///< V_0 [m^d]
  CoupledView view;
  BodyRows rows;
  const Vec4* wall;  ///< w: V_b / V_0
  float* gain;       ///< (wall particles) out, of those of bodies; nullptr: adds to the rows

  struct State {
    Vec3 gradient;
  };
  RIFFLE_HD bool wants(int b) const { return view.of(b) != nullptr; }
  RIFFLE_HD State begin(int) const { return {{0, 0, 0}}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_bj, float r2) const {
    state.gradient += kernel.gradient_over_r(quick_sqrt(r2)) * r_bj;
  }
  RIFFLE_HD void end(State& state, int b) const {
    const CoupledBody* body = view.of(b);
    if (body == nullptr) return;
    float parts[6];
    body->parts_of(volume * state.gradient, view.places.from_center(view.solid[b], xyz(wall[b])), parts);
    const std::uint32_t region = view.solid[b] - 1;
    if (gain != nullptr)
      gain[b] = rows.row(region, *body, parts, volume);
    else
      rows.add(region, *body, parts, wall[b].w);
  }
};

}  // namespace riffle
