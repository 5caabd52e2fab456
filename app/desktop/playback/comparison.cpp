#include "app/desktop/playback/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "app/terminal/progress.h"
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

}  // namespace

void sort_for_display(std::vector<ComparedSearch>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const ComparedSearch& a, const ComparedSearch& b) {
    if (a.state != b.state) return rank(a.state) < rank(b.state);
    return a.state == ComparedSearch::State::Measured && a.total_ms < b.total_ms;
  });
}

void take_times(ComparedSearch& row, const SearchMeasurement& measured) {
  row.build_ms = measured.build.median;
  row.reorder_ms = measured.reorder.median;
  row.list_ms = measured.listed ? measured.list.median : 0;
  row.query_ms = measured.query.median;
  row.total_ms = measured.total.median;
  row.least_ms = measured.total.min;
  row.most_ms = measured.total.max;
}

const ComparedSearch* ComparisonStatus::fastest() const {
  const ComparedSearch* best = nullptr;
  for (const ComparedSearch& row : rows)
    if (row.state == ComparedSearch::State::Measured && (!best || row.total_ms < best->total_ms)) best = &row;
  return best;
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
  status_.step = clock.step;
  status_.time = clock.time;
  status_.particles = simulation.particle_count();
  status_.device_name = device_name(device_);
  const auto sensible = sensible_methods(status_.particles);
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const TreeStructure structure : tree_structures(info.method, device_)) {
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
}

void Comparison::advance() {
  const auto waits = [](const ComparedSearch& row) { return row.state == ComparedSearch::State::Waiting; };
  if (const auto row = std::find_if(status_.rows.begin(), status_.rows.end(), waits); row != status_.rows.end()) {
    try {
      measure(*row);
      row->state = ComparedSearch::State::Measured;
    } catch (const std::bad_alloc&) {
      row->state = ComparedSearch::State::Refused;
      row->reason = "out of memory";
    } catch (const std::exception& refusal) {
      row->state = ComparedSearch::State::Refused;
      row->reason = refusal.what();
    }
  }
  sort_for_display(status_.rows);
  status_.running = std::any_of(status_.rows.begin(), status_.rows.end(), waits);
  if (status_.running) return;
  now_ = Buffer<Vec4>(device_);
  before_ = Buffer<Vec4>(device_);
}

void Comparison::measure(ComparedSearch& row) const {
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
  input.seconds = kSeconds;
  const SearchMeasurement m = measure_search(device_, search_settings(setup_, wanted), input);
  take_times(row, m);
  row.runs = m.runs;
  row.memory_bytes = m.memory_bytes;
  row.mean = m.mean;
}

}  // namespace riffle::desktop
