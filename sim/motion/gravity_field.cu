#include "sim/motion/gravity_field.h"

#include <vector>

#include "core/device/parallel.cuh"
#include "sim/halo.h"
#include "sim/setup.h"

namespace riffle {

namespace {

struct FindApparentGravity {
  GravitySources sources;
  const ClockState* clock;
  GravityField::When when;
  ApparentGravity* apparent;

  RIFFLE_HD void operator()(std::int64_t) const {
    const double end = clock->time, dt = clock->dt;
    if (when == GravityField::When::Now || !(dt > 0)) {
      *apparent = apparent_gravity_at(sources, end);
      return;
    }
    const double later = when == GravityField::When::AroundEnd     ? 0.5 * dt
                         : when == GravityField::When::AroundStart ? -0.5 * dt
                                                                   : 0;
    // Before time 0 the tank does not move, and at time 0 the fluid moves with it.
    const double from = end + later - dt > 0 ? end + later - dt : 0;
    *apparent = mean_apparent_gravity(sources, from, end + later);
  }
};

struct AddToVelocities {
  Vec3 gravity;
  const ApparentGravity* apparent;
  const Vec4* position;
  const std::uint32_t* foreign;  ///< flags; nullptr: none
  const ClockState* clock;
  Vec4* velocity;

  RIFFLE_HD void operator()(std::int64_t i) const {
    if (foreign && foreign[i] != 0) return;
    const float dt = clock->dt;
    if (!(dt > 0)) return;
    const ApparentGravity now = *apparent;
    const Vec4 v = velocity[i];
    velocity[i] = make_vec4(now.turned(xyz(v) + dt * (now.at(xyz(position[i])) - gravity), dt), v.w);
  }
};

}  // namespace

GravitySources gravity_sources(const SimulationSetup& setup) {
  const int across = setup.body_force.across;
  return {setup.gravity, setup.gravity_change, setup.tank,
          make_body_force(setup.body_force, component(setup.domain.min, across), component(setup.domain.max, across))};
}

GravityField::GravityField(const Device& device, const SimulationSetup& setup)
    : sources_(gravity_sources(setup)), knots_(device), apparent_(device, sources_.changing() ? 1 : 0) {
  std::vector<MotionKnot> knots;
  MotionTableView* const views[] = {&sources_.tank.table, &sources_.change.table};
  for (const MotionTableView* view : views) knots.insert(knots.end(), view->knots, view->knots + view->count);
  if (knots.empty()) return;
  knots_.assign(knots);
  const MotionKnot* first = knots_.data();
  for (MotionTableView* view : views) {
    view->knots = first;
    first += view->count;
  }
}

void GravityField::find(const ClockState* clock, When when) {
  if (!changing()) return;
  parallel_for(apparent_.device(), "apparent gravity", 1, FindApparentGravity{sources_, clock, when, apparent_.data()});
}

void GravityField::add_to_velocities(ParticleSet& particles, const ClockState* clock) const {
  parallel_for(particles.device(), "apparent gravity", particles.count(),
               AddToVelocities{sources_.gravity, apparent_.data(), particles.get<Vec4>("position").data(),
                               foreign_flags(particles), clock, particles.get<Vec4>("velocity").data()});
}

}  // namespace riffle
