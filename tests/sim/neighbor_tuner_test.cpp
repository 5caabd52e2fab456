#include "sim/neighbor_tuner.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "core/error.h"
#include "neighbors/neighbor_search.h"
#include "setups.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

constexpr float kSlow = 0.1f;

/// A run without a simulation: steps take the time that `cost` gives them.
class Rehearsal {
 public:
  using Cost = std::function<double(const SearchChoice&, std::uint64_t step)>;

  explicit Rehearsal(std::vector<NeighborMethod> methods, Cost cost)
      : cost_(std::move(cost)), tuner_({}, std::move(methods), kSlow) {}

  void run(int steps) {
    for (int k = 0; k < steps;) k += advance() ? 1 : 0;
  }
  void run_until_settled() {
    for (int k = 0; tuner_.report().measuring; ++k) {
      ASSERT_LT(k, 10000) << "the round does not end";
      advance();
    }
    advance();  // the change to the chosen search
  }

  NeighborTuner& tuner() { return tuner_; }
  const TuningReport& report() const { return tuner_.report(); }
  SearchChoice in_use() const { return in_use_; }
  std::uint64_t step() const { return step_; }
  int changes() const { return changes_; }
  double run_ms() const { return run_ms_; }
  int steps_with(NeighborMethod method) const {
    const auto found = steps_with_.find(method);
    return found == steps_with_.end() ? 0 : found->second;
  }
  const TuningCandidate& candidate(const SearchChoice& search) const {
    for (const TuningCandidate& c : report().candidates)
      if (c.search == search) return c;
    throw std::logic_error("no such candidate: " + describe(search));
  }

  float speed = kSlow;
  OccupancyStats occupancy{1000, 100, 10, 8.0};
  std::map<NeighborMethod, std::string> cannot_be_built, cannot_step;
  int life = 10;              ///< [steps] of a list
  double rebuild_factor = 1;  ///< cost of a step that rebuilds the list, in plain steps
  double change_ms = 0;

 private:
  bool advance() {
    const NeighborTuner::Task task = tuner_.next(step_, speed);
    if (task.change) {
      if (const auto found = cannot_be_built.find(task.change->method); found != cannot_be_built.end()) {
        tuner_.refused(found->second);
        return false;
      }
      in_use_ = {task.change->method, task.change->skin};
      ++changes_;
      age_ = 0;
      run_ms_ += change_ms;
      tuner_.changed(change_ms);
      return false;
    }
    if (const auto found = cannot_step.find(in_use_.method); found != cannot_step.end()) {
      tuner_.refused(found->second);
      return false;
    }
    const bool rebuilt = in_use_.skin == 0 || age_++ % life == 0;
    const double ms = cost_(in_use_, step_) * (rebuilt && in_use_.skin > 0 ? rebuild_factor : 1);
    run_ms_ += ms;
    ++steps_with_[in_use_.method];
    ++step_;
    if (task.timed) tuner_.timed(ms, rebuilt);
    if (task.look) tuner_.seen(occupancy);
    return true;
  }

  Cost cost_;
  NeighborTuner tuner_;
  SearchChoice in_use_;
  std::uint64_t step_ = 0;
  int changes_ = 0, age_ = 0;
  double run_ms_ = 0;
  std::map<NeighborMethod, int> steps_with_;
};

constexpr auto kGreen = NeighborMethod::Green, kHoetzlein = NeighborMethod::Hoetzlein, kFenns = NeighborMethod::Fenns,
               kBrute = NeighborMethod::BruteForce;
const std::vector<NeighborMethod> kThree = {kGreen, kHoetzlein, kFenns};

/// Milliseconds by method; a skin makes it `skinned` times that.
Rehearsal::Cost costs(std::map<NeighborMethod, double> ms, double skinned = 1.5) {
  return [=](const SearchChoice& c, std::uint64_t) { return ms.at(c.method) * (c.skin > 0 ? skinned : 1); };
}

