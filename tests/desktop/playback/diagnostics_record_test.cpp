#include "app/desktop/playback/diagnostics_record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "app/desktop/playback/playback.h"
#include "desktop/playback/scene_files.h"
#include "sim/measure/domain_size.h"
#include "validation/dpd_setups.h"

namespace riffle {
namespace {

using desktop::DiagnosticGroup;

std::optional<std::size_t> channel(const desktop::DiagnosticsView& view, DiagnosticGroup group, const char* name) {
  for (std::size_t c = 0; c < view.channels.size(); ++c)
    if (view.channels[c].group == group && view.channels[c].name == name) return c;
  return std::nullopt;
}

/// The table as a program reads it that knows nothing of the window: a line of numbers per row.
std::vector<std::vector<double>> numbers_of(const std::string& csv, std::vector<std::string>& names) {
  std::istringstream lines(csv);
  std::string line, field;
  std::getline(lines, line);
  for (std::istringstream head(line); std::getline(head, field, ',');)
    names.push_back(field.substr(0, field.find(" [")));
  std::vector<std::vector<double>> rows;
  while (std::getline(lines, line)) {
    rows.emplace_back();
    for (std::istringstream row(line); std::getline(row, field, ',');) rows.back().push_back(std::stod(field));
  }
  return rows;
}

class Diagnosed : public test::SceneFiles {
 protected:
  /// Every plotted point is a row of the saved table, and every row is plotted.
  static void expect_plot_is_table(desktop::Playback& playback) {
    std::vector<std::string> names;
    const auto rows = numbers_of(playback.series_with_present().csv(), names);
    const auto view = playback.instruments().diagnostics().view();
    ASSERT_NE(view, nullptr);
    const auto& buckets = view->history.buckets();
    ASSERT_EQ(buckets.size(), rows.size());
    EXPECT_EQ(view->rows, rows.size());
    int compared = 0;
    for (std::size_t c = 0; c < view->channels.size(); ++c) {
      const std::string& column = view->channels[c].column;
      if (column.empty()) continue;
      const auto at = std::find(names.begin(), names.end(), column);
      ASSERT_NE(at, names.end()) << column;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const double saved = rows[k][static_cast<std::size_t>(at - names.begin())];
        const double plotted = buckets[k].channels[c].last;
        if (std::isnan(saved))
          EXPECT_TRUE(std::isnan(plotted)) << column << " of row " << k;
        else
          EXPECT_NEAR(plotted, saved, 1e-8 * std::fabs(saved)) << column << " of row " << k;
        EXPECT_NEAR(buckets[k].end, rows[k][0], 1e-8 * rows[k][0]) << "row " << k;
        ++compared;
      }
    }
    EXPECT_GE(compared, 6);
  }

