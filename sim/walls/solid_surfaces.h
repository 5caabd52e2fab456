#pragma once
/// The surfaces of a setup's solid regions on a device, for contact (sim/walls/face_contact.h) and for what asks whether a
/// particle is inside a solid. Steps drive those that move: sim/walls/surface_frame.h.

#include <vector>

#include "core/device/buffer.h"
#include "sim/bodies/free_bodies.h"
#include "sim/setup.h"
#include "sim/shapes/distance.h"
#include "sim/step_control.h"
#include "sim/walls/device_grids.h"
#include "sim/walls/solid_cells.h"
#include "sim/walls/surface_frame.h"

namespace riffle {

/// For kernels.
struct SurfaceView {
  const FlatShape* shapes = nullptr;
  const Corner2* corners = nullptr;
  int count = 0;  ///< of shapes; 0: there are no solids
  int dimension = 3;
  float rounding = 0;                    ///< [m] a particle that is less than this inside a solid is on its surface
  const SurfaceFrame* frames = nullptr;  ///< (solids); nullptr: all stand still
  const std::uint32_t* first = nullptr;  ///< (solids) index of its shape, before those of `with` and its cuts
  SolidCellsView cells = {};             ///< without bits all solids are asked

  /// Calls visit(solid, distance) for each solid that may be nearer than `reach`, in their order. Where `visit` moves x, the
  /// solids after it are asked for the new place.
  template <SurfaceTime Time = SurfaceTime::End, class Visit>
  RIFFLE_HD void for_each_near(const Vec3& x, float reach, const Visit& visit) const {
    if (frames == nullptr)
      for_each_in(RegionsAtRest{}, x, reach, visit);
    else
      for_each_in(RegionFrames<Time>{frames}, x, reach, visit);
  }

  /// [m] by which a point of the solid that is at x at the start of the step moves in it.
  RIFFLE_HD Vec3 way(std::uint32_t solid, Vec3 x) const {
    return frames != nullptr && frames[solid].driven ? frames[solid].way(x) : Vec3{0, 0, 0};
  }
  /// [m/s] the same over the step.
  RIFFLE_HD Vec3 velocity(std::uint32_t solid, Vec3 x) const {
    return frames != nullptr && frames[solid].driven ? frames[solid].over_dt * frames[solid].way(x) : Vec3{0, 0, 0};
  }

  /// A particle inside a solid is put on its surface and loses its velocity into it. Calls changed(solid, x, dv) where that
  /// changes its velocity.
  /// @return whether it was inside by more than rounding
  template <SurfaceTime Time = SurfaceTime::End, class Changed>
  RIFFLE_HD bool confine(Vec3& x, Vec3& v, const Changed& changed) const {
    bool inside = false;
    for_each_near<Time>(x, 0, [&](std::uint32_t solid, SurfaceDistance d) {
      if (!(d.distance < 0)) return;
      inside = inside || d.distance < -rounding;
      const float inwards = dot(v - velocity(solid, x), d.normal);
      x -= d.distance * d.normal;
      if (!(inwards < 0)) return;
      const Vec3 change = -inwards * d.normal;
      v += change;
      changed(solid, x, change);
    });
    return inside;
  }

 private:
  template <class Frames, class Visit>
  RIFFLE_HD void for_each_in(const Frames& time, const Vec3& x, float reach, const Visit& visit) const {
    int next = 0;
    if (cells.bits != nullptr && reach <= cells.reach) {
      next = count;
      const Vec3 asked = x;
      const float slack = cells.reach - reach;
      cells.for_each_near(x, [&](int solid) {
        const int after =
            visit_region(shapes, count, static_cast<int>(first[solid]), corners, x, reach, dimension, visit, time);
        if (length2(x - asked) <= slack * slack) return true;
        next = after;  // the cell's solids may not be all that are near
        return false;
      });
    }
    while (next < count) next = visit_region(shapes, count, next, corners, x, reach, dimension, visit, time);
  }
};

/// As contact needs them: ends in walled faces have no surface.
FlatRegions flat_solids(const SimulationSetup& setup);

/// [bytes] of the grids of meshes and of the cells that list solids: SolidSurfaces::memory_bytes() without the rest, which is
/// small.
std::size_t solid_grid_bytes(const SimulationSetup& setup);

/// Whether steps move a solid of the setup.
bool any_driven(const SimulationSetup& setup);

/// Whether forces move one.
bool any_free(const SimulationSetup& setup);

/// What finds the solids near a place where a setup has many: where each one's shapes begin, and the cells that list them.
class FoundSolids {
 public:
  enum class At {
    Rest,     ///< where the scene puts them, for the host
    Anytime,  ///< those that move are where mark() found them last
  };
  FoundSolids() = default;
  FoundSolids(const Device& device, const SimulationSetup& setup, const FlatRegions& flat, At at);

  void put_into(SurfaceView& view) const {
    view.first = first_.data();
    view.cells = cells_.view();
  }
  void mark(const SurfaceFrame* frames) { cells_.mark(frames); }
  std::size_t bytes() const { return first_.bytes() + cells_.bytes(); }

 private:
  Buffer<std::uint32_t> first_;  ///< (regions) index of the shape; empty: a few solids need no cells
  SolidCells cells_;
};

/// A region as the kernel that drives it reads it.
struct DrivenRegion {
  DriveParts drive;
  double middle[3] = {0, 0, 0};  ///< [m] of its bounds
  double radius = 0;             ///< [m] of a ball that holds it, around SolidDrive::about or the centre of mass
  bool free = false;
  Vec3 period;  ///< as of SurfaceFrame
};

/// (regions) Their tables are the setup's.
std::vector<DrivenRegion> driven_regions(const SimulationSetup& setup);

class SolidSurfaces {
 public:
  SolidSurfaces(const Device& device, const SimulationSetup& setup);

  SurfaceView view() const {
    SurfaceView view{shapes_.data(), corners_.data(), static_cast<int>(shapes_.size()),
                     dimension_,     rounding_,       driven() ? frames_.data() : nullptr};
    found_.put_into(view);
    return view;
  }

  bool driven() const { return !drives_.empty(); }  ///< whether steps move a solid

  FreeBodies& bodies() { return bodies_; }
  const FreeBodies& bodies() const { return bodies_; }
  const SurfaceFrame* frames() const { return frames_.data(); }  ///< (regions) on the device; only if driven()

  /// Which part of the run the frames are of.
  enum class Part {
    Now,    ///< the clock's time: a step without length
    Step,   ///< the step that ends at the clock's time
    Begin,  ///< that step, of which free bodies do not know yet how they move: they are as at its start
  };
  /// Computes the frames; if nothing moves, nothing is done. Free bodies are where they are: Part::Step needs
  /// FreeBodies::advance() before. Asynchronous.
  void drive(const ClockState* clock, Part part);
  void drive_to(double time);  ///< [s] as if the clock showed that, Part::Now

  std::size_t memory_bytes() const {
    return shapes_.bytes() + corners_.bytes() + grids_.bytes() + found_.bytes() + drives_.bytes() + knots_.bytes() +
           frames_.bytes() + bodies_.memory_bytes();
  }

 private:
  Buffer<FlatShape> shapes_;
  Buffer<Corner2> corners_;
  DeviceGrids grids_;
  FoundSolids found_;
  int dimension_;
  float rounding_;
  FreeBodies bodies_;
  Buffer<DrivenRegion> drives_;  ///< (regions), or empty; their tables are in knots_
  Buffer<MotionKnot> knots_;     ///< of all tables, or empty
  Buffer<SurfaceFrame> frames_;  ///< likewise
};

}  // namespace riffle
