#pragma once
/// The functors of surface tension; sim/surface/tension_table.h has the formulas. Index spaces: i, j are fluid particles
/// in the search's order. The w of neighbour records is the particle's volume, for walls V_b / V_0.

#include "core/math/math.h"
#include "core/math/vec.h"
#include "sim/kernel.h"
#include "sim/surface/tension_table.h"

namespace riffle::surface {

/// 1 - r^2 / h^2, at least 0.
RIFFLE_INLINE float surface_weight(float r2, float inverse_h2) {
  const float a = 1 - r2 * inverse_h2;
  return a > 0 ? a : 0;
}

struct FluidSource {
  std::uint32_t fluid;
};

/// out: S_i and O_i.
struct SurfaceGradient {
  TensionTable table;
  const std::uint32_t* fluid;
  Vec4* tension;  ///< out: S_i
  Vec4* own;      ///< out: O_i

  struct State {
    Vec3 own;
    Vec3 other;  ///< with the weights b
    std::uint32_t fluid;
  };
  using Source = FluidSource;
  RIFFLE_HD State begin(int i) const { return {{0, 0, 0}, {0, 0, 0}, table.fluid_count == 1 ? 0 : fluid[i]}; }
  RIFFLE_HD Source fetch(int j, Vec4) const { return {table.fluid_count == 1 ? 0 : fluid[j]}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ij, float r2, const Source& source) const {
    const float a = surface_weight(r2, table.inverse_h2);
    if (source.fluid == state.fluid)
      state.own += a * r_ij;
    else
      state.other += (table.weight[state.fluid][source.fluid] * a) * r_ij;
  }
  RIFFLE_HD void end(State& state, int i) const {
    tension[i] = make_vec4(-table.gradient * (table.weight[state.fluid][state.fluid] * state.own + state.other));
    own[i] = make_vec4(-table.gradient * state.own);
  }
};

/// Walls count as i's own fluid.
struct WallSurfaceGradient {
  TensionTable table;
  const std::uint32_t* fluid;
  Vec4* tension;  ///< in and out: S_i
  Vec4* own;      ///< in and out: O_i

  struct State {
    Vec3 sum;
  };
  using Source = float;  ///< V_b / V_0
  RIFFLE_HD State begin(int) const { return {{0, 0, 0}}; }
  RIFFLE_HD Source fetch(int, Vec4 x_b) const { return x_b.w; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ib, float r2, Source weight) const {
    state.sum += (weight * surface_weight(r2, table.inverse_h2)) * r_ib;
  }
  RIFFLE_HD void end(State& state, int i) const {
    const std::uint32_t f = table.fluid_count == 1 ? 0 : fluid[i];
    const Vec3 sum = -table.gradient * state.sum;
    tension[i] = make_vec4(xyz(tension[i]) + table.weight[f][f] * sum);
    own[i] = make_vec4(xyz(own[i]) + sum);
  }
};

/// Direction and weight of the surface at i; 0 if there is none, or none with tension.
struct SurfaceDirection {
  TensionTable table;
  const std::uint32_t* fluid;
  Vec4* surface;  ///< in: S_i; out: its direction; w what |O_i| has above the noise [1/m]
  Vec4* smooth;   ///< in: O_i; out: w |S_i| / (2 |O_i|) [N/m]

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Vec3 s = xyz(surface[i]);
    const float strength = sqrtf(length2(s)), own = sqrtf(length2(xyz(smooth[i])));
    const bool is_surface = own > table.noise && strength > table.least[table.fluid_count == 1 ? 0 : fluid[i]];
    surface[i] = is_surface ? make_vec4((1.0f / strength) * s, own - table.noise) : Vec4{0, 0, 0, 0};
    smooth[i] = {0, 0, 0, is_surface ? 0.5f * quick_divide(strength, own) : 0};
  }
};

/// out: n_i, the mean of the directions of i's own fluid around it; w is the force per curvature and volume,
/// |S_i| / (2 D_i) [N/m^2].
struct SmoothDirection {
  TensionTable table;
  const std::uint32_t* fluid;
  const Vec4* surface;
  Vec4* smooth;  ///< in: w as SurfaceDirection leaves it; out

  struct State {
    Vec3 sum;
    Vec3 direction;
    float area;
    std::uint32_t fluid;
  };
  struct Source {
    Vec4 surface;
    std::uint32_t fluid;
  };
  RIFFLE_HD State begin(int i) const {
    const Vec4 s = surface[i];
    return {s.w * xyz(s), xyz(s), s.w, table.fluid_count == 1 ? 0 : fluid[i]};
  }
  RIFFLE_HD Source fetch(int j, Vec4) const { return {surface[j], table.fluid_count == 1 ? 0 : fluid[j]}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ij, float r2, const Source& source) const {
    const Vec4 s = source.surface;
    if (s.w == 0 || source.fluid != state.fluid) return;
    state.sum += (s.w * surface_weight(r2, table.inverse_h2)) * xyz(s);
    if (!(dot(state.direction, xyz(s)) > 0)) return;  // the other surface of a sheet
    const float across = dot(r_ij, state.direction);
    const float along = surface_weight(r2 - across * across, table.inverse_h2);
    state.area += s.w * along * along;
  }
  RIFFLE_HD void end(State& state, int i) const {
    const float weight = surface[i].w, length = sqrtf(length2(state.sum));
    float area = table.area * state.area;
    if (area < table.least_area) area = table.least_area;
    smooth[i] = weight > 0 && length > 0
                    ? make_vec4((1.0f / length) * state.sum, quick_divide(weight * smooth[i].w, area))
                    : Vec4{0, 0, 0, 0};
  }
};

