#pragma once
/// The origins of rays and the boxes they must meet, so that points in boxes give the neighbours: a box of half-width h
/// round each particle, a very short ray from each query and from each of its images that may be near a box.
///
/// On a periodic axis, particles and queries are moved into the domain by whole periods, and a query casts rays from up
/// to two more places, a period to either side. A pair's separation tells which ray it belongs to: so it is found once,
/// although boxes wider than half the domain contain several places. On an open axis, coordinates are clamped to a
/// frame. This brings no two of them farther apart, and particles that have flown away do not spoil the tree's boxes.
///
/// Boxes are wider than h by more than rounding can lose.

#include <cmath>
#include <cstdint>

#include "neighbors/separation.h"

namespace riffle {

struct RayFrame {
  PeriodicWrap wrap;
  Vec3 low{}, high{};  ///< domain bounds on periodic axes, clamping bounds on open axes
  float h = 0;         ///< of the build
};

/// Periods are counted up to this many to either side of the domain. A particle farther away has lost its place within
/// the domain to rounding: every query tests it.
inline constexpr float kMostPeriods = 8;

/// The frame of a search. It cuts open axes a thousand domains away, and before squares of edges would overflow.
inline RayFrame ray_frame(const Domain& domain, float h) {
  constexpr float most = 1e15f;
  RayFrame frame{periodic_wrap(domain), domain.min, domain.max, h};
  const Vec3 room = 1000 * domain.extent();
  const auto open = [&](bool periodic, float extra, float& low, float& high) {
    if (periodic) return;
    low = std::fmax(low - extra, -most), high = std::fmin(high + extra, most);
  };
  open(domain.periodic(0), room.x, frame.low.x, frame.high.x);
  open(domain.periodic(1), room.y, frame.low.y, frame.high.y);
  open(domain.periodic(2), room.z, frame.low.z, frame.high.z);
  return frame;
}

/// A position in the frame.
struct RayPoint {
  Vec3 at{};
  Vec3 periods{};     ///< periods subtracted; 0 on open axes
  bool lost = false;  ///< see kMostPeriods; `at` is then meaningless
};

RIFFLE_INLINE float periods_of(float x, float low, float length, float inverse_length) {
  return length > 0 ? floorf(rounded_product(rounded_difference(x, low), inverse_length)) : 0;
}

RIFFLE_INLINE Vec3 periods_of(Vec3 x, const RayFrame& f) {
  return {periods_of(x.x, f.low.x, f.wrap.length.x, f.wrap.inverse_length.x),
          periods_of(x.y, f.low.y, f.wrap.length.y, f.wrap.inverse_length.y),
          periods_of(x.z, f.low.z, f.wrap.length.z, f.wrap.inverse_length.z)};
}

RIFFLE_INLINE bool is_lost(Vec3 periods) {
  return !(fabsf(periods.x) <= kMostPeriods && fabsf(periods.y) <= kMostPeriods && fabsf(periods.z) <= kMostPeriods);
}

/// x: finite.
RIFFLE_INLINE RayPoint ray_point(Vec3 x, const RayFrame& f) {
  const auto place = [](float x, float periods, float length, float low, float high) {
    return length > 0 ? fused_multiply_add(-length, periods, x) : x < low ? low : x > high ? high : x;
  };
  RayPoint point;
  point.periods = periods_of(x, f);
  point.lost = is_lost(point.periods);
  point.at = {place(x.x, point.periods.x, f.wrap.length.x, f.low.x, f.high.x),
              place(x.y, point.periods.y, f.wrap.length.y, f.low.y, f.high.y),
              place(x.z, point.periods.z, f.wrap.length.z, f.low.z, f.high.z)};
  return point;
}

/// From a box's centre to its faces. Rounding may lose: one unit in the last place of h, of the centre and of the ray's
/// origin; on a periodic axis also one of the difference of two positions up to kMostPeriods + 1 to either side, and
/// one of its remainder; where h^2 is near the smallest float, the root of the smallest float.
RIFFLE_INLINE float box_reach(float at, float length, float low, float high, float h) {
  const float scale = length > 0 ? 2 * length + fabsf(low) + fabsf(high) : 0.25f * fabsf(at);
  return h + 0x1p-20f * (h + scale) + 1e-21f;
}

struct RayBox {
  Vec3 low{}, high{};
};

/// The box round a particle. A particle that is not finite gets a box of zero size in a corner, where nothing is within
/// h of it; a lost particle gets a box round everything.
RIFFLE_INLINE RayBox ray_box(Vec3 x, const RayFrame& f) {
  if (!is_finite(x)) return {f.low, f.low};
  const RayPoint point = ray_point(x, f);
  const auto reach = [&](Vec3 at) {
    return Vec3{box_reach(at.x, f.wrap.length.x, f.low.x, f.high.x, f.h),
                box_reach(at.y, f.wrap.length.y, f.low.y, f.high.y, f.h),
                box_reach(at.z, f.wrap.length.z, f.low.z, f.high.z, f.h)};
  };
  if (point.lost) return {f.low - reach(f.low), f.high + reach(f.high)};
  const Vec3 by = reach(point.at);
  return {point.at - by, point.at + by};
}

/// A query's images on one axis: its own place minus first .. last periods.
struct AxisImages {
  int first = 0, last = 0;
};

RIFFLE_INLINE AxisImages axis_images(float at, float length, float low, float high, float h) {
  if (!(length > 0)) return {0, 0};
  const float beyond = 2 * box_reach(at, length, low, high, h) - h;  // boxes end there, rounding included
  return {at + length <= high + beyond ? -1 : 0, at - length >= low - beyond ? 1 : 0};
}

RIFFLE_INLINE float image_at(float at, float length, int image) {
  return fused_multiply_add(-length, static_cast<float>(image), at);
}

/// Three small numbers in one word, and whether this is the query's own place.
struct RayImage {
  static constexpr std::uint32_t kHome = 1u << 24;
  static constexpr int kMiddle = 64;

