#include "sim/bodies/free_bodies.h"

#include <algorithm>
#include <cmath>
#include <future>

#include "core/device/late_copy.h"
#include "core/device/parallel.cuh"
#include "sim/bodies/body_mass.h"
#include "sim/bodies/rigid_motion.h"
#include "sim/shapes/shape.h"
#include "sim/solver_info.h"
#include "sim/walls/solid_forces.h"

namespace riffle {

struct AdvanceBodies {
  struct Gravity {
    double constant[3];
    const ApparentGravity* mean;  ///< over the step; nullptr: constant

    RIFFLE_HD void at(const double (&x)[3], double (&g)[3]) const {
      if (mean == nullptr) {
        for (int a = 0; a < 3; ++a) g[a] = constant[a];
        return;
      }
      const Vec3 now = mean->of_tank({static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])});
      g[0] = now.x, g[1] = now.y, g[2] = now.z;
    }
  };

  const BodyMass* masses;
  const FreeBodies::Shape* shapes;
  const BodyKick* kicks;  ///< (regions) `way` and `turn` are rates; nullptr: none act now
  bool begins;            ///< an interval of contact
  Domain domain;
  Gravity gravity;
  const ClockState* clock;
  SolidImpulses impulses;  ///< of this step so far; region r has sum r + 1
  std::uint64_t* taken;    ///< (sums, 6) of them
  double* left;            ///< (sums, 6) of earlier steps
  MovingBody* bodies;

  RIFFLE_HD void operator()(std::int64_t r) const {
    const BodyMass body = masses[r];
    const double dt = clock->dt;
    if (!(body.mass > 0) || !(dt > 0)) return;
    const FreeBodies::Shape shape = shapes[r];
    MovingBody m = bodies[r];
    BodyState from = m.end;
    wrap(from);
    const BodyState before = from;
    if (kicks != nullptr) {
      for (int a = 0; a < 3; ++a) {
        from.velocity[a] += kicks[r].velocity[a];
        from.spin[a] += kicks[r].spin[a];
        m.way[a] = kicks[r].way[a];
        m.turn[a] = kicks[r].turn[a];
      }
    }
    if (begins) {
      for (int k = 0; k < 6; ++k) m.push[k] = m.elapsed > 0 ? m.gained[k] / m.elapsed : 0, m.gained[k] = 0;
      m.went = m.farthest;
      m.farthest = m.elapsed = 0;
      m.began = clock->time - dt;
      m.dt = dt;
    }
    double taking[6], g[3], impulse[3], angular[3], rows[9];
    const std::size_t sum = 6 * (static_cast<std::size_t>(r) + 1);
    for (int k = 0; k < 6; ++k) {
      const std::uint64_t now = impulses.sums != nullptr ? impulses.sums[sum + k] : 0;
      taking[k] = left[sum + k] + static_cast<double>(static_cast<std::int64_t>(now - taken[sum + k])) /
                                      (k < 3 ? impulses.per_unit : impulses.per_angular_unit);
      left[sum + k] = 0;
      taken[sum + k] = now;
    }
    gravity.at(from.center, g);
    const double share = body.mass / (body.mass + shape.virtual_mass);
    for (int a = 0; a < 3; ++a) {
      const double forces = taking[a] + dt * (body.mass * g[a] + shape.virtual_mass * m.acceleration[a]);
      impulse[a] = share * forces;
      angular[a] = taking[3 + a] + dt * shape.virtual_inertia * m.acceleration[3 + a];
    }
    if (shape.virtual_inertia > 0) {
      rigid_motion::rotation_of(from.turn, rows);
      double change[3];
      rigid_motion::times_turned(shape.inverse, rows, angular, change);
      rigid_motion::times_turned(body.inertia, rows, change, angular);
    }
    BodyState to = rigid_motion::moved(body, from, impulse, angular, dt);
    double speed2 = 0, spin2 = 0, angles[3];
    for (int a = 0; a < 3; ++a) {
      m.gained[a] += to.velocity[a] - from.velocity[a];
      m.gained[3 + a] += to.spin[a] - from.spin[a];
      m.acceleration[a] = (to.velocity[a] - before.velocity[a]) / dt;
      m.acceleration[3 + a] = (to.spin[a] - before.spin[a]) / dt;
      to.center[a] += dt * m.way[a];
      angles[a] = dt * m.turn[a];
      speed2 += to.velocity[a] * to.velocity[a];
      spin2 += to.spin[a] * to.spin[a];
    }
    rigid_motion::turn_by(to.turn, angles);
    m.elapsed += dt;
    m.farthest += dt * (sqrt(speed2) + sqrt(spin2) * shape.radius);
    m.start = from;
    m.end = to;
    bodies[r] = m;
  }

  RIFFLE_HD void wrap(BodyState& state) const {
    for (int a = 0; a < domain.dimension; ++a) {
      if (domain.axis[a] != Axis::Periodic) continue;
      const double low = component(domain.min, a), length = double{component(domain.max, a)} - low;
      state.center[a] -= length * floor((state.center[a] - low) / length);
    }
  }
};

