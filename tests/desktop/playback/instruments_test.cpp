#include "app/desktop/playback/instruments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>
#include <utility>

#include "neighbors/build_sorted.h"
#include "neighbors/optix/optix_status.h"
#include "sim/start/sampling.h"
#include "support/devices.h"
#include "tests/sim/setups.h"
#include "validation/dpd_setups.h"
#include "validation/rayleigh_taylor_theory.h"

namespace riffle {

namespace {

using test::built_devices;
using State = desktop::ComparedSearch::State;

/// A block of water in a box: 8 x 8 x 8 particles.
SimulationSetup block(float spacing = 0.05f) {
  SimulationSetup setup;
  setup.spacing = spacing;
  setup.domain.max = {1, 1, 0.4f};
  setup.fluids.emplace_back();
  BodySetup body;
  body.max = {0.4f, 0.4f, 0.4f};
  setup.bodies.push_back(body);
  return setup;
}

desktop::ComparedSearch row(NeighborMethod method, State state, double build, double query) {
  desktop::ComparedSearch r;
  r.method = method;
  r.state = state;
  r.build_ms = build;
  r.query_ms = query;
  r.total_ms = {build + query, build + query, build + query};
  return r;
}

class InstrumentsOnEachDevice : public test::OnEachDevice {};

TEST_P(InstrumentsOnEachDevice, PairsAreCountedRarelyAndAsTheReportCountsThem) {
  SimulationSetup setup = block();
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  Simulation simulation(setup, device());
  desktop::PairCount pairs;
  ASSERT_TRUE(pairs.due(5, false)) << "a first count is due before the first step, too";
  EXPECT_EQ(pairs.status().fluid, 0);
  pairs.count(simulation, 5);
  const NeighborReport report = simulation.neighbors();
  EXPECT_GT(report.walls, 0);
  EXPECT_EQ(pairs.status().fluid, report.mean);
  EXPECT_EQ(pairs.status().walls, report.walls);
  const double took = 1e-3 * pairs.status().ms, next = std::max(0.5, took / 0.01);
  EXPECT_GT(took, 0);
  EXPECT_FALSE(pairs.due(5 + 0.99 * next, true));
  EXPECT_TRUE(pairs.due(5 + 1.01 * (took + next), true));
  EXPECT_FALSE(pairs.due(5 + 1.01 * (took + next), false)) << "nothing changes while it is paused";
}

// bucket: few of the particles change cell in a step, and the others are not sorted.
TEST_P(InstrumentsOnEachDevice, WhatTheSearchCountsIsKeptBesideThePairs) {
  SimulationSetup setup = block();
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.neighbors.method = NeighborMethod::Bucket;
  Simulation simulation(setup, device());
  desktop::PairCount pairs;
  pairs.count(simulation, 0);
  EXPECT_FALSE(pairs.status().search.built()) << "no step has searched";
  EXPECT_TRUE(pairs.status().courses.empty());
  for (int k = 1; k <= 310; ++k) {
    if (k <= 5) simulation.step();
    pairs.count(simulation, k);
  }
  const SearchStats& search = pairs.status().search;
  ASSERT_TRUE(search.find(kResorted));
  EXPECT_EQ(search.find("re-sorts")->value + search.find("full builds")->value, 5);
  const auto& courses = pairs.status().courses;
  const auto resorted =
      std::ranges::find(courses, kShareResorted, [](const desktop::SearchCourse& c) { return c.latest.name; });
  ASSERT_NE(resorted, courses.end());
  ASSERT_EQ(resorted->values.size(), 300u) << "the last ones";
  EXPECT_EQ(resorted->latest.unit, kShare);
  EXPECT_FLOAT_EQ(resorted->values.back(),
                  static_cast<float>(search.find(kResorted)->value / simulation.particle_count()));
  for (const desktop::SearchCourse& course : courses) {
    EXPECT_EQ(course.values.size(), 300u) << course.latest.name;
    EXPECT_EQ(course.values.back(), static_cast<float>(course.latest.value)) << course.latest.name;
  }
  EXPECT_NE(describe(search).find(" cells occupied, up to "), std::string::npos) << describe(search);
  EXPECT_NE(describe(search).find("re-sorts "), std::string::npos) << describe(search);
  NeighborSetup green;
  green.method = NeighborMethod::Green;
  simulation.set_neighbors(green);
  simulation.step();
  pairs.count(simulation, 400);
  ASSERT_FALSE(courses.empty());
  for (const desktop::SearchCourse& course : courses) EXPECT_EQ(course.values.size(), 1u) << "another method";
}

TEST(Comparison, RowsAreOrderedByTheirTotals) {
  desktop::ComparisonStatus status;
  status.rows = {row(NeighborMethod::BruteForce, State::Refused, 0, 0),
                 row(NeighborMethod::Bucket, State::Waiting, 0, 0), row(NeighborMethod::Green, State::Measured, 1, 3),
                 row(NeighborMethod::Fenns, State::Measured, 2, 1)};
  desktop::sort_for_display(status.rows);
  EXPECT_EQ(status.rows[0].method, NeighborMethod::Fenns);
  EXPECT_EQ(status.rows[1].method, NeighborMethod::Green);
  EXPECT_EQ(status.rows[2].method, NeighborMethod::Bucket);
  EXPECT_EQ(status.rows[3].method, NeighborMethod::BruteForce);
  ASSERT_NE(status.fastest(), nullptr);
  EXPECT_EQ(status.fastest()->method, NeighborMethod::Fenns) << "a row that was not measured takes no time";
}

// Three runs of 11 ms, in each of which another stage was slow: the medians of the stages add up to 3 ms.
TEST(Comparison, TheTotalIsTheMedianOfTheRunsAndLiesInTheirRange) {
  desktop::ComparedSearch r;
  desktop::take_times(r, {{9, 1, 0, 1, 11}, {1, 9, 0, 1, 11}, {1, 1, 0, 9, 11}});
  EXPECT_EQ(r.build_ms, 1);
  EXPECT_EQ(r.reorder_ms, 1);
  EXPECT_EQ(r.query_ms, 1);
  EXPECT_EQ(r.total_ms.median, 11);
  EXPECT_EQ(r.total_ms.low, 11);
  EXPECT_EQ(r.total_ms.high, 11);
  EXPECT_EQ(r.runs, 3);
}

TEST(Comparison, RowsWhoseRangesOverlapAreLevelAndNoneOfThemIsFastest) {
  desktop::ComparisonStatus status;
  status.rows = {
      row(NeighborMethod::Green, State::Measured, 1, 3), row(NeighborMethod::Hoetzlein, State::Measured, 1, 4),
      row(NeighborMethod::Fenns, State::Measured, 1, 5), row(NeighborMethod::Rtnn, State::Measured, 4, 8),
      row(NeighborMethod::Bucket, State::Waiting, 0, 0), row(NeighborMethod::ThrustPairs, State::Refused, 0, 0)};
  EXPECT_TRUE(status.has_one_fastest());
  EXPECT_TRUE(told_apart(status));
  status.rows[0].total_ms.high = 5;
  EXPECT_TRUE(status.level_with_fastest(status.rows[1]));
  for (const std::size_t other : {0, 2, 3, 4, 5}) EXPECT_FALSE(status.level_with_fastest(status.rows[other])) << other;
  EXPECT_FALSE(status.has_one_fastest());
  EXPECT_FALSE(told_apart(status));
  status.rows[0].total_ms.high = 4.9;
  status.rows[1].total_ms = {4.95, 4.95, 4.95};
  status.rows[0].total_ms.median = 4.9;
  EXPECT_FALSE(status.has_one_fastest()) << "by less than 2 %";
  status.rows[0].total_ms.median = 4;
  status.rows[1].total_ms = {5, 5, 5};
  status.rows[1].total_ms.high = 6;
  EXPECT_TRUE(status.has_one_fastest()) << "the second and the third are level, but slower";
  EXPECT_FALSE(told_apart(status));
  status.rows[1].total_ms.high = 5;
  status.rows[3].total_ms = {5.5, 12, 20};
  EXPECT_TRUE(told_apart(status)) << "more than twice as slow is out of question";
}

TEST_P(InstrumentsOnEachDevice, EverySearchIsMeasuredAndFindsTheSameNeighbours) {
  Simulation simulation(block(), device());
  for (int i = 0; i < 3; ++i) simulation.step();
  desktop::Comparison comparison;
  comparison.begin(simulation);
  EXPECT_TRUE(comparison.running());
  EXPECT_EQ(comparison.status().step, 3u);
  EXPECT_EQ(comparison.status().fastest(), nullptr);
  int rounds = 0;
  while (comparison.running() && ++rounds < 10000) {
    comparison.advance();
    simulation.step();  // the measured particles are still those of step 3
  }
  const desktop::ComparisonStatus& status = comparison.status();
  std::set<std::string> names, expected;
  for (const desktop::ComparedSearch& r : status.rows) EXPECT_TRUE(names.insert(r.name()).second) << r.name();
  for (const NeighborMethodInfo& info : neighbor_methods()) expected.emplace(info.name);
  if (device().is_cuda() && optix_status().usable) expected.emplace("rtnn by OptiX");
  EXPECT_EQ(names, expected);
  EXPECT_EQ(status.step, 3u);
  const double mean = status.rows.front().mean;
  EXPECT_GT(mean, 10);
  for (const desktop::ComparedSearch& r : status.rows) {
    EXPECT_EQ(r.state, State::Measured) << to_string(r.method) << ": " << r.reason;
    EXPECT_EQ(r.mean, mean) << to_string(r.method);
    EXPECT_GT(r.query_ms, 0) << to_string(r.method);
    if (r.method == NeighborMethod::BruteForce && device().is_cpu()) {
      EXPECT_EQ(r.list_ms, 0) << "it makes no lists there";
    }
    EXPECT_GT(r.runs, 0);
    EXPECT_LE(r.total_ms.low, r.total_ms.median) << to_string(r.method);
    EXPECT_GE(r.total_ms.high, r.total_ms.median) << to_string(r.method);
  }
  EXPECT_GE(status.rounds, desktop::Comparison::kLeastRounds);
  const int runs = status.fastest()->runs, per_turn = desktop::Comparison::kRuns;
  EXPECT_EQ(runs % per_turn, 0);
  EXPECT_GE(runs / per_turn, status.rounds) << "it has a turn in every round";
  EXPECT_LE(runs / per_turn, status.rounds + 1) << "the time may be over within a round";
  EXPECT_TRUE(std::is_sorted(status.rows.begin(), status.rows.end(),
                             [](const auto& a, const auto& b) { return a.total_ms.median < b.total_ms.median; }));
}

TEST(Comparison, SearchesThatCannotServeSayWhy) {
  // Such a large box has more cells of h than fit the memory; "green" folds its table.
  SimulationSetup setup = block(0.05f);
  setup.solver = SolverKind::Dpd;  // makes no wall particles
  setup.dpd.cutoff = 0.1f;
  setup.domain.max = {40000, 40000, 40000};
  setup.domain.axis[0] = setup.domain.axis[1] = setup.domain.axis[2] = Axis::Open;
  setup.neighbors.method = NeighborMethod::Green;
  setup.neighbors.cell_ratio = 1;
  Simulation simulation(setup, Device{});
  desktop::Comparison comparison;
  comparison.begin(simulation);
  while (comparison.running()) comparison.advance();
  std::set<NeighborMethod> refused;
  for (const desktop::ComparedSearch& r : comparison.status().rows) {
    if (r.state == State::Measured) continue;
    refused.insert(r.method);
    EXPECT_GT(r.reason.size(), 20u) << to_string(r.method);
    EXPECT_EQ(r.total_ms.median, 0);
  }
  EXPECT_TRUE(refused.contains(NeighborMethod::Hoetzlein));
  EXPECT_FALSE(refused.contains(NeighborMethod::Green));
  ASSERT_NE(comparison.status().fastest(), nullptr);
}

TEST(Comparison, EveryPairIsNotTriedOnManyParticles) {
  SimulationSetup setup = block(0.02f);  // 20^3
  Simulation simulation(setup, Device{});
  desktop::Comparison comparison;
  comparison.begin(simulation);
  const auto& rows = comparison.status().rows;
  const auto brute =
      std::find_if(rows.begin(), rows.end(), [](const auto& r) { return r.method == NeighborMethod::BruteForce; });
  ASSERT_NE(brute, rows.end());
  EXPECT_EQ(brute->state, State::Refused);
  EXPECT_NE(brute->reason.find("64.0 M"), std::string::npos) << brute->reason;
}

TEST_P(InstrumentsOnEachDevice, ARunningSearchIsFoundRightAgainstEveryPairAndAgainstAnother) {
  for (const NeighborMethod against : {NeighborMethod::BruteForce, NeighborMethod::Green})
    for (const float skin : {0.0f, 0.2f}) {
      SimulationSetup setup = block();
      setup.neighbors.method = NeighborMethod::Bucket;
      setup.neighbors.skin = skin;
      Simulation simulation(setup, device());
      desktop::LiveAudit audit;
      audit.set({true, 5, against});
      int faults = 0;
      for (int i = 0; i < 12; ++i) {
        simulation.step();
        if (audit.due(simulation.finish().step)) faults += audit.check(simulation).has_value();
      }
      const desktop::AuditStatus& status = audit.status();
      EXPECT_EQ(faults, 0);
      EXPECT_EQ(status.refused, "");
      EXPECT_EQ(status.checks, 3u) << "at steps 1, 6 and 11";
      EXPECT_EQ(status.step, 11u);
      EXPECT_EQ(status.wrong_checks, 0u);
      EXPECT_EQ(status.compared, 512);
      EXPECT_GT(status.sum.pairs, 3u * 512 * 10);
      EXPECT_EQ(status.method, "bucket");
    }
}

TEST_P(InstrumentsOnEachDevice, AStaleSearchIsFoundAndSaidOnce) {
  Simulation simulation(block(), device());
  const SimulationSetup& setup = simulation.setup();
  NeighborSearch search(device(), {NeighborMethod::Hoetzlein});
  Buffer<Vec4> sorted(device());
  build_sorted(search, live_cloud(simulation).positions, 512, setup.domain, setup.support_radius(), sorted);
  // The particles continue; the search, and the order of its particles, do not.
  std::vector<Vec4> moved = sorted.to_host();
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i].x += i % 2 ? 0.0f : 0.3f;
  const Buffer<Vec4> now(device(), moved);
  const ParticleCloud cloud{now.data(), 512, setup.domain, setup.support_radius()};
  const AuditOracle every_pair(device(), cloud, random_particles(512, 512, 1));
  const SearchAudit stale = audit_search(search, now.data(), nullptr, every_pair);
  ASSERT_FALSE(stale.right());
  EXPECT_GT(stale.missing, 0u);

