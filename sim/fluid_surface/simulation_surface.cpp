#include <vector>

#include "sim/fluid_surface/fluid_surface.h"
#include "sim/motion/drive_place.h"
#include "sim/step_control.h"

namespace riffle {

namespace {

Vec3 point_in_floats(double x, double y, double z) {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

Pose pose_of_region(const DrivenPlace& place) {
  const auto row = [&](int a) {
    return point_in_floats(place.turn[3 * a], place.turn[3 * a + 1], place.turn[3 * a + 2]);
  };
  return {{row(0), row(1), row(2)}, point_in_floats(place.shift[0], place.shift[1], place.shift[2])};
}

}  // namespace

double SurfaceMesh::volume() const {
  double six = 0;
  if (vertices.empty()) return 0;
  const Vec3 o = vertices[0];  // small numbers are rounded less
  for (const Triangle& t : triangles) {
    const auto at = [&](int k) {
      const Vec3 v = vertices[t[static_cast<std::size_t>(k)]];
      return std::array<double, 3>{double{v.x} - o.x, double{v.y} - o.y, double{v.z} - o.z};
    };
    const auto a = at(0), b = at(1), c = at(2);
    six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return six / 6;
}

SimulationSurface::SimulationSurface(const Simulation& simulation)
    : surface_(simulation.device(), simulation.setup().domain, simulation.setup().spacing),
      solids_(simulation.device(), simulation.setup()),
      frames_(simulation.device()) {}

SurfaceView SimulationSurface::solids_now(const Simulation& simulation) {
  SurfaceView view = solids_.view();
  if (!solids_.driven()) return view;
  const std::vector<DrivenRegion> regions = driven_regions(simulation.setup());
  const std::vector<DrivenPlace> free = simulation.body_places();
  ClockState clock;
  copy_to_host(simulation.device(), &clock, simulation.clock(), sizeof clock);
  std::vector<SurfaceFrame> frames(regions.size());
  for (std::size_t r = 0; r < regions.size(); ++r) {
    const DrivenRegion& region = regions[r];
    SurfaceFrame& frame = frames[r];
    frame.driven = region.drive.given || region.free;
    frame.free = region.free;
    if (!frame.driven) continue;
    const DrivenPlace place = region.free ? free[r] : place_of(region.drive, clock.time);
    const double* const m = region.middle;
    frame.start = frame.end = pose_of_region(place);
    frame.middle_at_start = frame.middle_at_end =
        point_in_floats(place.at(0, m[0], m[1], m[2]), place.at(1, m[0], m[1], m[2]), place.at(2, m[0], m[1], m[2]));
    frame.period = region.period;
  }
  frames_.assign(frames);
  view.frames = frames_.data();
  return view;
}

const FluidSurface& SimulationSurface::find(const Simulation& simulation, int which) {
  const ParticleSet& particles = simulation.particles();
  surface_.find(particles.get<Vec4>("position").data(), particles.get<std::uint32_t>("fluid").data(),
                simulation.particle_count(), which, solids_now(simulation));
  return surface_;
}

}  // namespace riffle