namespace {

/// [m] Half of the diagonal of the bounds, from the centre of mass to their farthest corner.
double radius_of(const Bounds& bounds, const BodyMass& body, int dimension) {
  double sum = 0;
  for (int a = 0; a < dimension; ++a)
    sum += std::pow(std::max(std::fabs(component(bounds.min, a) - body.center[a]),
                             std::fabs(component(bounds.max, a) - body.center[a])),
                    2);
  return std::sqrt(sum);
}

/// The inverse of a symmetric matrix plus `more` on its diagonal; in 2-D of zz alone.
void invert(const double (&m)[9], double more, int dimension, double (&out)[9]) {
  std::fill(std::begin(out), std::end(out), 0.0);
  const double xx = m[0] + more, yy = m[4] + more, zz = m[8] + more, xy = m[1], xz = m[2], yz = m[5];
  if (dimension == 2) {
    out[8] = 1 / zz;
    return;
  }
  const double a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
  const double over = 1 / (xx * a + xy * b + xz * c);
  const double inverse[9] = {a, b, c, b, xx * zz - xz * xz, xy * xz - xx * yz, c, xy * xz - xx * yz, xx * yy - xy * xy};
  for (int k = 0; k < 9; ++k) out[k] = over * inverse[k];
}

double length(const double (&v)[3]) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/// At least half of the mass of fluid that moves with a body in any direction, so that a body that learns of the fluid's
/// answer one step late does not swing up. A plate of sides a >= b that moves broadside has pi/4 rho a b^2 by strip theory,
/// and 0.8 is more; a ball has 0.26 rho a^3.
constexpr double kVirtual = 0.8;

double virtual_mass_of(const Bounds& bounds, double density, int dimension, double& inertia) {
  double side[3] = {0, 0, 0};
  for (int a = 0; a < dimension; ++a) side[a] = double{component(bounds.max, a)} - component(bounds.min, a);
  std::sort(std::begin(side), std::end(side), std::greater<>());
  const double mass = kVirtual * density * (dimension == 2 ? side[0] * side[0] : side[0] * side[1] * side[1]);
  inertia = mass * (side[0] * side[0] + side[1] * side[1]) / 12;
  return mass;
}

}  // namespace

/// The copy of the bodies at the start of an interval, and the kicks that follow from it.
struct FreeBodies::Exchange {
  BodyContacts contacts;
  LateCopy copy;
  std::size_t count;
  std::vector<BodyMass> masses;
  std::vector<double> radius;
  double spacing;

  std::int32_t interval = 1, left = 0;
  BodyReport report;

  struct Answer {
    std::vector<BodyState> from;
    std::vector<BodyPush> pushes;
    double time = 0, dt = 0;  ///< [s] at the start, and of a step there
    std::vector<BodyKick> kicks;
    int touching = 0;
    std::uint64_t long_ways = 0;
  };
  std::future<Answer> coming;  ///< invalid: contact has not begun

  Exchange(const Device& device, const SimulationSetup& setup, const std::vector<BodyMass>& m,
           const std::vector<double>& r)
      : contacts(setup, m), copy(device), count(m.size()), masses(m), radius(r), spacing(setup.spacing) {}
  ~Exchange() {
    if (coming.valid()) coming.wait();
  }