  desktop::Playback playback() {
    return desktop::Playback(scene(std::string(test::kBlock) + "movie: {time_scale: 0.1}\n"));
  }
};

TEST_F(Diagnosed, ThePlotsShowTheRowsThatTheTableSaves) {
  desktop::Playback run = playback();
  expect_plot_is_table(run);
  for (int i = 0; i < 40; ++i) {
    run.step();
    run.instruments().look(run.simulation(), 1e6 * i, true);  // enough time for every measurement
  }
  EXPECT_TRUE(run.show_present() || run.series().rows() > 1);
  EXPECT_FALSE(run.show_present()) << "once is enough";
  expect_plot_is_table(run);
  const auto before = run.instruments().diagnostics().view();
  const std::size_t all = before->rows;
  ASSERT_GT(all, 1u);

  int without_row = 0;
  for (int i = 0; i < 20; ++i) {
    const std::size_t rows = run.series().rows();
    run.show_present();
    run.step();  // the present row of before is no row of the table
    without_row += run.series().rows() == rows;
    EXPECT_EQ(run.instruments().diagnostics().view()->rows, run.series().rows());
  }
  EXPECT_GT(without_row, 0) << "not every step has a row";
  run.show_present();
  expect_plot_is_table(run);

  run.seek(0);
  run.step();
  run.show_present();
  expect_plot_is_table(run);
  EXPECT_EQ(run.instruments().diagnostics().view()->rows, 2u) << "the others are of a future that is gone";
  EXPECT_EQ(before->rows, all) << "what the window holds stays as it is";
}

// What follows may be later than all states so far, and is of another run nevertheless.
TEST_F(Diagnosed, PairDistancesBeginAgainWhereTheRunGoesBack) {
  desktop::Playback run = playback();
  desktop::PairDistribution& distribution = run.instruments().distribution();
  distribution.show(true);
  for (int i = 0; i < 3; ++i) run.step();
  distribution.sample(run.simulation(), 1);
  const double before = distribution.view()->to;
  run.seek(0);
  while (run.simulation().finish().time <= before) run.step();
  distribution.sample(run.simulation(), 2);
  EXPECT_EQ(distribution.view()->states, 1);
  EXPECT_GT(distribution.view()->from, before);
  run.step();
  distribution.sample(run.simulation(), 3);
  EXPECT_EQ(distribution.view()->states, 2) << "it goes on";
}

TEST_F(Diagnosed, GoingBackToTheFirstMomentLeavesTheWorkOfTheStart) {
  desktop::Playback run = playback();
  const double start = run.work().unsaved();
  EXPECT_GT(start, 0);
  for (int i = 0; i < 3; ++i) run.step();
  run.work().add(1e6);
  run.keep_newest(1);
  run.seek(0);
  run.leave_later_work();
  EXPECT_EQ(run.work().unsaved(), start);
}

TEST_F(Diagnosed, TheTotalIsTheSumOfTheEnergies) {
  desktop::Playback run = playback();
  for (int i = 0; i < 3; ++i) run.step();
  run.show_present();
  const auto view = run.instruments().diagnostics().view();
  const auto& last = view->history.buckets().back().channels;
  const auto of = [&](const char* name) { return last[*channel(*view, DiagnosticGroup::Energy, name)].last; };
  EXPECT_NE(of("potential"), 0);
  EXPECT_NEAR(of("total"), of("kinetic") + of("potential") + of("internal"), 1e-12 * std::fabs(of("total")));
  EXPECT_EQ(std::ranges::count(view->channels, "total", &desktop::DiagnosticChannel::name), 1);
}

TEST_F(Diagnosed, TheTotalHasTheEnergyOfFreeSolidsInIt) {
  desktop::Playback run(scene(std::string(test::kBlock) + "solids:\n  - {motion: free, density: 500, "
                                                          "sphere: {center: [0.5, 0.8, 0.5], radius: 0.15}}\n"));
  for (int i = 0; i < 3; ++i) run.step();
  run.show_present();
  const auto view = run.instruments().diagnostics().view();
  const auto& last = view->history.buckets().back().channels;
  const auto of = [&](const char* name) { return last[channel(*view, DiagnosticGroup::Energy, name).value()].last; };
  EXPECT_GT(of("solids kinetic"), 0);
  EXPECT_GT(of("solids potential"), 0);
  const double fluid = of("kinetic") + of("potential") + of("internal");
  EXPECT_NEAR(of("total"), fluid + of("solids kinetic") + of("solids potential"), 1e-12 * of("total"));
}

TEST_F(Diagnosed, MeansAreThoseOfTheRowsInTheSpanAndFollowTheTable) {
  desktop::Playback run = playback();
  run.measure_all_rows(true);  // however long they take here: they are evenly apart
  const auto look = [&](double wall) { run.instruments().look(run.simulation(), wall, true, &run.series()); };
  for (int i = 0; i < 60; ++i) run.step();
  std::vector<std::string> names;
  const auto rows = numbers_of(run.series().csv(), names);
  ASSERT_GT(rows.size(), 8u);
  const std::size_t first = 2, last = rows.size() - 3;
  const desktop::MeanSpan span{0.5 * (rows[first - 1][0] + rows[first][0]), 0.5 * (rows[last][0] + rows[last + 1][0])};
  double wall = 0;
  const auto until_there = [&] {
    for (int k = 0; k < 20 && !run.instruments().means().view(); ++k) look(wall += 1e6);  // the others have their turns
    return run.instruments().means().view();
  };
  EXPECT_EQ(until_there(), nullptr) << "nobody wants them";
  run.instruments().means().show(span);
  const auto view = until_there();
  ASSERT_NE(view, nullptr);
  EXPECT_EQ(view->span, span);
  EXPECT_EQ(view->means.rows, last - first + 1);
  EXPECT_NEAR(view->means.first, rows[first][0], 1e-8);
  EXPECT_NEAR(view->means.last, rows[last][0], 1e-8);
  EXPECT_EQ(view->means.columns.size(), names.size() - 2) << "all but time and step";
  for (const SeriesMeans::Column& column : view->means.columns) {
    const auto at = static_cast<std::size_t>(std::ranges::find(names, column.name) - names.begin());
    ASSERT_LT(at, names.size());
    double sum = 0, size = 0;
    for (std::size_t k = first; k <= last; ++k) sum += rows[k][at], size += std::fabs(rows[k][at]);
    const double count = static_cast<double>(last - first + 1);
    EXPECT_NEAR(column.mean.value, sum / count, 1e-7 * size / count + 1e-12) << column.name;
  }
  EXPECT_FALSE(run.instruments().means().due(run.series(), 1e9)) << "the table has no other rows";
  run.instruments().means().show(desktop::MeanSpan{});
  EXPECT_EQ(run.instruments().means().view(), nullptr) << "those of another span are not shown";
  EXPECT_EQ(until_there()->means.rows, rows.size());
  for (int i = 0; i < 20; ++i) run.step();
  EXPECT_FALSE(run.instruments().means().due(run.series(), wall)) << "not at every row";
  EXPECT_TRUE(run.instruments().means().due(run.series(), wall + 1e6));
  run.seek(0);
  run.step();
  EXPECT_TRUE(run.instruments().means().due(run.series(), wall + 1e6)) << "rows of a future that is gone";
  run.reset();
  EXPECT_EQ(run.instruments().means().shown(), desktop::MeanSpan{}) << "what is wanted stays";
}

TEST_F(Diagnosed, ForceAndTorqueOnEachSolidAreThoseOfTheTable) {
  desktop::Playback run(
      scene(std::string(test::kBlock) +
            "movie: {time_scale: 0.1}\nsolids:\n  - {name: post, box: {min: [0.6, 0, 0], max: [0.8, 1, "
            "1]}}\n  - sphere: {center: [0.3, 0.2, 0.3], radius: 0.15}\n"));
  for (int i = 0; i < 20; ++i) run.step();
  run.show_present();
  expect_plot_is_table(run);
  const auto view = run.instruments().diagnostics().view();
  std::vector<std::string> lines;
  for (const desktop::DiagnosticChannel& c : view->channels)
    if (!c.subject.empty())
      lines.push_back((c.group == DiagnosticGroup::Force ? "force " : "torque ") + c.name + " " + c.subject + ": " +
                      c.column);
  EXPECT_EQ(lines, (std::vector<std::string>{
                       "force x post: force_x_post", "force y post: force_y_post", "force z post: force_z_post",
                       "torque x post: torque_x_post", "torque y post: torque_y_post", "torque z post: torque_z_post",
                       "force x solid_2: force_x_solid_2", "force y solid_2: force_y_solid_2",
                       "force z solid_2: force_z_solid_2", "torque x solid_2: torque_x_solid_2",
                       "torque y solid_2: torque_y_solid_2", "torque z solid_2: torque_z_solid_2"}));
}

TEST_F(Diagnosed, ProbesAreThoseOfTheTableAndComeAndGoWhileItRuns) {
  const std::string block = std::string(test::kBlock) + "movie: {time_scale: 0.1}\n";
  const std::string with_probes = block +
                                  "probes:\n  - {name: P, point: [0.3, 0.2, 0.3], quantities: [pressure, speed]}\n"
                                  "  - {name: gauge, level: {from: [0.3, 0, 0.3], to: [0.3, 1, 0.3]}}\n";
  desktop::Playback run(scene(block));
  for (int i = 0; i < 5; ++i) run.step();
  const auto subjects = [&] {
    std::vector<std::string> lines;
    for (const desktop::DiagnosticChannel& c : run.instruments().diagnostics().view()->channels)
      if (!c.subject.empty()) lines.push_back(c.name + " of " + c.subject + ": " + c.column);
    return lines;
  };
  EXPECT_TRUE(subjects().empty());
  const double time = run.simulation().latest().time;
  run.edit({scenes::parse_scene(with_probes, "block.yaml", {}), scenes::Effect::Picture});
  EXPECT_EQ(run.simulation().latest().time, time);
  for (int i = 0; i < 10; ++i) run.step();
  run.show_present();
  expect_plot_is_table(run);
  EXPECT_EQ(subjects(), (std::vector<std::string>{"pressure of P: pressure_P", "speed of P: speed_P",
                                                  "level of gauge: level_gauge", "wetted of gauge: wetted_gauge"}));
  run.edit({scenes::parse_scene(block, "block.yaml", {}), scenes::Effect::Picture});
  for (int i = 0; i < 10; ++i) run.step();
  run.show_present();
  EXPECT_TRUE(subjects().empty());
}

// A plot once vanished with all that it had recorded.
TEST_F(Diagnosed, AProbeKeepsWhatItHasRecordedWithASolverThatLacksItsQuantity) {
  const std::string begin = std::string(test::kBlock) +
                            "movie: {time_scale: 0.1}\nprobes:\n  - {name: P, point: [0.3, 0.2, 0.3], quantities: "
                            "[speed, pressure]}\nsolver: {type: ";
  const scenes::Scene wcsph = scenes::parse_scene(begin + "wcsph}\n", "block.yaml", {}),
                      pbf = scenes::parse_scene(begin + "pbf}\n", "block.yaml", {});
  desktop::Playback run(scene(begin + "wcsph}\n"));
  const auto lines = [&](const desktop::DiagnosticsView& view) {
    std::vector<std::string> found;
    for (const desktop::DiagnosticChannel& c : view.channels)
      if (!c.subject.empty()) found.push_back(c.column + (c.missing.empty() ? "" : ": " + c.missing));
    return found;
  };
  const auto numbers = [&](const desktop::DiagnosticsView& view) {
    const auto at = std::ranges::find(view.channels, "pressure_P", &desktop::DiagnosticChannel::column);
    std::vector<double> found;
    for (const auto& bucket : view.history.buckets())
      if (const double p = bucket.channels[std::size_t(at - view.channels.begin())].last; std::isfinite(p))
        found.push_back(p);
    return found;
  };
  // Rows have a share of the time that passes: on a busy machine few of the steps have one.
  for (int i = 0; i < 20 || (i < 20000 && numbers(*run.instruments().diagnostics().view()).size() < 4); ++i) run.step();
  EXPECT_EQ(lines(*run.instruments().diagnostics().view()), (std::vector<std::string>{"speed_P", "pressure_P"}));
  const std::vector<double> recorded = numbers(*run.instruments().diagnostics().view());
  ASSERT_GT(recorded.size(), 3u);

  const std::vector<std::string> lacking = {"speed_P", "pressure_P: particles of solver.type pbf"};
  run.edit({pbf, scenes::Effect::Live});
  EXPECT_EQ(lines(*run.instruments().diagnostics().view()), lacking) << "at once";
  for (int i = 0; i < 20; ++i) run.step();
  run.show_present();
  expect_plot_is_table(run);
  EXPECT_EQ(lines(*run.instruments().diagnostics().view()), lacking);
  EXPECT_EQ(numbers(*run.instruments().diagnostics().view()), recorded);

  run.edit({wcsph, scenes::Effect::Live});
  for (int i = 0; i < 20; ++i) run.step();
  run.show_present();
  EXPECT_EQ(lines(*run.instruments().diagnostics().view()), (std::vector<std::string>{"speed_P", "pressure_P"}));
  EXPECT_GT(numbers(*run.instruments().diagnostics().view()).size(), recorded.size());
}

/// "0.5: a from 1 to 2, b from 3 to 4"
std::vector<std::string> marks_of(const desktop::Playback& run) {
  std::vector<std::string> marks;
  for (const desktop::ParameterMark& mark :
       const_cast<desktop::Playback&>(run).instruments().diagnostics().view()->marks) {
    std::string text;
    for (const desktop::KeyChange& change : mark.changes) text += (text.empty() ? "" : ", ") + change_text(change);
    marks.push_back(text);
  }
  return marks;
}

TEST_F(Diagnosed, AParameterThatIsChangedDuringTheRunIsMarkedAtItsTime) {
  desktop::Playback run = playback();
  const auto change = [&](const char* key, const char* from, const char* to, bool goes_on = false) {
    run.edit({run.scene(), scenes::Effect::Live, "", 0, 0, {{key, from, to}}, goes_on});
  };
  const auto steps = [&](int count) {
    for (int i = 0; i < count; ++i) run.step();
  };
  const auto now = [&] { return run.simulation().finish().time; };
  using Texts = std::vector<std::string>;
  change("gravity", "-9", "-8");
  EXPECT_TRUE(marks_of(run).empty()) << "all rows are of the new value";
  steps(10);
  const double first = now();
  change("a", "1", "2");
  EXPECT_EQ(marks_of(run), Texts{"a from 1 to 2"});
  EXPECT_EQ(run.instruments().diagnostics().view()->marks[0].time, first);
  change("b", "5", "6");
  EXPECT_EQ(marks_of(run), Texts{"a from 1 to 2, b from 5 to 6"});
  change("b", "6", "5");
  EXPECT_EQ(marks_of(run), Texts{"a from 1 to 2"}) << "taken back before a step";
  steps(10);
  run.keep_newest(0);
  const double second = now();
  steps(5);
  change("a", "2", "3");
  steps(5);
  change("a", "2", "4", true);  // the same movement of a slider
  EXPECT_EQ(marks_of(run), (Texts{"a from 1 to 2", "a from 2 to 4"}));
  const desktop::ParameterMark slid = run.instruments().diagnostics().view()->marks[1];
  EXPECT_LT(slid.time, slid.until);
  EXPECT_EQ(slid.until, now());
  const std::vector<ParameterChange> beside_the_table = run.parameter_changes();
  ASSERT_EQ(beside_the_table.size(), 2u);
  EXPECT_EQ(beside_the_table[1].key, (scenes::KeyChange{"a", "2", "4"}));
  EXPECT_EQ(beside_the_table[1].time, slid.time);
  EXPECT_EQ(beside_the_table[1].until, slid.until);

  run.seek(second);
  EXPECT_EQ(marks_of(run).size(), 2u) << "the later rows are still there";
  ASSERT_EQ(now(), second);
  run.step();
  ASSERT_EQ(marks_of(run), (Texts{"a from 1 to 2", "a from 2 to 4"})) << "the change is in force from here on";
  EXPECT_EQ(run.instruments().diagnostics().view()->marks[1].time, second);
  run.reset();
  run.step();
  EXPECT_TRUE(marks_of(run).empty()) << "all rows are of the new values";
}

// As if the run had begun with them: the first row of a run that starts again with another repulsion.
TEST_F(Diagnosed, ARowAtTheMomentOfAChangeHasTheNewParameters) {
  const auto text = [](int repulsion) {
    return "domain: {min: [0, 0, 0], max: [4, 4, 4], axes: periodic}\ngravity: [0, 0, 0]\n"
           "particles: {number_density: 3}\nbodies:\n  - {filling: random, box: {min: [0, 0, 0], max: [4, 4, 4]}}\n"
           "solver: {type: dpd, repulsion: " +
           std::to_string(repulsion) + ", friction: 4.5}\ntime: {step: 0.02, end: 10}\n";
  };
  const auto first_row = [](desktop::Playback& run) {
    const auto row = run.series().row_values(0);
    return std::vector<double>(row.begin(), row.end());
  };
  const scenes::Scene other = scenes::parse_scene(text(60), "block.yaml", {});
  desktop::Playback direct(scene(text(60), "other.yaml")), run(scene(text(25)));
  const std::vector<double> wanted = first_row(direct), before = first_row(run);
  ASSERT_NE(wanted, before);
  const auto change = [&] { run.edit({other, scenes::Effect::Live, "", 0, 0, {{"solver.repulsion", "25", "60"}}}); };
  const auto plotted = [&] {
    const desktop::DiagnosticsView& view = *run.instruments().diagnostics().view();
    for (std::size_t c = 0; c < view.channels.size(); ++c)
      if (view.channels[c].column == "pressure") return view.history.buckets().front().channels[c].last;
    return 0.0;
  };
  change();
  EXPECT_TRUE(run.show_present()) << "while the run is paused";
  EXPECT_EQ(first_row(run), wanted);
  EXPECT_EQ(plotted(), wanted[*run.series().column("pressure")]);
  EXPECT_FALSE(run.show_present()) << "once is enough";

  desktop::Playback again(scene(text(25)));
  for (int i = 0; i < 20; ++i) again.step();
  again.edit({other, scenes::Effect::Live, "", 0, 0, {{"solver.repulsion", "25", "60"}}});
  for (int i = 0; i < 5; ++i) again.step();
  again.reset();
  EXPECT_EQ(first_row(again), before) << "the run that was left";
  again.step();
  EXPECT_EQ(first_row(again), wanted) << "the change is in force from here on";
  EXPECT_TRUE(again.parameter_changes().empty());
}

// The particles do not have quite the wave that the scene asks for.
TEST_F(Diagnosed, TheTheoryBeginsAtTheAmplitudeThatWasMeasured) {
  desktop::Playback run(
      scene("dimension: 2\ndomain: {min: [0, 0], max: [1, 1], axes: [periodic, walled]}\nparticles: {spacing: 0.05}\n"
            "fluids:\n  - {name: light, rest_density: 1000}\n  - {name: heavy, rest_density: 3000}\n"
            "bodies:\n  - {box: {min: [0, 0], max: [1, 1]}, fluid: light}\n"
            "start: {interface: {upper: heavy, lower: light, height: 0.5, amplitude: 0.03, wavelength: 1}}\n"
            "solver: {type: pbf}\ntime: {step: 0.005, end: 10}\n"));
  const auto theory = [&] { return run.instruments().diagnostics().view()->theory; };
  ASSERT_TRUE(theory().applies()) << theory().why_none;
  const double measured = run.series().row_values(0)[*run.series().column("mode_amplitude")];
  ASSERT_NE(measured, double{0.03f});
  EXPECT_EQ(theory().amplitude, measured);
  EXPECT_EQ(theory().at(0), measured);
  EXPECT_NE(theory().basis.find("that was measured at time 0, the scene asks for 0.03"), std::string::npos);
  for (int k = 0; k < 10; ++k) run.step();
  EXPECT_TRUE(theory().applies()) << "no parameter was changed";
  EXPECT_EQ(theory().amplitude, measured);
}

TEST_F(Diagnosed, ChangesOfTheSearchAreInTheListOfChangesAndThoseOfThePictureAreNot) {
  desktop::Playback run = playback();
  for (int i = 0; i < 5; ++i) run.step();
  run.edit({run.scene(), scenes::Effect::Picture, "", 0, 0, {{"picture.legend", "true", "false"}}});
  run.edit({run.scene(), scenes::Effect::Search, "", 0, 0, {{"neighbors.skin", "0", "0.1"}}});
  run.step();
  EXPECT_EQ(marks_of(run), std::vector<std::string>{"neighbors.skin from 0 to 0.1"});
  ASSERT_EQ(run.parameter_changes().size(), 1u);
  EXPECT_EQ(run.parameter_changes()[0].key.key, "neighbors.skin");
}

// Its column goes on: one curve is then of two places.
TEST_F(Diagnosed, AProbeThatIsMovedIsMarkedInThePlots) {
  desktop::Playback run = playback();
  for (int i = 0; i < 10; ++i) run.step();
  const double moved = run.simulation().finish().time;
  run.edit(
      {run.scene(),
       scenes::Effect::Picture,
       "",
       0,
       0,
       {{"probes[0].point", "[1, 0]", "[2, 0]"}, {"probes[0].name", "a", "b"}, {"picture.legend", "true", "false"}}});
  EXPECT_EQ(marks_of(run), std::vector<std::string>{"probes[0].point from [1, 0] to [2, 0]"});
  EXPECT_EQ(run.instruments().diagnostics().view()->marks[0].time, moved);
}

// The column goes on under its name, though no key says that this probe moved.
TEST_F(Diagnosed, AProbeThatTakesOverTheNameOfAnotherPlaceIsMarkedBesideTheTable) {
  desktop::Playback run(
      scene(std::string(test::kBlock) + "probes:\n  - {point: [0.1, 0.1, 0.1]}\n  - {point: [0.3, 0.1, 0.1]}\n"));
  const auto become = [&](std::vector<ProbeSetup> probes) {
    scenes::Scene other = run.scene();
    other.probes = std::move(probes);
    run.edit({other, scenes::Effect::Picture, "", 0, 0, {{"probes", "2", "1 entry"}}});
  };
  const std::vector<ProbeSetup> both = run.scene().probes;
  for (int i = 0; i < 10; ++i) run.step();
  become({both[1]});  // "probe_1" from now on
  const std::vector<std::string> moved = {"place of probe_1 from [0.1, 0.1, 0.1] to [0.3, 0.1, 0.1]"};
  EXPECT_EQ(marks_of(run), moved);
  ASSERT_EQ(run.parameter_changes().size(), 1u);
  EXPECT_EQ(run.parameter_changes()[0].key.key, "place of probe_1");
  for (int i = 0; i < 10; ++i) run.step();
  become({});
  for (int i = 0; i < 10; ++i) run.step();
  EXPECT_EQ(marks_of(run), moved) << "no number is of another place";
  become({both[1], both[0]});  // after a gap without it
  EXPECT_EQ(marks_of(run),
            (std::vector<std::string>{moved[0], "place of probe_2 from [0.3, 0.1, 0.1] to [0.1, 0.1, 0.1]"}));
}

/// Of a run that begins with the scene, without a window.
std::string table_alone(const scenes::Scene& scene, int steps) {
  Simulation alone(scene.simulation, Device{});
  RunSeries table(scene);
  table.sample(alone);
  for (int i = 0; i < steps; ++i) {
    alone.step();
    table.sample(alone);
  }
  return table.csv();
}

// A probe that was renamed or removed before the first step is no probe of the run.
TEST_F(Diagnosed, BeforeTheFirstStepOnlyThePresentProbesCount) {
  const std::string block = std::string(test::kBlock) + "movie: {time_scale: 0.1}\nprobes:\n";
  const std::string level = "  - {name: gauge, level: {from: [0.3, 0, 0.3], to: [0.3, 1, 0.3]}}\n";
  const auto point = [](const char* name, const char* at) {
    return std::string("  - {name: ") + name + ", point: " + at + "}\n";
  };
  const std::string before = block + level + point("P", "[0.3, 0.2, 0.3]");
  const std::string after = block + point("mid", "[0.2, 0.1, 0.3]");
  desktop::Playback run(scene(before));
  run.measure_all_rows(true);
  const auto become = [&](const std::string& text) {
    run.edit({scenes::parse_scene(text, "block.yaml", {}),
              scenes::Effect::Picture,
              "",
              0,
              0,
              {{"probes", "some", "others"}}});
  };
  become(after);
  expect_plot_is_table(run);
  EXPECT_EQ(run.series().csv(), table_alone(run.scene(), 0));
  become(before);
  EXPECT_EQ(run.series().csv(), table_alone(run.scene(), 0)) << "taken back";
  become(after);
  for (int i = 0; i < 100; ++i) run.step();
  EXPECT_EQ(run.series().csv(), table_alone(run.scene(), 100));
  run.seek(0);
  become(before);
  EXPECT_GT(run.series().rows(), 2u) << "the later rows are still there";
  for (int i = 0; i < 100; ++i) run.step();
  EXPECT_EQ(run.series().csv(), table_alone(run.scene(), 100)) << "from the start once more";
  run.show_present();
  expect_plot_is_table(run);
}

TEST_F(Diagnosed, AProbeMovedBeforeTheFirstStepIsPlottedFromItsNewPlace) {
  const auto text = [](const char* x) {
    return std::string(test::kBlock) + "probes:\n  - {level: {from: [" + x + ", 0, 0.3], to: [" + x + ", 1, 0.3]}}\n";
  };
  desktop::Playback run(scene(text("0.3")));
  run.edit({scenes::parse_scene(text("0.9"), "block.yaml", {}),
            scenes::Effect::Picture,
            "",
            0,
            0,
            {{"probes[0].level.from", "a", "b"}}});
  expect_plot_is_table(run);
  run.step();
  run.show_present();
  expect_plot_is_table(run);
}

// The columns are those of the solver that the run begins with.
TEST_F(Diagnosed, ASolverThatIsChosenBeforeTheFirstStepLeavesNoColumnOfTheOneBefore) {
  const auto text = [](const char* solver) {
    return std::string(test::kBlock) +
           "probes:\n  - {name: P, point: [0.3, 0.2, 0.3], quantities: [speed, pressure]}\n" +
           "solver: {type: " + solver + "}\n";
  };
  desktop::Playback run(scene(text("wcsph")));
  run.edit({scenes::parse_scene(text("pbf"), "block.yaml", {}), scenes::Effect::Live});
  run.show_present();
  const std::string alone = table_alone(run.scene(), 0);
  EXPECT_EQ(run.series().header(), alone.substr(0, run.series().header().size()));
  expect_plot_is_table(run);
}

TEST_F(Diagnosed, WithARowForEachIntervalTheTableIsThatOfTheCommandLine) {
  desktop::Playback run = playback();
  run.measure_all_rows(true);
  Simulation alone(run.scene().simulation, Device{});
  RunSeries table(run.scene());
  table.sample(alone);
  for (int i = 0; i < 200; ++i) {
    run.step();
    alone.step();
    table.sample(alone);
  }
  ASSERT_GT(table.rows(), 4u);
  EXPECT_EQ(run.series().csv(), table.csv());
  EXPECT_EQ(run.rows_left_out(), 0u);
}

TEST_F(Diagnosed, WhereRowsGetFartherApartIsSaidBesideTheTable) {
  desktop::Playback run = playback();
  for (int i = 0; i < 3; ++i) run.step();
  run.edit({run.scene(), scenes::Effect::Live, "", 0, 0, {{"gravity", "-9", "-8"}}});
  const double changed = run.simulation().finish().time;
  desktop::KeptRun kept = run.keep(true);
  kept.stride = desktop::RowStride();
  for (const double time : {changed + 1, changed + 2, changed + 3}) kept.stride.note(time, 0.5, 1, 10);
  run.resume(kept);
  const std::vector<ParameterChange> said = run.table_changes();
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0].key.key, "gravity");
  EXPECT_EQ(said[1].key, (scenes::KeyChange{"rows of the table", "every 0.5 s", "every 1 s"}));
  EXPECT_EQ(said[1].time, changed + 3);
  EXPECT_EQ(run.parameter_changes().size(), 1u) << "the plots mark parameters and probes";
}

