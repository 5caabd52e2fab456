#pragma once
/// The free bodies of a simulation on its device: they move in every step by what the fluid does to them, by gravity, by the
/// scene's force and by contact.
///
/// Impulses of the fluid are those of SolidForces: what a step measures after its bodies have moved acts on them in the next
/// one. The momentum of fluid and bodies is kept as long as those impulses, which are under way, are counted. Solvers that find
/// pressure and the bodies' velocities together (sim/walls/coupled_bodies.h) leave nothing but contact of particles under way.
///
/// Contact (sim/bodies/body_contacts.h) is found on the host, at the rate of the interval below. The kicks that follow from the bodies at the
/// start of an interval act at its end, a fixed number of steps later, so that a run repeats and no step waits for the host
/// longer than the host needs.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/device/buffer.h"
#include "sim/bodies/body_contacts.h"
#include "sim/bodies/body_grip.h"
#include "sim/bodies/body_report.h"
#include "sim/bodies/free_body.h"
#include "sim/bodies/solid_impulses.h"
#include "sim/motion/apparent_gravity.h"
#include "sim/setup.h"
#include "sim/step_control.h"

namespace riffle {

/// A body as steps carry it on. [m, s, rad]
struct MovingBody {
  BodyState start, end;              ///< of the last step
  double way[3] = {}, turn[3] = {};  ///< rates at which contact pushes it out of what it has entered
  // Of the interval of contact that is under way:
  double gained[6] = {};  ///< velocity and spin, without kicks
  double elapsed = 0;     ///< since it began
  double farthest = 0;    ///< that a point of the body has moved at most
  double began = 0;       ///< time
  double dt = 0;          ///< of its first step
  // Of the one before it:
  double push[6] = {};  ///< mean acceleration without kicks
  double went = 0;      ///< `farthest` at its end

  friend bool operator==(const MovingBody&, const MovingBody&) = default;
};

/// What a run goes on from. (regions); those that are not free count for nothing.
struct KeptBodies {
  std::vector<MovingBody> bodies;
  std::vector<double> left_impulses;  ///< (1 + regions, 6) [N s, N m s] of the fluid, that have not acted yet
  /// (sums, 6) as SolidForces::later_sums(), with solvers whose forces act in two halves; otherwise empty
  std::vector<std::uint64_t> later;
  std::int32_t interval = 1;    ///< as BodyReport::interval
  std::int32_t steps_left = 0;  ///< until the kicks act
  BodyReport report;
  // What the kicks follow from; empty: contact has not begun.
  std::vector<BodyState> from;
  std::vector<BodyPush> pushes;
  double time = 0, dt = 0;      ///< [s]
  std::uint64_t long_ways = 0;  ///< to be added to BodyReport::long_ways
  ContactMemory contacts;       ///< of the contact step before

  bool empty() const { return bodies.empty(); }
};

struct CoupledBody;

/// What acts on a body from the start of a step until a solve that finds its velocity together with the pressure.
enum class BodyStart {
  Impulses,  ///< those of the fluid so far
  All,       ///< these, and gravity, the scene's force and contact over the whole step, after FreeBodies::begin()
  AtRest,    ///< nothing: the body has no velocity
};

class FreeBodies {
 public:
  /// Between two contact steps a body moves at most that far, as long as its speed does not change much meanwhile.
  static constexpr double kLongestWay = 0.25;       ///< [spacings]
  static constexpr double kLongestInterval = 1e-3;  ///< [s]; [tau] with DPD

  FreeBodies(const Device& device, const SimulationSetup& setup);
  ~FreeBodies();

  bool any() const { return !bodies_.empty(); }

  void hold(const BodyGrip& grip) { grip_ = grip; }  ///< from the next step on; no part of what is kept

  /// Takes what contact gives the bodies in this step. advance() does it where it was not called before.
  void begin(StepControl& control);

  /// The velocities before a solve that finds them together with the pressure, from those at the start of the step.
  /// impulses: SolidForces::impulses() so far
  /// coupled: (regions) out, on the device
  void predict(const StepControl& control, const SolidImpulses& impulses, const ApparentGravity* gravity,
               BodyStart start, CoupledBody* coupled) const;

  /// After advance(), with solvers that correct positions: the bodies take the impulses that have been measured since, and
  /// the ways that these are over the step. ways: (regions) on the device, CoupledBody::now [m] and `turning` [rad]
  void correct(const StepControl& control, const SolidImpulses& impulses, const CoupledBody* ways);

  /// The bodies take the impulses that have been measured and move over the step of which the clock is the end.
  /// impulses: SolidForces::impulses()
  /// gravity: the mean over the step, on the device; nullptr: the setup's constant gravity
  void advance(StepControl& control, const SolidImpulses& impulses, const ApparentGravity* gravity);

  /// For SolidForces::finish_step().
  UntakenImpulses untaken() { return {taken_.data(), left_.data(), static_cast<std::int64_t>(left_.size() / 6)}; }

  /// (regions) on the device
  const MovingBody* view() const { return bodies_.data(); }
  const BodyMass* masses() const { return mass_.data(); }
  const double* radius() const {
    return radius_.data();
  }  ///< (regions) [m] of a ball about the centre that holds the body

  float step_way() const;  ///< [m] that a point of a body may go in an adaptive step; infinite where there are none

  std::vector<BodyState> read() const;                                     ///< (regions) as they are now; waits
  const std::vector<BodyMass>& host_masses() const { return host_mass_; }  ///< (regions)
  KeptBodies kept() const;                                                 ///< waits
  void restore(const KeptBodies& kept);
  BodyReport report() const;

  std::size_t memory_bytes() const {
    return bodies_.bytes() + mass_.bytes() + force_.bytes() + radius_.bytes() + kicks_.bytes() + taken_.bytes() +
           left_.bytes();
  }

 private:
  struct Exchange;  ///< of an interval: what goes to the host and comes back

  Device device_;
  Vec3 gravity_;
  Domain domain_;
  BodyGrip grip_;
  Buffer<MovingBody> bodies_;  ///< (regions), or empty
  Buffer<BodyMass> mass_;      ///< likewise; a mass of 0: the region is not free
  Buffer<Vec3> force_;         ///< likewise [N]

  Buffer<double> radius_;  ///< [m] of a ball about the centre of mass that holds the body
  Buffer<BodyKick> kicks_;
  Buffer<std::uint64_t> taken_;
  Buffer<double> left_;
  std::vector<BodyMass> host_mass_;
  // Of the step between begin() and advance():
  bool begun_ = false, counts_ = false, interval_begins_ = false, kicked_ = false;
  std::unique_ptr<Exchange> exchange_;
};

}  // namespace riffle