  Answer answer_to(const MovingBody* bodies) const {
    Answer answer;
    for (std::size_t r = 0; r < count; ++r) {
      const MovingBody& body = bodies[r];
      answer.from.push_back(body.start);
      const double(&push)[6] = body.push;
      answer.pushes.push_back({{push[0], push[1], push[2]}, {push[3], push[4], push[5]}});
      if (!(masses[r].mass > 0)) continue;
      answer.time = body.began;
      answer.dt = body.dt;
      answer.long_ways += body.went > kLongestWay * spacing ? 1 : 0;
    }
    return answer;
  }

  void solve(Answer& answer) {
    answer.kicks.resize(count);
    for (std::size_t r = 0; r < count; ++r)  // of a run that has blown up contact has nothing to say
      if (masses[r].mass > 0 &&
          !std::isfinite(answer.from[r].center[0] + answer.from[r].center[1] + answer.from[r].center[2] +
                         length(answer.from[r].velocity) + length(answer.from[r].spin)))
        return;
    answer.touching =
        contacts.solve(answer.from, answer.pushes, answer.time, double(interval) * answer.dt, answer.kicks);
  }

  void begin(const Buffer<MovingBody>& bodies) {
    copy.post(bodies.data(), bodies.size() * sizeof(MovingBody));
    coming = std::async(std::launch::async, [this] {
      Answer answer = answer_to(static_cast<const MovingBody*>(copy.wait()));
      solve(answer);
      return answer;
    });
  }

  void begin(Answer from) {
    coming = std::async(std::launch::async, [this, from = std::move(from)]() mutable {
      solve(from);
      return std::move(from);
    });
  }

  /// Steps until the next contact step, by the speeds that the bodies have had.
  std::int32_t steps_after(const Answer& answer) const {
    double fastest = 0;
    for (std::size_t r = 0; r < count; ++r) {
      if (!(masses[r].mass > 0)) continue;
      const BodyState& state = answer.from[r];
      const BodyPush& push = answer.pushes[r];
      // Two intervals lie between this state and the end of the next one.
      const double later = 2 * kLongestInterval;
      fastest = std::max(fastest, length(state.velocity) + later * length(push.acceleration) +
                                      radius[r] * (length(state.spin) + later * length(push.angular)));
    }
    double seconds = kLongestInterval;
    if (fastest > 0) seconds = std::min(seconds, 0.8 * kLongestWay * spacing / fastest);
    const double steps = std::floor(seconds / answer.dt);
    return steps >= 1 ? static_cast<std::int32_t>(std::min(steps, 1000.0)) : 1;  // NaN gives 1 too
  }
};

FreeBodies::FreeBodies(const Device& device, const SimulationSetup& setup, bool lagging)
    : device_(device),
      gravity_(setup.gravity),
      domain_(setup.domain),
      bodies_(device),
      mass_(device),
      shape_(device),
      kicks_(device),
      taken_(device),
      left_(device) {
  if (std::none_of(setup.solid_regions.begin(), setup.solid_regions.end(),
                   [](const SolidRegion& solid) { return solid.free.given; }))
    return;
  const int dimension = setup.domain.dimension;
  float densest = 0;
  for (const FluidSetup& fluid : setup.fluids) densest = std::max(densest, fluid.rest_density);
  const std::vector<BodyMass> masses = body_masses(setup);
  std::vector<MovingBody> bodies(masses.size());
  std::vector<Shape> shapes(masses.size());
  std::vector<double> radius(masses.size(), 0.0);
  for (std::size_t r = 0; r < masses.size(); ++r) {
    const SolidRegion& solid = setup.solid_regions[r];
    if (!solid.free.given) continue;
    const BodyMass& body = masses[r];
    BodyState& state = bodies[r].end;
    std::copy(std::begin(body.center), std::end(body.center), state.center);
    const Vec3 v = solid.free.velocity, w = solid.free.angular_velocity;
    const double velocity[3] = {v.x, v.y, v.z}, spin[3] = {w.x, w.y, w.z};
    std::copy(std::begin(velocity), std::end(velocity), state.velocity);
    std::copy(std::begin(spin), std::end(spin), state.spin);
    bodies[r].start = state;
    const Bounds bounds = bounds_of(solid);
    shapes[r].radius = radius[r] = radius_of(bounds, body, dimension);
    if (lagging)
      shapes[r].virtual_mass = virtual_mass_of(bounds, double{densest}, dimension, shapes[r].virtual_inertia);
    invert(body.inertia, shapes[r].virtual_inertia, dimension, shapes[r].inverse);
  }
  bodies_.assign(bodies);
  mass_.assign(masses);
  host_mass_ = masses;
  shape_.assign(shapes);
  kicks_.resize(masses.size());
  taken_.resize(6 * (masses.size() + 1));
  taken_.fill_zero();
  left_.resize(6 * (masses.size() + 1));
  left_.fill_zero();
  exchange_ = std::make_unique<Exchange>(device, setup, masses, radius);
}

