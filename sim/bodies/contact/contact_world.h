#pragma once
/// The solids of a simulation as contact has them: where they are, which of them meet, and what that does.

#include <span>
#include <utility>
#include <vector>

#include "core/math/domain.h"
#include "sim/bodies/body_contacts.h"
#include "sim/bodies/contact/contact_solver.h"
#include "sim/bodies/contact_memory.h"
#include "sim/bodies/geometry/contact_shape.h"
#include "sim/bodies/joint.h"
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

/// A joint and the solids it joins. Places [m] are from the origins of the solids' frames, along the scene's axes.
struct WorldJoint {
  JointSetup setup;
  int solid = 0, other = -1;  ///< -1: the domain
  D3 at_a, at_b, axis;
  double length = 0;  ///< [m] of a spring without force
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

/// A solid, and another one or a face, and where their contacts end among all.
struct ContactPair {
  int body = 0;
  int other = 0;  ///< -1 - k: the face k
  std::size_t end = 0;
};

/// The solids, and one call's contacts between them.
struct ContactWorld {
  ContactWorld(const SimulationSetup& setup, std::span<const BodyMass> masses, KickTime kick_time);

  void place_solids(std::span<const BodyState> now, std::span<const BodyPush> pushes, double time, double dt);
  void place_solid(std::size_t s, std::span<const BodyState> now, std::span<const BodyPush> pushes, double time,
                   double dt);
  void find_images();
  void find_contacts();
  std::vector<std::pair<int, int>> meeting_images() const;
  /// Appends the points between two solids. On any thread.
  void meet(const ContactImage& a, const ContactImage& b, std::vector<ContactPoint>& points) const;
  void add_contacts(int a, int b, D3 shift_a, D3 shift_b, const ContactSetup& other, D3 face_velocity,
                    std::vector<ContactPoint>& points);
  /// Of ways [m] that differ by whole periods, the shortest.
  D3 to_nearest_image(D3 way) const;
  void add_joints(const SimulationSetup& setup);
  void find_lines(double dt);
  void recall(const ContactMemory& memory, double dt);  ///< gives the contacts their impulses of before
  void recall_lines(const ContactMemory& memory, double dt);
  void remember(ContactMemory& memory, double dt) const;    ///< what they have now
  void solve_placed(double dt, std::span<BodyKick> kicks);  ///< what has been found
  int solve(std::span<const BodyState> now, std::span<const BodyPush> pushes, double time, double dt,
            ContactMemory& memory, std::span<BodyKick> kicks);

  Domain domain;
  KickTime kick_time;
  double spacing;
  double period[3] = {0, 0, 0};  ///< [spacings] 0: the axis is not periodic
  std::vector<BodyMass> masses;
  std::vector<ContactSolid> solids;
  std::vector<FacePlane> faces;
  std::vector<WorldJoint> joints;
  std::vector<std::pair<int, int>>
      joined;  ///< solids of joints, the lower first, in ascending order: they have no contact
  // Of a call:
  std::vector<int> body_of;  ///< (solids) index among the bodies, -1
  std::vector<SolverBody> free_bodies;
  std::vector<ContactImage> images;
  std::vector<SolverContact> contacts;
  std::vector<ContactPair> pairs;
  std::vector<SolverLine> lines;
  int iterations = 0;  ///< of solve_contacts()
};

}  // namespace riffle::bodies
