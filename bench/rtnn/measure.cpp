/// The rows of `riffle bench rtnn`: times the searches and compares them with every point.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <set>

#include "app/terminal/signals.h"
#include "bench/clouds/cloud_random.h"
#include "bench/rtnn/oracle.h"
#include "bench/rtnn/row_times.h"
#include "bench/rtnn/rtnn.h"
#include "core/error.h"
#include "core/timing/seconds_since.h"
#include "core/timing/time_marks.h"
#include "neighbors/order/bounding_box.h"
#include "neighbors/separation.h"

namespace riffle::bench {

namespace {

RtnnRow empty_row(const RtnnCase& one, const RtnnVariant& variant, const RtnnInput& input) {
  RtnnRow row;
  row.cloud = one.cloud->name;
  row.input = one.input;
  row.structure = to_string(one.structure);
  row.sweep = one.sweep;
  row.variant = variant.name;
  row.approximation = variant.approximation;
  row.task = one.task;
  row.points = static_cast<std::int64_t>(input.points().size());
  row.queries = static_cast<std::int64_t>(input.queries().size());
  row.radius = double{one.radius};
  row.neighbors = one.neighbors;
  row.leaf = one.leaf;
  for (Spread* s : {&row.data, &row.opt, &row.bvh, &row.first_search, &row.search, &row.total}) s->median = -1;
  return row;
}

/// A search's answers to the queries that are checked.
struct Answers {
  std::vector<std::vector<std::int32_t>> index;  ///< (checked) (K)
  std::vector<std::vector<float>> distance;
};

Answers answers_of(const Device& device, const PointMatches& matches, const std::vector<std::uint32_t>& queries) {
  const auto k = static_cast<std::size_t>(matches.capacity);
  Answers answers;
  for (const std::uint32_t q : queries) {
    answers.index.emplace_back(k);
    answers.distance.emplace_back(k);
    copy_to_host(device, answers.index.back().data(), matches.index.data() + q * k, k * sizeof(std::int32_t));
    copy_to_host(device, answers.distance.back().data(), matches.distance.data() + q * k, k * sizeof(float));
  }
  return answers;
}

/// Compares answers with the points that are there.
class AnswerCheck {
 public:
  AnswerCheck(const RtnnCase& one, const RtnnInput& input, bool approximate)
      : one_(one), points_(input.points()), queries_(input.queries()), approximate_(approximate) {}

  void compare(std::uint32_t query, const std::vector<std::int32_t>& index, const std::vector<float>& distance,
               const PointsWithin& within) {
    const std::size_t k = index.size();
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(k, within.count));
    std::set<std::int32_t> nearest;
    if (one_.task == RtnnTask::Knn)
      for (std::size_t place = 0; place < wanted; ++place) nearest.insert(within.nearest[place].index);
    const auto found = static_cast<std::size_t>(std::find(index.begin(), index.end(), -1) - index.begin());
    std::string fault;
    std::set<std::int32_t> seen;
    std::size_t right = 0;
    for (std::size_t place = 0; place < k; ++place) {
      const std::int32_t i = index[place];
      if (place >= found) {
        if (i != -1 || !std::isinf(distance[place])) fault = fmt::format("place {} is not empty", place);
        continue;
      }
      if (i < 0 || static_cast<std::size_t>(i) >= points_.size() || !seen.insert(i).second) {
        fault = fmt::format("found {} in place {}", i, place);
        break;
      }
      const float r2 = squared_length(separation(xyz(queries_[query]), xyz(points_[static_cast<std::size_t>(i)]), {}));
      const bool in_ball = r2 < one_.radius * one_.radius;
      right += one_.task == RtnnTask::Knn ? nearest.contains(i) : in_ball;
      const float farthest = approximate_ ? 1.7321f * one_.radius : one_.radius;
      if (distance[place] != std::sqrt(r2) || (approximate_ ? distance[place] > farthest : !in_ball))
        fault = fmt::format("found {} at {}", i, distance[place]);
      if (!approximate_ && one_.task == RtnnTask::Knn && place < wanted && i != within.nearest[place].index)
        fault = fmt::format("found {} in place {}, where {} is", i, place, within.nearest[place].index);
    }
    if (!approximate_ && fault.empty() && found != wanted) fault = fmt::format("found {} of {}", found, wanted);
    ++compared;
    right_ += right, wanted_ += wanted, found_ += found;
    if (!fault.empty() && wrong++ == 0) first = fmt::format("query {}: {}", query, fault);
  }

