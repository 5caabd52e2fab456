#include "sim/bodies/free_bodies.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>

#include "core/device/late_copy.h"
#include "core/device/parallel.cuh"
#include "sim/bodies/coupled_body.h"
#include "sim/bodies/mass/body_mass.h"
#include "sim/bodies/rigid_motion.h"
#include "sim/shapes/shape.h"

namespace riffle {

namespace {

struct BodyGravity {
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

/// FreeBodies::predict().
struct PredictBodies {
  const BodyMass* masses;
  const Vec3* forces;
  const BodyKick* kicks;  ///< nullptr: none act now
  BodyStart start;
  BodyGravity gravity;
  const ClockState* clock;
  SolidImpulses impulses;
  const std::uint64_t* taken;
  const double* left;
  const MovingBody* bodies;
  CoupledBody* coupled;  ///< out

  RIFFLE_HD void operator()(std::int64_t r) const {
    const BodyMass body = masses[r];
    CoupledBody out;
    const bool all = start == BodyStart::All;
    if (body.mass > 0) {
      const BodyState& from = bodies[r].end;
      const double dt = clock->dt;
      double part[6], rows[9], g[3] = {0, 0, 0};
      const std::size_t sum = 6 * (static_cast<std::size_t>(r) + 1);
      for (int k = 0; k < 6; ++k) {
        const std::uint64_t now = impulses.sums != nullptr ? impulses.sums[sum + k] : 0;
        part[k] = left[sum + k] + impulses.part(now - taken[sum + k], k);
      }
      rigid_motion::rotation_of(from.turn, rows);
      out.inverse_mass = 1 / body.mass;
      for (int column = 0; column < 3; ++column) {
        double unit[3] = {0, 0, 0}, product[3];
        unit[column] = 1;
        rigid_motion::times_turned(body.inverse, rows, unit, product);
        for (int row = 0; row < 3; ++row) out.inverse[3 * row + column] = product[row];
      }
      const Vec3 f = forces[r];
      if (all) {
        gravity.at(from.center, g);
        g[0] += f.x * out.inverse_mass, g[1] += f.y * out.inverse_mass, g[2] += f.z * out.inverse_mass;
      }
      for (int a = 0; a < 3; ++a) {
        out.velocity[a] = from.velocity[a] + part[a] * out.inverse_mass + dt * g[a];
        out.spin[a] = from.spin[a] + out.inverse[3 * a] * part[3] + out.inverse[3 * a + 1] * part[4] +
                      out.inverse[3 * a + 2] * part[5];
        if (all && kicks != nullptr) out.velocity[a] += kicks[r].velocity[a], out.spin[a] += kicks[r].spin[a];
      }
      if (start == BodyStart::AtRest)
        for (int a = 0; a < 3; ++a) out.velocity[a] = out.spin[a] = 0;
      find_roots(out);
      out.now = {static_cast<float>(out.velocity[0]), static_cast<float>(out.velocity[1]),
                 static_cast<float>(out.velocity[2])};
      out.turning = {static_cast<float>(out.spin[0]), static_cast<float>(out.spin[1]), static_cast<float>(out.spin[2])};
    }
    coupled[r] = out;
  }

  /// Cholesky's factor of the inverse inertia, transposed.
  RIFFLE_HD static void find_roots(CoupledBody& body) {
    const double(&m)[9] = body.inverse;
    const auto root = [](double x) { return x > 0 ? sqrt(x) : 0.0; };
    const auto over = [](double x, double y) { return y > 0 ? x / y : 0.0; };
    const double xx = root(m[0]), yx = over(m[3], xx), zx = over(m[6], xx), yy = root(m[4] - yx * yx),
                 zy = over(m[7] - zx * yx, yy), zz = root(m[8] - zx * zx - zy * zy);
    body.inverse_root = static_cast<float>(sqrt(body.inverse_mass));
    body.root[0] = {static_cast<float>(xx), static_cast<float>(yx), static_cast<float>(zx)};
    body.root[1] = {0, static_cast<float>(yy), static_cast<float>(zy)};
    body.root[2] = {0, 0, static_cast<float>(zz)};
  }
};

struct AdvanceBodies {
  const BodyMass* masses;
  const Vec3* forces;     ///< (regions) [N]
  const double* radius;   ///< (regions)
  const BodyKick* kicks;  ///< (regions) `way` and `turn` are rates; nullptr: none act now
  bool begins;            ///< an interval of contact
  Domain domain;
  BodyGrip grip;
  BodyGravity gravity;
  const ClockState* clock;
  SolidImpulses impulses;  ///< of this step so far; region r has sum r + 1
  std::uint64_t* taken;    ///< (sums, 6) of them
  double* left;            ///< (sums, 6) of earlier steps
  MovingBody* bodies;

