#include "sim/bodies/contact_solver.h"

#include <algorithm>
#include <numeric>

namespace riffle::bodies {

namespace {

constexpr int kFewestIterations = 20, kMostIterations = 200;
constexpr double kContactVisits = 1.5e4;  // contacts times iterations of one island are at most about that
constexpr double kExact = 1e-7;           // of the island's largest speed: changes at which the iterations end
constexpr double kRestSpeed = 3;          // [what pushes add in an interval] below which nothing bounces
constexpr double kFreeWay = 0.02;         // [spacings] of penetration that are undone at once
constexpr double kShareOfWay = 0.2;       // of a larger one, per interval
constexpr double kExactWay = 2e-4;        // [spacings] changes of ways at which the iterations end
constexpr double kTouching = 1e-9;        // [spacings]

D3 times(const double (&m)[9], D3 v) {
  return {m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
          m[6] * v.x + m[7] * v.y + m[8] * v.z};
}

/// What an impulse along one direction does to the two bodies. A body that meets its own image only turns.
struct Row {
  D3 direction;
  double mass_a = 0, mass_b = 0;  ///< inverse
  D3 lever_a, lever_b;            ///< arm x direction
  D3 spin_a, spin_b;              ///< of a unit impulse
  double response = 0;            ///< change of the speed along the direction by a unit impulse
  double unkicked = 0;            ///< [m/s] speed along the direction without contact
};

struct Rows {
  Row normal, side[2];
  double target = 0;     ///< [m/s] least speed apart
  double lift = 0;       ///< [m] least way apart
  double side_step = 0;  ///< 1 / largest response of the two sides together
  double side_impulse[2] = {0, 0};
  double way_impulse = 0;
};

class Island {
 public:
  Island(const std::vector<SolverBody>& bodies, std::vector<SolverContact>& contacts, const std::vector<int>& members,
         int dimension, double dt, double spacing, std::vector<SolverKick>& kicks)
      : bodies_(bodies),
        contacts_(contacts),
        members_(members),
        dimension_(dimension),
        dt_(dt),
        spacing_(spacing),
        kicks_(kicks) {
    for (const int c : members) prepare(contacts[static_cast<std::size_t>(c)]);
    const double wanted = kContactVisits / double(members.size());
    most_ = static_cast<int>(std::clamp(wanted, double{kFewestIterations}, double{kMostIterations}));
  }

  void solve() {
    // Directions of conjugate gradients, on top of the projected iterations (Silcowitz et al. 2010): a stack settles in a
    // tenth of the iterations. They begin again wherever the changes do not become smaller.
    std::vector<double> way(3 * rows_.size(), 0.0), before(way.size());
    double square_before = 0;
    for (int i = 0; i < most_; ++i) {
      double largest = 0;
      impulses(before);
      each([&](SolverContact& c, Rows& r) { largest = std::max(largest, step(c, r)); });
      if (largest <= kExact * speed_) break;
      if (i + 1 == most_) break;  // the last thing that happens to impulses is that they are made possible ones
      double square = 0;
      std::vector<double>& change = before;
      for_each_impulse([&](std::size_t k, double impulse, const SolverContact&, Row&) {
        change[k] = impulse - change[k];
        square += change[k] * change[k];
      });
      const double share = square_before > 0 ? square / square_before : 2;
      square_before = square;
      if (share > 1) {
        way = change;
        continue;
      }
      for_each_impulse([&](std::size_t k, double& impulse, const SolverContact& c, Row& r) {
        const double more = share * way[k];
        impulse += more;
        push(c, r, more);
        way[k] = more + change[k];
      });
    }
    if (std::none_of(rows_.begin(), rows_.end(), [](const Rows& r) { return r.lift > 0; })) return;
    for (std::size_t k = 0; k < rows_.size(); ++k) {  // where there is a gap, what is left of it at the interval's end
      const SolverContact& c = contacts_[static_cast<std::size_t>(members_[k])];
      if (c.gap > 0) rows_[k].lift = std::min(0.0, -c.gap - dt_ * speed(c, rows_[k].normal));
    }
    for (int i = 0; i < most_; ++i) {
      double largest = 0;
      each([&](SolverContact& c, Rows& r) { largest = std::max(largest, lift(c, r)); });
      if (largest <= kExactWay * spacing_) break;
    }
  }

 private:
  const SolverBody& body(int k) const { return bodies_[static_cast<std::size_t>(k)]; }
  SolverKick& kick(int k) { return kicks_[static_cast<std::size_t>(k)]; }

  /// There and back, since what is pressed passes it on.
  template <class F>
  void each(const F& f) {
    const std::size_t n = rows_.size();
    const auto call = [&](std::size_t k) { f(contacts_[static_cast<std::size_t>(members_[k])], rows_[k]); };
    for (std::size_t k = 0; k < n; ++k) call(k);
    for (std::size_t k = n; k-- > 0;) call(k);
  }

