#pragma once
/// The field whose zero is a fluid's surface, for kernels.
///
/// f = c - 1/2 with the smoothed volume fraction c(x) = sum_j V_0 W_j(x - x_j): V_0 = spacing^3 is a particle's volume and
/// W_j a kernel of integral 1. The level 1/2 follows from symmetry and is the same everywhere: the kernels of fluid that
/// fills space add up to 1, so those of fluid on one side of a plane add up to 1/2 on the plane, however wide they are. The
/// outermost particles of a fluid at rest are half a spacing behind that plane. A curved surface is displaced by
/// sigma^2 H, sigma^2 the kernel's variance along an axis and H the mean curvature: for a ball of radius 20 spacings by less
/// than a hundredth of a spacing.
///
/// The kernel W(q) ~ (1 - q^2)^3 has an ellipsoid as its support, after Yu and Turk, "Reconstructing surfaces of
/// particle-based fluids using anisotropic kernels", ACM Trans. Graph. 32(1), 2013. Its semi-axes follow from how the
/// neighbours spread: along each principal axis of their covariance it is kWidthPerSpread times the square root of the
/// variance, between kLeastWidth and kMostWidth. Inside the fluid the kernel is the widest ball; at a surface, in a sheet
/// or in a jet it is narrow across, so that edges stay sharp and thin fluid keeps its volume; a drop of one particle has the
/// narrowest ball. Unlike there, the kernel's integral stays 1 and particles are not moved towards their neighbours, which
/// would take a third of a spacing from every surface.
///
/// Beside walls and solids, whose surface is at a distance d, positive in the fluid: kernels reach into the wall, where no
/// particles are. c is therefore divided by the share of a kernel that is on the fluid's side of the wall, and f is at most
/// kClipSlope d: the surface ends on the wall, and is as flat as it. The faces of a periodic axis clip only, since particles
/// go on behind them.

#include "core/math/domain.h"
#include "core/math/math.h"
#include "core/math/vec.h"
#include "sim/walls/solid_surfaces.h"

namespace riffle::fluid_surface {

// Lengths in spacings.
inline constexpr float kCell = 0.5f;
inline constexpr float kMostWidth = 1.75f;  ///< of a kernel's semi-axis
inline constexpr float kLeastWidth = 1.0f;  ///< a single particle's drop is largest with it
inline constexpr float kSpreadReach =
    2.0f;  ///< of the neighbours whose covariance counts, with the weight 1 - (r / reach)^2
/// A lattice has the variance 0.556 inside, for which a kernel has the widest ball with much to spare, and 0.237 across its
/// surface, where the kernel is 1.6 wide. Narrower ones make bumps and terraces of a rough surface larger than they are.
inline constexpr float kWidthPerSpread = 3.3f;
inline constexpr float kWallWidth = 1.6f;  ///< of the kernels at a surface, across it
inline constexpr float kClipSlope =
    0.5f;  ///< [1/spacing] nodes next to a wall are within a cell of it, and f there is the clip's
inline constexpr float kLevel = 0.5f;

/// The amplitude of a kernel with semi-axes of 1: 315 / (64 pi).
inline constexpr float kAmplitude = 1.5666814f;

/// The share of a kernel that is on the side x < u of a plane, u in semi-axes: the integral of 315/256 (1 - x^2)^4.
RIFFLE_INLINE float share_beside(float u) {
  if (!(u < 1)) return 1;
  if (!(u > -1)) return 0;
  const float s = u * u;
  return 0.5f + 1.23046875f * u * (1 + s * (-4.0f / 3 + s * (1.2f + s * (-4.0f / 7 + s * (1.0f / 9)))));
}

/// An ellipsoid: |x| <= 1 in units of its semi-axes is x^T M x <= 1.
struct Ellipsoid {
  float xx, xy, xz, yy, yz, zz;  ///< M [1/m^2]
  float radius;                  ///< [m] the longest semi-axis
  float amplitude;               ///< V_0 W(0)
};

RIFFLE_INLINE float width_of(float variance) {
  const float width = kWidthPerSpread * quick_sqrt(variance > 0 ? variance : 0.0f);
  return width < kLeastWidth ? kLeastWidth : width > kMostWidth ? kMostWidth : width;
}

/// One rotation of Jacobi's method, which makes a[p][q] zero; the columns of v turn with it.
RIFFLE_INLINE void rotate(float (&a)[3][3], float (&v)[3][3], int p, int q) {
  if (a[p][q] == 0) return;
  const float theta = 0.5f * (a[q][q] - a[p][p]) / a[p][q];
  const float t = (theta < 0 ? -1.0f : 1.0f) / ((theta < 0 ? -theta : theta) + sqrtf(1 + theta * theta));
  const float c = 1 / sqrtf(1 + t * t), s = t * c;
  const int r = 3 - p - q;
  const float shift = t * a[p][q], ar = a[r][p];
  a[p][p] -= shift;
  a[q][q] += shift;
  a[p][q] = a[q][p] = 0;
  a[r][p] = a[p][r] = c * ar - s * a[r][q];
  a[r][q] = a[q][r] = s * ar + c * a[r][q];
  for (int k = 0; k < 3; ++k) {
    const float vp = v[k][p];
    v[k][p] = c * vp - s * v[k][q];
    v[k][q] = s * vp + c * v[k][q];
  }
}

/// Sums over the neighbours of a particle, itself among them; lengths in spacings.
struct Spread {
  float weight = 0;
  Vec3 mean;
  float xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

