#include "sim/bodies/contact/contact_batches.h"

#include <array>

namespace riffle::bodies {

namespace {

constexpr double kRestSpeed = 3;    // [what pushes add in an interval] below which nothing bounces
constexpr double kTouching = 1e-9;  // [spacings]
constexpr int kPairContacts = 4;    // of a pair in one batch; more of them are in a later one

/// Contacts of one pair of bodies, among the members.
struct Group {
  int a = 0, b = 0;
  std::size_t first = 0;
  int count = 0;
};

D3 side_of(D3 normal, int dimension) { return dimension == 2 ? D3{-normal.y, normal.x, 0} : aside(normal); }

/// [m/s] The speed apart after a bounce, if there is one; otherwise the target without it.
/// @param before, added  speeds apart, and what the pushes add to them
double bounce(const SolverContact& c, double gap, double before, double added, double target, double dt) {
  const double closing = -added;  // what pushes add to the speed together
  const bool arrives = gap + dt * (before + added) <= 0 || gap + dt * before <= 0;
  if (!(c.restitution > 0 && arrives && -before > kRestSpeed * std::max(closing, 0.0) && before < 0)) return target;
  // The bounce is at the start of the interval, a way `gap` too early. The height that it reaches is that of a bounce at
  // the surface, with steps of dt before and after it.
  const double e2 = double{c.restitution} * c.restitution, g = std::max(closing, 0.0);
  const double square = e2 * (before * before - g * before) - 2 * (g / dt) * gap * (1 - e2);
  return square > 0 ? std::max(target, 0.5 * (std::sqrt(g * g + 4 * square) - g)) : target;
}

}  // namespace

ContactBatches::ContactBatches(const std::vector<SolverBody>& bodies, std::vector<SolverContact>& contacts,
                               std::vector<int> members, const std::vector<int>& island_of, const ContactTimes& times,
                               std::vector<int>& last, std::vector<IslandState>& islands)
    : bodies_(bodies),
      contacts_(contacts),
      island_of_(island_of),
      islands_(islands),
      times_(times),
      none_(static_cast<int>(bodies.size())) {
  gather(members, last);
  for (Batch& batch : batches_) {
    const Lanes fastest = prepare(batch);
    Lanes lift{};
    for (std::size_t k = batch.first; k < batch.first + static_cast<std::size_t>(batch.steps); ++k)
      lift = larger(lift, ways_[k].lift);
    for (int l = 0; l < kLanes; ++l) {
      if (batch.island[l] < 0) continue;
      IslandState& island = islands_[static_cast<std::size_t>(batch.island[l])];
      island.speed = std::max(island.speed, fastest[l]);
      island.apart = island.apart || lift[l] > 0;
    }
  }
}

void ContactBatches::gather(const std::vector<int>& members, std::vector<int>& last) {
  std::vector<Group> groups;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const SolverContact& c = contacts_[static_cast<std::size_t>(members[k])];
    const int b = c.b >= 0 && c.b != c.a ? c.b : none_;
    if (k > 0) {
      const SolverContact& before = contacts_[static_cast<std::size_t>(members[k - 1])];
      Group& group = groups.back();
      if (group.count < kPairContacts && before.a == c.a && before.b == c.b) {
        ++group.count;
        continue;
      }
    }
    groups.push_back({c.a, b, k, 1});
  }
  std::vector<std::array<int, kLanes>> lanes_of;  // groups; -1
  std::vector<int> open;                          // the next batch from here on that has a free lane
  const auto open_from = [&](std::size_t k) {
    while (k < open.size() && open[k] != static_cast<int>(k)) {
      const auto next = static_cast<std::size_t>(open[k]);
      if (next < open.size()) open[k] = open[next];
      k = next;
    }
    return k;
  };
  for (std::size_t g = 0; g < groups.size(); ++g) {
    int &of_a = last[static_cast<std::size_t>(groups[g].a)], &of_b = last[static_cast<std::size_t>(groups[g].b)];
    const int latest = groups[g].b == none_ ? of_a : std::max(of_a, of_b);
    const std::size_t k = open_from(static_cast<std::size_t>(latest + 1));
    if (k == open.size()) {
      open.push_back(static_cast<int>(k));
      lanes_of.push_back({-1, -1, -1, -1});
    }
    std::array<int, kLanes>& filled = lanes_of[k];
    const auto lane = std::find(filled.begin(), filled.end(), -1);
    *lane = static_cast<int>(g);
    if (lane + 1 == filled.end()) open[k] = static_cast<int>(k) + 1;
    of_a = static_cast<int>(k);
    if (groups[g].b != none_) of_b = static_cast<int>(k);
  }
  batches_.resize(lanes_of.size());
  std::size_t steps = 0;
  for (std::size_t k = 0; k < batches_.size(); ++k) {
    Batch& batch = batches_[k];
    batch.first = steps;
    for (const int g : lanes_of[k])
      if (g >= 0) batch.steps = std::max(batch.steps, groups[static_cast<std::size_t>(g)].count);
    steps += static_cast<std::size_t>(batch.steps);
  }
  steps_.resize(steps);
  ways_.resize(steps);
  impulses_.assign(3 * steps, Lanes{});
  way_.assign(3 * steps, Lanes{});
  for (std::size_t k = 0; k < batches_.size(); ++k) {
    Batch& batch = batches_[k];
    for (int l = 0; l < kLanes; ++l) {
      batch.a[l] = batch.b[l] = none_;
      const int g = lanes_of[k][static_cast<std::size_t>(l)];
      if (g < 0) continue;
      const Group& group = groups[static_cast<std::size_t>(g)];
      batch.a[l] = group.a;
      batch.b[l] = group.b;
      batch.island[l] = island_of_[static_cast<std::size_t>(group.a)];
      for (int s = 0; s < group.count; ++s)
        ways_[batch.first + static_cast<std::size_t>(s)].contact[l] =
            members[group.first + static_cast<std::size_t>(s)];
    }
  }
}

