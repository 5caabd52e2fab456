#include "sim/bodies/contact_solver.h"

#include <algorithm>
#include <numeric>

namespace riffle::bodies {

namespace {

constexpr int kFewestIterations = 8, kMostIterations = 200;
constexpr double kContactVisits = 1.5e4;  // contacts times iterations of one island are at most about that,
constexpr double kAllVisits = 4e4;        // and of all islands together that
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

/// What a body adds to its velocity and to its way.
struct Speed {
  D3 along, around;
};

/// What an impulse along one direction does to the two bodies. What does not feel it has the place of no body, and zeros.
struct Row {
  D3 direction;                   ///< 0 for a body that meets its own image, which only turns
  D3 lever_a, lever_b;            ///< arm x direction
  D3 spin_a, spin_b;              ///< of a unit impulse
  double mass_a = 0, mass_b = 0;  ///< inverse
  double response = 0;            ///< change of the speed along the direction by a unit impulse
  double unkicked = 0;            ///< [m/s] speed along the direction without contact
};

struct Rows {
  Row normal, side[2];
  int a = 0, b = 0;
  double friction = 0;
  double target = 0;     ///< [m/s] least speed apart
  double lift = 0;       ///< [m] least way apart
  double softness = 0;   ///< 1 / response of the normal; 0: nothing moves
  double side_step = 0;  ///< 1 / largest response of the two sides together
  double way_impulse = 0;
};

struct LineRow {
  Row row;
  int a = 0, b = 0;
  double target = 0, lift = 0;
  double least = 0, most = 0;
  double softness = 0;  ///< [speed per impulse]
  double step = 0;      ///< 1 / (response + softness)
  bool holds = false, one_sided = false;
  double way_impulse = 0;
};

/// The numbers of the contacts and the lines of bodies that hang together.
struct Members {
  std::vector<int> contacts, lines;
};

class Island {
 public:
  /// speeds, ways: (bodies + 1) out, those of the island's bodies; the last one belongs to what does not feel contact
  Island(const std::vector<SolverBody>& bodies, std::vector<SolverContact>& contacts, std::vector<SolverLine>& lines,
         const Members& members, int dimension, double dt, double spacing, std::vector<Speed>& speeds,
         std::vector<Speed>& ways)
      : bodies_(bodies),
        contacts_(contacts),
        lines_(lines),
        members_(members),
        dimension_(dimension),
        dt_(dt),
        spacing_(spacing),
        speeds_(speeds),
        ways_(ways) {
    rows_.reserve(members.contacts.size());
    line_rows_.reserve(members.lines.size());
    impulses_.assign(3 * members.contacts.size() + members.lines.size(), 0.0);
    for (const int c : members.contacts) prepare(contacts[static_cast<std::size_t>(c)]);
    for (const int l : members.lines) prepare(lines[static_cast<std::size_t>(l)]);
    const auto rows = [](std::size_t n_contacts, std::size_t n_lines) {
      return double(n_contacts) + double(n_lines) / 3;
    };
    const double wanted = std::min(kContactVisits / rows(members.contacts.size(), members.lines.size()),
                                   kAllVisits / rows(contacts.size(), lines.size()));
    most_ = static_cast<int>(std::clamp(wanted, double{kFewestIterations}, double{kMostIterations}));
  }