  /// Calls f(number, impulse, contact, row) for the normal and the two sides of each contact.
  template <class F>
  void for_each_impulse(const F& f) {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      SolverContact& c = contacts_[static_cast<std::size_t>(members_[k])];
      Rows& r = rows_[k];
      f(3 * k, c.impulse, c, r.normal);
      f(3 * k + 1, r.side_impulse[0], c, r.side[0]);
      f(3 * k + 2, r.side_impulse[1], c, r.side[1]);
    }
  }
  void impulses(std::vector<double>& all) {
    for_each_impulse([&](std::size_t k, double impulse, const SolverContact&, Row&) { all[k] = impulse; });
  }

  Row row(const SolverContact& c, D3 direction) const {
    Row r;
    r.direction = direction;
    const SolverBody& a = body(c.a);
    r.lever_a = cross(c.b == c.a ? c.arm_a - c.arm_b : c.arm_a, direction);
    if (c.b != c.a) r.mass_a = a.inverse_mass;
    r.spin_a = times(a.inverse_inertia, r.lever_a);
    r.response = r.mass_a + dot(r.lever_a, r.spin_a);
    if (c.b >= 0 && c.b != c.a) {
      const SolverBody& b = body(c.b);
      r.lever_b = cross(c.arm_b, direction);
      r.mass_b = b.inverse_mass;
      r.spin_b = times(b.inverse_inertia, r.lever_b);
      r.response += r.mass_b + dot(r.lever_b, r.spin_b);
    }
    return r;
  }

  /// Of a towards b's surface, by one of the two parts of all velocities.
  template <class Velocity, class Spin>
  double apart(const SolverContact& c, const Row& r, const Velocity& velocity, const Spin& spin) const {
    double u = dot(r.lever_a, spin(c.a));
    if (c.b != c.a) u += dot(r.direction, velocity(c.a));
    if (c.b >= 0 && c.b != c.a) u -= dot(r.direction, velocity(c.b)) + dot(r.lever_b, spin(c.b));
    return u;
  }

  double speed_before(const SolverContact& c, const Row& r) const {
    return apart(
               c, r, [&](int k) { return body(k).velocity; }, [&](int k) { return body(k).spin; }) -
           (c.b < 0 ? dot(r.direction, c.surface) : 0);
  }
  double gain(const SolverContact& c, const Row& r) const {
    return apart(
        c, r, [&](int k) { return body(k).gain; }, [&](int k) { return body(k).spin_gain; });
  }
  double kicked(const SolverContact& c, const Row& r) const {
    return apart(
        c, r, [&](int k) { return kicks_[static_cast<std::size_t>(k)].velocity; },
        [&](int k) { return kicks_[static_cast<std::size_t>(k)].spin; });
  }

  void prepare(SolverContact& c) {
    Rows r;
    r.normal = row(c, c.normal);
    D3 first = dimension_ == 2 ? D3{-c.normal.y, c.normal.x, 0} : aside(c.normal);
    r.side[0] = row(c, first);
    r.side_step = r.side[0].response;
    if (dimension_ == 3) {
      r.side[1] = row(c, cross(c.normal, first));
      // The larger eigenvalue of the two sides' responses.
      const double p = r.side[0].response, q = r.side[1].response;
      const double pq = dot(r.side[1].lever_a, r.side[0].spin_a) + dot(r.side[1].lever_b, r.side[0].spin_b);
      r.side_step = 0.5 * (p + q) + std::sqrt(0.25 * (p - q) * (p - q) + pq * pq);
    }
    r.side_step = r.side_step > 0 ? 1 / r.side_step : 0;
    const double before = speed_before(c, r.normal), added = gain(c, r.normal), gap = std::max(c.gap, 0.0);
    r.target = -gap / dt_;
    const double closing = -added;  // what pushes add to the speed together
    const bool arrives = gap + dt_ * (before + added) <= 0 || gap + dt_ * before <= 0;
    if (c.restitution > 0 && arrives && -before > kRestSpeed * std::max(closing, 0.0) && before < 0) {
      // The bounce is at the start of the interval, a way `gap` too early. The height that it reaches is that of a bounce at
      // the surface, with steps of dt before and after it.
      const double e2 = double{c.restitution} * c.restitution, g = std::max(closing, 0.0);
      const double square = e2 * (before * before - g * before) - 2 * (g / dt_) * gap * (1 - e2);
      if (square > 0) r.target = std::max(r.target, 0.5 * (std::sqrt(g * g + 4 * square) - g));
    }
    for (Row* each : {&r.normal, &r.side[0], &r.side[1]}) each->unkicked = speed_before(c, *each) + gain(c, *each);
    const double penetration = -c.gap;
    if (penetration > kTouching * spacing_) {
      const double wanted = std::min(penetration, std::max(kFreeWay * spacing_, kShareOfWay * penetration));
      r.lift = std::max(0.0, wanted - dt_ * r.target);
    } else {
      r.lift = 0;
    }
    speed_ = std::max({speed_, std::fabs(r.normal.unkicked), std::fabs(r.target), std::fabs(added),
                       std::fabs(r.side[0].unkicked), std::fabs(r.side[1].unkicked)});
    rows_.push_back(r);
  }