/// @return [m/s] the largest speeds
Lanes ContactBatches::prepare(Batch& batch) {
  LaneSpeeds before_a, before_b, gain_a, gain_b;
  bool image[kLanes] = {};
  for (int l = 0; l < kLanes; ++l) {
    if (batch.a[l] == none_) continue;
    const SolverBody& a = bodies_[static_cast<std::size_t>(batch.a[l])];
    const SolverContact& c = contacts_[static_cast<std::size_t>(ways_[batch.first].contact[l])];
    image[l] = c.b == c.a;
    batch.linear[l] = image[l] ? 0 : 1;
    batch.mass_a[l] = image[l] ? 0 : a.inverse_mass;
    batch.inertia_a.set(l, a.inverse_inertia);
    before_a.along.set(l, a.velocity), before_a.around.set(l, a.spin);
    gain_a.along.set(l, a.gain), gain_a.around.set(l, a.spin_gain);
    if (batch.b[l] == none_) continue;
    const SolverBody& b = bodies_[static_cast<std::size_t>(batch.b[l])];
    batch.mass_b[l] = b.inverse_mass;
    batch.inertia_b.set(l, b.inverse_inertia);
    before_b.along.set(l, b.velocity), before_b.around.set(l, b.spin);
    gain_b.along.set(l, b.gain), gain_b.around.set(l, b.spin_gain);
  }
  const double dt = times_.dt, spacing = times_.spacing;
  Lanes fastest{};
  for (std::size_t k = batch.first; k < batch.first + static_cast<std::size_t>(batch.steps); ++k) {
    Step& s = steps_[k];
    StepWay& way = ways_[k];
    Lanes3 surface;
    Lanes gaps{};
    bool bounces = false;
    for (int l = 0; l < kLanes; ++l) {
      if (way.contact[l] < 0) continue;
      const SolverContact& c = contacts_[static_cast<std::size_t>(way.contact[l])];
      s.normal.set(l, c.normal);
      s.side.set(l, side_of(c.normal, times_.dimension));
      s.arm_a.set(l, image[l] ? c.arm_a - c.arm_b : c.arm_a);
      if (c.b >= 0 && !image[l]) s.arm_b.set(l, c.arm_b);
      if (c.b < 0) surface.set(l, c.surface);
      gaps[l] = c.gap;
      s.friction[l] = c.friction;
      bounces = bounces || c.restitution > 0;
    }
    const auto apart = [&](const LaneSpeeds& a, const LaneSpeeds& b) {
      return batch.linear * (a.along - b.along) + cross(a.around, s.arm_a) - cross(b.around, s.arm_b);
    };
    // What a unit impulse does to the speed of a against b.
    const auto answer = [&](const Lanes3& direction) {
      return (batch.mass_a + batch.mass_b) * direction + cross(batch.inertia_a * cross(s.arm_a, direction), s.arm_a) +
             cross(batch.inertia_b * cross(s.arm_b, direction), s.arm_b);
    };
    const Lanes3 other = other_side(s);
    const Lanes3 by_normal = answer(s.normal), by_side = answer(s.side), by_other = answer(other);
    s.response = dot(s.normal, by_normal);
    s.softness = inverse_of(s.response);
    s.pull[0] = dot(s.side, by_normal);
    s.pull[1] = dot(other, by_normal);
    // The larger eigenvalue of the two sides' responses.
    const Lanes p = dot(s.side, by_side), q = dot(other, by_other), pq = dot(other, by_side);
    s.side_response = 0.5 * (p + q) + root(0.25 * (p - q) * (p - q) + pq * pq);
    s.side_step = inverse_of(s.side_response);

    const Lanes3 before = apart(before_a, before_b) - surface, gain = apart(gain_a, gain_b);
    const Lanes before_n = dot(s.normal, before), added = dot(s.normal, gain), gap = larger(gaps, lanes(0));
    Lanes target = -gap / dt;
    for (int l = 0; bounces && l < kLanes; ++l)
      if (way.contact[l] >= 0)
        target[l] =
            bounce(contacts_[static_cast<std::size_t>(way.contact[l])], gap[l], before_n[l], added[l], target[l], dt);
    s.missing = target - (before_n + added);
    s.unkicked[0] = dot(s.side, before) + dot(s.side, gain);
    s.unkicked[1] = dot(other, before) + dot(other, gain);
    const Lanes inside = -gaps;
    const Lanes wanted = smaller(inside, larger(lanes(kFreeWay * spacing), kShareOfWay * inside));
    way.lift = inside > kTouching * spacing ? larger(lanes(0), wanted - dt * target) : lanes(0);
    way.target = target;
    way.gap = gaps;
    for (const Lanes speed : {before_n + added, target, added, s.unkicked[0], s.unkicked[1]})
      fastest = larger(fastest, magnitude(speed));
  }
  return fastest;
}