TEST_F(Diagnosed, AProbeHasThePressureOfTheFirstStepAtTime0) {
  for (const char* dimension : {"2", "3"}) {
    SCOPED_TRACE(dimension);
    const bool flat = dimension[0] == '2';
    const std::string at = flat ? "[0.5, 0.15]" : "[0.5, 0.15, 0.2]";
    desktop::Playback run(scene(fmt::format(
        "dimension: {}\ndomain: {{min: {}, max: {}, axes: walled}}\ngravity: {}\nparticles: {{spacing: 0.05}}\n"
        "bodies:\n  - box: {{min: {}, max: {}}}\nsolver: {{type: wcsph}}\n"
        "probes:\n  - point: {}\n",
        dimension, flat ? "[0, 0]" : "[0, 0, 0]", flat ? "[1, 0.6]" : "[1, 0.6, 0.4]",
        flat ? "[0, -9.81]" : "[0, -9.81, 0]", flat ? "[0, 0]" : "[0, 0, 0]", flat ? "[1, 0.4]" : "[1, 0.4, 0.4]",
        at)));
    const RunSeries& table = run.series();
    const auto column = table.column("pressure_probe_1");
    ASSERT_TRUE(column);
    EXPECT_NEAR(table.row_values(0)[*column], 1000 * 9.81 * 0.25, 0.1 * 1000 * 9.81 * 0.25);
    EXPECT_EQ(table.row_values(0)[*table.column("velocity_x_probe_1")], 0) << "it is that of time 0";
    const auto view = run.instruments().diagnostics().view();
    const auto plotted = channel(*view, DiagnosticGroup::ProbePressure, "pressure");
    ASSERT_TRUE(plotted);
    EXPECT_FALSE(std::isnan(view->history.buckets().front().channels[*plotted].last));
  }
}

