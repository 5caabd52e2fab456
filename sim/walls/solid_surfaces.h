#pragma once
/// The surfaces of a setup's solid regions on a device, for contact (sim/walls/face_contact.h) and for what asks whether a
/// particle is inside a solid.

#include "core/device/buffer.h"
#include "sim/setup.h"
#include "sim/shapes/distance.h"
#include "sim/walls/device_grids.h"

namespace riffle {

/// For kernels.
struct SurfaceView {
  const FlatShape* shapes = nullptr;
  const Corner2* corners = nullptr;
  int count = 0;  ///< of shapes; 0: there are no solids
  int dimension = 3;
  float rounding = 0;  ///< [m] a particle that is less than this inside a solid is on its surface

  /// Calls visit(solid, distance) for each solid that may be nearer than `reach`.
  template <class Visit>
  RIFFLE_HD void for_each_near(Vec3 x, float reach, const Visit& visit) const {
    for_each_region(shapes, count, corners, x, reach, dimension, visit);
  }

  /// A particle inside a solid is put on its surface and loses its velocity into it.
  /// @return whether it was inside by more than rounding
  RIFFLE_HD bool confine(Vec3& x, Vec3& v) const {
    bool inside = false;
    for_each_near(x, 0, [&](std::uint32_t, SurfaceDistance d) {
      if (!(d.distance < 0)) return;
      inside = inside || d.distance < -rounding;
      x -= d.distance * d.normal;
      const float inwards = dot(v, d.normal);
      if (inwards < 0) v -= inwards * d.normal;
    });
    return inside;
  }
};

FlatRegions flat_solids(const SimulationSetup& setup);

/// [bytes] of the grids of meshes: SolidSurfaces::memory_bytes() without the rest, which is small.
std::size_t solid_grid_bytes(const SimulationSetup& setup);

class SolidSurfaces {
 public:
  SolidSurfaces(const Device& device, const SimulationSetup& setup);

  SurfaceView view() const {
    return {shapes_.data(), corners_.data(), static_cast<int>(shapes_.size()), dimension_, rounding_};
  }
  std::size_t memory_bytes() const { return shapes_.bytes() + corners_.bytes() + grids_.bytes(); }

 private:
  Buffer<FlatShape> shapes_;
  Buffer<Corner2> corners_;
  DeviceGrids grids_;
  int dimension_;
  float rounding_;
};

}  // namespace riffle