void ContactBatches::let_go_on() {
  for (Batch& batch : batches_) {
    for (int l = 0; l < kLanes; ++l)
      batch.goes[l] = batch.island[l] >= 0 && islands_[static_cast<std::size_t>(batch.island[l])].going ? 1 : 0;
    batch.going = any(batch.goes > 0);
  }
}

void ContactBatches::see_changes() {
  for (Batch& batch : batches_) {
    for (int l = 0; l < kLanes; ++l)
      if (batch.island[l] >= 0) islands_[static_cast<std::size_t>(batch.island[l])].see(batch.largest[l]);
    batch.largest = Lanes{};
  }
}

void ContactBatches::add_squares() {
  for (const Batch& batch : batches_) {
    Lanes squares{};
    for (std::size_t k = 3 * batch.first; k < 3 * (batch.first + static_cast<std::size_t>(batch.steps)); ++k) {
      before_[k] = impulses_[k] - before_[k];
      squares += before_[k] * before_[k];
    }
    for (int l = 0; l < kLanes; ++l)
      if (batch.island[l] >= 0) islands_[static_cast<std::size_t>(batch.island[l])].square += squares[l];
  }
}

void ContactBatches::along_directions() {
  for (const Batch& batch : batches_) {
    if (!batch.going) continue;
    Lanes share{};
    for (int l = 0; l < kLanes; ++l)
      if (batch.island[l] >= 0) share[l] = islands_[static_cast<std::size_t>(batch.island[l])].share;
    for (std::size_t k = 3 * batch.first; k < 3 * (batch.first + static_cast<std::size_t>(batch.steps)); ++k) {
      const Lanes more = share * way_[k];
      impulses_[k] += more;
      way_[k] = more + before_[k];
    }
  }
}