TEST_F(Diagnosed, AProbeInTheAirHasNoPressureAtTime0) {
  const desktop::Playback run(
      scene("domain: {min: [0, 0, 0], max: [1, 1, 0.4], axes: walled}\nparticles: {spacing: 0.05}\n"
            "bodies:\n  - box: {min: [0, 0, 0], max: [1, 0.4, 0.4]}\nprobes:\n  - point: [0.5, 0.8, 0.2]\n"));
  EXPECT_TRUE(std::isnan(run.series().row_values(0)[*run.series().column("pressure_probe_1")]));
}

TEST_F(Diagnosed, RowsThatAreFartherApartLieAtMultiplesOfTheInterval) {
  const scenes::Scene scene = playback().scene();
  Simulation simulation(scene.simulation, Device{});
  simulation.step();
  const double step = simulation.finish().time;
  for (const double every : {0.7 * step, 5.3 * step}) {  // a step may pass several multiples
    Simulation alone(scene.simulation, Device{});
    RunSeries table(scene, every);
    std::vector<double> expected;
    double due = 0;
    for (int i = 0; i < 200; ++i) {
      const StepReport now = alone.finish();
      const double reached = now.time + 1e-3 * now.dt;
      if (reached >= due) expected.push_back(now.time);
      while (reached >= due) due += 3 * every;
      table.sample(alone, 3);
      alone.step();
    }
    std::vector<double> rows;
    for (std::size_t k = 0; k < table.rows(); ++k) rows.push_back(table.row_values(k)[0]);
    ASSERT_GT(rows.size(), 5u);
    EXPECT_EQ(rows, expected) << every;
  }
}