  RIFFLE_HD static std::uint32_t pack(Vec3 periods, int x, int y, int z) {
    const auto number = [](float taken, int image) {
      return static_cast<std::uint32_t>(static_cast<int>(taken) + image + kMiddle);
    };
    return number(periods.x, x) | number(periods.y, y) << 8 | number(periods.z, z) << 16 |
           (x == 0 && y == 0 && z == 0 ? kHome : 0);
  }
  RIFFLE_HD static float unpack(std::uint32_t packed, int axis) {
    return static_cast<float>(static_cast<int>(packed >> (8 * axis) & 0xff) - kMiddle);
  }
};

/// Whether the pair of a query at x_i and a particle at x_j belongs to this one of the query's rays.
RIFFLE_INLINE bool is_pair_of_image(Vec3 x_i, Vec3 x_j, const RayFrame& f, std::uint32_t image) {
  if (!f.wrap.any) return true;
  const Vec3 periods = periods_of(x_j, f);
  if (is_lost(periods)) return (image & RayImage::kHome) != 0;
  const auto same = [&](float a, float b, float inverse_length, float taken, int axis) {
    return rintf(rounded_product(rounded_difference(a, b), inverse_length)) + taken == RayImage::unpack(image, axis);
  };
  return (f.wrap.length.x <= 0 || same(x_i.x, x_j.x, f.wrap.inverse_length.x, periods.x, 0)) &&
         (f.wrap.length.y <= 0 || same(x_i.y, x_j.y, f.wrap.inverse_length.y, periods.y, 1)) &&
         (f.wrap.length.z <= 0 || same(x_i.z, x_j.z, f.wrap.inverse_length.z, periods.z, 2));
}

/// Visits the origin of each ray that a query needs, at its own place and at its images: visit(origin, image), where
/// `image` tells is_pair_of_image() which one it is. point: not lost.
template <class Visit>
RIFFLE_INLINE void for_each_ray(const RayPoint& point, const RayFrame& f, const Visit& visit) {
  const Vec3 length = f.wrap.length;
  const AxisImages on_x = axis_images(point.at.x, length.x, f.low.x, f.high.x, f.h),
                   on_y = axis_images(point.at.y, length.y, f.low.y, f.high.y, f.h),
                   on_z = axis_images(point.at.z, length.z, f.low.z, f.high.z, f.h);
  RIFFLE_NO_UNROLL
  for (int z = on_z.first; z <= on_z.last; ++z) RIFFLE_NO_UNROLL
  for (int y = on_y.first; y <= on_y.last; ++y) RIFFLE_NO_UNROLL
  for (int x = on_x.first; x <= on_x.last; ++x)
    visit(Vec3{image_at(point.at.x, length.x, x), image_at(point.at.y, length.y, y), image_at(point.at.z, length.z, z)},
          RayImage::pack(point.periods, x, y, z));
}

}  // namespace riffle