/// Force per mass -kappa_i n_i |S_i| V_0 / (2 D_i m_i). The curvature is fitted by weighted least squares:
///   kappa_i = (d - 1) sum_j w_ij (n_j - n_i).t_ij / sum_j w_ij t_ij^2,   w_ij = |S_j| / (2 D_j) a_ij,
/// t_ij the part of x_j - x_i perpendicular to n_i.
struct CurvatureForce {
  TensionTable table;
  float directions;  ///< of a surface, d - 1
  float most;        ///< |kappa| is finer than the sums see [1/m]: of particles in a line across the surface, of spray
  const std::uint32_t* fluid;
  const Vec4* surface;  ///< as SmoothDirection leaves it
  Vec4* acceleration;   ///< in and out

  struct State {
    Vec3 direction;
    float turn, distance2;
    std::uint32_t fluid;
  };
  struct Source {
    Vec4 surface;
    std::uint32_t fluid;
  };
  RIFFLE_HD State begin(int i) const { return {xyz(surface[i]), 0, 0, table.fluid_count == 1 ? 0 : fluid[i]}; }
  RIFFLE_HD Source fetch(int j, Vec4) const { return {surface[j], table.fluid_count == 1 ? 0 : fluid[j]}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ij, float r2, const Source& source) const {
    if (source.surface.w == 0 || source.fluid != state.fluid) return;
    const float weight = source.surface.w * surface_weight(r2, table.inverse_h2);
    const Vec3 along = dot(r_ij, state.direction) * state.direction - r_ij;
    state.turn += weight * dot(xyz(source.surface) - state.direction, along);
    state.distance2 += weight * length2(along);
  }
  RIFFLE_HD void end(State& state, int i) const {
    const float strength = surface[i].w;
    if (strength == 0 || !(state.distance2 > 0)) return;
    float curvature = directions * quick_divide(state.turn, state.distance2);
    if (!(curvature < most)) curvature = most;
    if (curvature < -most) curvature = -most;
    const float force = -curvature * strength * table.rest_volume * table.inverse_mass[state.fluid];
    acceleration[i] = make_vec4(xyz(acceleration[i]) + force * state.direction);
  }
};

/// n_i = h sum_j V_j grad W_ij over the particles of i's own fluid: 0 inside (Akinci et al. 2013, eq. 4).
struct SurfaceNormal {
  SmoothingKernel kernel;
  int fluid_count;
  const std::uint32_t* fluid;
  Vec4* normal;  ///< out

  struct State {
    Vec3 sum;
    std::uint32_t fluid;
  };
  struct Source {
    float volume;
    std::uint32_t fluid;
  };
  RIFFLE_HD State begin(int i) const { return {{0, 0, 0}, fluid_count == 1 ? 0 : fluid[i]}; }
  RIFFLE_HD Source fetch(int j, Vec4 x_j) const { return {x_j.w, fluid_count == 1 ? 0 : fluid[j]}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ij, float r2, const Source& source) const {
    if (source.fluid == state.fluid)
      state.sum += kernel.h * source.volume * kernel.gradient_over_r(quick_sqrt(r2)) * r_ij;
  }
  RIFFLE_HD void end(State& state, int i) const { normal[i] = make_vec4(state.sum); }
};

/// Force per mass of cohesion and of the difference of normals (Akinci et al. 2013, eqs. 1, 5 and 6).
struct Cohesion {
  TensionTable table;
  float inverse_h;
  const std::uint32_t* fluid;
  const Vec4* volume;
  const Vec4* normal;
  Vec4* acceleration;  ///< in and out

  struct State {
    Vec3 force;
    Vec3 normal;
    float volume;
    std::uint32_t fluid;
  };
  struct Source {
    Vec3 normal;
    float volume;
    std::uint32_t fluid;
  };
  RIFFLE_HD State begin(int i) const {
    return {{0, 0, 0}, xyz(normal[i]), volume[i].w, table.fluid_count == 1 ? 0 : fluid[i]};
  }
  RIFFLE_HD Source fetch(int j, Vec4 x_j) const {
    return {xyz(normal[j]), x_j.w, table.fluid_count == 1 ? 0 : fluid[j]};
  }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ij, float r2, const Source& source) const {
    if (!(r2 > 0)) return;  // no direction
    const float r = quick_sqrt(r2);
    Vec3 pull = quick_divide(table.cohesion[state.fluid][source.fluid] * cohesion_shape(r * inverse_h), r) * r_ij;
    if (state.fluid == source.fluid) pull += table.normals[state.fluid] * (state.normal - source.normal);
    // 2 rho0 / (rho_i + rho_j) in number densities: stronger where neighbours are few.
    const float few =
        quick_divide(2 * state.volume * source.volume, table.rest_volume * (state.volume + source.volume));
    state.force += -few * pull;
  }
  RIFFLE_HD void end(State& state, int i) const {
    acceleration[i] = make_vec4(xyz(acceleration[i]) + table.inverse_mass[state.fluid] * state.force);
  }
};

}  // namespace riffle::surface