TEST(NeighborTuner, TheFastestIsChosenAndTheOthersAreNamedWithTheirTimes) {
  Rehearsal r(kThree, costs({{kGreen, 0.9}, {kHoetzlein, 0.82}, {kFenns, 1.1}}));
  r.run_until_settled();
  EXPECT_EQ(r.report().chosen, (SearchChoice{kHoetzlein, 0}));
  EXPECT_EQ(r.in_use(), r.report().chosen);
  EXPECT_EQ(r.report().times_measured, 1);
  EXPECT_EQ(r.report().candidates.size(), 6u) << "three methods, and the fastest with three skins";
  EXPECT_DOUBLE_EQ(r.candidate({kGreen, 0}).step_ms, 0.9);
  EXPECT_EQ(r.report().reason.find("hoetzlein, 0.82 ms per step; "), 0u) << r.report().reason;
  EXPECT_NE(r.report().reason.find(" 0.9, "), std::string::npos) << r.report().reason;
  EXPECT_NE(r.report().reason.find("at step 0"), std::string::npos) << r.report().reason;
}

TEST(NeighborTuner, OneSlowStepDoesNotDecide) {
  Rehearsal r(kThree, [](const SearchChoice& c, std::uint64_t step) {
    const double ms = c.method == kHoetzlein ? 0.8 : 1.0;
    return step == 4 ? 50 * ms : ms * (c.skin > 0 ? 2 : 1);
  });
  r.run_until_settled();
  EXPECT_EQ(r.report().chosen.method, kHoetzlein);
}

TEST(NeighborTuner, TheFirstStepsOfASearchDoNotCount) {
  std::map<NeighborMethod, int> seen;
  Rehearsal r(kThree, [&](const SearchChoice& c, std::uint64_t) {
    if (c.skin > 0) return 5.0;
    const double ms = c.method == kFenns ? 0.5 : 1.0;
    return seen[c.method]++ < NeighborTuner::kWarmUp ? 100 * ms : ms;
  });
  r.run_until_settled();
  EXPECT_EQ(r.report().chosen, (SearchChoice{kFenns, 0}));
  EXPECT_DOUBLE_EQ(r.candidate({kFenns, 0}).step_ms, 0.5);
}

TEST(NeighborTuner, AMethodManyTimesAsSlowIsDroppedAfterOneTimedStepAndSitsOutLaterRounds) {
  Rehearsal r({kHoetzlein, kBrute}, costs({{kHoetzlein, 1}, {kBrute, 3.1}}));
  r.run_until_settled();
  EXPECT_EQ(r.steps_with(kBrute), NeighborTuner::kWarmUp + 1);
  EXPECT_NE(r.candidate({kBrute, 0}).skipped.find("dropped after a step of 3.1 ms"), std::string::npos);
  r.run(20000);
  r.speed *= 10;
  r.run(1000);
  EXPECT_EQ(r.report().times_measured, 2);
  EXPECT_EQ(r.steps_with(kBrute), NeighborTuner::kWarmUp + 1);
  EXPECT_NE(r.candidate({kBrute, 0}).skipped.find("at step 0: dropped"), std::string::npos);
}

TEST(NeighborTuner, AMethodOfThreeTimesTheCostIsMeasuredInFull) {
  Rehearsal r({kHoetzlein, kFenns}, costs({{kHoetzlein, 1}, {kFenns, 2.9}}));
  r.run_until_settled();
  EXPECT_EQ(r.steps_with(kFenns), NeighborTuner::kWarmUp + NeighborTuner::kTimed);
}