  /// @return iterations
  int solve() {
    begin_with_remembered();
    // Directions of conjugate gradients, on top of the projected iterations (Silcowitz et al. 2010): a stack settles in a
    // tenth of the iterations. They begin again wherever the changes do not become smaller.
    std::vector<double> way(impulses_.size(), 0.0), before(way.size());
    double square_before = 0;
    int iterations = 0;
    while (iterations < most_) {
      double largest = 0;
      before = impulses_;
      each([&](std::size_t k) { largest = std::max(largest, step(k)); },
           [&](std::size_t l) { largest = std::max(largest, step_line(l)); });
      ++iterations;
      if (largest <= kExact * speed_) break;
      if (iterations == most_) break;  // the last thing that happens to impulses is that they are made possible ones
      double square = 0;
      for (std::size_t k = 0; k < before.size(); ++k) {
        before[k] = impulses_[k] - before[k];
        square += before[k] * before[k];
      }
      const double share = square_before > 0 ? square / square_before : 2;
      square_before = square;
      if (share > 1) {
        way = before;
        continue;
      }
      for (std::size_t k = 0; k < rows_.size(); ++k) {
        double more[3];
        for (std::size_t d = 0; d < 3; ++d) {
          more[d] = share * way[3 * k + d];
          impulses_[3 * k + d] += more[d];
          way[3 * k + d] = more[d] + before[3 * k + d];
        }
        push(rows_[k], more);
      }
      for (std::size_t l = 0, k = 3 * rows_.size(); l < line_rows_.size(); ++l, ++k) {
        const double more = share * way[k];
        impulses_[k] += more;
        way[k] = more + before[k];
        push(line_rows_[l], more, speeds_);
      }
    }
    take_apart();
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      SolverContact& c = contact(k);
      c.impulse = impulses_[3 * k];
      c.side = impulses_[3 * k + 1] * side_of(c, 0) + impulses_[3 * k + 2] * side_of(c, 1);
    }
    for (std::size_t l = 0; l < line_rows_.size(); ++l) line(l).impulse = impulses_[3 * rows_.size() + l];
    return iterations;
  }

 private:
  SolverContact& contact(std::size_t k) { return contacts_[static_cast<std::size_t>(members_.contacts[k])]; }
  SolverLine& line(std::size_t l) { return lines_[static_cast<std::size_t>(members_.lines[l])]; }
  const SolverBody& body(int k) const { return bodies_[static_cast<std::size_t>(k)]; }
  static Speed& of(std::vector<Speed>& all, int k) { return all[static_cast<std::size_t>(k)]; }

  /// There and back, since what is pressed passes it on.
  template <class F, class G>
  void each(const F& of_contact, const G& of_line) {
    const std::size_t n = rows_.size(), m = line_rows_.size();
    for (std::size_t k = 0; k < n; ++k) of_contact(k);
    for (std::size_t l = 0; l < m; ++l) of_line(l);
    for (std::size_t l = m; l-- > 0;) of_line(l);
    for (std::size_t k = n; k-- > 0;) of_contact(k);
  }

  D3 side_of(const SolverContact& c, int side) const {
    const D3 first = dimension_ == 2 ? D3{-c.normal.y, c.normal.x, 0} : aside(c.normal);
    return side == 0 ? first : dimension_ == 3 ? cross(c.normal, first) : D3{};
  }

  Row row(const SolverContact& c, D3 direction) const {
    Row r;
    const bool image = c.b == c.a;
    const SolverBody& a = body(c.a);
    r.lever_a = cross(image ? c.arm_a - c.arm_b : c.arm_a, direction);
    if (!image) r.direction = direction;
    if (!image) r.mass_a = a.inverse_mass;
    r.spin_a = times(a.inverse_inertia, r.lever_a);
    r.response = r.mass_a + dot(r.lever_a, r.spin_a);
    if (c.b >= 0 && !image) {
      const SolverBody& b = body(c.b);
      r.lever_b = cross(c.arm_b, direction);
      r.mass_b = b.inverse_mass;
      r.spin_b = times(b.inverse_inertia, r.lever_b);
      r.response += r.mass_b + dot(r.lever_b, r.spin_b);
    }
    return r;
  }

  /// Of a towards b's surface.
  static double apart(const Row& r, const Speed& a, const Speed& b) {
    return dot(r.direction, a.along - b.along) + dot(r.lever_a, a.around) - dot(r.lever_b, b.around);
  }
  static Speed before(const SolverBody& body) { return {body.velocity, body.spin}; }
  static Speed gain(const SolverBody& body) { return {body.gain, body.spin_gain}; }

