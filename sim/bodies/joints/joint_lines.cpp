/// What joints ask of the solver: lines along which two solids may not, or need not, move against each other.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "sim/bodies/contact/contact_world.h"
#include "sim/setup.h"
#include "sim/solid_names.h"

namespace riffle::bodies {

namespace {

constexpr double kEnds = std::numeric_limits<double>::infinity();

D3 column_product(const double (&a)[9], const double (&b)[9], int column) {
  // a b^T, of which the column `column` is a times the row of b.
  const D3 row{b[3 * column], b[3 * column + 1], b[3 * column + 2]};
  return {a[0] * row.x + a[1] * row.y + a[2] * row.z, a[3] * row.x + a[4] * row.y + a[5] * row.z,
          a[6] * row.x + a[7] * row.y + a[8] * row.z};
}

/// [rad] The rotation vector of a b^T: by it a is turned away from b, along the domain's axes.
D3 turned_away(const double (&a)[9], const double (&b)[9]) {
  const D3 x = column_product(a, b, 0), y = column_product(a, b, 1), z = column_product(a, b, 2);
  const D3 sine{0.5 * (y.z - z.y), 0.5 * (z.x - x.z), 0.5 * (x.y - y.x)};
  const double s = length(sine), c = 0.5 * (x.x + y.y + z.z - 1);
  if (s > 1e-12) return (std::atan2(s, c) / s) * sine;
  if (c > 0) return sine;
  // Half a turn: the axis is the column of a b^T + 1 that is longest.
  D3 axis = x + D3{1, 0, 0};
  for (const D3 other : {y + D3{0, 1, 0}, z + D3{0, 0, 1}})
    if (length(other) > length(axis)) axis = other;
  return M_PI * unit(axis);
}

/// A joint where its two solids are now.
class PlacedJoint {
 public:
  PlacedJoint(const ContactWorld& world, const WorldJoint& joint, int number, double dt, std::vector<SolverLine>& out)
      : world_(world), joint_(joint), setup_(joint.setup), number_(number), dt_(dt), out_(out) {
    const ContactSolid& a = solid(joint.solid);
    body_a_ = world.body_of[static_cast<std::size_t>(joint.solid)];
    body_b_ = joint.other >= 0 ? world.body_of[static_cast<std::size_t>(joint.other)] : -1;
    arm_a_ = a.place.turned(joint.at_a);
    D3 center_b;
    arm_b_ = joint.at_b;
    if (joint.other >= 0) {
      const ContactSolid& b = solid(joint.other);
      turn_b_ = &b.place;
      center_b = b.center;
      arm_b_ = b.place.turned(joint.at_b);
      velocity_b_ = b.velocity;
      spin_b_ = b.spin;
    }
    away_ = world.to_nearest_image(a.center + arm_a_ - (center_b + arm_b_));
    arm_to_a_ = arm_b_ + away_;
    axis_b_ = turn_b_->turned(joint.axis);
  }

  void add() {
    switch (setup_.kind) {
      case JointKind::Hinge:
        keep_place({}, arm_b_);
        if (world_.domain.dimension == 3) keep_axis();
        along_axis(true, dot(turned_away(solid(joint_.solid).place.turn, turn_b_->turn), axis_b_));
        return;
      case JointKind::Slider:
        keep_place(axis_b_, arm_to_a_);
        keep_turn();
        along_axis(false, dot(away_, axis_b_));
        return;
      case JointKind::Ball: keep_place({}, arm_b_); return;
      case JointKind::Fixed:
        keep_place({}, arm_b_);
        keep_turn();
        return;
      case JointKind::Spring: pull(); return;
    }
  }

 private:
  const ContactSolid& solid(int s) const { return world_.solids[static_cast<std::size_t>(s)]; }

  SolverLine& line() {
    SolverLine& line = out_.emplace_back();
    line.a = body_a_;
    line.b = body_b_;
    line.joint = number_;
    line.number = lines_++;
    line.least = -kEnds;
    line.most = kEnds;
    return line;
  }

  /// @param arm_b  from the other solid's centre
  SolverLine& linear(D3 direction, D3 arm_b) {
    SolverLine& l = line();
    l.along = direction;
    l.lever_a = cross(arm_a_, direction);
    l.lever_b = cross(arm_b, direction);
    if (body_b_ < 0) l.surface = dot(direction, velocity_b_ + cross(spin_b_, arm_b));
    return l;
  }
  SolverLine& angular(D3 axis) {
    SolverLine& l = line();
    l.lever_a = l.lever_b = axis;
    if (body_b_ < 0) l.surface = dot(axis, spin_b_);
    return l;
  }

