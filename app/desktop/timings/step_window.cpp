#include "app/desktop/timings/step_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/math/statistics.h"

namespace riffle::desktop {

namespace {

/// @param ms mean of each moment @param steps number of steps of each moment
StageStats stats_of(std::string name, const std::vector<double>& ms, const std::vector<double>& steps) {
  StageStats stats;
  stats.name = std::move(name);
  const double all = std::accumulate(steps.begin(), steps.end(), 0.0);
  stats.count = static_cast<std::uint64_t>(all);
  if (ms.empty()) return stats;
  const Spread spread = spread_of(ms);
  stats.mean_ms = std::inner_product(ms.begin(), ms.end(), steps.begin(), 0.0) / all;
  stats.median_ms = spread.median;
  stats.p95_ms = spread.p95;
  return stats;
}

}  // namespace

std::string difference(const TimedSetup& before, const TimedSetup& now) {
  std::string text;
  for (const auto part : {&TimedSetup::solver, &TimedSetup::search, &TimedSetup::device})
    if (before.*part != now.*part) text += (text.empty() ? "" : ", ") + now.*part;
  return text;
}

void StepWindow::begin(const TimedSetup& setup) {
  if (!(setup == setup_) && !moments_.empty()) {
    const StepStatistics until_now = statistics();
    before_.what = difference(setup, setup_);
    before_.median_ms = {{"other", until_now.other.median_ms}, {"step", until_now.step.median_ms}};
    for (const StageStats& stage : until_now.stages) before_.median_ms[stage.name] = stage.median_ms;
    before_.moments = until_now.moments;
    before_.others = until_now.others;
  }
  setup_ = setup;
  restart();
}

void StepWindow::begin_run(const TimedSetup& setup) {
  before_ = {};
  setup_ = setup;
  restart();
}

void StepWindow::add(const StageHistory::Column& moment, const std::vector<std::string>& names) {
  names_ = names;
  moments_.push_back(moment);
  if (moments_.size() > kMoments) moments_.pop_front();
}

StepStatistics StepWindow::statistics() const {
  StepStatistics all;
  std::vector<double> steps, whole, rest;
  double known = 0, others = 0;  // [s], and processors times s
  for (const StageHistory::Column& moment : moments_) {
    steps.push_back(static_cast<double>(moment.steps));
    whole.push_back(total_ms(moment));
    rest.push_back(total_ms(moment) - stages_ms(moment));
    all.steps += moment.steps;
    all.seconds += moment.seconds;
    all.simulated += moment.simulated;
    if (!moment.others) continue;
    known += moment.seconds;
    others += moment.seconds * *moment.others;
  }
  if (known > 0) all.others = others / known;
  all.moments = spread_of(whole);
  for (std::size_t stage = 0; stage < names_.size(); ++stage) {
    std::vector<double> ms;
    for (const StageHistory::Column& moment : moments_)
      ms.push_back(stage < moment.mean_ms.size() ? double{moment.mean_ms[stage]} : 0.0);
    if (std::any_of(ms.begin(), ms.end(), [](double t) { return t > 0; }))
      all.stages.push_back(stats_of(names_[stage], ms, steps));
  }
  all.other = stats_of("other", rest, steps);
  all.step = stats_of("step", whole, steps);
  all.before = before_;
  return all;
}

std::string against_before(const StepStatistics& statistics) {
  const Spread &now = statistics.moments, &then = statistics.before.moments;
  if (statistics.steps == 0 || statistics.before.what.empty() || !(then.median > 0)) return "";
  if (now.p5 <= then.p95 && then.p5 <= now.p95) return "no clear difference";
  const double change = now.median / then.median - 1;
  return fmt::format("{:.0f} % {}", 100 * std::fabs(change), change < 0 ? "less" : "more");
}

std::string other_programs(const StepStatistics& statistics) {
  if (!statistics.others) return "";
  const std::string now = fmt::format("{:.1f} processors busy", *statistics.others);
  return statistics.before.others ? fmt::format("{}, {:.1f} before", now, *statistics.before.others) : now;
}

void StepTable::follow(const StepStatistics& newest, std::string_view solver,
                       std::pair<std::uint64_t, std::uint64_t> run) {
  outdated_ = newest.steps == 0;
  of_earlier_run_ = outdated_ && shown_.steps > 0 && run != run_;
  if (outdated_) {
    shown_.before = newest.before;
    return;
  }
  run_ = run;
  const std::vector<StageStats> old = std::exchange(shown_, newest).stages;
  std::vector<StageStats>& rows = shown_.stages;
  for (std::size_t i = 0; i < old.size() && solver == solver_; ++i) {
    const auto same = [&](const StageStats& row) { return row.name == old[i].name; };
    if (std::any_of(rows.begin(), rows.end(), same)) continue;
    StageStats none;
    none.name = old[i].name;
    rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(std::min(i, rows.size())), none);
  }
  solver_ = solver;
}

}  // namespace riffle::desktop
