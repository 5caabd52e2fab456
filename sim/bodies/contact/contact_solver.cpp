#include "sim/bodies/contact/contact_solver.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "core/device/threads.h"
#include "sim/bodies/contact/contact_batches.h"

namespace riffle::bodies {

namespace {

constexpr int kFewestIterations = 8, kMostIterations = 200;
constexpr double kContactVisits = 1.5e4;  // contacts times iterations of one island are at most about that,
constexpr double kAllVisits = 4e4;        // and of all islands together that
constexpr double kExact = 1e-7;           // of the island's largest speed: changes at which the iterations end
constexpr std::size_t kRowsAtOnce = 800;  // contacts and lines of islands that are solved together
constexpr double kExactWay = 2e-4;        // [spacings] changes of ways at which the iterations end

D3 times(const double (&m)[9], D3 v) {
  return {m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
          m[6] * v.x + m[7] * v.y + m[8] * v.z};
}

/// What an impulse along one direction does to the two bodies. What does not feel it has the place of no body, and zeros.
struct Row {
  D3 direction;
  D3 lever_a, lever_b;            ///< arm x direction
  D3 spin_a, spin_b;              ///< of a unit impulse
  double mass_a = 0, mass_b = 0;  ///< inverse
  double response = 0;            ///< change of the speed along the direction by a unit impulse
  double unkicked = 0;            ///< [m/s] speed along the direction without contact
};

struct LineRow {
  Row row;
  int a = 0, b = 0;
  double target = 0, lift = 0;
  double least = 0, most = 0;
  double softness = 0;  ///< [speed per impulse]
  double step = 0;      ///< 1 / (response + softness)
  bool holds = false, one_sided = false;
  double impulse = 0, way_impulse = 0;
  double before = 0, way = 0;  ///< impulses before the iteration, then the change; and of the directions
  int line = 0;                ///< its number
  IslandState* island = nullptr;
};

/// The numbers of the contacts and the lines of bodies that hang together, and of the bodies.
struct Members {
  std::vector<int> contacts, lines, bodies;
};

/// Some islands, which do not matter to each other.
class Islands {
 public:
  /// speeds, ways: (bodies + 1) out, those of the islands' bodies; the last one belongs to what does not feel contact
  /// island_of: (bodies) index of each body's island among `islands`
  /// last: (bodies + 1) room, -1 each
  Islands(const std::vector<SolverBody>& bodies, std::vector<SolverContact>& contacts, std::vector<SolverLine>& lines,
          std::span<const Members> islands, const std::vector<int>& island_of, const ContactTimes& times,
          std::vector<int>& last, std::vector<Speed>& speeds, std::vector<Speed>& ways)
      : bodies_(bodies),
        lines_(lines),
        members_(islands),
        dt_(times.dt),
        spacing_(times.spacing),
        speeds_(speeds),
        ways_(ways),
        states_(islands.size()),
        batches_(bodies, contacts, all_contacts(islands), island_of, times, last, states_) {
    const auto rows = [](std::size_t n_contacts, std::size_t n_lines) {
      return double(n_contacts) + double(n_lines) / 3;
    };
    for (std::size_t i = 0; i < islands.size(); ++i) {
      for (const int l : islands[i].lines) prepare(l, states_[i]);
      const double wanted = std::min(kContactVisits / rows(islands[i].contacts.size(), islands[i].lines.size()),
                                     kAllVisits / rows(contacts.size(), lines.size()));
      states_[i].most = static_cast<int>(std::clamp(wanted, double{kFewestIterations}, double{kMostIterations}));
    }
  }

  /// @return iterations, at most
  int solve() {
    begin_with_remembered();
    batches_.let_go_on();
    speeds_before_.resize(speeds_.size());
    speed_ways_.resize(speeds_.size());
    for (bool going = true; going;) {
      before_iteration();
      // There and back, since what is pressed passes it on.
      batches_.forwards(speeds_.data());
      each_line([&](LineRow& r) { r.island->see(step_line(r)); });
      batches_.backwards(speeds_.data());
      batches_.see_changes();
      going = false;
      bool ended = false;
      for (IslandState& island : states_) {
        if (!island.going) continue;
        ++island.iterations;
        // The last thing that happens to impulses is that they are made possible ones.
        island.going = island.largest > kExact * island.speed && island.iterations < island.most;
        going = going || island.going;
        ended = ended || !island.going;
      }
      if (ended) batches_.let_go_on();
      if (going) along_directions();
    }
    take_apart();
    batches_.keep_impulses();
    for (const LineRow& r : line_rows_) lines_[static_cast<std::size_t>(r.line)].impulse = r.impulse;
    int most = 0;
    for (const IslandState& island : states_) most = std::max(most, island.iterations);
    return most;
  }