template <class F>
void ContactBatches::each_contact(const F& f) {
  for (std::size_t k = 0; k < steps_.size(); ++k)
    for (int l = 0; l < kLanes; ++l)
      if (ways_[k].contact[l] >= 0) f(k, l, contacts_[static_cast<std::size_t>(ways_[k].contact[l])]);
}

void ContactBatches::begin_with_remembered(Speed* speeds) {
  each_contact([&](std::size_t k, int l, const SolverContact& c) {
    const Step& s = steps_[k];
    if (!(c.impulse > 0) || s.softness[l] == 0 || ways_[k].target[l] > 0)
      return;  // a bounce is not like the rest before it
    impulses_[3 * k][l] = c.impulse;
    if (!(s.friction[l] > 0) || !(s.side_step[l] > 0)) return;
    impulses_[3 * k + 1][l] = dot(c.side, s.side.at(l));
    if (times_.dimension == 3) impulses_[3 * k + 2][l] = dot(c.side, cross(c.normal, s.side.at(l)));
  });
  for (const Batch& batch : batches_) {
    LaneSpeeds a = speeds_of(speeds, batch.a), b = speeds_of(speeds, batch.b);
    for (std::size_t k = batch.first; k < batch.first + static_cast<std::size_t>(batch.steps); ++k) {
      const Step& s = steps_[k];
      push(batch, s, impulses_[3 * k] * s.normal + impulses_[3 * k + 1] * s.side + impulses_[3 * k + 2] * other_side(s),
           a, b);
    }
    keep_speeds(a, speeds, batch.a, none_);
    keep_speeds(b, speeds, batch.b, none_);
  }
}

void ContactBatches::push(const Batch& batch, const Step& s, const Lanes3& impulse, LaneSpeeds& a, LaneSpeeds& b) {
  a.along = a.along + batch.mass_a * impulse;
  a.around = a.around + batch.inertia_a * cross(s.arm_a, impulse);
  b.along = b.along - batch.mass_b * impulse;
  b.around = b.around - batch.inertia_b * cross(s.arm_b, impulse);
}

Lanes3 ContactBatches::apart(const Batch& batch, const Step& s, const LaneSpeeds& a, const LaneSpeeds& b) {
  return batch.linear * (a.along - b.along) + cross(a.around, s.arm_a) - cross(b.around, s.arm_b);
}

void ContactBatches::forwards(Speed* speeds) {
  for (Batch& batch : batches_)
    if (batch.going) step(batch, speeds, true);
}

void ContactBatches::backwards(Speed* speeds) {
  for (std::size_t k = batches_.size(); k-- > 0;)
    if (batches_[k].going) step(batches_[k], speeds, false);
}