  double found_mean() const { return compared > 0 ? double(found_) / double(compared) : 0; }
  double recall() const { return wanted_ > 0 ? double(right_) / double(wanted_) : 1; }
  double precision() const { return found_ > 0 ? double(right_) / double(found_) : 1; }

  std::uint64_t compared = 0, wrong = 0;
  std::string first;

 private:
  const RtnnCase& one_;
  const std::vector<Vec4>&points_, &queries_;
  bool approximate_;
  std::uint64_t right_ = 0, wanted_ = 0, found_ = 0;
};

/// Repeats run(timed) until there are enough runs, the time is up or a signal has arrived.
int repeat(const RtnnBenchOptions& options, const std::function<void(bool timed)>& run) {
  const auto begin = std::chrono::steady_clock::now();
  for (int k = 0; k < std::min(kRtnnWarmUp, options.runs) && !interrupted(); ++k)
    if (k == 0 || seconds_since(begin) < options.row_seconds / 2) run(false);
  int done = 0;
  do run(true);
  while (++done < options.runs && seconds_since(begin) < options.row_seconds && !interrupted());
  return done;
}

/// Samples of each stage, one per run.
struct StageSamples {
  std::vector<double> data, opt, bvh, first_search, search, total;

  void add(const StageTimer& timer, double data_ms, double total_ms) {
    data.push_back(data_ms);
    total.push_back(total_ms);
    for (const StageStats& s : timer.stats()) {
      std::vector<double>* samples = s.name == "opt"            ? &opt
                                     : s.name == "bvh"          ? &bvh
                                     : s.name == "first search" ? &first_search
                                     : s.name == "search"       ? &search
                                                                : nullptr;
      if (samples && s.count > 0) samples->push_back(s.mean_ms * double(s.count));
    }
  }
  void spread_to(RtnnRow& row) const {
    const auto set = [](Spread& spread, const std::vector<double>& samples) {
      if (!samples.empty()) spread = spread_of(samples);
    };
    set(row.data, data), set(row.opt, opt), set(row.bvh, bvh), set(row.first_search, first_search);
    set(row.search, search), set(row.total, total);
  }
};

/// What the queries of one search cost. It is not timed: counting slows a search down.
void count_work(const Device& device, PointSearch& search, const std::function<void()>& ask, RtnnRow& row) {
  SearchCounts counts(device);
  search.time_stages(nullptr);
  search.count_work(&counts);
  ask();
  search.count_work(nullptr);
  const auto total = [](const Buffer<std::uint32_t>& of) {
    std::int64_t sum = 0;
    for (const std::uint32_t c : of.to_host()) sum += c;
    return sum;
  };
  row.calls = total(counts.calls);
  row.calls_mean = double(row.calls) / double(row.queries);
  if (!counts.nodes.empty()) row.nodes_mean = double(total(counts.nodes)) / double(row.queries);
}

/// Points and queries from the host to the device, structure, queries put in order, search. build(points, count): the
/// structure.
template <class Search, class Build>
void measure_points_by(Search& search, const Build& build, const PointSearchSettings& settings, const Device& device,
                       const RtnnCase& one, const RtnnVariant& variant, RtnnInput& input,
                       const RtnnBenchOptions& options, RtnnRow& row) {
  const std::vector<Vec4>&host = input.points(), &asking = input.queries();
  const int n = static_cast<int>(host.size()), asked = static_cast<int>(asking.size());
  StageTimer timer(device);
  search.time_stages(&timer);
  PointMatches matches(device);
  Buffer<Vec4> points(device, host.size()), queries(device, input.own_queries() ? asking.size() : 0);
  const auto ask = [&] {
    const Vec4* x = input.own_queries() ? queries.data() : points.data();
    if (one.task == RtnnTask::Knn)
      search.knn(x, asked, one.neighbors, one.radius, settings, matches);
    else
      search.range_search(x, asked, one.radius, one.neighbors, settings, matches);
  };
  TimeMarks marks(device, 3);
  StageSamples samples;
  row.runs = repeat(options, [&](bool timed) {
    fill_bytes(device, matches.index.data(), 0xfe,
               matches.index.size() * sizeof(std::int32_t));  // an old answer must not pass for a new one
    timer.collect(true);
    timer.reset();
    synchronize(device);
    marks.set(0);
    points.assign(host);
    if (input.own_queries()) queries.assign(asking);
    marks.set(1);
    build(points.data(), n);
    ask();
    marks.set(2);
    synchronize(device);
    timer.collect(true);
    if (timed) samples.add(timer, marks.milliseconds(0, 1), marks.milliseconds(0, 2));
  });
  samples.spread_to(row);
  row.note = note_of_runs(row.runs, options.runs);
  row.structure_bytes = static_cast<std::int64_t>(search.memory_bytes());
  row.result_bytes =
      static_cast<std::int64_t>(matches.index.bytes() + matches.distance.bytes() + matches.count.bytes());

  const bool approximate = !variant.approximation.empty();
  const Answers answers = answers_of(device, matches, input.checked());
  const auto& within = input.within(one.radius, one.neighbors);
  AnswerCheck check(one, input, approximate);
  for (std::size_t k = 0; k < input.checked().size(); ++k)
    check.compare(input.checked()[k], answers.index[k], answers.distance[k], within[k]);
  row.found_mean = check.found_mean();
  row.recall = check.recall();
  row.precision = check.precision();
  row.compared = check.compared;
  row.wrong = check.wrong;
  row.state = check.wrong > 0 ? RtnnState::Wrong : approximate ? RtnnState::Approximate : RtnnState::Exact;
  if (check.wrong > 0)
    row.note = fmt::format("{} of {} queries are wrong: {}", check.wrong, check.compared, check.first);
  if constexpr (requires { search.count_work(nullptr); }) count_work(device, search, ask, row);
}

void append_note(RtnnRow& row, const std::string& text) {
  if (!text.empty()) row.note += (row.note.empty() ? "" : "; ") + text;
}

void measure_tree(const Device& device, const RtnnCase& one, const RtnnVariant& variant, RtnnInput& input,
                  const RtnnBenchOptions& options, RtnnRow& row) {
  PointSearchSettings settings = variant.settings;
  settings.structure = one.structure;
  std::string note;
  if (variant.oracle) {
    const OracleChoice choice = ask_oracle(device, one, input, settings);
    settings.partition = choice.partition;
    settings.bundles = choice.bundles;
    note = choice.text;
  }
  PointSearch search(device, one.leaf);
  const auto build = [&](const Vec4* points, int count) { search.build(points, count, 3); };
  measure_points_by(search, build, settings, device, one, variant, input, options, row);
  row.parts = search.parts();
  append_note(row, note);
  if (search.met_twice() > 0)
    append_note(row, fmt::format("{} of {} queries met a point twice; the tree of the points answered them",
                                 search.met_twice(), row.queries));
}

/// Range search has cells as wide as its radius; the nearest points have cells by the cloud's density.
void measure_grid(const Device& device, const RtnnCase& one, const RtnnVariant& variant, RtnnInput& input,
                  const RtnnBenchOptions& options, RtnnRow& row) {
  GridSearch search(device);
  const float edge = one.task == RtnnTask::Range ? one.radius : 0;
  const auto build = [&](const Vec4* points, int count) { search.build(points, count, 3, edge); };
  measure_points_by(search, build, variant.settings, device, one, variant, input, options, row);
  row.parts = {{row.queries, double{one.radius}, double{one.radius}, true}};
  std::string text = fmt::format("cells of {:.3g}", search.cell_edge());
  if (one.task == RtnnTask::Knn)
    text += fmt::format(", {} of {} queries walked beyond their rings", search.walked(), input.queries().size());
  append_note(row, text);
}

Domain domain_round(const std::vector<Vec4>& points, float radius) {
  BoundingBox box;
  for (const Vec4& p : points) box = {least(box.low, xyz(p)), most(box.high, xyz(p))};
  // A plane has no volume, and a radius may vanish beside large coordinates.
  const auto room = [radius](float low, float high) {
    return std::max(radius, 1e-6f * std::max(std::fabs(low), std::fabs(high)));
  };
  const Vec3 around{room(box.low.x, box.high.x), room(box.low.y, box.high.y), room(box.low.z, box.high.z)};
  Domain domain;
  domain.min = box.low - around;
  domain.max = box.high + around;
  return domain;
}

/// All neighbours counted, as a simulation's density is summed.
void measure_count(const Device& device, const RtnnCase& one, const RtnnVariant& variant, RtnnInput& input,
                   const RtnnBenchOptions& options, RtnnRow& row) {
  const Buffer<Vec4> points(device, input.points());
  SearchSettings settings;
  settings.method = *variant.method;
  settings.tree_rebuild = TreeRebuild::Always;
  settings.tree_leaf = one.leaf;
  SearchMeasureInput measure;
  measure.cloud = {points.data(), static_cast<int>(points.size()), domain_round(input.points(), one.radius),
                   one.radius};
  measure.runs = options.runs;
  measure.warm_up = std::min(kRtnnWarmUp, options.runs);
  measure.seconds = options.row_seconds;
  measure.stop = interrupted;
  const SearchMeasurement m = measure_search(device, settings, measure);
  row.bvh = m.build, row.opt = m.reorder, row.search = m.query, row.total = m.total;
  row.runs = m.runs;
  row.note = note_of_runs(row.runs, options.runs);
  row.structure.clear();  // its own
  row.parts = {{row.queries, double{one.radius}, double{one.radius}, true}};
  row.structure_bytes = static_cast<std::int64_t>(m.memory_bytes);
  row.result_bytes = static_cast<std::int64_t>(points.size() * sizeof(std::uint32_t));
  const auto& within = input.within(one.radius, one.neighbors);
  std::vector<NeighborDigest> expected;
  for (const PointsWithin& all : within)
    expected.push_back({static_cast<std::uint32_t>(all.count) - 1, 0, 0});  // not itself
  const CountCheck check = check_counts(m.neighbors, input.checked(), expected);
  double found = 0;
  for (const std::uint32_t q : input.checked()) found += m.neighbors[q];
  row.found_mean = found / double(input.checked().size());
  row.compared = check.compared;
  row.wrong = check.wrong;
  row.state = check.wrong > 0 ? RtnnState::Wrong : RtnnState::Exact;
  if (check.wrong > 0)
    row.note = fmt::format("{} of {} queries are wrong: {}", check.wrong, check.compared, check.first);
}

void compare_rows(std::vector<RtnnRow>& rows) {
  const auto no_opt = std::find_if(rows.begin(), rows.end(),
                                   [](const RtnnRow& row) { return row.variant == "NoOpt" && row.measured(); });
  RtnnRow* fastest = nullptr;
  for (RtnnRow& row : rows) {
    if (!row.measured()) continue;
    if (no_opt != rows.end()) row.speed_up = no_opt->total.median / row.total.median;
    if (row.state == RtnnState::Exact && (!fastest || row.total.median < fastest->total.median)) fastest = &row;
  }
  if (fastest) fastest->fastest = true;
}

}  // namespace