  std::vector<std::uint32_t> ids(512);
  for (std::uint32_t i = 0; i < 512; ++i) ids[i] = 1000 + i;
  const AuditedState state{7, 0.25, moved, ids};
  desktop::LiveAudit audit;
  audit.set({true, 1, NeighborMethod::BruteForce});
  const auto notice = audit.take(stale, "hoetzlein", state, cloud);
  ASSERT_TRUE(notice.has_value());
  EXPECT_NE(notice->find("hoetzlein against brute_force"), std::string::npos) << *notice;
  EXPECT_NE(notice->find("particle 1"), std::string::npos) << "the first pairs, by id: " << *notice;
  EXPECT_NE(notice->find("missing"), std::string::npos);
  EXPECT_FALSE(audit.take(stale, "hoetzlein", state, cloud).has_value()) << "not at every check";
  EXPECT_EQ(audit.status().wrong_checks, 2u);
  EXPECT_EQ(audit.status().sum.missing, 2 * stale.missing);
  EXPECT_FALSE(audit.status().first.empty());
  EXPECT_LE(audit.status().first.size(), 5u);
  EXPECT_FALSE(audit.take(SearchAudit{}, "hoetzlein", state, cloud).has_value());
  EXPECT_TRUE(audit.take(stale, "hoetzlein", state, cloud).has_value()) << "wrong again after it was right";
  EXPECT_FALSE(audit.take(SearchAudit{}, "bucket", state, cloud).has_value());
  EXPECT_EQ(audit.status().checks, 1u) << "those before were of another search";
  EXPECT_EQ(audit.status().wrong_checks, 0u);
  EXPECT_EQ(audit.status().sum.missing, 0u);
  EXPECT_TRUE(audit.status().first.empty());
  EXPECT_TRUE(audit.status().settings.on);

