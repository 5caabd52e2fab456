#pragma once
/// The forces of walls on DPD particles (sim/dpd/wall_table.h), for kernels. i: particles in the search's order.

#include "core/math/domain.h"
#include "sim/dpd/dpd.h"
#include "sim/dpd/dpd_kernels.cuh"
#include "sim/dpd/wall_table.h"
#include "sim/walls/solid.h"

namespace riffle::dpd {

/// Each kind of walls has a kernel of its own: to look for what hides a wall, every thread copies the kernel's arguments to its local
/// memory, which takes half of the step of 65,536 particles.
enum class WallKind { Faces, OneSolid, Several };

/// The walls of a box and the solids in it. A wall that another one hides does not count: the face behind a slab, and of
/// solids that touch or overlap those that are farther away. Otherwise the same place would repel twice.
template <WallKind Kind>
struct NearWalls {
  Domain domain;
  SurfaceView solids;
  float reach;  ///< [length]

  /// Calls visit(face, normal, gap) for the walled faces, 2 axis + (1 for the upper one), whose gap to x is below `reach`.
  template <class Visit>
  RIFFLE_HD void for_each_face(Vec3 x, const Visit& visit) const {
    for (std::uint32_t face = 0; face < 2 * static_cast<std::uint32_t>(domain.dimension); ++face) {
      const int axis = static_cast<int>(face / 2);
      if (pick3(axis, domain.axis) != Axis::Walled) continue;
      const bool upper = face % 2 != 0;
      const float at = component(x, axis),
                  gap = upper ? component(domain.max, axis) - at : at - component(domain.min, axis);
      if (!(gap < reach)) continue;
      const float away = upper ? -1.0f : 1.0f;
      const Vec3 normal{axis == 0 ? away : 0.0f, axis == 1 ? away : 0.0f, axis == 2 ? away : 0.0f};
      if constexpr (Kind == WallKind::Several)
        if (in_any_solid(x - gap * normal)) continue;
      visit(face, normal, gap);
    }
  }

  /// Calls visit(solid, normal, gap) likewise.
  template <class Visit>
  RIFFLE_HD void for_each_solid(const Vec3& x, const Visit& visit) const {
    if constexpr (Kind != WallKind::Faces)
      solids.for_each_near(x, reach, [&](std::uint32_t solid, SurfaceDistance d) {
        if (!(d.distance < reach)) return;
        if constexpr (Kind == WallKind::Several)
          if (is_hidden(solid, x, d)) return;
        visit(solid, d.normal, d.distance);
      });
  }

 private:
  RIFFLE_HD bool in_any_solid(Vec3 place) const {
    bool any = false;
    if (solids.count > 0)
      solids.for_each_near(place, solids.rounding,
                           [&](std::uint32_t, SurfaceDistance d) { any = any || !(d.distance > solids.rounding); });
    return any;
  }

  /// Whether the solid's nearest point lies behind a face, in another solid, or on the surface of one that is nearer. Of two
  /// that are as near the first one counts.
  RIFFLE_HD bool is_hidden(std::uint32_t solid, const Vec3& x, SurfaceDistance d) const {
    const Vec3 nearest = x - d.distance * d.normal;
    for (int a = 0; a < domain.dimension; ++a)
      if (pick3(a, domain.axis) == Axis::Walled &&
          !(component(nearest, a) >= component(domain.min, a) - solids.rounding &&
            component(nearest, a) <= component(domain.max, a) + solids.rounding))
        return true;
    bool hidden = false;
    solids.for_each_near(nearest, solids.rounding, [&](std::uint32_t other, SurfaceDistance there) {
      if (other == solid || there.distance > solids.rounding || hidden) return;
      if (there.distance < -solids.rounding) {
        hidden = true;
        return;
      }
      solids.for_each_near(x, reach, [&](std::uint32_t again, SurfaceDistance here) {
        if (again != other) return;
        hidden = hidden || here.distance < d.distance || (here.distance == d.distance && other < solid);
      });
    });
    return hidden;
  }
};

/// The acceleration of each particle by all walls. Each draws three random numbers of its own for each wall in reach.
template <class Numbers, WallKind Kind>
struct FeelWalls {
  DpdTable table;
  WallTable wall;
  Numbers numbers;
  NearWalls<Kind> walls;
  FaceVelocities faces = {};
  SolidImpulses impulses = {},
                later = {};  ///< of the kick at this evaluation, and of that at the start of the next step
  float now = 0;             ///< part of a step that the kick at this evaluation takes
  float next = 0;            ///< [time] of a nominal step, the other kick
  const Vec4* position = nullptr;
  const Vec4* predicted = nullptr;
  const std::uint32_t* skip = nullptr;  ///< flags of particles that need none; nullptr: all do
  const ClockState* clock = nullptr;
  Vec4* acceleration = nullptr;  ///< out

