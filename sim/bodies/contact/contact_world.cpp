#include "sim/bodies/contact/contact_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/device/threads.h"
#include "core/error.h"
#include "sim/bodies/rigid_motion.h"
#include "sim/motion/drive_place.h"
#include "sim/setup.h"

namespace riffle::bodies {

ContactWorld::ContactWorld(const SimulationSetup& setup, std::span<const BodyMass> given, KickTime when)
    : domain(setup.domain), kick_time(when), spacing(setup.spacing), masses(given.begin(), given.end()) {
  if (masses.size() != setup.solid_regions.size())
    throw InputError(fmt::format("contact of bodies: found {} masses for {} solids; allowed: one for each",
                                 masses.size(), setup.solid_regions.size()));
  for (int a = 0; a < domain.dimension; ++a) {
    if (domain.periodic(a)) period[a] = double{component(domain.extent(), a)} / spacing;
    if (!domain.walled(a)) continue;
    for (const int side : {0, 1}) {
      FacePlane& face = faces.emplace_back();
      face.normal[a] = side == 0 ? 1 : -1;
      face.offset = face.normal[a] * component(side == 0 ? domain.min : domain.max, a) / spacing;
      face.velocity = d3(setup.wcsph.wall_velocity[a][side]);
      if (domain.dimension == 2) face.velocity.z = 0;
    }
  }
  for (std::size_t s = 0; s < setup.solid_regions.size(); ++s) {
    const SolidRegion& region = setup.solid_regions[s];
    ContactSolid& solid = solids.emplace_back();
    solid.free = region.free.given;
    solid.driven = !solid.free && region.drive.given;
    solid.contact = region.contact;
    solid.drive = region.drive;
    if (solid.free && !(masses[s].mass > 0))
      throw InputError(fmt::format("solid '{}': contact needs the mass of a free body; found {} kg",
                                   solid_name(setup, s), masses[s].mass));
    if (solid.free) {
      solid.origin = d3(masses[s].center);
    } else {
      const Bounds bounds = bounds_of(region);
      for (int a = 0; a < 3; ++a) {
        const double middle = 0.5 * (double{component(bounds.min, a)} + component(bounds.max, a));
        solid.origin[a] = std::isfinite(middle) ? middle : component(domain.min, a);
      }
    }
    if (domain.dimension == 2) solid.origin.z = 0;
    solid.shape = contact_shape(region, domain, solid.origin, spacing);
  }
  add_joints(setup);
}

namespace {

constexpr std::int64_t kSolidsAtOnce = 64;  // for a thread

/// rows m rows^T
void turned_matrix(const double (&rows)[9], const double (&m)[9], double (&out)[9]) {
  double half[9];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      half[3 * i + j] = rows[3 * i] * m[j] + rows[3 * i + 1] * m[3 + j] + rows[3 * i + 2] * m[6 + j];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out[3 * i + j] =
          half[3 * i] * rows[3 * j] + half[3 * i + 1] * rows[3 * j + 1] + half[3 * i + 2] * rows[3 * j + 2];
}

}  // namespace

void ContactWorld::place_solids(std::span<const BodyState> now, std::span<const BodyPush> pushes, double time,
                                double dt) {
  body_of.assign(solids.size(), -1);
  int count = 0;
  for (std::size_t s = 0; s < solids.size(); ++s)
    if (solids[s].free) body_of[s] = count++;
  free_bodies.assign(static_cast<std::size_t>(count), {});
  parallel_ranges(static_cast<std::int64_t>(solids.size()), kSolidsAtOnce, [&](std::int64_t begin, std::int64_t end) {
    for (auto s = static_cast<std::size_t>(begin); s < static_cast<std::size_t>(end); ++s)
      place_solid(s, now, pushes, time, dt);
  });
}

void ContactWorld::place_solid(std::size_t s, std::span<const BodyState> now, std::span<const BodyPush> pushes,
                               double time, double dt) {
  const bool ahead = kick_time == KickTime::AtEnd;
  ContactSolid& solid = solids[s];
  const double size = solid.shape.convex ? solid.shape.convex->radius() * spacing : 0;
  if (solid.free) {
    const BodyState& state = now[s];
    D3 velocity = d3(state.velocity), spin = d3(state.spin), center = d3(state.center);
    D3 gain = dt * d3(pushes[s].acceleration), spin_gain = dt * d3(pushes[s].angular);
    double turn[4] = {state.turn[0], state.turn[1], state.turn[2], state.turn[3]};
    if (domain.dimension == 2) {
      center.z = velocity.z = gain.z = 0;
      spin = {0, 0, spin.z}, spin_gain = {0, 0, spin_gain.z};
      turn[1] = turn[2] = 0;
    }
    if (ahead) {
      velocity += gain;
      spin += spin_gain;
      center += dt * velocity;
      rigid_motion::turn_by(turn, {dt * spin.x, dt * spin.y, dt * spin.z});
    }
    rigid_motion::rotation_of(turn, solid.place.turn);
    solid.center = center, solid.velocity = velocity, solid.spin = spin;
    solid.reach = dt * (length(velocity) + length(gain) + size * (length(spin) + length(spin_gain)));
    SolverBody& body = free_bodies[static_cast<std::size_t>(body_of[s])];
    body.velocity = velocity, body.spin = spin, body.gain = gain, body.spin_gain = spin_gain;
    body.inverse_mass = 1 / masses[s].mass;
    if (domain.dimension == 2) {
      body.inverse_inertia[8] = masses[s].inverse[8];
    } else {
      turned_matrix(solid.place.turn, masses[s].inverse, body.inverse_inertia);
    }
  } else if (solid.driven) {
    const DrivenPlace at = place_of(solid.drive, ahead ? time + dt : time);
    std::copy(at.turn, at.turn + 9, solid.place.turn);
    for (int a = 0; a < 3; ++a) solid.center[a] = at.at(a, solid.origin.x, solid.origin.y, solid.origin.z);
    solid.spin = d3(at.angular_velocity);
    solid.velocity = d3(at.velocity) + cross(solid.spin, solid.center - d3(at.center));
    solid.reach = dt * (length(solid.velocity) + size * length(solid.spin));
  } else {
    solid.center = solid.origin;
  }
  solid.place.shift = (1 / spacing) * solid.center;
  if (solid.shape.convex) solid.bounds = solid.shape.convex->bounds(solid.place);
}

void ContactWorld::solve_placed(double dt, std::span<BodyKick> kicks) {
  std::vector<SolverKick> solved;
  iterations = solve_contacts(free_bodies, contacts, lines, domain.dimension, dt, spacing, solved);
  for (std::size_t s = 0; s < solids.size(); ++s) {
    if (body_of[s] < 0) continue;
    const SolverKick& kick = solved[static_cast<std::size_t>(body_of[s])];
    for (int a = 0; a < 3; ++a) {
      kicks[s].velocity[a] = kick.velocity[a];
      kicks[s].spin[a] = kick.spin[a];
      kicks[s].way[a] = kick.way[a];
      kicks[s].turn[a] = kick.turn[a];
    }
  }
}

int ContactWorld::solve(std::span<const BodyState> now, std::span<const BodyPush> pushes, double time, double dt,
                        ContactMemory& memory, std::span<BodyKick> kicks) {
  place_solids(now, pushes, time, dt);
  for (std::size_t s = 0; s < solids.size(); ++s)
    if (solids[s].free) kicks[s] = {};
  if (free_bodies.empty()) return 0;
  find_images();
  find_contacts();
  find_lines(dt);
  recall(memory, dt);
  solve_placed(dt, kicks);
  remember(memory, dt);
  int touching = 0;
  std::size_t first = 0;
  for (const ContactPair& pair : pairs) {
    touching += std::any_of(contacts.begin() + static_cast<std::ptrdiff_t>(first),
                            contacts.begin() + static_cast<std::ptrdiff_t>(pair.end),
                            [](const SolverContact& c) { return c.impulse > 0 || c.gap <= 0; });
    first = pair.end;
  }
  return touching;
}

}  // namespace riffle::bodies