  // Another search as the reference finds the same faults.
  NeighborSearch reference(device(), {NeighborMethod::Green});
  const AuditOracle other(cloud, random_particles(512, 512, 1), reference);
  EXPECT_EQ(other.digests(), every_pair.digests());
  EXPECT_EQ(audit_search(search, now.data(), nullptr, other).missing, stale.missing);
}

TEST(LiveAudit, ASearchIsNotComparedWithItself) {
  SimulationSetup setup = block();
  setup.neighbors.method = NeighborMethod::BruteForce;
  Simulation simulation(setup, Device{});
  desktop::LiveAudit audit;
  audit.set({true, 1, NeighborMethod::BruteForce});
  EXPECT_FALSE(audit.check(simulation).has_value());
  EXPECT_EQ(audit.status().checks, 0u) << "nothing was found right";
  EXPECT_NE(audit.status().refused.find("there is nothing to compare it with"), std::string::npos);
  EXPECT_FALSE(audit.due(0)) << "it is said once in so many steps";
  audit.set({true, 1, NeighborMethod::Green});
  EXPECT_FALSE(audit.check(simulation).has_value());
  EXPECT_EQ(audit.status().checks, 1u) << "another method can serve";
  EXPECT_EQ(audit.status().refused, "");
}

TEST(LiveAudit, ChecksAfterSoManyStepsAndWhenTimeGoesBack) {
  Simulation simulation(block(), Device{});
  desktop::LiveAudit audit;
  EXPECT_FALSE(audit.due(0)) << "it is off";
  audit.set({true, 4, NeighborMethod::BruteForce});
  EXPECT_TRUE(audit.due(0));
  for (int i = 0; i < 3; ++i) simulation.step();
  audit.check(simulation);
  EXPECT_FALSE(audit.due(6));
  EXPECT_TRUE(audit.due(7));
  EXPECT_TRUE(audit.due(0));
  audit.set({true, 4, NeighborMethod::BruteForce});
  EXPECT_EQ(audit.status().checks, 1u) << "the same settings forget nothing";
  audit.set({true, 5, NeighborMethod::BruteForce});
  EXPECT_EQ(audit.status().checks, 0u);
}

TEST(GrowthTheory, IsTheExactRateForTheReferenceFluids) {
  const SimulationSetup setup = dpd_rayleigh_taylor(8, 0.05, 20, 1);
  const GrowthTheory theory = growth_theory(setup, static_cast<int>(count_particles(setup)));
  ASSERT_TRUE(theory.applies()) << theory.why_none;
  const double half = 32.0 / 3;
  const double exact =
      exact_growth({3, 9, 0.81, 0.81, 0.05, 0.956}, 2 * std::numbers::pi / 32, WallDistances{half, half});
  EXPECT_NEAR(theory.rate, exact, 1e-4 * exact);
  EXPECT_EQ(theory.at(0), 1);
  EXPECT_EQ(theory_text(theory).substr(0, 9), "a(t) = 1 ") << theory_text(theory);
  EXPECT_NEAR(theory.at(theory.end()), 3.2, 1e-4);
}

// An interface that starts from rest has the acceleration of the fluid without viscosity, and ends in the exact rate.
TEST(GrowthTheory, StartsFromRestAlsoWithViscosity) {
  const SimulationSetup setup = dpd_rayleigh_taylor(8, 0.05, 20, 1);
  const GrowthTheory theory = growth_theory(setup, static_cast<int>(count_particles(setup)));
  const double half = 32.0 / 3, k = 2 * std::numbers::pi / 32;
  const double inviscid = inviscid_growth({3, 9, 0.81, 0.81, 0.05, 0.956}, k, WallDistances{half, half});
  ASSERT_LT(theory.rate, 0.9 * inviscid);
  constexpr double kStep = 1e-2;
  EXPECT_NEAR((theory.at(kStep) - theory.at(0)) / kStep, 0, 0.6 * kStep * inviscid * inviscid);
  EXPECT_NEAR((theory.at(2 * kStep) - 2 * theory.at(kStep) + theory.at(0)) / (kStep * kStep), inviscid * inviscid,
              1e-2 * inviscid * inviscid);
  const double late = 5 / theory.rate;
  EXPECT_NEAR(std::log(theory.at(late + 1) / theory.at(late)), theory.rate, 1e-3 * theory.rate);
  EXPECT_GT(theory.at(late), theory.amplitude * std::cosh(theory.rate * late)) << "cosh is of fluid without viscosity";
}

TEST(GrowthTheory, SaysWhyThereIsNone) {
  const SimulationSetup fits = dpd_rayleigh_taylor(8, 0.05, 20, 1);
  const int particles = static_cast<int>(count_particles(fits));
  const auto why = [&](auto change) {
    SimulationSetup setup = fits;
    change(setup);
    const GrowthTheory theory = growth_theory(setup, particles);
    EXPECT_FALSE(theory.applies());
    return theory.why_none;
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has(why([](auto& s) { s.start.amplitude = 0; }), "flat"));
  EXPECT_TRUE(has(why([](auto& s) { s.dpd.repulsion.fill(25); }), "have not been measured"));
  EXPECT_TRUE(has(why([](auto& s) { s.gravity.y = 0.05f; }), "gravity"));
  EXPECT_TRUE(has(why([](auto& s) { s.domain.axis[1] = Axis::Periodic; }), "wall"));
  EXPECT_TRUE(has(why([](auto& s) { std::swap(s.fluids[0].mass, s.fluids[1].mass); }), "does not grow"));
  EXPECT_TRUE(has(why([](auto& s) { s.start.has_interface = false; }), "without an interface"));
  EXPECT_TRUE(has(why([](auto& s) { s.domain.max.y *= 2; }), "do not fill"));
}

TEST(GrowthTheory, IsABoundForPbfAndExactForSphWithoutArtificialViscosity) {
  SimulationSetup setup = dpd_rayleigh_taylor(8, 0.05, 0, 1);
  setup.spacing = 2.0f / 3;
  setup.fluids[0].rest_density = 1, setup.fluids[1].rest_density = 3;
  setup.fluids[0].viscosity = 0.27f, setup.fluids[1].viscosity = 0.09f;
  setup.wcsph.walls = WallSlip::FreeSlip;
  setup.wcsph.artificial_viscosity = 0;
  const int particles = 48 * 32 * 12;
  setup.solver = SolverKind::Wcsph;
  const GrowthTheory sph = growth_theory(setup, particles);
  ASSERT_TRUE(sph.applies()) << sph.why_none;
  EXPECT_EQ(sph.basis.find("shifting"), std::string::npos);
  setup.wcsph.shifting = 5;
  EXPECT_NE(growth_theory(setup, particles).basis.find("the viscosity that shifting adds is not counted"),
            std::string::npos);
  setup.wcsph.shifting = 0;
  setup.solver = SolverKind::Pbf;
  const GrowthTheory pbf = growth_theory(setup, particles);
  ASSERT_TRUE(pbf.applies()) << pbf.why_none;
  EXPECT_GT(pbf.rate, sph.rate) << "no viscosity makes it faster";
  setup.solver = SolverKind::Wcsph;
  setup.wcsph.artificial_viscosity = 0.05f;
  EXPECT_FALSE(growth_theory(setup, particles).applies());
  setup.wcsph.artificial_viscosity = 0;
  setup.wcsph.walls = WallSlip::NoSlip;
  EXPECT_FALSE(growth_theory(setup, particles).applies());
}

/// Ordered pairs nearer than `reach`, by every pair: how many lie in each of `bins` shells.
std::vector<double> every_pair(const Simulation& simulation, double reach, std::size_t bins) {
  const Domain& domain = simulation.setup().domain;
  const std::vector<Vec4> x = simulation.particles().get<Vec4>("position").to_host();
  std::vector<double> pairs(bins, 0.0);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (i == k) continue;
      double r2 = 0;
      for (int a = 0; a < domain.dimension; ++a) {
        const double extent = double{component(domain.extent(), a)};
        double d = double{component(xyz(x[i]), a)} - double{component(xyz(x[k]), a)};
        if (domain.periodic(a)) d -= extent * std::round(d / extent);
        r2 += d * d;
      }
      if (r2 < reach * reach) pairs[static_cast<std::size_t>(std::sqrt(r2) / reach * static_cast<double>(bins))] += 1;
    }
  return pairs;
}