TEST(NeighborTuner, AMethodThatCannotServeIsLeftOutWithItsReason) {
  Rehearsal r(kThree, costs({{kGreen, 0.5}, {kHoetzlein, 1}, {kFenns, 0.7}}));
  r.cannot_be_built[kGreen] = "a table of 80 GiB";
  r.cannot_step[kFenns] = "out of memory";
  r.run_until_settled();
  EXPECT_EQ(r.report().chosen, (SearchChoice{kHoetzlein, 0}));
  EXPECT_EQ(r.candidate({kGreen, 0}).skipped, "a table of 80 GiB");
  EXPECT_EQ(r.candidate({kFenns, 0}).skipped, "out of memory");
  EXPECT_NE(r.report().reason.find("a table of 80 GiB"), std::string::npos) << r.report().reason;
}

TEST(NeighborTuner, WithNoMethodThatCanServeEveryReasonIsGiven) {
  Rehearsal r({kHoetzlein, kGreen}, costs({}));
  r.cannot_be_built = {{kHoetzlein, "too many cells"}, {kGreen, "too many slots"}};
  try {
    r.run(1);
    FAIL() << "it went on";
  } catch (const Unavailable& error) {
    EXPECT_NE(std::string(error.what()).find("hoetzlein: too many cells"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("too many slots"), std::string::npos) << error.what();
  }
}

TEST(NeighborTuner, AChosenMethodThatCanNoLongerServeIsReplaced) {
  Rehearsal r({kHoetzlein, kFenns}, costs({{kHoetzlein, 1}, {kFenns, 0.5}}));
  r.run_until_settled();
  EXPECT_EQ(r.in_use().method, kFenns);
  r.run(50);
  r.cannot_step[kFenns] = r.cannot_be_built[kFenns] = "out of memory";
  r.run(200);
  EXPECT_EQ(r.in_use(), (SearchChoice{kHoetzlein, 0}));
  EXPECT_EQ(r.report().times_measured, 2);
  EXPECT_NE(r.report().reason.find("could not go on"), std::string::npos) << r.report().reason;
}

// A step that rebuilds the list costs ten plain ones, but only every fifth step does.
TEST(NeighborTuner, AListIsJudgedByItsWholeLifeAndNotByTheStepsBetween) {
  Rehearsal r({kHoetzlein}, costs({{kHoetzlein, 1}}, 0.5));
  r.life = 5;
  r.rebuild_factor = 10;  // 0.5 ms and 5 ms: 1.4 ms on average
  r.run_until_settled();
  EXPECT_NEAR(r.candidate({kHoetzlein, 0.1f}).step_ms, 1.4, 1e-9);
  EXPECT_EQ(r.report().chosen, (SearchChoice{kHoetzlein, 0}));

  Rehearsal calm({kHoetzlein}, costs({{kHoetzlein, 1}}, 0.5));
  calm.life = 20;
  calm.rebuild_factor = 10;  // 0.725 ms on average
  calm.run_until_settled();
  EXPECT_NEAR(calm.candidate({kHoetzlein, 0.1f}).step_ms, 0.725, 1e-9);
  EXPECT_GT(calm.report().chosen.skin, 0);
}

TEST(NeighborTuner, AListThatLastsDoesNotKeepTheRoundFromEnding) {
  Rehearsal r({kHoetzlein}, costs({{kHoetzlein, 1}}, 0.5));
  r.life = 1000000;
  r.run_until_settled();
  EXPECT_NEAR(r.candidate({kHoetzlein, 0.1f}).step_ms, 0.5, 0.01);
  constexpr int skins = 3, longest = NeighborTuner::kWarmUp + NeighborTuner::kLongestLife;
  EXPECT_LE(r.step(), static_cast<std::uint64_t>(skins * longest + NeighborTuner::kWarmUp + NeighborTuner::kTimed + 1));
}

TEST(NeighborTuner, NothingIsMeasuredAgainWhileTheFlowStaysAsItIs) {
  Rehearsal r(kThree, costs({{kGreen, 0.9}, {kHoetzlein, 0.8}, {kFenns, 1.1}}));
  r.run(50000);
  EXPECT_EQ(r.report().times_measured, 1);
  r.speed *= 1.9f;
  r.occupancy.mean *= 1.2;
  r.occupancy.max = 19;
  r.run(50000);
  EXPECT_EQ(r.report().times_measured, 1);
}

TEST(NeighborTuner, SpeedsThatAreAllSlowAreAlike) {
  Rehearsal r(kThree, costs({{kGreen, 0.9}, {kHoetzlein, 0.8}, {kFenns, 1.1}}));
  r.speed = 1e-6f;
  r.run(20000);
  r.speed = 0.9f * kSlow;
  r.run(20000);
  EXPECT_EQ(r.report().times_measured, 1);
}

TEST(NeighborTuner, AChangeOfSpeedOrOccupancyIsFollowedByANewRoundThatSaysSo) {
  const auto fresh = [] {
    auto r = std::make_unique<Rehearsal>(kThree, costs({{kGreen, 0.9}, {kHoetzlein, 0.8}, {kFenns, 1.1}}, 1.05));
    r->run(20000);
    return r;
  };
  auto faster = fresh();
  faster->speed *= 2;
  faster->run(1000);
  EXPECT_EQ(faster->report().times_measured, 2);
  EXPECT_NE(faster->report().reason.find("largest speed went from 0.1 to 0.2"), std::string::npos);
  EXPECT_GE(faster->report().measured_at_step, 20000u);
  auto denser = fresh();
  denser->occupancy.mean *= 1.25;
  denser->run(2000);
  EXPECT_EQ(denser->report().times_measured, 2);
  auto crowded = fresh();
  crowded->occupancy.max *= 2;
  crowded->run(2000);
  EXPECT_EQ(crowded->report().times_measured, 2);
}

TEST(NeighborTuner, OfTwoThatAreAboutAsFastTheOneInUseStays) {
  double green = 1.0;
  Rehearsal r({kGreen, kHoetzlein}, [&](const SearchChoice& c, std::uint64_t) {
    return (c.method == kGreen ? green : 0.9) * (c.skin > 0 ? 1.2 : 1);
  });
  r.run(20000);
  EXPECT_EQ(r.in_use().method, kHoetzlein);
  green = 0.86;  // 4 % faster
  r.speed *= 2;
  r.run(20000);
  EXPECT_EQ(r.report().times_measured, 2);
  EXPECT_EQ(r.in_use().method, kHoetzlein);
  EXPECT_NE(r.report().reason.find("not worth a change"), std::string::npos) << r.report().reason;
  green = 0.85;  // 6 %
  r.speed *= 2;
  r.run(20000);
  EXPECT_EQ(r.report().times_measured, 3);
  EXPECT_EQ(r.in_use().method, kGreen);
}

// A flow that never settles must not be measured all the time.
TEST(NeighborTuner, MeasuringAgainTakesNoMoreThanOnePercentOfTheRun) {
  const std::map<NeighborMethod, double> ms = {{kGreen, 1.5}, {kHoetzlein, 1}, {kFenns, 2.5}};
  Rehearsal r(kThree, costs(ms, 2));
  r.change_ms = 3;
  r.run_until_settled();
  const double first = r.report().cost_ms;
  for (int block = 0; block < 500; ++block) {
    r.speed *= block % 2 == 0 ? 8.0f : 0.125f;
    r.run(400);
  }
  EXPECT_GT(r.report().times_measured, 10) << "it is to look again";
  const double ideal = static_cast<double>(r.step()) * ms.at(kHoetzlein);
  const double taken = r.run_ms() - ideal;
  EXPECT_NEAR(taken, r.report().cost_ms, 1e-6 * ideal) << "what it says measuring took";
  EXPECT_LT(taken, 0.01 * r.run_ms() + 1e-9);
  EXPECT_GT(first, 10) << "the first round alone would be more than a percent of a short run";

  Rehearsal brief(kThree, costs(ms, 2));
  brief.change_ms = 3;
  brief.run_until_settled();
  for (int block = 0; block < 5; ++block) {
    brief.speed *= block % 2 == 0 ? 8.0f : 0.125f;
    brief.run(400);
  }
  EXPECT_EQ(brief.report().times_measured, 1);
}

TEST(NeighborTuner, TheOracleIsTriedOnFewParticlesOnly) {
  const auto has_oracle = [](int particles) {
    const auto methods = sensible_methods(particles);
    return std::find(methods.begin(), methods.end(), kBrute) != methods.end();
  };
  EXPECT_TRUE(has_oracle(4096));
  EXPECT_FALSE(has_oracle(4097));
  EXPECT_EQ(sensible_methods(100).size(), neighbor_methods().size());
}

class AutomaticNeighbors : public OnEachDevice {};

TEST_P(AutomaticNeighbors, EndOnALegalChoiceAndLeaveThePhysicsAlone) {
  SimulationSetup setup = column_setup(3, 8);
  Simulation given(setup, device());
  setup.neighbors.automatic = true;
  Simulation tuned(setup, device());
  EXPECT_EQ(given.tuning(), nullptr);
  ASSERT_NE(tuned.tuning(), nullptr);
  EXPECT_TRUE(tuned.tuning()->measuring);
  constexpr int kSteps = 250;
  run_steps(given, kSteps);
  run_steps(tuned, kSteps);
  EXPECT_EQ(tuned.finish().step, static_cast<std::uint64_t>(kSteps)) << "measuring takes steps of the run, no others";
  const TuningReport& report = *tuned.tuning();
  EXPECT_GE(report.times_measured, 1);
  const NeighborSetup& in_use = tuned.setup().neighbors;
  EXPECT_TRUE(neighbor_method_from(to_string(in_use.method)));
  EXPECT_TRUE(in_use.automatic);
  EXPECT_EQ(tuned.neighbor_search().settings().method, in_use.method);
  EXPECT_EQ(tuned.neighbor_search().settings().skin, in_use.skin);
  if (!report.measuring) {
    EXPECT_EQ(report.chosen, (SearchChoice{in_use.method, in_use.skin}));
  }
  for (const TuningCandidate& c : report.candidates) EXPECT_EQ(c.step_ms > 0, c.skipped.empty()) << describe(c.search);
  const auto a = by_id<Vec4>(given, "position"), b = by_id<Vec4>(tuned, "position");
  double farthest2 = 0;
  for (std::size_t i = 0; i < a.size(); ++i) farthest2 = std::max(farthest2, double{length2(xyz(a[i]) - xyz(b[i]))});
  EXPECT_LT(std::sqrt(farthest2), 1e-2 * setup.spacing);
}

TEST_P(AutomaticNeighbors, AreRefusedWhereTheRunIsToBeDeterministic) {
  SimulationSetup setup = column_setup(2, 8);
  setup.deterministic = true;
  Simulation simulation(setup, device());
  setup.neighbors.automatic = true;
  EXPECT_THROW(Simulation(setup, device()), InputError);
  EXPECT_THROW(simulation.set_neighbors(setup.neighbors), InputError);
  EXPECT_EQ(simulation.tuning(), nullptr);
}

TEST_P(AutomaticNeighbors, CanBeTurnedOnAndOffBetweenSteps) {
  SimulationSetup setup = column_setup(2, 8);
  Simulation simulation(setup, device());
  run_steps(simulation, 3);
  NeighborSetup neighbors;
  neighbors.automatic = true;
  simulation.set_neighbors(neighbors);
  ASSERT_NE(simulation.tuning(), nullptr);
  run_steps(simulation, 3);
  neighbors.automatic = false;
  simulation.set_neighbors(neighbors);
  EXPECT_EQ(simulation.tuning(), nullptr);
  EXPECT_FALSE(simulation.setup().neighbors.automatic);
  EXPECT_EQ(simulation.neighbors().method, to_string(neighbors.method));
  run_steps(simulation, 3);
  EXPECT_EQ(simulation.finish().step, 9u);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(AutomaticNeighbors);

}  // namespace
}  // namespace riffle::test
