#pragma once
/// The functors of surface tension; sim/wcsph/surface_tension.h has the formulas. Index spaces and the w of neighbour
/// records: sim/wcsph/wcsph_kernels.cuh.

#include "core/math/math.h"
#include "core/math/vec.h"
#include "sim/kernel.h"
#include "sim/wcsph/surface_tension.h"
#include "sim/wcsph/wcsph.h"

namespace riffle::wcsph {

struct FluidSource {
  std::uint32_t fluid;
};

/// out: S_i = sum_j b_fg V_0 grad W_ij.
struct SurfaceGradient {
  SmoothingKernel kernel;
  TensionTable table;
  int fluid_count;
  float rest_volume;
  const std::uint32_t* fluid;
  Vec4* surface;

  struct State {
    Vec3 sum;
    std::uint32_t fluid;
  };
  using Source = FluidSource;
  RIFFLE_HD State begin(int i) const { return {{0, 0, 0}, fluid_count == 1 ? 0 : fluid[i]}; }
  RIFFLE_HD Source fetch(int j, Vec4) const { return {fluid_count == 1 ? 0 : fluid[j]}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ij, float r2, const Source& source) const {
    state.sum += (table.weight[state.fluid][source.fluid] * kernel.gradient_over_r(quick_sqrt(r2))) * r_ij;
  }
  RIFFLE_HD void end(State& state, int i) const { surface[i] = make_vec4(rest_volume * state.sum); }
};

/// Walls count as i's own fluid.
struct WallSurfaceGradient {
  SmoothingKernel kernel;
  TensionTable table;
  int fluid_count;
  float rest_volume;
  const std::uint32_t* fluid;
  Vec4* surface;  ///< in and out

  struct State {
    Vec3 sum;
  };
  using Source = float;  ///< V_b / V_0
  RIFFLE_HD State begin(int) const { return {{0, 0, 0}}; }
  RIFFLE_HD Source fetch(int, Vec4 x_b) const { return x_b.w; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ib, float r2, Source weight) const {
    state.sum += weight * kernel.gradient_over_r(quick_sqrt(r2)) * r_ib;
  }
  RIFFLE_HD void end(State& state, int i) const {
    const std::uint32_t f = fluid_count == 1 ? 0 : fluid[i];
    surface[i] = make_vec4(xyz(surface[i]) + table.weight[f][f] * rest_volume * state.sum);
  }
};

/// out: direction n_i; w is the length, 0 if it is disorder rather than a surface.
struct SurfaceDirection {
  TensionTable table;
  int fluid_count;
  const std::uint32_t* fluid;
  Vec4* surface;  ///< in and out

  RIFFLE_HD void operator()(std::int64_t i) const {
    const float noise = table.noise[fluid_count == 1 ? 0 : fluid[i]];
    const Vec3 s = xyz(surface[i]);
    const float length = sqrtf(length2(s));
    surface[i] = length > noise ? make_vec4((1.0f / length) * s, length) : Vec4{0, 0, 0, 0};
  }
};

/// out: the mean of the directions of i's own fluid around it, weighted by |S_j| W_ij; w is |S_i|. Without it the
/// directions are as rough as the rows of particles.
struct SmoothDirection {
  SmoothingKernel kernel;
  int fluid_count;
  const std::uint32_t* fluid;
  const Vec4* surface;
  Vec4* smooth;  ///< out