TEST_P(InstrumentsOnEachDevice, PairDistancesAreThoseOfEveryPairAveragedOverStates) {
  Simulation simulation(dpd_box({5, 6, 7}, 0.01, 3), device());
  desktop::PairDistribution distribution;
  EXPECT_FALSE(distribution.due(0, 0)) << "nobody wants it";
  distribution.show(true);
  constexpr std::size_t kShells = 9;
  static_assert(desktop::PairDistribution::kBins % kShells == 0);
  std::vector<double> pairs(kShells, 0.0);
  double first = 0, wall = 0, surely_near = 0, near = 0;
  const double reach = 2.5;  // half of the shortest axis
  const double density = simulation.particle_count() / (5.0 * 6 * 7), particles = simulation.particle_count();
  for (int state = 0; state < 3; ++state) {
    for (int k = 0; k < 20; ++k) simulation.step();
    if (state == 0) first = simulation.finish().time;
    ASSERT_TRUE(distribution.due(simulation.moment(), wall));
    distribution.sample(simulation, wall);
    EXPECT_FALSE(distribution.due(simulation.moment(), 1e9)) << "this state is counted already";
    EXPECT_FALSE(distribution.due(simulation.moment() + 1, wall + 0.1)) << "four times a second at most";
    wall += 1e6;
    const std::vector<double> now = every_pair(simulation, reach, kShells);
    for (std::size_t shell = 0; shell < kShells; ++shell) pairs[shell] += now[shell];
    surely_near += every_pair(simulation, 1 - 1e-5, 1)[0];  // h is 1; what is closer to it is a matter of rounding
    near += every_pair(simulation, 1 + 1e-5, 1)[0];
  }
  const auto view = distribution.view();
  EXPECT_EQ(view->why_none, "");
  EXPECT_EQ(view->states, 3);
  EXPECT_EQ(view->from, first);
  EXPECT_EQ(view->to, simulation.latest().time);
  EXPECT_NEAR(view->least_filled, 1, 0.01);
  EXPECT_EQ(view->least_filled, view->most_filled);
  EXPECT_FALSE(view->has_walls);
  EXPECT_GE(view->neighbors * 3 * particles, surely_near - 0.5);
  EXPECT_LE(view->neighbors * 3 * particles, near + 0.5);
  const std::size_t per_shell = view->g.size() / kShells;
  for (std::size_t shell = 0; shell < kShells; ++shell) {
    double counted = 0;
    for (std::size_t b = shell * per_shell; b < (shell + 1) * per_shell; ++b) {
      const double inner = reach * static_cast<double>(b) / static_cast<double>(view->g.size()),
                   outer = reach * static_cast<double>(b + 1) / static_cast<double>(view->g.size());
      EXPECT_NEAR(view->r[b], 0.5 * (inner + outer), 1e-9);
      counted += view->g[b] * 4.0 / 3 * std::numbers::pi * (std::pow(outer, 3) - std::pow(inner, 3));
    }
    const double expected = pairs[shell] / (3 * particles) / (density * (particles - 1) / particles);
    EXPECT_NEAR(counted, expected, 2e-3 * expected + 1e-4) << "shell " << shell;
  }
  distribution.show(true);
  EXPECT_EQ(distribution.view(), view) << "it goes on";
  distribution.begin_again();
  EXPECT_TRUE(distribution.due(simulation.moment(), 0));
  distribution.sample(simulation, 0);
  EXPECT_EQ(distribution.view()->states, 1);
  distribution.sample(simulation, 0);
  EXPECT_EQ(distribution.view()->states, 1) << "a state that is no later begins again";
  distribution.show(false);
  EXPECT_EQ(distribution.view(), nullptr);
}

