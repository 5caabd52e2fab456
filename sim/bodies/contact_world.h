#pragma once
/// The solids of a simulation as contact has them: where they are, which of them meet, and what that does.

#include <span>
#include <vector>

#include "core/math/domain.h"
#include "sim/bodies/body_contacts.h"
#include "sim/bodies/contact_shape.h"
#include "sim/bodies/contact_solver.h"
#include "sim/motion/drive.h"

namespace riffle::bodies {

inline constexpr double kNear =
    0.05;  // [spacings] gaps that always count as contacts, beside what a body may move in dt

/// A solid of contact. Lengths in metres, but those of shape, place and bounds in spacings.
struct ContactSolid {
  ContactShape shape;
  D3 origin;  ///< of the shape's frame, where the scene puts the solid
  bool free = false, driven = false;
  ContactSetup contact;
  DriveParts drive;
  // At the time of a call:
  Place place;
  Bounds3 bounds;
  D3 center, velocity, spin;
  double reach = 0;  ///< that it may move in dt
};

/// An image of a solid, a number of periods away.
struct ContactImage {
  int solid = 0;
  D3 shift;  ///< [spacings]
  bool home = true;
  Bounds3 bounds;
};

struct FacePlane {
  D3 normal;          ///< into the domain
  double offset = 0;  ///< [spacings]
  D3 velocity;        ///< [m/s]
};

/// The solids, and one call's contacts between them.
struct ContactWorld {
  ContactWorld(const SimulationSetup& setup, std::span<const BodyMass> masses, KickTime kick_time);

  void place_solids(std::span<const BodyState> now, std::span<const BodyPush> pushes, double time, double dt);
  void find_images();
  void find_contacts();
  void meet(const ContactImage& a, const ContactImage& b);
  void add_contacts(int a, int b, D3 shift_a, D3 shift_b, const ContactSetup& other, D3 face_velocity);
  int solve(std::span<const BodyState> now, std::span<const BodyPush> pushes, double time, double dt,
            std::span<BodyKick> kicks);

  Domain domain;
  KickTime kick_time;
  double spacing;
  double period[3] = {0, 0, 0};  ///< [spacings] 0: the axis is not periodic
  std::vector<BodyMass> masses;
  std::vector<ContactSolid> solids;
  std::vector<FacePlane> faces;
  // Of a call:
  std::vector<int> body_of;  ///< (solids) index among the bodies, -1
  std::vector<SolverBody> free_bodies;
  std::vector<ContactImage> images;
  std::vector<ContactPoint> points;
  std::vector<SolverContact> contacts;
  std::vector<std::size_t> pair_ends;  ///< how many contacts there were after each pair
};

}  // namespace riffle::bodies