  void prepare(const SolverContact& c) {
    Rows& r = rows_.emplace_back();
    r.a = c.a;
    r.b = c.b >= 0 && c.b != c.a ? c.b : static_cast<int>(bodies_.size());
    r.friction = c.friction;
    const auto of_both = [&](const Row& row, Speed (*speed)(const SolverBody&)) {
      return apart(row, speed(body(r.a)), c.b >= 0 && c.b != c.a ? speed(body(r.b)) : Speed{});
    };
    r.normal = row(c, c.normal);
    r.softness = r.normal.response > 0 ? 1 / r.normal.response : 0;
    r.side[0] = row(c, side_of(c, 0));
    r.side_step = r.side[0].response;
    if (dimension_ == 3) {
      r.side[1] = row(c, side_of(c, 1));
      // The larger eigenvalue of the two sides' responses.
      const double p = r.side[0].response, q = r.side[1].response;
      const double pq = dot(r.side[1].lever_a, r.side[0].spin_a) + dot(r.side[1].lever_b, r.side[0].spin_b);
      r.side_step = 0.5 * (p + q) + std::sqrt(0.25 * (p - q) * (p - q) + pq * pq);
    }
    r.side_step = r.side_step > 0 ? 1 / r.side_step : 0;
    const auto speed_before = [&](const Row& row) {
      return of_both(row, before) - (c.b < 0 ? dot(row.direction, c.surface) : 0);
    };
    const double before = speed_before(r.normal), added = of_both(r.normal, gain), gap = std::max(c.gap, 0.0);
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
    for (Row* each : {&r.normal, &r.side[0], &r.side[1]}) each->unkicked = speed_before(*each) + of_both(*each, gain);
    const double penetration = -c.gap;
    if (penetration > kTouching * spacing_) {
      const double wanted = std::min(penetration, std::max(kFreeWay * spacing_, kShareOfWay * penetration));
      r.lift = std::max(0.0, wanted - dt_ * r.target);
    }
    speed_ = std::max({speed_, std::fabs(r.normal.unkicked), std::fabs(r.target), std::fabs(added),
                       std::fabs(r.side[0].unkicked), std::fabs(r.side[1].unkicked)});
  }

  void prepare(const SolverLine& given) {
    LineRow& r = line_rows_.emplace_back();
    r.a = given.a;
    r.b = given.b >= 0 && given.b != given.a ? given.b : static_cast<int>(bodies_.size());
    r.target = given.target, r.least = given.least, r.most = given.most, r.softness = given.softness;
    r.holds = given.holds, r.one_sided = given.one_sided();
    const bool two = given.b >= 0 && given.b != given.a;
    Row& row = r.row;
    const SolverBody& a = body(given.a);
    const double linear = dot(given.along, given.along) > 0 ? 1 : 0;
    row.direction = given.along;
    row.lever_a = given.lever_a;
    row.mass_a = linear * a.inverse_mass;
    row.spin_a = times(a.inverse_inertia, row.lever_a);
    row.response = row.mass_a + dot(row.lever_a, row.spin_a);
    if (two) {
      const SolverBody& b = body(given.b);
      row.lever_b = given.lever_b;
      row.mass_b = linear * b.inverse_mass;
      row.spin_b = times(b.inverse_inertia, row.lever_b);
      row.response += row.mass_b + dot(row.lever_b, row.spin_b);
    }
    row.unkicked = -given.surface;
    for (Speed (*speed)(const SolverBody&) : {before, gain})
      row.unkicked += apart(row, speed(a), two ? speed(body(given.b)) : Speed{});
    r.step = row.response > 0 ? 1 / (row.response + r.softness) : 0;
    const double away = std::fabs(given.error);
    const double free = kFreeWay * (linear > 0 ? spacing_ : 1);
    const double wanted = std::min(away, std::max(free, kShareOfWay * away));
    if (r.one_sided)
      r.lift = given.error < 0 ? wanted : 0;
    else
      r.lift = given.error > 0 ? -wanted : wanted;
    // Speeds along a line may be turns: what they are at the ends of the levers counts.
    const double reach =
        linear > 0 || row.response == 0 ? 1 : std::sqrt(a.inverse_mass > 0 ? row.response / a.inverse_mass : 1);
    speed_ = std::max({speed_, std::fabs(row.unkicked) / reach, std::fabs(r.target) / reach});
  }

