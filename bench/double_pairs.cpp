#include "bench/double_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/terminal/signals.h"
#include "bench/clouds/cloud_random.h"
#include "core/error.h"
#include "core/timing/seconds_since.h"
#include "core/timing/time_marks.h"
#include "neighbors/lists/double_pair_oracle.h"

namespace riffle::bench {

namespace {

/// Compares the partners of some particles with every point, and takes the numbers of partners of all.
void check_pairs(const DoublePairList& list, const std::vector<DoublePoint>& points,
                 const std::vector<std::uint32_t>& particles, const std::vector<std::vector<std::uint32_t>>& expected,
                 BenchRow& row) {
  const std::vector<std::uint32_t> first = list.first.to_host(), second = list.second.to_host();
  std::vector<std::uint32_t> partners(points.size(), 0);
  for (std::size_t k = 0; k < first.size(); ++k) ++partners[first[k]], ++partners[second[k]];
  row.neighbors_mean = points.empty() ? 0 : 2 * double(first.size()) / double(points.size());
  const auto [least, most] = std::minmax_element(partners.begin(), partners.end());
  row.neighbors_min = points.empty() ? 0 : *least;
  row.neighbors_max = points.empty() ? 0 : *most;
  const auto found = partners_in(first, second, particles, points.size());
  for (std::size_t k = 0; k < particles.size(); ++k) {
    ++row.compared;
    if (found[k] == expected[k]) continue;
    if (row.wrong++ == 0)
      row.note =
          fmt::format("particle {} has {} partners, {} were listed", particles[k], expected[k].size(), found[k].size());
  }
  row.state = row.wrong == 0 ? RowState::Measured : RowState::Wrong;
}

}  // namespace

std::vector<DoublePoint> uniform_doubles(std::int64_t count, double edge, std::uint64_t seed, CloudOrder order,
                                         std::uint64_t order_seed) {
  CloudRandom random(seed), places(order_seed);
  std::vector<DoublePoint> points;
  points.reserve(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k) {
    const double x = random.uniform(0, edge), y = random.uniform(0, edge), z = random.uniform(0, edge);
    points.push_back({x, y, z});
  }
  if (order != CloudOrder::InOrder)
    for (std::size_t k = points.size(); k > 1; --k) std::swap(points[k - 1], points[places.below(k)]);
  return points;
}

std::vector<BenchRow> measure_double_pairs(const Device& device, const std::vector<DoublePoint>& points, double radius,
                                           const BenchRow& row, const std::vector<std::uint32_t>& particles,
                                           const NeighborBenchOptions& options, int warm_up) {
  const auto expected = partners_within(points, particles, radius);
  const auto count = static_cast<std::int64_t>(points.size());
  std::vector<BenchRow> rows;
  for (const bool distances : {false, true}) {
    if (interrupted()) break;
    BenchRow one = row;
    one.method = distances ? "pairs in double, distances" : "pairs in double";
    one.radius = radius;
    try {
      const Buffer<DoublePoint> there(device, points);
      DoublePairs search(device);
      DoublePairList list(device);
      TimeMarks marks(device, 2);
      std::vector<double> times;
      const auto begin = std::chrono::steady_clock::now();
      for (int run = -warm_up; run < options.runs; ++run) {
        if (run > 0 && (interrupted() || seconds_since(begin) > options.row_seconds)) break;
        if (run < 0 && run > -warm_up && seconds_since(begin) > options.row_seconds / 2) continue;
        synchronize(device);
        marks.set(0);
        search.build(there.data(), count, radius, distances, list);
        marks.set(1);
        synchronize(device);
        if (run >= 0) times.push_back(marks.milliseconds(0, 1));
      }
      one.build = one.total = spread_of(times);
      one.reorder.median = one.list.median = one.query.median = -1;
      one.runs = static_cast<int>(times.size());
      one.note = note_of_runs(one.runs, options.runs);
      one.memory_bytes = static_cast<std::int64_t>(search.memory_bytes() + list.first.bytes() + list.second.bytes() +
                                                   list.distance.bytes());
      one.figures = {figure_named("candidates", double(search.candidates())),
                     figure_named("half pairs", double(list.size()))};
      check_pairs(list, points, particles, expected, one);
    } catch (const Unavailable& error) {
      one.state = RowState::Refused;
      one.note = error.what();
    }
    rows.push_back(std::move(one));
  }
  return rows;
}

}  // namespace riffle::bench
