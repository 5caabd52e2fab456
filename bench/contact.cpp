/// `riffle bench contact`: what contact costs in a heap of boxes without fluid, part by part, on the host.

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/report/outputs.h"
#include "app/terminal/signals.h"
#include "app/terminal/text_table.h"
#include "bench/session.h"
#include "core/math/statistics.h"
#include "sim/bodies/contact/contact_world.h"
#include "sim/bodies/mass/body_mass.h"
#include "sim/bodies/rigid_motion.h"
#include "sim/setup.h"

namespace riffle::bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kStep = 1e-3;       // [s] the longest interval of a run
constexpr float kBoxEdge = 0.1f;     // [m] of a box
constexpr float kSpacing = 0.0125f;  // [m] an eighth of it
constexpr int kAcross = 10;          // boxes of a layer along x and z
const char* const kParts[] = {"places", "pairs and points", "memory", "impulses"};

struct ContactBenchOptions {
  int count = 1000, steps = 100;
  double settle = 1;  ///< [s]
  std::string csv, json, command_line;
};

void add_contact_bench_options(CLI::App& command, ContactBenchOptions& options) {
  command.add_option("--count", options.count, "boxes (1000)")->check(whole_number_from(1, 4096))->type_name("N");
  command.add_option("--settle", options.settle, "they fall for that long before contact is timed (1)")
      ->check(scene_time(true))
      ->type_name(kSceneTime);
  command.add_option("--steps", options.steps, "contact steps that are timed (100)")
      ->check(whole_number_from(1, 100000))
      ->type_name("N");
  add_csv_option(command, options.csv);
  add_json_option(command, "the result", options.json);
}

/// Boxes in layers, each a little beside its place and turning, so that they fall into one heap.
SimulationSetup heap_of(int count) {
  SimulationSetup setup;
  setup.domain.dimension = 3;
  const float pitch = 1.5f * kBoxEdge, side = (kAcross + 0.5f) * pitch;
  setup.domain.min = {0, 0, 0};
  setup.domain.max = {side, 2 + 2 * kBoxEdge * float(count / (kAcross * kAcross) + 1), side};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.spacing = kSpacing;
  for (int k = 0; k < count; ++k) {
    const int layer = k / (kAcross * kAcross);
    const float shift = layer % 2 == 0 ? 0.15f : 0.65f;  // [pitches]
    const auto beside = [&](float often) { return 0.1f * std::sin(often * float(k)); };
    SolidRegion& box = setup.solid_regions.emplace_back();
    box.shape = Shape::Box;
    box.min = {pitch * (float(k % kAcross) + shift + beside(1)), kBoxEdge * (0.2f + 1.5f * float(layer)),
               pitch * (float(k / kAcross % kAcross) + shift + beside(2))};
    box.max = box.min + Vec3{kBoxEdge, kBoxEdge, kBoxEdge};
    box.free.given = true;
    box.free.density = 600;
    box.free.angular_velocity = {30 * beside(3), 30 * beside(5), 30 * beside(7)};
  }
  return setup;
}