  RIFFLE_HD void operator()(std::int64_t r) const {
    const BodyMass body = masses[r];
    const double dt = clock->dt;
    if (!(body.mass > 0) || !(dt > 0)) return;
    MovingBody m = bodies[r];
    BodyState from = m.end;
    wrap(from);
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
    double taking[6], g[3];
    const std::size_t sum = 6 * (static_cast<std::size_t>(r) + 1);
    for (int k = 0; k < 6; ++k) {
      const std::uint64_t now = impulses.sums != nullptr ? impulses.sums[sum + k] : 0;
      taking[k] = left[sum + k] + impulses.part(now - taken[sum + k], k);
      left[sum + k] = 0;
      taken[sum + k] = now;
    }
    gravity.at(from.center, g);
    const Vec3 f = forces[r];
    double impulse[3] = {taking[0] + dt * (body.mass * g[0] + f.x), taking[1] + dt * (body.mass * g[1] + f.y),
                         taking[2] + dt * (body.mass * g[2] + f.z)};
    double angular[3] = {taking[3], taking[4], taking[5]};
    if (r == grip.solid) rigid_motion::add_grip(grip, body, from, domain, dt, impulse, angular);
    BodyState to = rigid_motion::moved(body, from, impulse, angular, dt);
    double speed2 = 0, spin2 = 0, angles[3];
    for (int a = 0; a < 3; ++a) {
      m.gained[a] += to.velocity[a] - from.velocity[a];
      m.gained[3 + a] += to.spin[a] - from.spin[a];
      to.center[a] += dt * m.way[a];
      angles[a] = dt * m.turn[a];
      speed2 += to.velocity[a] * to.velocity[a];
      spin2 += to.spin[a] * to.spin[a];
    }
    rigid_motion::turn_by(to.turn, angles);
    m.elapsed += dt;
    m.farthest += dt * (sqrt(speed2) + sqrt(spin2) * radius[r]);
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

/// FreeBodies::correct().
struct CorrectBodies {
  const BodyMass* masses;
  const ClockState* clock;
  SolidImpulses impulses;
  const CoupledBody* ways;
  const double* radius;
  std::uint64_t* taken;
  MovingBody* bodies;

  RIFFLE_HD void operator()(std::int64_t r) const {
    const BodyMass body = masses[r];
    if (!(body.mass > 0) || !(clock->dt > 0)) return;
    MovingBody& m = bodies[r];
    double part[6];
    const std::size_t sum = 6 * (static_cast<std::size_t>(r) + 1);
    for (int k = 0; k < 6; ++k) {
      const std::uint64_t now = impulses.sums != nullptr ? impulses.sums[sum + k] : 0;
      part[k] = impulses.part(now - taken[sum + k], k);
      taken[sum + k] = now;
    }
    double rows[9], momentum[3], spin[3];
    rigid_motion::angular_momentum(body, m.end, momentum);
    for (int a = 0; a < 3; ++a) momentum[a] += part[3 + a];
    const Vec3 way = ways[r].now, turning = ways[r].turning;
    const double angles[3] = {turning.x, turning.y, turning.z};
    m.end.center[0] += way.x, m.end.center[1] += way.y, m.end.center[2] += way.z;
    rigid_motion::turn_by(m.end.turn, angles);
    rigid_motion::rotation_of(m.end.turn, rows);
    rigid_motion::times_turned(body.inverse, rows, momentum, spin);
    for (int a = 0; a < 3; ++a) {
      const double gained = part[a] / body.mass;
      m.end.velocity[a] += gained;
      m.gained[a] += gained;
      m.gained[3 + a] += spin[a] - m.end.spin[a];
      m.end.spin[a] = spin[a];
    }
    m.farthest += sqrt(double{length2(way)}) + radius[r] * sqrt(double{length2(turning)});
  }
};

/// [m] Half of the diagonal of the bounds, from the centre of mass to their farthest corner.
double radius_of(const Bounds& bounds, const BodyMass& body, int dimension) {
  double sum = 0;
  for (int a = 0; a < dimension; ++a)
    sum += std::pow(std::max(std::fabs(component(bounds.min, a) - body.center[a]),
                             std::fabs(component(bounds.max, a) - body.center[a])),
                    2);
  return std::sqrt(sum);
}

double length(const double (&v)[3]) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

constexpr double kSafeShare = 0.8;  // of the longest way, since pushes change

/// [s] t for which t (speed + gain t) = way; infinite where nothing moves.
double time_for(double way, double speed, double gain) {
  return 2 * way / (speed + std::sqrt(speed * speed + 4 * gain * way));
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
  bool jointed;  ///< what a joint does must follow its solids in every step: in longer intervals pendulums gain energy

  std::int32_t interval = 1, left = 0;
  BodyReport report;

  struct Answer {
    std::vector<BodyState> from;
    std::vector<BodyPush> pushes;
    double time = 0, dt = 0;  ///< [s] at the start, and of a step there
    ContactMemory before;     ///< of the answer before this one
    std::vector<BodyKick> kicks;
    ContactMemory contacts;
    int touching = 0;
    std::uint64_t long_ways = 0;
  };
  std::future<Answer> coming;  ///< invalid: contact has not begun
  ContactMemory memory;        ///< of the last answer that came

  Exchange(const Device& device, const SimulationSetup& setup, const std::vector<BodyMass>& m,
           const std::vector<double>& r)
      : contacts(setup, m),
        copy(device),
        count(m.size()),
        masses(m),
        radius(r),
        spacing(setup.spacing),
        jointed(!setup.joints.empty()) {}
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
    answer.contacts = answer.before;
    for (std::size_t r = 0; r < count; ++r)  // of a run that has blown up contact has nothing to say
      if (masses[r].mass > 0 &&
          !std::isfinite(answer.from[r].center[0] + answer.from[r].center[1] + answer.from[r].center[2] +
                         length(answer.from[r].velocity) + length(answer.from[r].spin)))
        return;
    answer.touching = contacts.solve(answer.from, answer.pushes, answer.time, double(interval) * answer.dt,
                                     answer.contacts, answer.kicks);
  }

  void begin(const Buffer<MovingBody>& bodies) {
    copy.post(bodies.data(), bodies.size() * sizeof(MovingBody));
    coming = std::async(std::launch::async, [this] {
      Answer answer = answer_to(static_cast<const MovingBody*>(copy.wait()));
      answer.before = memory;
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

  /// Steps until the next contact step: the longest interval in which no body moves further than it may, by the speeds and the
  /// pushes that the bodies have had. @param before  [s] of the interval that ends now, at the start of which they had them
  std::int32_t steps_after(const Answer& answer, double before) const {
    if (jointed) return 1;
    double seconds = kLongestInterval;
    for (std::size_t r = 0; r < count; ++r) {
      if (!(masses[r].mass > 0)) continue;
      const BodyState& state = answer.from[r];
      const BodyPush& push = answer.pushes[r];
      // At the end of the next interval the speed is at most `speed` + `gain` times that interval.
      const double gain = length(push.acceleration) + radius[r] * length(push.angular);
      const double speed = length(state.velocity) + radius[r] * length(state.spin) + before * gain;
      seconds = std::min(seconds, time_for(kSafeShare * kLongestWay * spacing, speed, gain));
    }
    const double steps = std::floor(seconds / answer.dt);
    return steps >= 1 ? static_cast<std::int32_t>(std::min(steps, 1000.0)) : 1;  // NaN gives 1 too
  }
};

FreeBodies::FreeBodies(const Device& device, const SimulationSetup& setup)
    : device_(device),
      gravity_(setup.gravity),
      domain_(setup.domain),
      bodies_(device),
      mass_(device),
      force_(device),
      radius_(device),
      kicks_(device),
      taken_(device),
      left_(device) {
  if (std::none_of(setup.solid_regions.begin(), setup.solid_regions.end(),
                   [](const SolidRegion& solid) { return solid.free.given; }))
    return;
  const int dimension = setup.domain.dimension;
  const std::vector<BodyMass> masses = body_masses(setup);
  std::vector<MovingBody> bodies(masses.size());
  std::vector<Vec3> force(masses.size());
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
    force[r] = solid.free.force;
    radius[r] = radius_of(bounds_of(solid), body, dimension);
  }
  bodies_.assign(bodies);
  mass_.assign(masses);
  force_.assign(force);
  host_mass_ = masses;
  radius_.assign(radius);
  kicks_.resize(masses.size());
  taken_.resize(6 * (masses.size() + 1));
  taken_.fill_zero();
  left_.resize(6 * (masses.size() + 1));
  left_.fill_zero();
  exchange_ = std::make_unique<Exchange>(device, setup, masses, radius);
}

FreeBodies::~FreeBodies() = default;

void FreeBodies::begin(StepControl& control) {
  if (!any() || begun_) return;  // of a step that threw, which is done again
  Exchange& exchange = *exchange_;
  begun_ = true;
  // A step without length is none: the number of steps to the end of the interval must not depend on how many of them there are.
  counts_ = !control.at_time_limit();
  interval_begins_ = counts_ && exchange.left == 0;
  kicked_ = interval_begins_ && exchange.coming.valid();
  if (kicked_) {
    Exchange::Answer answer = exchange.coming.get();
    exchange.interval = exchange.steps_after(answer, double(exchange.interval) * answer.dt);
    exchange.memory = std::move(answer.contacts);
    const double over = 1 / (double(exchange.interval) * answer.dt);
    for (BodyKick& kick : answer.kicks)
      for (int a = 0; a < 3; ++a) kick.way[a] *= over, kick.turn[a] *= over;
    kicks_.assign(answer.kicks);
    exchange.report.touching = answer.touching;
    exchange.report.long_ways += answer.long_ways;
    ++exchange.report.contact_steps;
  }
}

void FreeBodies::predict(const StepControl& control, const SolidImpulses& impulses, const ApparentGravity* gravity,
                         BodyStart start, CoupledBody* coupled) const {
  if (!any()) return;
  parallel_for(device_, "predict bodies", static_cast<std::int64_t>(bodies_.size()),
               PredictBodies{mass_.data(),
                             force_.data(),
                             kicked_ ? kicks_.data() : nullptr,
                             start,
                             {{gravity_.x, gravity_.y, gravity_.z}, gravity},
                             control.state(),
                             impulses,
                             taken_.data(),
                             left_.data(),
                             bodies_.data(),
                             coupled});
}

void FreeBodies::advance(StepControl& control, const SolidImpulses& impulses, const ApparentGravity* gravity) {
  if (!any()) return;
  if (!begun_) begin(control);
  begun_ = false;
  Exchange& exchange = *exchange_;
  parallel_for(device_, "free bodies", static_cast<std::int64_t>(bodies_.size()),
               AdvanceBodies{mass_.data(),
                             force_.data(),
                             radius_.data(),
                             kicked_ ? kicks_.data() : nullptr,
                             interval_begins_,
                             domain_,
                             grip_,
                             {{gravity_.x, gravity_.y, gravity_.z}, gravity},
                             control.state(),
                             impulses,
                             taken_.data(),
                             left_.data(),
                             bodies_.data()});
  if (interval_begins_) {
    exchange.left = exchange.interval;
    exchange.begin(bodies_);
  }
  if (counts_) --exchange.left;
}

void FreeBodies::correct(const StepControl& control, const SolidImpulses& impulses, const CoupledBody* ways) {
  if (!any()) return;
  parallel_for(
      device_, "correct bodies", static_cast<std::int64_t>(bodies_.size()),
      CorrectBodies{mass_.data(), control.state(), impulses, ways, radius_.data(), taken_.data(), bodies_.data()});
}

float FreeBodies::step_way() const {
  return any() ? static_cast<float>(kSafeShare * kLongestWay * exchange_->spacing)
               : std::numeric_limits<float>::infinity();
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
  kept.contacts = answer.before;
  std::promise<Exchange::Answer> again;
  again.set_value(std::move(answer));
  exchange.coming = again.get_future();
  return kept;
}

void FreeBodies::restore(const KeptBodies& kept) {
  if (!any() || kept.bodies.size() != bodies_.size()) return;
  Exchange& exchange = *exchange_;
  if (exchange.coming.valid()) exchange.coming.get();
  begun_ = false;
  bodies_.assign(kept.bodies);
  left_.assign(kept.left_impulses);
  taken_.fill_zero();
  exchange.interval = kept.interval;
  exchange.left = kept.steps_left;
  exchange.report = kept.report;
  if (kept.from.empty()) return;
  exchange.begin(
      Exchange::Answer{kept.from, kept.pushes, kept.time, kept.dt, kept.contacts, {}, {}, 0, kept.long_ways});
}

BodyReport FreeBodies::report() const {
  if (!any()) return {};
  BodyReport report = exchange_->report;
  report.interval = exchange_->interval;
  return report;
}

}  // namespace riffle