  RIFFLE_HD void operator()(std::int64_t i) const {
    const float dt = clock->dt;
    if (!(dt > 0)) return;
    Vec3 sum{0, 0, 0};
    if (!(skip && skip[i] != 0)) {
      const Vec3 x = xyz(position[i]), v = xyz(predicted[i]);
      const std::uint32_t id = float_bits(position[i].w), fluid = table.fluids == 1 ? 0 : float_bits(predicted[i].w);
      const float noise = table.noise[fluid][fluid] / sqrtf(dt);
      auto state = numbers.begin(static_cast<int>(i));
      const auto act = [&](std::uint32_t key, Vec3 normal, float gap, Vec3 wall_velocity) {
        const WallWeights w = wall.at(fluid, gap);
        // Three ids for each wall, from the end of the range, which no particle reaches.
        const std::uint32_t first = 0xfffffffdu - 3 * key;
        const float rx = numbers.draw(state, id, first), ry = numbers.draw(state, id, first - 1),
                    rz = walls.domain.dimension == 3 ? numbers.draw(state, id, first - 2) : 0.0f;
        const Vec3 random{rx, ry, rz}, relative = v - wall_velocity;
        const float random_across = dot(random, normal), across = dot(relative, normal);
        const Vec3 f = (table.repulsion[fluid][fluid] * w.repulsion - table.friction[fluid][fluid] * w.across * across +
                        noise * sqrtf(w.across) * random_across) *
                           normal +
                       noise * sqrtf(w.along) * (random - random_across * normal) -
                       table.friction[fluid][fluid] * w.along * (relative - across * normal);
        const Vec3 a = table.inverse_mass[fluid] * f;
        sum += a;
        return a;
      };
      walls.for_each_face(x, [&](std::uint32_t face, Vec3 normal, float gap) {
        const Vec3 a = act(face, normal, gap, face_velocity(faces, face));
        impulses.add_to_face(face, i, x, (now * dt) * a);
        later.add_to_face(face, i, x, next * a);
      });
      walls.for_each_solid(x, [&](std::uint32_t solid, Vec3 normal, float gap) {
        const Vec3 a = act(6 + solid, normal, gap, walls.solids.velocity(solid, x));
        impulses.add_contact(solid + 1, i, x, (now * dt) * a);
        later.add_contact(solid + 1, i, x, next * a);
      });
      numbers.end(state, static_cast<int>(i));
    }
    acceleration[i] = make_vec4(sum);
  }
};

/// Half of the sum of r.F over the particle's pairs with walls, as if those were of particles.
template <WallKind Kind>
struct WallVirial {
  DpdTable table;
  WallTable wall;
  NearWalls<Kind> walls;
  const Vec4* position = nullptr;
  const std::uint32_t* fluid = nullptr;
  const std::uint32_t* foreign = nullptr;  ///< flags of particles that do not count; nullptr: none

  RIFFLE_HD static double identity() { return 0; }
  RIFFLE_HD static double combine(double a, double b) { return a + b; }
  RIFFLE_HD double operator()(std::int64_t i) const {
    if (foreign && foreign[i] != 0) return 0;
    const Vec3 x = xyz(position[i]);
    const std::uint32_t k = table.fluids == 1 ? 0 : fluid[i];
    double sum = 0;
    const auto add = [&](std::uint32_t, Vec3, float gap) {
      sum += double{table.repulsion[k][k]} * wall.at(k, gap).virial;
    };
    walls.for_each_face(x, add);
    walls.for_each_solid(x, add);
    return sum;
  }
};

}  // namespace riffle::dpd
