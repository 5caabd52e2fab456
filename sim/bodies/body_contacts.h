#pragma once
/// Contact of free bodies with each other, with other solids and with the domain's walled faces: non-penetration, friction
/// and restitution, on the host, in double precision. The library Bullet finds how far bodies are apart and along which
/// direction; the impulses are Riffle's own.
///
/// - Bodies: box, sphere, cylinder, capsule, convex polygon and their sections in 2-D are exact, and so is the hull of a mesh
///   that is convex but for a twentieth of the particle spacing. Others are surfaces of triangles (sim/bodies/geometry/contact_shape.h);
///   `without` makes a surface on a grid of a spacing. Two surfaces meet at their vertices and at places along their
///   edges, half a spacing apart.
/// - Gaps are those at the start of the dt. A contact that is not reached in it does nothing, so nothing hovers, and a body
///   at rest touches: with constant pushes its gap is 0 but for rounding.
/// - Penetrations are undone by `way` and `turn`, without speed: up to a fiftieth of a spacing at once, a larger one by a fifth
///   in each dt.
/// - A bounce reaches e^2 of the height from which a body fell, also where the dt is not short; e = 1 keeps the energy. Nothing
///   bounces that comes more slowly than what pushes add in three dt.
/// - Friction is Coulomb's cone.
/// - Whatever the speed, no convex body passes through another or through a face, however thin, as long as pushes are what
///   they are said to be. A body that is further inside another than half of the two thicknesses may leave it on the far side.
/// - On periodic axes bodies meet images, their own too. Open faces have no contact.
/// - Iterations end where no speed changes by more than 1e-7 of the largest, or after 200, of more than 75 contacts that hang
///   together after 15,000 over their number, of more than 200 in all after 40,000 over theirs, and at least 8. What is left then is corrected in the next dt, which begins with the
///   impulses of this one.
///
/// What a call knows of the one before it is an argument, so that the same arguments give the same bits, and a run that goes on
/// from a saved state repeats.

#include <memory>
#include <span>
#include <vector>

#include "sim/bodies/contact_memory.h"
#include "sim/bodies/free_body.h"

namespace riffle {

struct SimulationSetup;
namespace bodies {
struct ContactWorld;
}

/// What acts on a body beside contact [m/s^2, rad/s^2], as far as it is known.
struct BodyPush {
  double acceleration[3] = {0, 0, 0};
  double angular[3] = {0, 0, 0};
};

/// What contact changes.
struct BodyKick {
  double velocity[3] = {0, 0, 0};  ///< [m/s]
  double spin[3] = {0, 0, 0};      ///< [rad/s]
  double way[3] = {0, 0, 0};       ///< [m] by which the centre is pushed out of what it has entered
  double turn[3] = {0, 0, 0};      ///< [rad] likewise, a rotation vector
};

/// When the caller adds the kicks to the velocities.
enum class KickTime {
  AtStart,  ///< of the dt, for which `now` is the state: v += push dt + kick, x += v dt + way
  AtEnd,  ///< of the dt: v += push dt, x += v dt, then v += kick, x += way. They are those of the dt after it, in which the
  ///< pushes are expected to be the same: a body at rest then has -push dt between two of them, and 0 within each
};

class BodyContacts {
 public:
  /// masses: body_masses() of the setup
  /// @throws InputError for a free body without mass
  BodyContacts(const SimulationSetup& setup, std::span<const BodyMass> masses, KickTime kick_time = KickTime::AtEnd);
  ~BodyContacts();

  /// The bodies are at `now` at `time` [s] and would go on for dt [s] with their velocities and pushes. The kicks are such that
  /// with them they do not pass through anything in that dt; with KickTime::AtEnd in the one after it, at the start of which
  /// they are expected where `now` and the pushes bring them. Driven solids are where they are at the start of that dt.
  /// now, pushes, kicks: (regions); only those of free solids are read and written
  /// memory: in: of the call for the interval before, or empty; out: for the next one
  /// @return the number of pairs of solids (or of a solid and a face) that touch
  int solve(std::span<const BodyState> now, std::span<const BodyPush> pushes, double time, double dt,
            ContactMemory& memory, std::span<BodyKick> kicks);

 private:
  std::unique_ptr<bodies::ContactWorld> world_;
};

}  // namespace riffle