  RIFFLE_HD Ellipsoid ellipsoid(float spacing) const {
    const float scale = 1 / weight;
    const Vec3 m = scale * mean;
    float a[3][3] = {{scale * xx - m.x * m.x, scale * xy - m.x * m.y, scale * xz - m.x * m.z},
                     {0, scale * yy - m.y * m.y, scale * yz - m.y * m.z},
                     {0, 0, scale * zz - m.z * m.z}};
    a[1][0] = a[0][1], a[2][0] = a[0][2], a[2][1] = a[1][2];
    const float per_spacing2 = 1 / (spacing * spacing);
    constexpr float kWide = (kMostWidth / kWidthPerSpread) * (kMostWidth / kWidthPerSpread);
    const float xy_ = fabsf(a[0][1]), xz_ = fabsf(a[0][2]), yz_ = fabsf(a[1][2]);
    if (a[0][0] - xy_ - xz_ > kWide && a[1][1] - xy_ - yz_ > kWide && a[2][2] - xz_ - yz_ > kWide) {  // all eigenvalues
      const float inverse2 = per_spacing2 * (1 / (kMostWidth * kMostWidth));
      return {inverse2,
              0,
              0,
              inverse2,
              0,
              inverse2,
              kMostWidth * spacing,
              kAmplitude / (kMostWidth * kMostWidth * kMostWidth)};
    }
    float v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 4; ++sweep) rotate(a, v, 0, 1), rotate(a, v, 0, 2), rotate(a, v, 1, 2);
    Ellipsoid e{0, 0, 0, 0, 0, 0, 0, kAmplitude};
    for (int k = 0; k < 3; ++k) {
      const float width = width_of(a[k][k]), inverse2 = per_spacing2 / (width * width);
      const float x = v[0][k], y = v[1][k], z = v[2][k];
      e.xx += inverse2 * x * x, e.xy += inverse2 * x * y, e.xz += inverse2 * x * z;
      e.yy += inverse2 * y * y, e.yz += inverse2 * y * z, e.zz += inverse2 * z * z;
      e.radius = e.radius > width * spacing ? e.radius : width * spacing;
      e.amplitude /= width;
    }
    return e;
  }
};

/// The sums of Spread in several parts, to which neighbours are added side by side.
template <int Lanes>
struct SpreadSums {
  float sum[10][Lanes] = {};

  /// x, y, z: from the particle to a neighbour [spacings]. One that is out of reach has a weight of 0.
  RIFFLE_INLINE void add(int l, float x, float y, float z) {
    const float t = 1 - (x * x + y * y + z * z) * (1 / (kSpreadReach * kSpreadReach)), w = t > 0 ? t : 0.0f;
    const float wx = w * x, wy = w * y, wz = w * z;
    sum[0][l] += w, sum[1][l] += wx, sum[2][l] += wy, sum[3][l] += wz;
    sum[4][l] += wx * x, sum[5][l] += wx * y, sum[6][l] += wx * z;
    sum[7][l] += wy * y, sum[8][l] += wy * z, sum[9][l] += wz * z;
  }

  RIFFLE_HD Spread spread() const {
    float s[10] = {};
    for (int k = 0; k < 10; ++k)
      for (int l = 0; l < Lanes; ++l) s[k] += sum[k][l];
    return {s[0], {s[1], s[2], s[3]}, s[4], s[5], s[6], s[7], s[8], s[9]};
  }
};

/// What the fluid's surface is clipped at.
struct Clip {
  Domain domain;
  float spacing;
  SurfaceView solids;

  /// f from the volume fraction of the kernels alone.
  RIFFLE_HD float field(Vec3 x, float fraction) const {
    if (!(fraction > 0)) return -kLevel;
    const float width = kWallWidth * spacing;
    float share = 1, nearest = kNowhere;
    for (int a = 0; a < 3; ++a) {
      if (domain.axis[a] == Axis::Open) continue;
      const float above = component(x, a) - component(domain.min, a),
                  below = component(domain.max, a) - component(x, a);
      const float d = above < below ? above : below;
      nearest = d < nearest ? d : nearest;
      if (domain.axis[a] == Axis::Walled) share *= share_beside(d / width);
    }
    if (solids.count > 0)
      solids.for_each_near(x, width, [&](std::uint32_t, SurfaceDistance d) {
        nearest = d.distance < nearest ? d.distance : nearest;
        share *= share_beside(d.distance / width);
      });
    constexpr float kLeastShare = 0.05f;  // deep in a wall, where the clip counts
    const float f = fraction / (share > kLeastShare ? share : kLeastShare) - kLevel;
    const float clip = kClipSlope * nearest / spacing;
    const float clipped = clip < f ? clip : f;
    return clipped > -kLevel ? clipped : -kLevel;
  }
};

}  // namespace riffle::fluid_surface