TEST_F(Diagnosed, ARunThatCameBackHasItsRows) {
  desktop::Playback run = playback();
  for (int i = 0; i < 20; ++i) run.step();
  const desktop::KeptRun kept = run.keep(true);
  run.reset();
  run.step();
  run.resume(kept);
  run.show_present();
  expect_plot_is_table(run);
}

TEST(DiagnosticsRecord, HasTheUnlikePairsOfSeveralFluidsAndTheirPairEnergyInAll) {
  scenes::Scene scene;
  scene.simulation = dpd_rayleigh_taylor(8, 0.05, 20, 1);
  Simulation simulation(scene.simulation, Device{});
  RunSeries table(scene);
  table.sample(simulation);
  desktop::DiagnosticsRecord record;
  record.follow(table, simulation);
  const auto view = record.view();
  ASSERT_EQ(view->history.buckets().size(), 1u);
  const auto& values = view->history.buckets()[0].channels;
  const double unlike = values[channel(*view, DiagnosticGroup::Pairs, "now").value()].last;
  EXPECT_GT(unlike, 0);
  EXPECT_LT(unlike, 0.5) << "they lie one above the other";
  const double pairs = values[channel(*view, DiagnosticGroup::Energy, "of all pairs").value()].last;
  EXPECT_NEAR(pairs, simulation.diagnostics().thermal->pair_energy * simulation.particle_count(), 1e-6 * pairs);
  EXPECT_FALSE(channel(*view, DiagnosticGroup::Density, "mean")) << "dpd has no density error";
}