FreeBodies::~FreeBodies() = default;

void FreeBodies::advance(StepControl& control, const SolidForces& forces, const ApparentGravity* gravity) {
  if (!any()) return;
  Exchange& exchange = *exchange_;
  // A step without length is none: the number of steps to the end of the interval must not depend on how many of them there are.
  const bool counts = !control.at_time_limit();
  const bool begins = counts && exchange.left == 0;
  const BodyKick* kicks = nullptr;
  if (begins && exchange.coming.valid()) {
    Exchange::Answer answer = exchange.coming.get();
    exchange.interval = exchange.steps_after(answer);
    const double over = 1 / (double(exchange.interval) * answer.dt);
    for (BodyKick& kick : answer.kicks)
      for (int a = 0; a < 3; ++a) kick.way[a] *= over, kick.turn[a] *= over;
    kicks_.assign(answer.kicks);
    kicks = kicks_.data();
    exchange.report.touching = answer.touching;
    exchange.report.long_ways += answer.long_ways;
    ++exchange.report.contact_steps;
  }
  parallel_for(device_, "free bodies", static_cast<std::int64_t>(bodies_.size()),
               AdvanceBodies{mass_.data(),
                             shape_.data(),
                             kicks,
                             begins,
                             domain_,
                             {{gravity_.x, gravity_.y, gravity_.z}, gravity},
                             control.state(),
                             forces.impulses(nullptr),
                             taken_.data(),
                             left_.data(),
                             bodies_.data()});
  if (begins) {
    exchange.left = exchange.interval;
    exchange.begin(bodies_);
  }
  if (counts) --exchange.left;
}

std::vector<BodyState> FreeBodies::read() const {
  std::vector<BodyState> states;
  for (const MovingBody& body : bodies_.to_host()) states.push_back(body.end);
  return states;
}

KeptBodies FreeBodies::kept() const {
  KeptBodies kept;
  if (!any()) return kept;
  Exchange& exchange = *exchange_;
  kept.bodies = bodies_.to_host();
  kept.left_impulses = left_.to_host();
  kept.interval = exchange.interval;
  kept.steps_left = exchange.left;
  kept.report = exchange.report;
  if (!exchange.coming.valid()) return kept;
  Exchange::Answer answer = exchange.coming.get();
  kept.from = answer.from;
  kept.pushes = answer.pushes;
  kept.time = answer.time;
  kept.dt = answer.dt;
  kept.long_ways = answer.long_ways;
  std::promise<Exchange::Answer> again;
  again.set_value(std::move(answer));
  exchange.coming = again.get_future();
  return kept;
}

void FreeBodies::restore(const KeptBodies& kept) {
  if (!any() || kept.bodies.size() != bodies_.size()) return;
  Exchange& exchange = *exchange_;
  if (exchange.coming.valid()) exchange.coming.get();
  bodies_.assign(kept.bodies);
  left_.assign(kept.left_impulses);
  taken_.fill_zero();
  exchange.interval = kept.interval;
  exchange.left = kept.steps_left;
  exchange.report = kept.report;
  if (kept.from.empty()) return;
  exchange.begin(Exchange::Answer{kept.from, kept.pushes, kept.time, kept.dt, {}, 0, kept.long_ways});
}

BodyReport FreeBodies::report() const {
  if (!any()) return {};
  BodyReport report = exchange_->report;
  report.interval = exchange_->interval;
  return report;
}

}  // namespace riffle