  struct State {
    Vec3 sum;
    std::uint32_t fluid;
  };
  struct Source {
    Vec4 surface;
    std::uint32_t fluid;
  };
  RIFFLE_HD State begin(int i) const {
    const Vec4 s = surface[i];
    return {(s.w * kernel.value(0)) * xyz(s), fluid_count == 1 ? 0 : fluid[i]};
  }
  RIFFLE_HD Source fetch(int j, Vec4) const { return {surface[j], fluid_count == 1 ? 0 : fluid[j]}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3, float r2, const Source& source) const {
    if (source.fluid == state.fluid)
      state.sum += (source.surface.w * kernel.value(quick_sqrt(r2))) * xyz(source.surface);
  }
  RIFFLE_HD void end(State& state, int i) const {
    const float length = sqrtf(length2(state.sum));
    smooth[i] = length > 0 ? make_vec4((1.0f / length) * state.sum, surface[i].w) : Vec4{0, 0, 0, 0};
  }
};

/// Force per mass -kappa_i S_i V_0 / m_i. The curvature kappa is the change of direction per distance along the
/// surface, fitted to the particles of the same fluid by weighted least squares:
///   kappa_i = (d - 1) sum_j w_ij (n_j - n_i).t_ij / sum_j w_ij t_ij^2,   w_ij = |S_j| W_ij,
/// t_ij the part of x_j - x_i perpendicular to n_i. Particles on one side of the surface are enough, however thick
/// their layer is.
struct CurvatureForce {
  SmoothingKernel kernel;
  FluidTable fluids;
  float directions;  ///< of a surface, d - 1
  const std::uint32_t* fluid;
  const Vec4* surface;
  Vec4* acceleration;  ///< in and out

  struct State {
    Vec3 direction;
    float turn, distance2;
    std::uint32_t fluid;
  };
  struct Source {
    Vec4 surface;
    std::uint32_t fluid;
  };
  RIFFLE_HD State begin(int i) const { return {xyz(surface[i]), 0, 0, fluids.count == 1 ? 0 : fluid[i]}; }
  RIFFLE_HD Source fetch(int j, Vec4) const { return {surface[j], fluids.count == 1 ? 0 : fluid[j]}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ij, float r2, const Source& source) const {
    if (source.surface.w == 0 || source.fluid != state.fluid) return;
    const Vec3 n_j = xyz(source.surface);
    const float weight = source.surface.w * kernel.value(quick_sqrt(r2));
    const Vec3 along = dot(r_ij, state.direction) * state.direction - r_ij;
    state.turn += weight * dot(n_j - state.direction, along);
    state.distance2 += weight * length2(along);
  }
  RIFFLE_HD void end(State& state, int i) const {
    const float strength = surface[i].w;
    if (strength == 0 || !(state.distance2 > 0)) return;
    // Finer than the kernel sees: of particles in a line across the surface, of spray.
    const float most = directions * 2 * kernel.inverse_h;
    float curvature = directions * quick_divide(state.turn, state.distance2);
    if (!(curvature < most)) curvature = most;
    if (curvature < -most) curvature = -most;
    const float scale = -curvature * strength * fluids.rest_volume * fluids.inverse_mass[state.fluid];
    acceleration[i] = make_vec4(xyz(acceleration[i]) + scale * state.direction);
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
  FluidTable fluids;
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
    return {{0, 0, 0}, xyz(normal[i]), volume[i].w, fluids.count == 1 ? 0 : fluid[i]};
  }
  RIFFLE_HD Source fetch(int j, Vec4 x_j) const { return {xyz(normal[j]), x_j.w, fluids.count == 1 ? 0 : fluid[j]}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ij, float r2, const Source& source) const {
    if (!(r2 > 0)) return;  // no direction
    const float r = quick_sqrt(r2);
    Vec3 pull = quick_divide(table.cohesion[state.fluid][source.fluid] * cohesion_shape(r * inverse_h), r) * r_ij;
    if (state.fluid == source.fluid) pull += table.normals[state.fluid] * (state.normal - source.normal);
    // 2 rho0 / (rho_i + rho_j) in number densities: stronger where neighbours are few.
    const float few =
        quick_divide(2 * state.volume * source.volume, fluids.rest_volume * (state.volume + source.volume));
    state.force += -few * pull;
  }
  RIFFLE_HD void end(State& state, int i) const {
    acceleration[i] = make_vec4(xyz(acceleration[i]) + fluids.inverse_mass[state.fluid] * state.force);
  }
};

}  // namespace riffle::wcsph