TEST(DiagnosticsRecord, HasTheDomainSizeAndTheTemperaturesOfTwoFluidsThatPart) {
  scenes::Scene scene;
  scene.simulation = dpd_box({5, 5, 5}, 0.02, 1);
  scene.simulation.fluids.push_back(scene.simulation.fluids[0]);
  scene.simulation.fluids[0].name = "A";
  scene.simulation.fluids[1].name = "B";
  scene.simulation.start.mixed = true;
  Simulation simulation(scene.simulation, Device{});
  RunSeries table(scene);
  table.sample(simulation);
  desktop::DiagnosticsRecord record;
  record.follow(table, simulation);
  const auto view = record.view();
  const auto& values = view->history.buckets()[0].channels;
  EXPECT_EQ(values[channel(*view, DiagnosticGroup::Domains, "size R").value()].last, domain_size(simulation));
  for (const char* fluid : {"A", "B"})
    EXPECT_NEAR(values[channel(*view, DiagnosticGroup::Temperature, fluid).value()].last, 1, 0.3) << fluid;
}

// Beyond so many rows the table drops every second one.
TEST(DiagnosticsRecord, FollowsATableThatDropsRows) {
  scenes::Scene scene;
  scene.simulation = dpd_rayleigh_taylor(8, 0.05, 0, 1);
  Simulation simulation(scene.simulation, Device{});
  RunSeries table(scene, 0.01, 5);
  desktop::DiagnosticsRecord record;
  for (int i = 0; i < 12; ++i) {
    table.sample(simulation);
    record.follow(table, simulation);
    ASSERT_EQ(record.view()->history.buckets().size(), table.rows());
    for (std::size_t k = 0; k < table.rows(); ++k)
      EXPECT_EQ(record.view()->history.buckets()[k].end, table.row_values(k)[0]);
    simulation.step();
  }
  EXPECT_LE(table.rows(), 5u);
}

}  // namespace
}  // namespace riffle