  void push(const SolverContact& c, const Row& r, double impulse) {
    SolverKick& a = kick(c.a);
    a.velocity += impulse * r.mass_a * r.direction;
    a.spin += impulse * r.spin_a;
    if (c.b < 0 || c.b == c.a) return;
    SolverKick& b = kick(c.b);
    b.velocity += -impulse * r.mass_b * r.direction;
    b.spin += -impulse * r.spin_b;
  }

  double speed(const SolverContact& c, const Row& r) const { return r.unkicked + kicked(c, r); }

  /// @return [m/s] the largest change of a speed
  double step(SolverContact& c, Rows& r) {
    double change = 0;
    if (r.normal.response > 0) {
      const double impulse = std::max(0.0, c.impulse + (r.target - speed(c, r.normal)) / r.normal.response);
      change = std::fabs(impulse - c.impulse) * r.normal.response;
      push(c, r.normal, impulse - c.impulse);
      c.impulse = impulse;
    }
    if (c.friction == 0 || r.side_step == 0) return change;
    const int sides = dimension_ - 1;
    double wanted[2] = {0, 0}, square = 0;
    for (int s = 0; s < sides; ++s) {
      wanted[s] = r.side_impulse[s] - r.side_step * speed(c, r.side[s]);
      square += wanted[s] * wanted[s];
    }
    const double most = c.friction * c.impulse;
    const double scale = square > most * most ? most / std::sqrt(square) : 1;
    for (int s = 0; s < sides; ++s) {
      const double impulse = scale * wanted[s];
      change = std::max(change, std::fabs(impulse - r.side_impulse[s]) / r.side_step);
      push(c, r.side[s], impulse - r.side_impulse[s]);
      r.side_impulse[s] = impulse;
    }
    return change;
  }

  /// @return [m] the change of a way
  double lift(SolverContact& c, Rows& r) {
    if (r.normal.response == 0) return 0;
    const double way = apart(
        c, r.normal, [&](int k) { return kicks_[static_cast<std::size_t>(k)].way; },
        [&](int k) { return kicks_[static_cast<std::size_t>(k)].turn; });
    const double impulse = std::max(0.0, r.way_impulse + (r.lift - way) / r.normal.response);
    const double change = impulse - r.way_impulse;
    r.way_impulse = impulse;
    SolverKick& a = kick(c.a);
    a.way += change * r.normal.mass_a * c.normal;
    a.turn += change * r.normal.spin_a;
    if (c.b >= 0 && c.b != c.a) {
      SolverKick& b = kick(c.b);
      b.way += -change * r.normal.mass_b * c.normal;
      b.turn += -change * r.normal.spin_b;
    }
    return std::fabs(change) * r.normal.response;
  }

  const std::vector<SolverBody>& bodies_;
  std::vector<SolverContact>& contacts_;
  const std::vector<int>& members_;
  int dimension_;
  double dt_, spacing_;
  std::vector<SolverKick>& kicks_;
  std::vector<Rows> rows_;
  double speed_ = 0;  ///< [m/s]
  int most_ = 0;
};

}  // namespace

void solve_contacts(const std::vector<SolverBody>& bodies, std::vector<SolverContact>& contacts, int dimension,
                    double dt, double spacing, std::vector<SolverKick>& kicks) {
  kicks.assign(bodies.size(), {});
  // Bodies that touch each other are an island, and others do not matter to it.
  std::vector<int> root(bodies.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int k) {
    while (root[static_cast<std::size_t>(k)] != k) {
      root[static_cast<std::size_t>(k)] = root[static_cast<std::size_t>(root[static_cast<std::size_t>(k)])];
      k = root[static_cast<std::size_t>(k)];
    }
    return k;
  };
  for (const SolverContact& c : contacts)
    if (c.b >= 0) {
      const int a = find(c.a), b = find(c.b);
      root[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  std::vector<std::vector<int>> members(bodies.size());
  for (std::size_t c = 0; c < contacts.size(); ++c)
    members[static_cast<std::size_t>(find(contacts[c].a))].push_back(static_cast<int>(c));
  for (const std::vector<int>& island : members)
    if (!island.empty()) Island(bodies, contacts, island, dimension, dt, spacing, kicks).solve();
}

}  // namespace riffle::bodies