// With the density of the whole domain g would be several times too large, with no word about it.
TEST_P(InstrumentsOnEachDevice, PairDistancesInAPartOfTheDomainAreRelativeToTheFluid) {
  SimulationSetup setup = block();
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  Simulation simulation(setup, device());
  desktop::PairDistribution distribution;
  distribution.show(true);
  distribution.sample(simulation, 0);
  const auto view = distribution.view();
  EXPECT_NEAR(view->least_filled, 0.16, 1e-3);
  EXPECT_TRUE(view->has_walls);
  const std::vector<double> pairs = every_pair(simulation, 4.5 * 0.05, 1);
  double counted = 0;
  for (std::size_t b = 0; b < view->g.size(); ++b) {
    const double width = 4.5 * 0.05 / static_cast<double>(view->g.size()), inner = width * static_cast<double>(b);
    counted += view->g[b] * 4.0 / 3 * std::numbers::pi * (std::pow(inner + width, 3) - std::pow(inner, 3));
  }
  EXPECT_NEAR(counted * 8000 * 511 / 512, pairs[0] / 512, 0.02 * pairs[0] / 512) << "8000 particles per m^3 at rest";
}

/// A box of that many DPD particles at `time`. @param full_at the number that fills it
SimulationSetup box_of(std::size_t particles, std::size_t full_at) {
  SimulationSetup setup = dpd_box({4, 4, 4}, 0.01, 3);
  setup.spacing = static_cast<float>(4 / std::cbrt(static_cast<double>(full_at)));
  std::vector<Vec3> places;
  for (std::size_t k = 0; k < particles; ++k)
    places.push_back({0.01f + 3.98f * static_cast<float>((k * 37 % 101) / 101.0),
                      0.01f + 3.98f * static_cast<float>((k * 53 % 103) / 103.0),
                      0.01f + 3.98f * static_cast<float>((k * 71 % 107) / 107.0)});
  setup.bodies = {test::body_of_places(std::move(places))};
  return setup;
}

