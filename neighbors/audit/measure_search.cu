#include "neighbors/audit/measure_search.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <string>
#include <variant>

#include "core/timing/seconds_since.h"
#include "core/timing/time_marks.h"
#include "neighbors/build_sorted.h"
#include "neighbors/fenns/tile_scatter.cuh"
#include "neighbors/lists/count_neighbors.h"
#include "neighbors/traverse.cuh"

namespace riffle {

namespace {

/// (count) the order that the search wants for the positions; empty if it wants none.
std::vector<std::uint32_t> order_of(const NeighborSearch& search) {
  std::vector<std::uint32_t> order;
  if (!search.wants_reorder() || search.count() == 0) return order;
  order.resize(static_cast<std::size_t>(search.count()));
  copy_to_host(search.device(), order.data(), search.order(), order.size() * sizeof(std::uint32_t));
  return order;
}

/// The cloud as input of the runs: as it is, or in the order of the previous step.
class RunInput {
 public:
  RunInput(const Device& device, const SearchSettings& settings, const SearchMeasureInput& input)
      : positions_(device), previous_(device), now(input.cloud.positions), before(input.previous) {
    if (!input.in_previous_order) return;
    NeighborSearch search(device, settings);
    search.build(input.previous, input.cloud.count, input.cloud.domain, input.cloud.h);
    original = order_of(search);
    if (original.empty()) return;
    copy_in_order(search, input.cloud.positions, positions_);
    now = positions_.data();
    if (!input.rebuild) return;
    copy_in_order(search, input.previous, previous_);
    before = previous_.data();
  }

 private:
  Buffer<Vec4> positions_, previous_;

 public:
  const Vec4* now;
  const Vec4* before;
  std::vector<std::uint32_t> original;  ///< (count) the cloud's index by the run's; empty if they are equal
};

}  // namespace

SearchMeasurement measure_search(const Device& device, const SearchSettings& settings,
                                 const SearchMeasureInput& input) {
  const ParticleCloud& cloud = input.cloud;
  const auto n = static_cast<std::size_t>(cloud.count);
  if ((input.in_previous_order || input.rebuild) && !input.previous)
    throw std::logic_error("measure_search: the previous positions are not given");
  if (input.sums == TileSums::Scatter && (input.lists || settings.method != NeighborMethod::Fenns))
    throw std::logic_error("measure_search: only `fenns` without lists can scatter");
  const RunInput run_input(device, settings, input);
  NeighborSearch search(device, settings);
  Buffer<Vec4> sorted(device, n);
  Buffer<std::uint32_t> count(device, n);
  TimeMarks marks(device, 5);
  SearchMeasurement result;
  std::vector<double> times[5];
  const auto begin = std::chrono::steady_clock::now();
  for (int run = -input.warm_up; run < input.runs; ++run) {
    const bool stopped = input.stop && input.stop();
    if (run > 0 && (stopped || seconds_since(begin) > input.seconds)) break;
    if (run < 0 && (stopped || (run > -input.warm_up && seconds_since(begin) > input.seconds / 2)))
      continue;  // never ends the warm-up
    if (input.rebuild) search.build(run_input.before, cloud.count, cloud.domain, cloud.h);
    fill_bytes(device, count.data(), 0xff,
               n * sizeof(std::uint32_t));  // so that no count of an earlier run is taken for a new one
    synchronize(device);
    const Vec4* positions = run_input.now;
    marks.set(0);
    search.build(positions, cloud.count, cloud.domain, cloud.h);
    marks.set(1);
    if (search.wants_reorder()) {
      copy_in_order(search, positions, sorted);
      positions = sorted.data();
    }
    marks.set(2);
    if (input.lists) search.list_neighbors(positions);
    marks.set(3);
    const CountNeighbors<std::uint32_t> functor{count.data()};
    if (input.sums == TileSums::Scatter)
      scatter_to_neighbors(search, "count neighbours", positions, cloud.h, functor);
    else
      for_each_neighbor(search, "count neighbours", positions, cloud.h, functor);
    marks.set(4);
    synchronize(device);
    if (run < 0) continue;
    for (int stage = 0; stage < 4; ++stage) times[stage].push_back(marks.milliseconds(stage, stage + 1));
    times[4].push_back(marks.milliseconds(0, 4));
    ++result.runs;
  }
  if (!search.wants_reorder()) std::fill(times[1].begin(), times[1].end(), 0.0);  // two marks with nothing between them
  result.listed = search.view().index() != search.method_view().index();
  if (!input.lists) std::fill(times[2].begin(), times[2].end(), 0.0);
  Spread* spreads[] = {&result.build, &result.reorder, &result.list, &result.query, &result.total};
  for (int stage = 0; stage < 5; ++stage) *spreads[stage] = spread_of(times[stage]);
  for (std::size_t run = 0; run < times[0].size(); ++run)
    result.each.push_back({times[0][run], times[1][run], times[2][run], times[3][run], times[4][run]});
  result.reordered_bytes = search.wants_reorder() ? 16 : 0;
  result.memory_bytes = search.memory_bytes();
  result.figures = figures_of(search.stats(), search.list_stats(), cloud.count);
  const ShownCells shown = std::visit([](const auto& view) { return view.shown(); }, search.method_view());
  if (shown.grid)
    for (int a = 0; a < cloud.domain.dimension; ++a)
      result.figures.push_back(figure_named(std::string("cell ") + "xyz"[a] + " [h]",
                                            double{component(shown.grid->cell, a)} / double{cloud.h}));

  const std::vector<std::uint32_t> order = order_of(search), counts = count.to_host();
  result.neighbors.resize(n);
  std::uint64_t sum = 0;
  result.min = n > 0 ? ~0u : 0;
  for (std::size_t p = 0; p < n; ++p) {
    const std::size_t in_run = order.empty() ? p : order[p];
    result.neighbors[run_input.original.empty() ? in_run : run_input.original[in_run]] = counts[p];
    sum += counts[p];
    result.min = std::min(result.min, counts[p]);
    result.max = std::max(result.max, counts[p]);
  }
  result.mean = n > 0 ? double(sum) / double(n) : 0;
  return result;
}

CountCheck check_counts(const std::vector<std::uint32_t>& found, const std::vector<std::uint32_t>& particles,
                        const std::vector<NeighborDigest>& expected) {
  CountCheck check;
  for (std::size_t k = 0; k < particles.size(); ++k) {
    ++check.compared;
    const std::uint32_t n = found.at(particles[k]);
    if (n == expected.at(k).count) continue;
    if (check.wrong++ == 0)
      check.first = "particle " + std::to_string(particles[k]) + " has " + std::to_string(expected[k].count) +
                    " neighbours, " + (n == ~0u ? std::string("none were counted") : std::to_string(n) + " were found");
  }
  return check;
}

}  // namespace riffle