std::string to_string(RtnnTask task) {
  switch (task) {
    case RtnnTask::Range: return "range";
    case RtnnTask::Knn: return "knn";
    case RtnnTask::Count: return "count";
  }
  return "unknown";
}

std::string to_string(RtnnState state) {
  switch (state) {
    case RtnnState::Exact: return "ok";
    case RtnnState::Approximate: return "approximate";
    case RtnnState::Wrong: return "WRONG";
    case RtnnState::Refused: return "refused";
    case RtnnState::LeftOut: return "left out";
  }
  return "unknown";
}

RtnnInput::RtnnInput(std::vector<Vec4> points, std::uint64_t seed)
    : points_(std::move(points)), sorted_(std::make_shared<PointsByX>()) {
  const int n = static_cast<int>(points_.size());
  checked_ = random_particles(n, std::min(kRtnnChecked, n), seed_of_part(seed, 2));
}

RtnnInput::RtnnInput(std::vector<Vec4> points, std::vector<Vec4> queries, std::uint64_t seed,
                     std::shared_ptr<PointsByX> sorted)
    : points_(std::move(points)), queries_(std::move(queries)), sorted_(std::move(sorted)), own_queries_(true) {
  const int n = static_cast<int>(queries_.size());
  checked_ = random_particles(n, std::min(kRtnnChecked, n), seed_of_part(seed, 2));
}