  /// The two points stay together, but for a way along `free`.
  void keep_place(D3 free, D3 arm_b) {
    // While a solid turns, its point falls behind its velocity: with half of that now it is in place at the end of dt. Without it
    // a pendulum would lose energy.
    const D3 spin_a = solid(joint_.solid).spin;
    const D3 curve = cross(spin_a, cross(spin_a, arm_a_)) - cross(spin_b_, cross(spin_b_, arm_b));
    const bool slides = dot(free, free) > 0;
    D3 directions[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int count = world_.domain.dimension;
    if (slides) {
      directions[0] = count == 2 ? D3{-free.y, free.x, 0} : aside(free);
      directions[1] = cross(free, directions[0]);
      --count;
    }
    for (int k = 0; k < count; ++k) {
      SolverLine& l = linear(directions[k], arm_b);
      l.target = -0.5 * dt_ * dot(directions[k], curve);
      l.holds = true;
      l.error = dot(directions[k], away_);
    }
  }

  void keep_turn() {
    const D3 away = turned_away(solid(joint_.solid).place.turn, turn_b_->turn);
    for (int k = world_.domain.dimension == 2 ? 2 : 0; k < 3; ++k) {
      D3 axis;
      axis[k] = 1;
      SolverLine& l = angular(axis);
      l.holds = true;
      l.error = away[k];
    }
  }

  void keep_axis() {
    const D3 axis_a = solid(joint_.solid).place.turned(joint_.axis), away = cross(axis_b_, axis_a);
    const D3 first = aside(axis_b_);
    for (const D3 across : {first, cross(axis_b_, first)}) {
      SolverLine& l = angular(across);
      l.holds = true;
      l.error = dot(across, away);
    }
  }

  SolverLine& about(bool turns, D3 axis) { return turns ? angular(axis) : linear(axis, arm_to_a_); }

  /// What a joint does with the way that it leaves. @param went  [rad] or [m] from the start
  void along_axis(bool turns, double went) {
    if (setup_.limited && turns) {  // of all angles that are the same turn, the one nearest to the middle of the range
      const double middle = 0.5 * (double{setup_.low} + setup_.high);
      went += 2 * M_PI * std::round((middle - went) / (2 * M_PI));
    }
    if (setup_.limited)
      for (const int side : {1, -1}) {
        SolverLine& l = about(turns, side * axis_b_);
        const double gap = side > 0 ? went - double{setup_.low} : double{setup_.high} - went;
        l.least = 0;
        l.target = -std::max(gap, 0.0) / dt_;
        l.holds = true;
        l.error = gap;
      }
    if (setup_.motor_force > 0) {
      SolverLine& l = about(turns, axis_b_);
      l.target = setup_.motor_speed;
      l.most = dt_ * setup_.motor_force;
      l.least = -l.most;
    }
    if (setup_.stiffness > 0 || setup_.damping > 0) soften(about(turns, axis_b_), went);
  }

  void pull() {
    const double now = length(away_);
    const D3 direction = now > 1e-9 * world_.spacing ? (1 / now) * away_ : D3{0, 1, 0};
    soften(linear(direction, arm_b_), now - joint_.length);
  }

  /// A spring and a damper whose force is that at the end of dt, so that no stiffness is too large for it.
  void soften(SolverLine& l, double stretched) {
    const double k = setup_.stiffness, c = setup_.damping;
    l.softness = 1 / (dt_ * (dt_ * k + c));
    l.target = -k * stretched / (dt_ * k + c);
  }

  const ContactWorld& world_;
  const WorldJoint& joint_;
  const JointSetup& setup_;
  int number_;
  double dt_;
  std::vector<SolverLine>& out_;
  int lines_ = 0;
  int body_a_ = 0, body_b_ = -1;
  D3 arm_a_, arm_b_, arm_to_a_, away_, axis_b_, velocity_b_, spin_b_;
  Place domain_;
  const Place* turn_b_ = &domain_;
};

}  // namespace

D3 ContactWorld::to_nearest_image(D3 way) const {
  for (int k = 0; k < domain.dimension; ++k) {
    const double length = period[k] * spacing;
    if (length > 0) way[k] -= length * std::round(way[k] / length);
  }
  return way;
}

void ContactWorld::add_joints(const SimulationSetup& setup) {
  for (const JointSetup& given : setup.joints) {
    WorldJoint& joint = joints.emplace_back();
    joint.setup = given;
    joint.solid = solid_named(setup, given.solid);
    joint.other = given.other.empty() ? -1 : solid_named(setup, given.other);
    if (joint.solid < 0 || !solids[static_cast<std::size_t>(joint.solid)].free)
      throw InputError("a joint of the solid '" + given.solid + "': found no free solid of that name");
    if (joint.other < 0 && !given.other.empty())
      throw InputError("a joint of the solid '" + given.solid + "' with '" + given.other +
                       "': found no solid of that name");
    const auto from_origin = [&](int s, Vec3 place) {
      return s < 0 ? d3(place) : to_nearest_image(d3(place) - solids[static_cast<std::size_t>(s)].origin);
    };
    const Vec3 end = given.kind == JointKind::Spring ? given.to : given.at;
    joint.at_a = from_origin(joint.solid, given.at);
    joint.at_b = from_origin(joint.other, end);
    joint.axis = unit(d3(given.axis));
    if (domain.dimension == 2) {
      joint.at_a.z = joint.at_b.z = 0;
      joint.axis = given.turns() ? D3{0, 0, given.axis.z < 0 ? -1.0 : 1.0} : unit(D3{joint.axis.x, joint.axis.y, 0});
    }
    joint.length = given.length >= 0 ? double{given.length} : length(to_nearest_image(d3(given.at) - d3(end)));
    if (joint.other >= 0 && given.kind != JointKind::Spring)
      joined.emplace_back(std::min(joint.solid, joint.other), std::max(joint.solid, joint.other));
  }
  std::sort(joined.begin(), joined.end());
}

void ContactWorld::find_lines(double dt) {
  lines.clear();
  for (std::size_t j = 0; j < joints.size(); ++j) PlacedJoint(*this, joints[j], static_cast<int>(j), dt, lines).add();
}

}  // namespace riffle::bodies