 private:
  static std::vector<int> all_contacts(std::span<const Members> islands) {
    std::vector<int> all;
    for (const Members& island : islands) all.insert(all.end(), island.contacts.begin(), island.contacts.end());
    return all;
  }
  const SolverBody& body(int k) const { return bodies_[static_cast<std::size_t>(k)]; }
  static Speed& of(std::vector<Speed>& all, int k) { return all[static_cast<std::size_t>(k)]; }

  template <class F>
  void each_line(const F& f) {
    for (LineRow& r : line_rows_)
      if (r.island->going) f(r);
    for (std::size_t l = line_rows_.size(); l-- > 0;)
      if (line_rows_[l].island->going) f(line_rows_[l]);
  }

  template <class F>
  void each_body(const F& f) {
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (states_[i].going)
        for (const int b : members_[i].bodies) f(states_[i], static_cast<std::size_t>(b));
  }

  /// Directions of conjugate gradients, on top of the projected iterations (Silcowitz et al. 2010): a stack settles in a tenth
  /// of the iterations. They begin again wherever the changes do not become smaller. What impulses do to speeds is linear, so
  /// speeds get directions as impulses do.
  void before_iteration() {
    batches_.before_iteration();
    for (IslandState& island : states_) island.largest = island.square = 0;
    for (LineRow& r : line_rows_) r.before = r.impulse;
    each_body([&](IslandState&, std::size_t b) { speeds_before_[b] = speeds_[b]; });
  }

  void along_directions() {
    batches_.add_squares();
    for (LineRow& r : line_rows_) {
      r.before = r.impulse - r.before;
      r.island->square += r.before * r.before;
    }
    for (IslandState& island : states_) {
      const double share = island.square_before > 0 ? island.square / island.square_before : 2;
      island.square_before = island.square;
      island.share = island.going && share <= 1 ? share : 0;
    }
    batches_.along_directions();
    for (LineRow& r : line_rows_) {
      if (!r.island->going) continue;
      const double more = r.island->share * r.way;
      r.impulse += more;
      r.way = more + r.before;
    }
    each_body([&](const IslandState& island, std::size_t b) {
      Speed &now = speeds_[b], &before = speeds_before_[b], &way = speed_ways_[b];
      const D3 along = island.share * way.along, around = island.share * way.around;
      way.along = along + (now.along - before.along);
      way.around = around + (now.around - before.around);
      now.along += along;
      now.around += around;
    });
  }

  /// Of a towards b's surface.
  static double apart(const Row& r, const Speed& a, const Speed& b) {
    return dot(r.direction, a.along - b.along) + dot(r.lever_a, a.around) - dot(r.lever_b, b.around);
  }
  static Speed before(const SolverBody& body) { return {body.velocity, 0, body.spin, 0}; }
  static Speed gain(const SolverBody& body) { return {body.gain, 0, body.spin_gain, 0}; }

  void prepare(int number, IslandState& island) {
    const SolverLine& given = lines_[static_cast<std::size_t>(number)];
    LineRow& r = line_rows_.emplace_back();
    r.line = number, r.island = &island;
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
    island.apart = island.apart || (r.holds && r.lift != 0);
    // Speeds along a line may be turns: what they are at the ends of the levers counts.
    const double reach =
        linear > 0 || row.response == 0 ? 1 : std::sqrt(a.inverse_mass > 0 ? row.response / a.inverse_mass : 1);
    island.speed = std::max({island.speed, std::fabs(row.unkicked) / reach, std::fabs(r.target) / reach});
  }

  /// Impulses that the lines and the contacts bring with them.
  void begin_with_remembered() {
    for (LineRow& r : line_rows_) {
      r.impulse = r.step > 0 ? std::clamp(lines_[static_cast<std::size_t>(r.line)].impulse, r.least, r.most) : 0;
      push(r, r.impulse, speeds_);
    }
    batches_.begin_with_remembered(speeds_.data());
  }

  static void push(const LineRow& line, double impulse, std::vector<Speed>& speeds) {
    const Row& r = line.row;
    Speed &a = of(speeds, line.a), &b = of(speeds, line.b);
    a.along += impulse * r.mass_a * r.direction;
    a.around += impulse * r.spin_a;
    if (&b == &speeds.back()) return;
    b.along += -impulse * r.mass_b * r.direction;
    b.around += -impulse * r.spin_b;
  }