class Heap {
 public:
  explicit Heap(int count)
      : setup_(heap_of(count)),
        masses_(body_masses(setup_)),
        world_(setup_, masses_, KickTime::AtEnd),
        bodies_(masses_.size()),
        pushes_(masses_.size()),
        kicks_(masses_.size()) {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      std::copy(std::begin(masses_[b].center), std::end(masses_[b].center), bodies_[b].center);
      for (int a = 0; a < 3; ++a) {
        pushes_[b].acceleration[a] = component(setup_.gravity, a);
        bodies_[b].spin[a] = component(setup_.solid_regions[b].free.angular_velocity, a);
      }
    }
  }

  void step() {
    touching = world_.solve(bodies_, pushes_, time, kStep, memory_, kicks_);
    move();
  }

  /// @param parts  [ms] of kParts, out
  void timed_step(double (&parts)[4]) {
    auto last = std::chrono::steady_clock::now();
    const auto lap = [&](int part) {
      const auto now = std::chrono::steady_clock::now();
      parts[part] += std::chrono::duration<double, std::milli>(now - last).count();
      last = now;
    };
    world_.place_solids(bodies_, pushes_, time, kStep);
    lap(0);
    world_.find_images();
    world_.find_contacts();
    lap(1);
    world_.recall(memory_, kStep);
    lap(2);
    world_.solve_placed(kStep, kicks_);
    lap(3);
    world_.remember(memory_, kStep);
    lap(2);
    move();
  }

  std::size_t contacts() const { return world_.contacts.size(); }
  int iterations() const { return world_.iterations; }
  double deepest() const {  ///< [spacings]
    double gap = 0;
    for (const bodies::SolverContact& contact : world_.contacts) gap = std::min(gap, contact.gap);
    return -gap / setup_.spacing;
  }
  double speed() const {  ///< [m/s] root mean square
    double sum = 0;
    for (const BodyState& body : bodies_)
      for (const double v : body.velocity) sum += v * v;
    return std::sqrt(sum / double(bodies_.size()));
  }

  double time = 0;
  int touching = 0;

 private:
  void move() {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const double* g = pushes_[b].acceleration;
      const double m = kStep * masses_[b].mass, impulse[3] = {m * g[0], m * g[1], m * g[2]}, none[3] = {0, 0, 0};
      BodyState& body = bodies_[b];
      body = rigid_motion::moved(masses_[b], body, impulse, none, kStep);
      for (int a = 0; a < 3; ++a) {
        body.velocity[a] += kicks_[b].velocity[a];
        body.spin[a] += kicks_[b].spin[a];
        body.center[a] += kicks_[b].way[a];
      }
      rigid_motion::turn_by(body.turn, kicks_[b].turn);
    }
    time += kStep;
  }

  SimulationSetup setup_;
  std::vector<BodyMass> masses_;
  bodies::ContactWorld world_;
  std::vector<BodyState> bodies_;
  std::vector<BodyPush> pushes_;
  std::vector<BodyKick> kicks_;
  ContactMemory memory_;
};

int bench_contact(const ContactBenchOptions& options) {
  const ReportOutputs outputs{options.csv, options.json};
  outputs.prepare();
  const Interruption interruption;
  Heap heap(options.count);
  while (heap.time < options.settle - 0.5 * kStep && !interrupted()) heap.step();
  std::vector<double> samples[5];  // [ms] of the parts, and of all
  for (int k = 0; k < options.steps && !interrupted(); ++k) {
    double parts[4] = {};
    heap.timed_step(parts);
    for (int p = 0; p < 4; ++p) samples[p].push_back(parts[p]);
    samples[4].push_back(parts[0] + parts[1] + parts[2] + parts[3]);
  }
  const BenchSession session = start_session(Device{}, options.command_line, options.steps, 0);
  std::vector<std::vector<std::string>> table{{"part", "median ms", "5 %", "95 %"}};
  std::string csv = "part,median_ms,p5_ms,p95_ms\n";
  Json rows = Json::array();
  for (int p = 0; p < 5; ++p) {
    const std::string part = p < 4 ? kParts[p] : "all";
    const Spread spread = spread_of(samples[p]);
    table.push_back({part, fmt::format("{:.3f}", spread.median), fmt::format("{:.3f}", spread.p5),
                     fmt::format("{:.3f}", spread.p95)});
    csv += fmt::format("{},{},{},{}\n", part, spread.median, spread.p5, spread.p95);
    rows.push_back({{"part", part}, {"median_ms", spread.median}, {"p5_ms", spread.p5}, {"p95_ms", spread.p95}});
  }
  const std::string text = fmt::format(
      "A heap of {} boxes after {:.3f} s, {} contact steps on {} threads: {} contacts, {} iterations at most; "
      "deepest {:.4f} spacings, mean speed {:.4f} m/s\n",
      options.count, heap.time, samples[4].size(), session.threads, heap.contacts(), heap.iterations(), heap.deepest(),
      heap.speed());
  outputs.deliver(text + aligned_table(table) + interruption_text(interrupted()),
                  {{"bench", "contact"},
                   {"command", options.command_line},
                   {"machine", {{"processor", session.processor}, {"threads", session.threads}}},
                   {"boxes", options.count},
                   {"time", heap.time},
                   {"steps", samples[4].size()},
                   {"contacts", heap.contacts()},
                   {"iterations", heap.iterations()},
                   {"deepest_spacings", heap.deepest()},
                   {"speed", heap.speed()},
                   {"interrupted", interrupted()},
                   {"rows", rows}},
                  csv);
  return exit_code_or_interrupted(0);
}

}  // namespace

CommandRow contact_command() {
  return command_row("bench contact", "what contact costs in a heap of boxes, part by part, on the host",
                     add_contact_bench_options, bench_contact);
}

}  // namespace riffle::bench
