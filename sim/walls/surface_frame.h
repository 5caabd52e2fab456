#pragma once
/// Where a region's surface is at the start and at the end of a step, for kernels.
///
/// Shapes are where the scene has them. A point is turned into the frame of a driven region, the distance is taken there,
/// and the normal is turned back. Of a periodic domain it is the image nearest to the middle of the region.

#include "core/math/math.h"
#include "sim/shapes/distance.h"
#include "sim/walls/solid.h"

namespace riffle {

struct SurfaceFrame {
  bool driven = false;  ///< false: the region stands still, and nothing below counts
  bool free = false;    ///< forces move it; otherwise it moves as the scene says
  Pose start, end;      ///< of the step
  Motion motion;        ///< the mean in the step; at its start, if its length is not known yet

  // A point of the surface at x at the start moves by rows (x - center) + shift [m].
  Vec3 rows[3] = {};
  Vec3 center, shift;  // of a free body the centre of mass
  float over_dt = 0;   ///< [1/s]; 0: the step has no length
  float travel = 0;    ///< [m] by which a point of the surface moves at most

  Vec3 middle_at_start, middle_at_end;  ///< of the region's bounds
  Vec3 period;                          ///< [m] 0 along axes on which it has no images

  RIFFLE_HD Vec3 way(Vec3 x) const {
    const Vec3 r = image_near(x, middle_at_start, period) - center;
    return Vec3{dot(rows[0], r), dot(rows[1], r), dot(rows[2], r)} + shift;
  }
};

/// For for_each_region(): the surfaces at one of these times.
enum class SurfaceTime {
  Start,   ///< of the step
  End,     ///< of the step
  InStep,  ///< distances at its start, from which a particle moves relative to the surface; normals at its end
};

template <SurfaceTime Time>
struct RegionFrames {
  const SurfaceFrame* frames;  ///< (regions)

  RIFFLE_HD Vec3 into(const FlatShape& shape, Vec3 x) const {
    const SurfaceFrame& f = frames[shape.solid];
    if (!f.driven) return RegionsAtRest{}.into(shape, x);
    if constexpr (Time == SurfaceTime::End)
      return placed_back(f.end, image_near(x, f.middle_at_end, f.period));
    else
      return placed_back(f.start, image_near(x, f.middle_at_start, f.period));
  }
  RIFFLE_HD SurfaceDistance out(std::uint32_t solid, SurfaceDistance d) const {
    const SurfaceFrame& f = frames[solid];
    if (!f.driven) return d;
    return {d.distance, turned(Time == SurfaceTime::Start ? f.start.rotation : f.end.rotation, d.normal)};
  }
  RIFFLE_HD float reach(std::uint32_t solid, float reach) const {
    return Time == SurfaceTime::InStep && frames[solid].driven ? reach + frames[solid].travel : reach;
  }
};

}  // namespace riffle