  /// @return [m/s] the change of the speed, of a turn that of the body's radius of gyration
  double step_line(LineRow& r) {
    if (r.step == 0) return 0;
    double& x = r.impulse;
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

  /// What has entered something else is pushed out of it.
  void take_apart() {
    bool going = false;
    for (IslandState& island : states_) going = (island.going = island.apart) || going;
    if (!going) return;
    batches_.let_go_on();
    batches_.begin_ways(speeds_.data());
    for (LineRow& r : line_rows_) {
      const double gap = lines_[static_cast<std::size_t>(r.line)].error;
      if (r.one_sided && gap > 0)
        r.lift = std::min(0.0, -gap - dt_ * (r.row.unkicked + apart(r.row, of(speeds_, r.a), of(speeds_, r.b))));
    }
    for (int i = 1; going; ++i) {
      for (IslandState& island : states_) island.largest = 0;
      batches_.ways_forwards(ways_.data());
      each_line([&](LineRow& r) { r.island->see(lift_line(r)); });
      batches_.ways_backwards(ways_.data());
      batches_.see_changes();
      going = false;
      for (IslandState& island : states_) {
        island.going = island.going && island.largest > kExactWay * spacing_ && i < island.most;
        going = going || island.going;
      }
      batches_.let_go_on();
    }
  }

  const std::vector<SolverBody>& bodies_;
  std::vector<SolverLine>& lines_;
  std::span<const Members> members_;
  double dt_, spacing_;
  std::vector<Speed>&speeds_, &ways_;
  std::vector<Speed> speeds_before_, speed_ways_;
  std::vector<IslandState> states_;
  ContactBatches batches_;
  std::vector<LineRow> line_rows_;
};

/// Bodies that touch each other, or that a joint joins, are an island, and others do not matter to it.
std::vector<Members> find_islands(std::size_t bodies, const std::vector<SolverContact>& contacts,
                                  const std::vector<SolverLine>& lines) {
  std::vector<int> root(bodies);
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
  std::vector<Members> islands;
  std::vector<int> number(bodies, -1);
  const auto of_island = [&](int b) -> Members& {
    int& n = number[static_cast<std::size_t>(find(b))];
    if (n < 0) {
      n = static_cast<int>(islands.size());
      islands.emplace_back();
    }
    return islands[static_cast<std::size_t>(n)];
  };
  for (std::size_t c = 0; c < contacts.size(); ++c) of_island(contacts[c].a).contacts.push_back(static_cast<int>(c));
  for (std::size_t l = 0; l < lines.size(); ++l) of_island(lines[l].a).lines.push_back(static_cast<int>(l));
  for (std::size_t b = 0; b < bodies; ++b)
    if (number[static_cast<std::size_t>(find(static_cast<int>(b)))] >= 0)
      of_island(static_cast<int>(b)).bodies.push_back(static_cast<int>(b));
  return islands;
}

}  // namespace

int solve_contacts(const std::vector<SolverBody>& bodies, std::vector<SolverContact>& contacts,
                   std::vector<SolverLine>& lines, int dimension, double dt, double spacing,
                   std::vector<SolverKick>& kicks) {
  std::vector<Speed> speeds(bodies.size() + 1), ways(bodies.size() + 1);
  const std::vector<Members> islands = find_islands(bodies.size(), contacts, lines);
  // Small islands are solved together, so that their pairs fill batches.
  std::vector<std::size_t> begins;
  std::vector<int> island_of(bodies.size(), -1);
  std::size_t rows = 0;
  for (std::size_t i = 0; i < islands.size(); ++i) {
    const std::size_t more = islands[i].contacts.size() + islands[i].lines.size();
    if (begins.empty() || rows + more > kRowsAtOnce) begins.push_back(i), rows = 0;
    rows += more;
    for (const int b : islands[i].bodies) island_of[static_cast<std::size_t>(b)] = static_cast<int>(i - begins.back());
  }
  begins.push_back(islands.size());
  const ContactTimes interval{dimension, dt, spacing};
  std::vector<int> last(bodies.size() + 1, -1), iterations(begins.size(), 0);
  parallel_ranges(static_cast<std::int64_t>(begins.size()) - 1, 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
      iterations[k] = Islands(bodies, contacts, lines, std::span(islands).subspan(begins[k], begins[k + 1] - begins[k]),
                              island_of, interval, last, speeds, ways)
                          .solve();
  });
  kicks.resize(bodies.size());
  for (std::size_t k = 0; k < bodies.size(); ++k)
    kicks[k] = {speeds[k].along, speeds[k].around, ways[k].along, ways[k].around};
  return *std::max_element(iterations.begin(), iterations.end());
}

}  // namespace riffle::bodies