std::vector<Vec4> shuffled_points(std::vector<Vec4> points, std::size_t count, std::uint64_t seed) {
  CloudRandom random(seed_of_part(seed, 1));
  for (std::size_t i = points.size(); i > 1; --i) std::swap(points[i - 1], points[random.below(i)]);
  points.resize(std::min(count, points.size()));
  return points;
}

std::vector<Vec4> raster_queries(const std::vector<Vec4>& points, int per_axis, std::uint64_t seed) {
  BoundingBox box;
  for (const Vec4& p : points) box = {least(box.low, xyz(p)), most(box.high, xyz(p))};
  CloudRandom random(seed_of_part(seed, 3));
  const auto place = [&](float low, float high, int cell) {
    return static_cast<float>(double{low} + (double{high} - double{low}) * (cell + random.unit()) / per_axis);
  };
  std::vector<Vec4> queries;
  queries.reserve(static_cast<std::size_t>(per_axis) * static_cast<std::size_t>(per_axis) *
                  static_cast<std::size_t>(per_axis));
  for (int z = 0; z < per_axis; ++z)
    for (int y = 0; y < per_axis; ++y)
      for (int x = 0; x < per_axis; ++x) {
        const float at_x = place(box.low.x, box.high.x, x), at_y = place(box.low.y, box.high.y, y),
                    at_z = place(box.low.z, box.high.z, z);
        queries.push_back({at_x, at_y, at_z, 0});
      }
  return queries;
}

