#include "sim/walls/coupled_bodies.h"

#include "core/device/parallel.cuh"
#include "sim/bodies/body_rows.h"
#include "sim/walls/wall_traversal.cuh"

namespace riffle {

namespace {

struct MoveWallParticles {
  CoupledView view;
  const Vec4* particles;
  Vec4* velocity;

  RIFFLE_HD void operator()(std::int64_t b) const {
    const CoupledBody* body = view.of(b);
    if (body == nullptr) return;
    velocity[b] = make_vec4(body->velocity_at(view.places.from_center(view.solid[b], xyz(particles[b]))));
  }
};

struct TakeImpulses {
  SolidImpulses sums;  ///< of the iterate
  const ClockState* over;
  CoupledBody* bodies;

  RIFFLE_HD void operator()(std::int64_t r) const {
    CoupledBody& body = bodies[r];
    if (!body.free()) return;
    const double time = over != nullptr ? double{fmaxf(over->dt, over->previous_dt)} : 1;
    double part[6], now[3], turning[3];
    for (int k = 0; k < 6; ++k) part[k] = time * sums.part(sums.sums[6 * (r + 1) + k], k);
    for (int a = 0; a < 3; ++a) {
      now[a] = body.velocity[a] + part[a] * body.inverse_mass;
      turning[a] = body.spin[a] + body.inverse[3 * a] * part[3] + body.inverse[3 * a + 1] * part[4] +
                   body.inverse[3 * a + 2] * part[5];
    }
    body.now = {static_cast<float>(now[0]), static_cast<float>(now[1]), static_cast<float>(now[2])};
    body.turning = {static_cast<float>(turning[0]), static_cast<float>(turning[1]), static_cast<float>(turning[2])};
  }
};

}  // namespace

CoupledBodies::CoupledBodies(const Device& device, const SimulationSetup& setup, bool known)
    : spacing_(setup.spacing), bodies_(device), sums_(device), rows_(device), reaction_(device) {
  if (!any_free(setup) || !known) return;
  bodies_.assign(std::vector<CoupledBody>(setup.solid_regions.size()));
  sums_.resize(6 * (setup.solid_regions.size() + 1));
  rows_.resize(6 * setup.solid_regions.size());
}

CoupledView CoupledBodies::view(const Boundary& boundary, const SolidForces& forces) const {
  return {const_cast<CoupledBody*>(bodies_.data()), boundary.solid(), forces.impulses(nullptr)};
}

void CoupledBodies::begin(const FreeBodies& bodies, const StepControl& control, const SolidForces& forces,
                          const ApparentGravity* gravity, BodyStart start, const Boundary& boundary,
                          Vec4* wall_velocity) {
  if (!any()) return;
  bodies.predict(control, forces.impulses(nullptr), gravity, start, bodies_.data());
  if (boundary.count() > 0)
    parallel_for(bodies_.device(), "velocities of bodies", boundary.count(),
                 MoveWallParticles{view(boundary, forces), boundary.particles(), wall_velocity});
}

void CoupledBodies::find_gains(const NeighborSearch& search, const Boundary& boundary, const SolidForces& forces,
                               const SmoothingKernel& kernel, float volume, const Vec4* position, float* gain,
                               float* wall_gain) {
  const CoupledView bodies = view(boundary, forces);
  const BodyRows rows{rows_.data(), spacing_};
  rows_.fill_zero();
  for (const bool adds : {true, false}) {
    for_each_wall_neighbor(boundary, search, "rows beside bodies", position, kernel.h,
                           RowsOfParticles{kernel, volume, bodies, rows, adds ? nullptr : gain});
    for_each_fluid_neighbor(
        boundary, search, "rows of bodies", position, kernel.h,
        RowsOfWalls{kernel, volume, bodies, rows, boundary.particles(), adds ? nullptr : wall_gain});
  }
}

std::size_t CoupledBodies::wall_particle_bytes(const SimulationSetup& setup) {
  return any_free(setup) ? sizeof(Vec4) : 0;
}

Vec4* CoupledBodies::reactions(const Boundary& boundary) {
  reaction_.resize(static_cast<std::size_t>(boundary.count()));
  reaction_.fill_zero();
  return reaction_.data();
}

void CoupledBodies::follow(const Boundary& boundary, const SolidForces& forces, const Vec4* reaction,
                           const ClockState* over, Vec4* wall_velocity) {
  if (!any() || boundary.count() == 0) return;
  sums_.fill_zero();
  forces.sum_of_regions(boundary, reaction, sums_.data());
  SolidImpulses sums = forces.impulses(nullptr);
  sums.sums = sums_.data();
  parallel_for(bodies_.device(), "bodies take impulses", static_cast<std::int64_t>(bodies_.size()),
               TakeImpulses{sums, over, bodies_.data()});
  parallel_for(bodies_.device(), "velocities of bodies", boundary.count(),
               MoveWallParticles{view(boundary, forces), boundary.particles(), wall_velocity});
}

}  // namespace riffle
