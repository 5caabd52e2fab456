#include "sim/neighbor_tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/error.h"
#include "core/math/statistics.h"

namespace riffle {

namespace {

constexpr float kSkins[] = {0.05f, 0.1f, 0.2f};
constexpr int kOracleParticles = 4096;

bool doubled_or_halved(double now, double then) { return now >= 2 * then || then >= 2 * now; }

}  // namespace

std::string describe(const SearchChoice& choice) {
  return search_name(choice.method, TreeStructure::Automatic, choice.skin);
}

std::vector<NeighborMethod> sensible_methods(int particles) {
  std::vector<NeighborMethod> methods;
  for (const NeighborMethodInfo& info : neighbor_methods())
    if (info.method != NeighborMethod::BruteForce || particles <= kOracleParticles) methods.push_back(info.method);
  return methods;
}

bool NeighborTuner::Trial::finished() const {
  const std::size_t timed = plain_ms.size() + rebuild_ms.size();
  if (search.skin == 0) return timed >= kTimed;
  return (timed >= kTimed && lives > 0) || timed >= kLongestLife;
}

double NeighborTuner::Trial::result() const {
  if (plain_ms.empty()) return upper_median(rebuild_ms);
  const double plain = upper_median(plain_ms);
  // For a list that outlived the measurement, a rebuild is taken to cost twice a plain step, and at most 1/64 counts.
  const double rebuild = rebuild_ms.empty() ? 2 * plain : upper_median(rebuild_ms);
  const double life = lives > 0 ? double(life_steps) / lives : age + 1;
  return plain + (rebuild - plain) / life;
}

NeighborTuner::NeighborTuner(const NeighborSetup& start, std::vector<NeighborMethod> methods, float slow)
    : start_(start), methods_(std::move(methods)), slow_(slow) {
  report_.chosen = {start.method, 0};
  report_.reason = "not measured yet";
  begin_round("");
}

NeighborSetup NeighborTuner::setup_for(const SearchChoice& choice) const {
  NeighborSetup setup = start_;
  setup.automatic = true;
  setup.method = choice.method;
  setup.skin = choice.skin;
  return setup;
}

NeighborTuner::Task NeighborTuner::next(std::uint64_t step, float max_speed) {
  step_ = step;
  if (std::isfinite(max_speed)) speed_ = max_speed;
  Task task;
  if (phase_ == Phase::Settled) {
    task = settled_task();
    if (phase_ == Phase::Settled) return task;
  }
  const SearchChoice& wanted = phase_ == Phase::Measuring ? trials_[at_].search : report_.chosen;
  if (in_use_ != wanted)
    task.change = setup_for(wanted);
  else
    task.timed = true;
  return task;
}

void NeighborTuner::changed(double ms) {
  if (phase_ == Phase::Settled) throw std::logic_error("NeighborTuner: no change was asked for");
  if (phase_ == Phase::Measuring) {
    in_use_ = trials_[at_].search;
    trials_[at_].spent_ms += ms;
  } else {
    in_use_ = report_.chosen;
    change_ms_ += ms;
    settle();
  }
}

void NeighborTuner::refused(const std::string& why) {
  if (phase_ == Phase::Settled) {  // the search in use no longer works
    const SearchChoice lost = report_.chosen;
    begin_round(describe(lost) + " could not go on");
    for (Trial& trial : trials_)
      if (trial.search.method == lost.method) trial.skipped = why;
    in_use_.reset();
    if (!trials_[at_].skipped.empty()) advance();
    return;
  }
  if (phase_ == Phase::Measuring) {
    trials_[at_].skipped = why;
    advance();
    return;
  }
  for (Trial& trial : trials_)
    if (trial.search == report_.chosen) trial.skipped = why, trial.step_ms = 0;
  in_use_.reset();
  choose();
}

void NeighborTuner::timed(double ms, bool rebuilt) {
  if (phase_ != Phase::Measuring) throw std::logic_error("NeighborTuner: no time was asked for");
  Trial& trial = trials_[at_];
  trial.spent_ms += ms;
  const bool warm = ++trial.steps > kWarmUp;
  if (rebuilt && warm) {
    ++trial.lives;
    trial.life_steps += trial.age + 1;
  }
  trial.age = rebuilt ? 0 : trial.age + 1;
  if (!warm) return;
  (rebuilt ? trial.rebuild_ms : trial.plain_ms).push_back(ms);
  // A step that rebuilds a skin's list is expected to cost more.
  const bool telling = trial.steps == kWarmUp + 1 && !(rebuilt && trial.search.skin > 0);
  if (telling && ms > kTooSlow * fastest()) {
    trial.skipped =
        fmt::format("dropped after a step of {:.3g} ms, more than {:g} times that of the fastest", ms, kTooSlow);
    if (trial.search.skin == 0) trial.sits_out = true;
    advance();
  } else if (trial.finished()) {
    trial.step_ms = trial.result();
    advance();
  }
}

double NeighborTuner::fastest() const {
  double least = std::numeric_limits<double>::infinity();
  for (const Trial& trial : trials_)
    if (trial.step_ms > 0) least = std::min(least, trial.step_ms);
  return least;
}

void NeighborTuner::begin_round(const std::string& why) {
  phase_ = Phase::Measuring;
  why_round_ = why;
  stays_.clear();
  for (const Trial& trial : trials_)
    if (trial.sits_out)
      sit_out_.push_back({trial.search, 0, fmt::format("at step {}: {}", round_began_, trial.skipped)});
  run_before_ms_ = run_ms();
  cost_before_ms_ = report_.cost_ms;
  round_began_ = step_;
  change_ms_ = 0;
  at_ = 0;
  variants_added_ = false;
  incumbent_ = in_use_;
  report_.measuring = true;
  ++rounds_;

  const SearchChoice first = in_use_.value_or(report_.chosen);
  trials_.clear();
  if (first.skin > 0 || std::find(methods_.begin(), methods_.end(), first.method) != methods_.end())
    trials_.emplace_back(first);
  for (const NeighborMethod method : methods_) {
    const bool out = std::any_of(sit_out_.begin(), sit_out_.end(),
                                 [&](const TuningCandidate& c) { return c.search.method == method; });
    if (!out && !(first == SearchChoice{method, 0})) trials_.emplace_back(SearchChoice{method, 0});
  }
}

/// Goes to the next trial that is not skipped.
void NeighborTuner::advance() {
  for (++at_;; ++at_) {
    if (at_ == trials_.size() && !variants_added_) {
      variants_added_ = true;
      const Trial* best = nullptr;
      for (const Trial& trial : trials_)
        if (trial.search.skin == 0 && trial.step_ms > 0 && (!best || trial.step_ms < best->step_ms)) best = &trial;
      if (best) {
        const NeighborMethod method = best->search.method;
        for (const float skin : kSkins)
          if (std::none_of(trials_.begin(), trials_.end(), [&](const Trial& t) {
                return t.search == SearchChoice{method, skin};
              }))
            trials_.emplace_back(SearchChoice{method, skin});
      }
    }
    if (at_ == trials_.size()) return choose();
    if (trials_[at_].skipped.empty()) return;
  }
}

void NeighborTuner::choose() {
  phase_ = Phase::Choosing;
  const Trial *best = nullptr, *before = nullptr;
  for (const Trial& trial : trials_) {
    if (!(trial.step_ms > 0)) continue;
    if (!best || trial.step_ms < best->step_ms) best = &trial;
    if (incumbent_ == trial.search) before = &trial;
  }
  if (!best) {
    std::string reasons;
    for (const Trial& trial : trials_) reasons += fmt::format("; {}: {}", describe(trial.search), trial.skipped);
    throw Unavailable("no neighbour search can work on this scene here" + reasons);
  }
  stays_.clear();
  if (before && before != best && best->step_ms > kWorthwhile * before->step_ms) {
    stays_ = fmt::format("{} is less than {:.0f} % faster and not worth a change", describe(best->search),
                         100 * (1 - kWorthwhile));
    best = before;
  }
  report_.chosen = best->search;
  chosen_ms_ = best->step_ms;
  settle();
}

/// The round's result, as far as it is known before the change to the chosen search.
void NeighborTuner::settle() {
  if (in_use_ == report_.chosen) phase_ = Phase::Settled;
  settled_at_ = step_;
  report_.candidates.clear();
  report_.cost_ms = cost_before_ms_ + change_ms_;
  expected_excess_ms_ = change_ms_;
  round_ms_ = change_ms_;
  for (const Trial& trial : trials_) {
    const double excess_ms = std::max(0.0, trial.spent_ms - trial.steps * chosen_ms_);
    round_ms_ += trial.spent_ms;
    report_.cost_ms += excess_ms;
    if (!trial.sits_out) expected_excess_ms_ += excess_ms;
    report_.candidates.push_back({trial.search, trial.step_ms, trial.skipped});
  }
  for (const TuningCandidate& c : sit_out_) report_.candidates.push_back(c);
  report_.measured_at_step = round_began_;
  report_.times_measured = rounds_;
  report_.measuring = false;
  report_.reason = reason();
  reference_speed_ = speed_;
  reference_occupancy_.reset();
  occupancy_.reset();
  look_done_ = false;
}

std::string NeighborTuner::reason() const {
  std::string text = fmt::format("{}, {:.3g} ms per step; ", describe(report_.chosen), chosen_ms_);
  std::vector<TuningCandidate> others;
  for (const TuningCandidate& c : report_.candidates)
    if (!(c.search == report_.chosen)) others.push_back(c);
  std::stable_sort(others.begin(), others.end(), [](const TuningCandidate& a, const TuningCandidate& b) {
    if ((a.step_ms > 0) != (b.step_ms > 0)) return a.step_ms > 0;
    return a.step_ms < b.step_ms;
  });
  for (const TuningCandidate& c : others) {
    const std::string what = c.step_ms > 0 ? fmt::format(" {:.3g}", c.step_ms) : " not measured (" + c.skipped + ")";
    text += describe(c.search) + what + ", ";
  }
  text += fmt::format("at step {}", round_began_);
  if (!stays_.empty()) text += "; " + stays_;
  if (!why_round_.empty()) text += "; measured because " + why_round_;
  return text;
}

NeighborTuner::Task NeighborTuner::settled_task() {
  Task task;
  const std::uint64_t since = step_ - settled_at_;
  task.look = !reference_occupancy_ || (since > 0 && since % kLookAtOccupancy == 0);
  const bool due = look_done_ || (since > 0 && since % kLookAtSpeed == 0);
  look_done_ = false;
  if (!due) return task;
  if (const std::string why = drift(); !why.empty() && affordable()) begin_round(why);
  return task.look && phase_ == Phase::Settled ? task : Task{};
}

double NeighborTuner::run_ms() const {
  return run_before_ms_ + round_ms_ + static_cast<double>(step_ - settled_at_) * chosen_ms_;
}

bool NeighborTuner::affordable() const { return report_.cost_ms + expected_excess_ms_ <= kShare * run_ms(); }

void NeighborTuner::seen(const OccupancyStats& now) {
  if (!reference_occupancy_)
    reference_occupancy_ = now;
  else
    look_done_ = true;
  occupancy_ = now;
}

/// Why to measure again; "" while the particles are much as they were when the search was chosen.
std::string NeighborTuner::drift() const {
  const double speed = std::max(speed_, slow_), speed_then = std::max(reference_speed_, slow_);
  if (doubled_or_halved(speed, speed_then))
    return fmt::format("the largest speed went from {:.3g} to {:.3g}", reference_speed_, speed_);
  if (!occupancy_ || !reference_occupancy_ || reference_occupancy_->occupied == 0) return "";
  const double mean = occupancy_->mean, mean_then = reference_occupancy_->mean;
  if (std::fabs(mean - mean_then) >= 0.25 * mean_then)
    return fmt::format("the particles per occupied cell went from {:.3g} to {:.3g}", mean_then, mean);
  if (doubled_or_halved(occupancy_->max, reference_occupancy_->max))
    return fmt::format("the fullest cell went from {} to {} particles", reference_occupancy_->max, occupancy_->max);
  return "";
}

}  // namespace riffle