  /// Impulses that the contacts bring with them.
  void begin_with_remembered() {
    for (std::size_t l = 0; l < line_rows_.size(); ++l) {
      const LineRow& r = line_rows_[l];
      double& x = impulses_[3 * rows_.size() + l];
      x = r.step > 0 ? std::clamp(line(l).impulse, r.least, r.most) : 0;
      push(r, x, speeds_);
    }
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const SolverContact& c = contact(k);
      Rows& r = rows_[k];
      if (!(c.impulse > 0) || r.softness == 0 || r.target > 0) continue;  // a bounce is not like the rest before it
      double* const x = &impulses_[3 * k];
      x[0] = c.impulse;
      if (r.friction > 0 && r.side_step > 0)
        for (int s = 0; s < dimension_ - 1; ++s) x[1 + s] = dot(c.side, side_of(c, s));
      push(r, x);
    }
  }

  void push(Rows& r, const double* impulse) {
    Speed &a = of(speeds_, r.a), &b = of(speeds_, r.b);
    push(r.normal, impulse[0], a, b);
    push(r.side[0], impulse[1], a, b);
    if (dimension_ == 3) push(r.side[1], impulse[2], a, b);
  }
  static void push(const Row& r, double impulse, Speed& a, Speed& b) {
    a.along += impulse * r.mass_a * r.direction;
    a.around += impulse * r.spin_a;
    b.along += -impulse * r.mass_b * r.direction;
    b.around += -impulse * r.spin_b;
  }

  static void push(const LineRow& r, double impulse, std::vector<Speed>& speeds) {
    push(r.row, impulse, of(speeds, r.a), of(speeds, r.b));
  }

  /// @return [m/s] the change of the speed, of a turn that of the body's radius of gyration
  double step_line(std::size_t l) {
    const LineRow& r = line_rows_[l];
    if (r.step == 0) return 0;
    double& x = impulses_[3 * rows_.size() + l];
    const double speed = r.row.unkicked + apart(r.row, of(speeds_, r.a), of(speeds_, r.b));
    const double impulse = std::clamp(x + (r.target - speed - r.softness * x) * r.step, r.least, r.most);
    const double change = impulse - x;
    x = impulse;
    if (change == 0) return 0;
    push(r, change, speeds_);
    return std::fabs(change) * std::sqrt(r.row.response * std::max(body(r.a).inverse_mass, r.row.mass_a));
  }

  /// @return [m] likewise
  double lift_line(LineRow& r) {
    if (!r.holds || r.row.response == 0) return 0;
    double impulse = r.way_impulse + (r.lift - apart(r.row, of(ways_, r.a), of(ways_, r.b))) / r.row.response;
    if (r.one_sided) impulse = std::max(0.0, impulse);
    const double change = impulse - r.way_impulse;
    if (change == 0) return 0;
    r.way_impulse = impulse;
    push(r, change, ways_);
    return std::fabs(change) * std::sqrt(r.row.response * std::max(body(r.a).inverse_mass, r.row.mass_a));
  }

  /// @return [m/s] the largest change of a speed
  double step(std::size_t k) {
    const Rows& r = rows_[k];
    double* const x = &impulses_[3 * k];
    Speed &a = of(speeds_, r.a), &b = of(speeds_, r.b);
    const double impulse = std::max(0.0, x[0] + (r.target - r.normal.unkicked - apart(r.normal, a, b)) * r.softness);
    double change = std::fabs(impulse - x[0]) * r.normal.response;
    if (impulse != x[0]) push(r.normal, impulse - x[0], a, b);
    x[0] = impulse;
    if (r.friction == 0 || r.side_step == 0) return change;
    const double most = r.friction * impulse;
    if (most == 0 && x[1] == 0 && x[2] == 0) return change;
    const int sides = dimension_ - 1;
    double wanted[2] = {0, 0}, square = 0;
    for (int s = 0; s < sides; ++s) {
      wanted[s] = x[1 + s] - r.side_step * (r.side[s].unkicked + apart(r.side[s], a, b));
      square += wanted[s] * wanted[s];
    }
    const double scale = square > most * most ? most / std::sqrt(square) : 1;
    for (int s = 0; s < sides; ++s) {
      const double side = scale * wanted[s];
      change = std::max(change, std::fabs(side - x[1 + s]) / r.side_step);
      push(r.side[s], side - x[1 + s], a, b);
      x[1 + s] = side;
    }
    return change;
  }