// Inlets and drains change the number: what is counted and what it is compared with are sums over the same states.
TEST_P(InstrumentsOnEachDevice, PairDistancesOfStatesWithDifferentNumbersAreSumsOverTheSameStates) {
  constexpr std::size_t kShells = 9, kFullAt = 90;
  const double reach = 2, spacing = 4 / std::cbrt(double{kFullAt});
  ASSERT_LT(reach, 4.5 * spacing);
  desktop::PairDistribution distribution;
  distribution.show(true);
  std::vector<double> pairs(kShells, 0.0);
  double expected = 0, particles = 0, wall = 0, time = 0;
  // The first one is full, the second one is not; the third has no pairs.
  for (const std::size_t n : {100, 40, 1}) {
    Simulation simulation(box_of(n, kFullAt), device());
    ASSERT_EQ(static_cast<std::size_t>(simulation.particle_count()), n);
    do simulation.step();
    while (simulation.finish().time <= time);
    time = simulation.latest().time;
    distribution.sample(simulation, wall += 1e6);
    if (n == 1) continue;
    const std::vector<double> now = every_pair(simulation, reach, kShells);
    for (std::size_t shell = 0; shell < kShells; ++shell) pairs[shell] += now[shell];
    const auto count = static_cast<double>(n);
    expected += (count - 1) * (n >= kFullAt ? count / 64 : 1 / (spacing * spacing * spacing));
    particles += count;
  }
  const auto view = distribution.view();
  EXPECT_EQ(view->why_none, "");
  EXPECT_EQ(view->states, 2);
  EXPECT_NEAR(view->least_filled, 40 / 90.0, 1e-4);
  EXPECT_NEAR(view->most_filled, 100 / 90.0, 1e-4);
  const std::size_t per_shell = view->g.size() / kShells;
  for (std::size_t shell = 0; shell < kShells; ++shell) {
    double counted = 0;
    for (std::size_t b = shell * per_shell; b < (shell + 1) * per_shell; ++b) {
      const double width = reach / static_cast<double>(view->g.size()), inner = width * static_cast<double>(b);
      counted += view->g[b] * 4.0 / 3 * std::numbers::pi * (std::pow(inner + width, 3) - std::pow(inner, 3));
    }
    EXPECT_NEAR(counted * expected, pairs[shell], 2.5) << "shell " << shell;  // a pair at an edge may be beyond it
  }
}

TEST_P(InstrumentsOnEachDevice, OneParticleHasNoPairDistancesAndItIsSaid) {
  Simulation simulation(box_of(1, 90), device());
  desktop::PairDistribution distribution;
  distribution.show(true);
  distribution.sample(simulation, 0);
  EXPECT_EQ(distribution.view()->why_none, "fewer than two particles");
  EXPECT_EQ(distribution.view()->states, 0);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(InstrumentsOnEachDevice);

}  // namespace

}  // namespace riffle
