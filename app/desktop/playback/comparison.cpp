#include "app/desktop/playback/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <utility>

#include "app/terminal/progress.h"
#include "core/timing/seconds_since.h"
#include "sim/neighbor_tuner.h"
#include "sim/solver.h"

namespace riffle::desktop {

namespace {

/// Positions one step ago, if the particles moved with their velocities. Walls and shifting add about a thousandth of
/// that movement, and only the particles' cells depend on it.
std::vector<Vec4> a_step_before(std::vector<Vec4> positions, const std::vector<Vec4>& velocities, float dt) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    positions[i].x -= dt * velocities[i].x;
    positions[i].y -= dt * velocities[i].y;
    positions[i].z -= dt * velocities[i].z;
  }
  return positions;
}

int rank(ComparedSearch::State state) {
  switch (state) {
    case ComparedSearch::State::Measured: return 0;
    case ComparedSearch::State::Waiting: return 1;
    case ComparedSearch::State::Refused: return 2;
  }
  return 3;
}

/// Whether it is measured and not out of question.
bool may_be_fastest(const ComparisonStatus& status, const ComparedSearch& row) {
  return row.state == ComparedSearch::State::Measured &&
         row.total_ms.median <= Comparison::kOutOfQuestion * status.fastest()->total_ms.median;
}

}  // namespace

void sort_for_display(std::vector<ComparedSearch>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const ComparedSearch& a, const ComparedSearch& b) {
    if (a.state != b.state) return rank(a.state) < rank(b.state);
    return a.state == ComparedSearch::State::Measured && a.total_ms.median < b.total_ms.median;
  });
}

void take_times(ComparedSearch& row, const std::vector<SearchMeasurement::Run>& runs) {
  const auto range_of = [&](double SearchMeasurement::Run::*part) {
    std::vector<double> ms;
    for (const SearchMeasurement::Run& run : runs) ms.push_back(run.*part);
    return median_range(ms);
  };
  row.build_ms = range_of(&SearchMeasurement::Run::build).median;
  row.reorder_ms = range_of(&SearchMeasurement::Run::reorder).median;
  row.list_ms = range_of(&SearchMeasurement::Run::list).median;
  row.query_ms = range_of(&SearchMeasurement::Run::query).median;
  row.total_ms = range_of(&SearchMeasurement::Run::total);
  row.runs = static_cast<int>(runs.size());
}

const ComparedSearch* ComparisonStatus::fastest() const {
  const ComparedSearch* best = nullptr;
  for (const ComparedSearch& row : rows)
    if (row.state == ComparedSearch::State::Measured && (!best || row.total_ms.median < best->total_ms.median))
      best = &row;
  return best;
}

bool ComparisonStatus::level_with_fastest(const ComparedSearch& row) const {
  const ComparedSearch* best = fastest();
  return row.state == ComparedSearch::State::Measured && best != &row &&
         (row.total_ms.overlaps(best->total_ms) || row.total_ms.median <= (1 + kLevel) * best->total_ms.median);
}

bool ComparisonStatus::has_one_fastest() const {
  return fastest() != nullptr &&
         std::none_of(rows.begin(), rows.end(), [&](const ComparedSearch& row) { return level_with_fastest(row); });
}

bool told_apart(const ComparisonStatus& status) {
  std::vector<const ComparedSearch*> close;
  for (const ComparedSearch& row : status.rows)
    if (may_be_fastest(status, row)) close.push_back(&row);
  for (const ComparedSearch* a : close)
    for (const ComparedSearch* b : close)
      if (a != b && a->total_ms.overlaps(b->total_ms)) return false;
  return true;
}