const std::vector<PointsWithin>& RtnnInput::within(float radius, int nearest) {
  constexpr int usual = 256;
  if (const auto keep = static_cast<std::size_t>(std::max(nearest, usual)); radius != radius_ || keep > kept_) {
    std::vector<Vec4> asking;
    for (const std::uint32_t q : checked_) asking.push_back(queries()[q]);
    constexpr std::size_t few = 32;  // for fewer a sort takes longer than to test every point
    if (sorted_->point.empty() && asking.size() >= few) *sorted_ = PointsByX::of(points_);
    within_ = sorted_->point.empty() ? points_within(points_, asking, radius, keep)
                                     : points_within(*sorted_, asking, radius, keep);
    radius_ = radius;
    kept_ = keep;
  }
  return within_;
}

std::vector<RtnnRow> measure_case(const Device& device, const RtnnCase& one, RtnnInput& input,
                                  const RtnnBenchOptions& options, const std::vector<RtnnRow>& before) {
  double ball_mean = 0;
  for (const PointsWithin& all : input.within(one.radius, one.neighbors))
    ball_mean += double(all.count) / double(input.checked().size());
  std::vector<RtnnRow> rows;
  for (const RtnnVariant& variant : one.variants) {
    if (interrupted()) break;
    RtnnRow row = empty_row(one, variant, input);
    row.ball_mean = ball_mean;
    row.note = why_too_long(row, before, options.row_seconds);
    if (!row.note.empty()) {
      row.state = RtnnState::LeftOut;
      rows.push_back(std::move(row));
      continue;
    }
    try {
      const auto measure = variant.method ? measure_count : variant.grid ? measure_grid : measure_tree;
      measure(device, one, variant, input, options, row);
    } catch (const Unavailable& error) {
      row = empty_row(one, variant, input);
      row.ball_mean = ball_mean;
      row.state = RtnnState::Refused;
      row.note = error.what();
    }
    if (variant.oracle && interrupted()) break;  // it may have measured a part of the bundles only
    rows.push_back(std::move(row));
  }
  compare_rows(rows);
  return rows;
}

}  // namespace riffle::bench