  /// What has entered something else is pushed out of it.
  void take_apart() {
    if (std::none_of(rows_.begin(), rows_.end(), [](const Rows& r) { return r.lift > 0; }) &&
        std::none_of(line_rows_.begin(), line_rows_.end(), [](const LineRow& r) { return r.holds && r.lift != 0; }))
      return;
    for (std::size_t k = 0; k < rows_.size(); ++k) {  // where there is a gap, what is left of it at the interval's end
      const double gap = contact(k).gap;
      Rows& r = rows_[k];
      if (gap > 0)
        r.lift = std::min(0.0, -gap - dt_ * (r.normal.unkicked + apart(r.normal, of(speeds_, r.a), of(speeds_, r.b))));
    }
    for (std::size_t l = 0; l < line_rows_.size(); ++l) {
      LineRow& r = line_rows_[l];
      const double gap = line(l).error;
      if (r.one_sided && gap > 0)
        r.lift = std::min(0.0, -gap - dt_ * (r.row.unkicked + apart(r.row, of(speeds_, r.a), of(speeds_, r.b))));
    }
    for (int i = 0; i < most_; ++i) {
      double largest = 0;
      each([&](std::size_t k) { largest = std::max(largest, lift(rows_[k])); },
           [&](std::size_t l) { largest = std::max(largest, lift_line(line_rows_[l])); });
      if (largest <= kExactWay * spacing_) break;
    }
  }

  /// @return [m] the change of a way
  double lift(Rows& r) {
    if (r.softness == 0) return 0;
    Speed &a = of(ways_, r.a), &b = of(ways_, r.b);
    const double impulse = std::max(0.0, r.way_impulse + (r.lift - apart(r.normal, a, b)) * r.softness);
    const double change = impulse - r.way_impulse;
    if (change == 0) return 0;
    r.way_impulse = impulse;
    push(r.normal, change, a, b);
    return std::fabs(change) * r.normal.response;
  }

  const std::vector<SolverBody>& bodies_;
  std::vector<SolverContact>& contacts_;
  std::vector<SolverLine>& lines_;
  const Members& members_;
  int dimension_;
  double dt_, spacing_;
  std::vector<Speed>&speeds_, &ways_;
  std::vector<Rows> rows_;
  std::vector<LineRow> line_rows_;
  std::vector<double> impulses_;  ///< (contacts, 3) along the normal and the two sides, then (lines)
  double speed_ = 0;              ///< [m/s]
  int most_ = 0;
};

}  // namespace

int solve_contacts(const std::vector<SolverBody>& bodies, std::vector<SolverContact>& contacts,
                   std::vector<SolverLine>& lines, int dimension, double dt, double spacing,
                   std::vector<SolverKick>& kicks) {
  std::vector<Speed> speeds(bodies.size() + 1), ways(bodies.size() + 1);
  // Bodies that touch each other, or that a joint joins, are an island, and others do not matter to it.
  std::vector<int> root(bodies.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int k) {
    while (root[static_cast<std::size_t>(k)] != k) {
      root[static_cast<std::size_t>(k)] = root[static_cast<std::size_t>(root[static_cast<std::size_t>(k)])];
      k = root[static_cast<std::size_t>(k)];
    }
    return k;
  };
  const auto join = [&](int a, int b) {
    if (b < 0) return;
    const int p = find(a), q = find(b);
    root[static_cast<std::size_t>(std::max(p, q))] = std::min(p, q);
  };
  for (const SolverContact& c : contacts) join(c.a, c.b);
  for (const SolverLine& l : lines) join(l.a, l.b);
  std::vector<Members> members(bodies.size());
  for (std::size_t c = 0; c < contacts.size(); ++c)
    members[static_cast<std::size_t>(find(contacts[c].a))].contacts.push_back(static_cast<int>(c));
  for (std::size_t l = 0; l < lines.size(); ++l)
    members[static_cast<std::size_t>(find(lines[l].a))].lines.push_back(static_cast<int>(l));
  int most = 0;
  for (const Members& island : members)
    if (!island.contacts.empty() || !island.lines.empty())
      most = std::max(most, Island(bodies, contacts, lines, island, dimension, dt, spacing, speeds, ways).solve());
  kicks.resize(bodies.size());
  for (std::size_t k = 0; k < bodies.size(); ++k)
    kicks[k] = {speeds[k].along, speeds[k].around, ways[k].along, ways[k].around};
  return most;
}

}  // namespace riffle::bodies