void Comparison::begin(Simulation& simulation) {
  const StepReport clock = simulation.finish();
  device_ = simulation.device();
  setup_ = simulation.setup();
  const std::vector<Vec4> positions = simulation.particles().get<Vec4>("position").to_host();
  const std::vector<Vec4> velocities = simulation.particles().get<Vec4>("velocity").to_host();
  now_ = Buffer<Vec4>(device_, positions);
  before_ = Buffer<Vec4>(device_, a_step_before(positions, velocities, clock.dt));
  status_ = {};
  contenders_.clear();
  next_ = 0;
  seconds_ = 0;
  status_.step = clock.step;
  status_.time = clock.time;
  status_.particles = simulation.particle_count();
  status_.device_name = device_name(device_);
  const auto sensible = sensible_methods(status_.particles);
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const TreeStructure structure : tree_structures(info.method, device_)) {
      contenders_.push_back({info.method, structure, {}});
      ComparedSearch row;
      row.method = info.method;
      row.structure = structure;
      if (std::find(sensible.begin(), sensible.end(), info.method) == sensible.end()) {
        row.state = ComparedSearch::State::Refused;
        row.reason = fmt::format("not tried: it would look at every pair, {} here",
                                 short_count(double{1.0} * status_.particles * status_.particles));
      }
      status_.rows.push_back(row);
    }
  sort_for_display(status_.rows);
  status_.running = true;
  load_ = {};
  others_ = looked_at_ = 0;
  look_at_load();
}

/// What other programs do since the last look.
void Comparison::look_at_load() {
  const double now = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  const double since = now - std::exchange(looked_, now);
  const std::optional<double> others = load_.others(now);
  if (!others) return;
  others_ += since * *others;
  looked_at_ += since;
  status_.others = others_ / looked_at_;
}

ComparedSearch& Comparison::row_of(const Contender& contender) {
  return *std::find_if(status_.rows.begin(), status_.rows.end(), [&](const ComparedSearch& row) {
    return row.method == contender.method && row.structure == contender.structure;
  });
}

bool Comparison::in_question(const Contender& contender) {
  const ComparedSearch& row = row_of(contender);
  return status_.rounds == 0 ? row.state == ComparedSearch::State::Waiting : may_be_fastest(status_, row);
}

void Comparison::advance() {
  if (!running()) return;
  const auto begin = std::chrono::steady_clock::now();
  const auto to_next_in_question = [&] {
    while (next_ < contenders_.size() && !in_question(contenders_[next_])) ++next_;
  };
  to_next_in_question();
  if (next_ < contenders_.size()) take_turn(contenders_[next_++]);
  sort_for_display(status_.rows);
  seconds_ += seconds_since(begin);
  look_at_load();
  to_next_in_question();
  const bool time_is_over = seconds_ >= kSeconds;
  if (next_ < contenders_.size()) {
    if (status_.rounds > 0 && time_is_over) end();
    return;
  }
  next_ = 0;
  ++status_.rounds;
  if (status_.fastest() == nullptr || time_is_over || (status_.rounds >= kLeastRounds && told_apart(status_))) end();
}

void Comparison::end() {
  status_.running = false;
  now_ = Buffer<Vec4>(device_);
  before_ = Buffer<Vec4>(device_);
}

void Comparison::take_turn(Contender& contender) {
  ComparedSearch& row = row_of(contender);
  try {
    measure(contender, row);
    row.state = ComparedSearch::State::Measured;
    return;
  } catch (const std::bad_alloc&) {
    row.reason = "out of memory";
  } catch (const std::exception& refusal) {
    row.reason = refusal.what();
  }
  row.state = ComparedSearch::State::Refused;
}

void Comparison::measure(Contender& contender, ComparedSearch& row) const {
  NeighborSetup wanted = setup_.neighbors;
  wanted.method = row.method;
  if (row.structure != TreeStructure::Automatic) wanted.structure = row.structure;
  wanted.automatic = false;
  wanted.skin = 0;  // with a skin most steps would search nothing
  SearchMeasureInput input;
  input.cloud = {now_.data(), status_.particles, setup_.domain, search_radius(setup_)};
  input.previous = before_.data();
  input.in_previous_order = input.rebuild = true;
  input.lists = true;
  input.runs = kRuns;
  input.warm_up = kWarmUp;
  input.seconds = kTurnSeconds;
  const SearchMeasurement m = measure_search(device_, search_settings(setup_, wanted), input);
  for (SearchMeasurement::Run run : m.each) {
    if (!m.listed) run.list = 0;  // nothing was done
    contender.runs.push_back(run);
  }
  take_times(row, contender.runs);
  row.memory_bytes = m.memory_bytes;
  row.mean = m.mean;
}

}  // namespace riffle::desktop