void ContactBatches::step(Batch& batch, Speed* speeds, bool forwards) {
  LaneSpeeds a = speeds_of(speeds, batch.a), b = speeds_of(speeds, batch.b);
  const Lanes sides = lanes(times_.dimension == 3 ? 1 : 0), zero{};
  Lanes largest = batch.largest;
  for (int i = 0; i < batch.steps; ++i) {
    const std::size_t k = batch.first + static_cast<std::size_t>(forwards ? i : batch.steps - 1 - i);
    const Step& s = steps_[k];
    Lanes* const x = &impulses_[3 * k];
    const Lanes3 other = sides * cross(s.normal, s.side);
    const Lanes3 speed = apart(batch, s, a, b);
    const Lanes impulse = larger(zero, x[0] + (s.missing - dot(s.normal, speed)) * s.softness);
    const Lanes more = batch.goes * (impulse - x[0]);
    // Speeds along the sides are those after the impulse along the normal.
    Lanes side0 = x[1] - s.side_step * (s.unkicked[0] + dot(s.side, speed) + s.pull[0] * more);
    Lanes side1 = x[2] - s.side_step * (s.unkicked[1] + dot(other, speed) + s.pull[1] * more);
    const Lanes most = s.friction * impulse, square = side0 * side0 + side1 * side1;
    if (const LaneMask slides = square > most * most; any(slides)) {
      const Lanes scale = slides ? most / root(slides ? square : lanes(1)) : lanes(1);
      side0 *= scale;
      side1 *= scale;
    }
    const Lanes more0 = batch.goes * (side0 - x[1]), more1 = batch.goes * (side1 - x[2]);
    largest = larger(
        largest, larger(magnitude(more) * s.response, larger(magnitude(more0), magnitude(more1)) * s.side_response));
    const LaneMask goes = batch.goes > 0;
    x[0] = goes ? impulse : x[0];
    x[1] = goes ? side0 : x[1];
    x[2] = goes ? side1 : x[2];
    push(batch, s, more * s.normal + more0 * s.side + more1 * other, a, b);
  }
  batch.largest = largest;
  keep_speeds(a, speeds, batch.a, none_);
  keep_speeds(b, speeds, batch.b, none_);
}

void ContactBatches::keep_impulses() {
  each_contact([&](std::size_t k, int l, SolverContact& c) {
    const D3 side = steps_[k].side.at(l);
    c.impulse = impulses_[3 * k][l];
    c.side = impulses_[3 * k + 1][l] * side;
    if (times_.dimension == 3) c.side += impulses_[3 * k + 2][l] * cross(c.normal, side);
  });
}

void ContactBatches::begin_ways(const Speed* speeds) {
  for (const Batch& batch : batches_) {
    const LaneSpeeds a = speeds_of(speeds, batch.a), b = speeds_of(speeds, batch.b);
    for (std::size_t k = batch.first; k < batch.first + static_cast<std::size_t>(batch.steps); ++k) {
      const Step& s = steps_[k];
      StepWay& way = ways_[k];
      // Where there is a gap, what is left of it at the interval's end.
      const Lanes speed = way.target - s.missing + dot(s.normal, apart(batch, s, a, b));
      way.lift = way.gap > 0 ? smaller(lanes(0), -way.gap - times_.dt * speed) : way.lift;
    }
  }
}

void ContactBatches::ways_forwards(Speed* ways) {
  for (Batch& batch : batches_)
    if (batch.going) step_ways(batch, ways, true);
}

void ContactBatches::ways_backwards(Speed* ways) {
  for (std::size_t k = batches_.size(); k-- > 0;)
    if (batches_[k].going) step_ways(batches_[k], ways, false);
}

void ContactBatches::step_ways(Batch& batch, Speed* ways, bool forwards) {
  LaneSpeeds a = speeds_of(ways, batch.a), b = speeds_of(ways, batch.b);
  Lanes largest = batch.largest;
  for (int i = 0; i < batch.steps; ++i) {
    const std::size_t k = batch.first + static_cast<std::size_t>(forwards ? i : batch.steps - 1 - i);
    const Step& s = steps_[k];
    StepWay& way = ways_[k];
    const Lanes impulse =
        larger(lanes(0), way.impulse + (way.lift - dot(s.normal, apart(batch, s, a, b))) * s.softness);
    const Lanes more = batch.goes * (impulse - way.impulse);
    way.impulse = batch.goes > 0 ? impulse : way.impulse;
    largest = larger(largest, magnitude(more) * s.response);
    push(batch, s, more * s.normal, a, b);
  }
  batch.largest = largest;
  keep_speeds(a, ways, batch.a, none_);
  keep_speeds(b, ways, batch.b, none_);
}

}  // namespace riffle::bodies
