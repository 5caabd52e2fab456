#pragma once
/// The contacts of islands, four pairs of bodies at a time. An island is bodies that hang together.
///
/// The pairs of a batch have no body in common, and a pair is in a later batch than every pair before it that has one of its
/// bodies. So the batches, one after another, do what the contacts do one after another in their order.

#include <vector>

#include "sim/bodies/contact/body_speeds.h"
#include "sim/bodies/contact/contact_solver.h"

namespace riffle::bodies {

inline constexpr double kFreeWay = 0.02;    ///< [spacings] of penetration that are undone at once
inline constexpr double kShareOfWay = 0.2;  ///< of a larger one, per interval

/// How far the iterations of an island are.
struct IslandState {
  int most = 0;        ///< iterations
  double speed = 0;    ///< [m/s] the largest one before the iterations
  bool apart = false;  ///< something has entered something else, or a joint has come out of place
  bool going = true;
  int iterations = 0;
  double largest = 0;  ///< change in this iteration
  // Of the directions of conjugate gradients:
  double square = 0, square_before = 0, share = 0;

  void see(double change) { largest = std::max(largest, change); }
};

/// What the solver knows of the interval.
struct ContactTimes {
  int dimension = 3;
  double dt = 0;       ///< [s]
  double spacing = 0;  ///< [m]
};

class ContactBatches {
 public:
  /// @param members  the numbers of the contacts, those of an island one after another
  /// @param island_of  (bodies) index among `islands`
  /// @param last  (bodies + 1) room for the bodies of these contacts, -1 each
  ContactBatches(const std::vector<SolverBody>& bodies, std::vector<SolverContact>& contacts, std::vector<int> members,
                 const std::vector<int>& island_of, const ContactTimes& times, std::vector<int>& last,
                 std::vector<IslandState>& islands);

  void begin_with_remembered(Speed* speeds);
  void let_go_on();  ///< from here on only the islands that are going on change
  void forwards(Speed* speeds);
  void backwards(Speed* speeds);
  void see_changes();    ///< [m/s] the largest ones since the last call, or [m] of ways: to the islands
  void keep_impulses();  ///< in the contacts

  // Directions of conjugate gradients.
  void before_iteration() { before_ = impulses_; }
  void add_squares();       ///< of the changes since then, to the islands
  void along_directions();  ///< by the islands' shares

  /// Ways apart, after the speeds are known.
  void begin_ways(const Speed* speeds);
  void ways_forwards(Speed* ways);
  void ways_backwards(Speed* ways);

 private:
  /// Four pairs of bodies. A lane without a pair has no bodies, and nothing in it changes.
  struct Batch {
    int a[kLanes], b[kLanes], island[kLanes] = {-1, -1, -1, -1};
    bool going = true;
    Lanes goes{};           ///< 0 for an island whose iterations have ended, otherwise 1
    Lanes largest{};        ///< change
    std::size_t first = 0;  ///< of its steps
    int steps = 0;
    Lanes linear{};  ///< 0 for a body that meets its own image, which only turns
    Lanes mass_a{}, mass_b{};
    LaneMatrix inertia_a, inertia_b;  ///< inverse, as the masses
  };
  /// A contact of each pair.
  struct Step {
    Lanes3 normal, side, arm_a, arm_b;
    Lanes missing{};                     ///< [m/s] target less the speed along the normal without contact
    Lanes unkicked[2]{};                 ///< [m/s] speeds along the sides without contact
    Lanes response{}, softness{};        ///< of the normal: speed by a unit impulse, and 1 over it; 0: nothing moves
    Lanes side_response{}, side_step{};  ///< the largest one of the two sides together, and 1 over it
    Lanes pull[2]{};                     ///< speeds along the sides by a unit impulse along the normal
    Lanes friction{};
  };
  /// What few steps need.
  struct StepWay {
    Lanes target{}, lift{}, gap{}, impulse{};
    int contact[kLanes] = {-1, -1, -1, -1};
  };

  void gather(const std::vector<int>& members, std::vector<int>& last);
  Lanes prepare(Batch& batch);
  template <class F>
  void each_contact(const F& f);
  static Lanes3 apart(const Batch& batch, const Step& s, const LaneSpeeds& a, const LaneSpeeds& b);
  static void push(const Batch& batch, const Step& s, const Lanes3& impulse, LaneSpeeds& a, LaneSpeeds& b);
  void step(Batch& batch, Speed* speeds, bool forwards);
  void step_ways(Batch& batch, Speed* ways, bool forwards);
  Lanes3 other_side(const Step& s) const { return lanes(times_.dimension == 3 ? 1 : 0) * cross(s.normal, s.side); }

  const std::vector<SolverBody>& bodies_;
  std::vector<SolverContact>& contacts_;
  const std::vector<int>& island_of_;
  std::vector<IslandState>& islands_;
  ContactTimes times_;
  int none_;  ///< the place of no body
  std::vector<Batch> batches_;
  std::vector<Step> steps_;
  std::vector<StepWay> ways_;
  std::vector<Lanes> impulses_;      ///< (steps, 3) along the normal and the two sides
  std::vector<Lanes> before_, way_;  ///< before: then the changes
};

}  // namespace riffle::bodies
