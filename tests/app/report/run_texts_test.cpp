/// What a run says of its means, its temperature, its probes and the parameters that were changed on its way.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/report/contact_text.h"
#include "app/report/csv.h"
#include "app/report/fastest_particle.h"
#include "app/report/parameter_changes.h"
#include "app/report/probe_places.h"
#include "app/report/series_means.h"
#include "app/report/thermal_text.h"
#include "core/error.h"

namespace riffle {
namespace {

TEST(ContactText, SaysOfWhichMomentTheNumbersBeforeAre) {
  ContactReport before{1000, 50, 93, 60, 30, 30}, now{1000, 80, 120, 90, 30, 30};
  ContactHistory contact{before, now};
  EXPECT_EQ(contact_text(contact),
            "120 of 1,000 particles (12 %) have lost contact with the rest, 80 of them have no neighbour; at the start "
            "it was 93, and 50\n");
  contact.when = "in the state at 3.97 s";
  contact.start->most_neighbors = 60;
  EXPECT_EQ(contact_text(contact),
            "120 of 1,000 particles (12 %) have lost contact with the rest, 80 of them have no neighbour; in the state "
            "at 3.97 s it was 93, and 50\nin the state at 3.97 s particles had up to 60 neighbours, 2 times as many as "
            "usual: bodies overlap, or lie too close together\n");
}

namespace fs = std::filesystem;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The line of a table that begins with that word.
std::string line_of(const std::string& table, const std::string& word) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(word + " ")) return line;
  return "";
}

class RunTexts : public ::testing::Test {
 protected:
  RunTexts() {
    std::string name = (fs::temp_directory_path() / "riffle-texts-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~RunTexts() override { fs::remove_all(folder_); }

  std::string read(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  fs::path folder_;
};

SeriesMeans::Column column(const std::string& name, double value, bool converged = true) {
  CorrelatedMean mean;
  mean.value = value, mean.error = 0.002, mean.error_uncertainty = 0.1;
  mean.independent = converged ? 80 : 8.4, mean.converged = converged;
  return {name, "eps", mean, 100};
}

TEST_F(RunTexts, MeansSayWhereTheirErrorsAreNoGood) {
  SeriesMeans means{
      10, 100, 0, {column("kinetic_energy", 5), column("pair_energy", 4.5, false), column("unlike_pairs", 0.07)}};
  means.columns[2].mean.drift = {0.092, 0.047};
  means.columns[2].mean.error = NAN;
  means.columns[2].mean.converged = false;
  const std::string table = means_table(means, "tau");
  EXPECT_TRUE(line_of(table, "kinetic_energy").ends_with("0.002  eps")) << table;
  EXPECT_TRUE(line_of(table, "pair_energy").ends_with("error uncertain by 10 %: 100 rows are about 8 independent ones"))
      << table;
  EXPECT_TRUE(has(line_of(table, "unlike_pairs"), " -  eps  drifts from 0.092 to 0.047: the mean has no error"))
      << table;
  means.columns[2].mean.drift = {0.98123, 0.98141};
  const std::string small = line_of(means_table(means, "tau"), "unlike_pairs");
  EXPECT_TRUE(has(small, "drifts by only 0.018 % of it, from 0.9812 to 0.9814: the mean has no error")) << small;
  means.columns[2].mean.drift = {0.092, 0.047};
  const auto json = to_json(means)["columns"];
  EXPECT_EQ(json["kinetic_energy"]["converged"], true);
  EXPECT_TRUE(json["kinetic_energy"]["drift"].is_null());
  EXPECT_EQ(json["pair_energy"]["independent_rows"], 8.4);
  EXPECT_EQ(json["unlike_pairs"]["drift"]["from"], 0.092);
}

// u is 0.1 of 8.4 independent rows: x 8.4 = 50 (1 + 0.2 / sqrt(x)) has x = 6.42.
TEST_F(RunTexts, AnUncertainErrorSaysWhenItIsNotAnyMore) {
  SeriesMeans means{10, 100, 0, {column("pair_energy", 4.5, false), column("momentum_x", 1e-4)}, 10, 30};
  EXPECT_TRUE(line_of(means_table(means, "tau"), "pair_energy").ends_with("independent ones, enough at about t = 138"))
      << means_table(means, "tau");
  EXPECT_NEAR(enough_times(means.columns[0].mean), 6.42, 0.01);
  EXPECT_EQ(enough_times(column("a", 1).mean), 1);
  means.columns[1].only_rounding = true;
  EXPECT_TRUE(line_of(means_table(means, "tau"), "momentum_x").ends_with("eps  0 but for rounding"));
}

TEST_F(RunTexts, AMeanHasTwoDigitsOfItsErrorAndItsUnit) {
  const auto text = [](double value, double error, const std::string& unit = "", bool converged = true) {
    CorrelatedMean mean;
    mean.value = value, mean.error = error, mean.converged = converged;
    return mean_text(mean, unit);
  };
  EXPECT_EQ(text(1.002134, 0.0012345, "kT"), "1.0021 \u00b1 0.0012 kT");
  EXPECT_EQ(text(-1556.243, 13.2), "-1556 \u00b1 13");
  EXPECT_EQ(text(23.7098, 0.0532, "eps/r_c^3", false), "23.710 \u00b1 0.053 eps/r_c^3, or more");
  EXPECT_EQ(text(7.20537e-05, 3.6e-05), "7.2e-05 \u00b1 3.6e-05");
  EXPECT_EQ(text(3.6e-07, 0.00012), "0.00000 \u00b1 0.00012");
  EXPECT_EQ(text(1.23456e8, 1234, "J"), "1.234560e+08 \u00b1 1.2e+03 J");
  EXPECT_EQ(text(0, 0.5), "0.00 \u00b1 0.50");
  EXPECT_EQ(text(0, 0, "J"), "0 J") << "a constant";
  EXPECT_EQ(text(2.5, NAN, "J"), "2.5 J, no error") << "too few rows for one";
  EXPECT_EQ(text(NAN, NAN, "J"), "-");
  CorrelatedMean mean;
  mean.value = 0.07, mean.drift = {0.092, 0.047};
  EXPECT_EQ(mean_text(mean, "J"), "0.07 J, drifts");
}

TEST_F(RunTexts, AFlowIsNamedWhereItCountsAsHeat) {
  SeriesMeans means{
      0, 100, 0, {column("temperature", 1.757), column("local_temperature", 1.08), column("pressure", 25)}};
  const char* const note = "with the motion of the flow, unlike local_temperature";
  for (const char* name : {"temperature", "pressure"}) EXPECT_TRUE(has(line_of(means_table(means, "tau"), name), note));
  EXPECT_FALSE(has(line_of(means_table(means, "tau"), "local_temperature"), note));
  means.columns[0].mean.value = 1.09;
  EXPECT_FALSE(has(means_table(means, "tau"), note));
  ThermalDiagnostics thermal;
  thermal.temperature = 1.757, thermal.pressure = 25;
  EXPECT_TRUE(has(thermal_text(thermal, 1.08), "both have the motion of the flow in them, without it kT is 1.08"));
  EXPECT_FALSE(has(thermal_text(thermal, 1.75), "flow"));
  EXPECT_FALSE(has(thermal_text(thermal, NAN), "flow"));
}

TEST_F(RunTexts, ATemperatureThatIsNotTheThermostatsIsWarnedAbout) {
  SimulationSetup setup;
  setup.solver = SolverKind::Dpd;
  setup.fluids.resize(1);
  EXPECT_TRUE(
      has(what_is_not_the_thermostats(49.7, 30, 3000, setup), "the local kT is 49.7 at the end, the thermostat's 1"));
  EXPECT_EQ(what_is_not_the_thermostats(1.05, 30, 3000, setup), "");
  EXPECT_NE(what_is_not_the_thermostats(0.8, 30, 3000, setup), "");
  EXPECT_EQ(what_is_not_the_thermostats(0.8, 30, 10, setup), "") << "ten particles scatter by a quarter";
  EXPECT_EQ(what_is_not_the_thermostats(1.8, 2, 3000, setup), "") << "on its way to equilibrium";
  EXPECT_NE(what_is_not_the_thermostats(49.7, 2, 3000, setup), "");
  EXPECT_EQ(what_is_not_the_thermostats(NAN, 30, 3000, setup), "");
  // The step's own error is within 3 %: it is not named as a cause, but what does work is.
  const std::string plain = what_is_not_the_thermostats(1.3, 30, 3000, setup);
  SimulationSetup driven = setup, fast = setup;
  driven.body_force.given = true;
  driven.domain.axis[1] = Axis::Walled;
  driven.wcsph.wall_velocity[1][1] = {3, 0, 0};
  driven.gravity = {};
  const std::string work = what_is_not_the_thermostats(1.3, 30, 3000, driven);
  EXPECT_TRUE(has(work, ": what drives the fluid (body_force, solver.wall_velocity) heats it faster")) << work;
  for (const std::string& text : {plain, work}) {
    EXPECT_TRUE(has(text, " are not the cause, up to ")) << text;
    EXPECT_FALSE(has(text, "too long")) << text;
  }
  EXPECT_FALSE(has(what_is_not_the_thermostats(0.7, 30, 3000, driven), "drives")) << "work does not cool";
  fast.step.fixed = 0.2f;
  fast.gravity = {};
  const std::string long_steps = what_is_not_the_thermostats(1.3, 30, 3000, fast);
  EXPECT_TRUE(has(long_steps, ": steps of 0.2 are too long (time.step), up to ")) << long_steps;
  EXPECT_FALSE(has(long_steps, "not the cause")) << long_steps;
  setup.dpd.friction.fill(0);
  EXPECT_EQ(what_is_not_the_thermostats(49.7, 30, 3000, setup), "") << "there is no thermostat";
}

TEST_F(RunTexts, APressureBetweenMirrorsSaysWhatItCounts) {
  SimulationSetup setup;
  setup.solver = SolverKind::Dpd;
  setup.fluids.resize(1);
  for (Axis& axis : setup.domain.axis) axis = Axis::Periodic;
  setup.wcsph.walls = WallSlip::FreeSlip;
  EXPECT_FALSE(has_mirrors(setup));
  setup.domain.axis[1] = Axis::Walled;
  EXPECT_TRUE(has_mirrors(setup));
  setup.wcsph.walls = WallSlip::NoSlip;
  EXPECT_FALSE(has_mirrors(setup));
  ThermalDiagnostics thermal;
  thermal.temperature = 1, thermal.pressure = 22;
  EXPECT_TRUE(thermal_text(thermal, 1).starts_with("at the end kT 1, pressure 22 ("));
  EXPECT_FALSE(has(thermal_text(thermal, 1), "mirrors"));
  EXPECT_TRUE(has(thermal_text(thermal, 1, 0, true), ", which has the layers beside the mirrors in it"));
}

TEST_F(RunTexts, ATableGoesOnWhereOnlyTheNameOfTheEnergyDiffers) {
  write("p.csv", "time [tau],pair_energy [kT],kinetic_energy [eps]\n0,4,1\n");
  EXPECT_EQ(rows_before(folder_ / "p.csv", "time [tau],pair_energy [eps per particle],kinetic_energy [eps]\n", 2).rows,
            "0,4,1\n");
  write("t.csv", "time [tau],temperature [kT],pressure [kT/r_c^3]\n0,1,20\n1,1.1,21\n2,1.2,22\n");
  EXPECT_EQ(rows_before(folder_ / "t.csv", "time [tau],temperature [eps],pressure [eps/r_c^3]\n", 2).rows,
            "0,1,20\n1,1.1,21\n");
  try {
    rows_before(folder_ / "t.csv", "time [tau],temperature [eps],force_x_ball [eps/r_c],force_y_ball [eps/r_c]\n", 2);
    FAIL() << "other columns are refused";
  } catch (const InputError& error) {
    EXPECT_TRUE(has(error.what(),
                    "only the file has pressure [eps/r_c^3]; only the run has force_x_ball [eps/r_c], "
                    "force_y_ball [eps/r_c]; the rows"))
        << error.what();
  }
  EXPECT_THROW(rows_before(folder_ / "t.csv", "time [tau],temperature [J],pressure [eps/r_c^3]\n", 2), InputError);
  EXPECT_THROW(rows_before(folder_ / "t.csv", "time [tau],pressure [eps/r_c^3],temperature [eps]\n", 2), InputError);
}

TEST_F(RunTexts, ChangesOfParametersLieBesideTheTable) {
  SimulationSetup dpd;
  dpd.solver = SolverKind::Dpd;
  const fs::path table = folder_ / "t.csv", file = folder_ / "t-changes.csv";
  const auto change = [](double time, const char* from, const char* to) {
    return ParameterChange{time, time, {"solver.repulsion", from, to}};
  };
  EXPECT_EQ(write_changes(table, {}, dpd, {}), "");
  EXPECT_FALSE(fs::exists(file)) << "nothing was changed";
  const ParameterChange first[] = {change(1, "25", "[[25, 60], [60, 25]]")},
                        later[] = {change(3, "[[25, 60], [60, 25]]", "30")};
  EXPECT_EQ(write_changes(table, first, dpd, {}), file.string());
  EXPECT_EQ(read("t-changes.csv"),
            "time [tau],until [tau],key,from,to\n1,1,solver.repulsion,25,\"[[25, 60], [60, 25]]\"\n");
  write_changes(table, later, dpd, 3.0);
  EXPECT_TRUE(has(read("t-changes.csv"), "\n1,1,")) << "the run goes on";
  EXPECT_TRUE(has(read("t-changes.csv"), "\n3,3,"));
  write_changes(table, {}, dpd, 2.0);
  EXPECT_TRUE(has(read("t-changes.csv"), "\n1,1,"));
  EXPECT_FALSE(has(read("t-changes.csv"), "\n3,3,")) << "it goes on from before that change";
  EXPECT_EQ(write_changes(table, {}, dpd, {}), "");
  EXPECT_FALSE(fs::exists(file)) << "of an earlier run";
  write("t-changes.csv", "mine\n");
  write_changes(table, {}, dpd, {});
  EXPECT_EQ(read("t-changes.csv"), "mine\n") << "another file stays";
}

TEST_F(RunTexts, PlacesOfProbesHaveTheNamesOfTheirColumns) {
  SimulationSetup setup;
  setup.domain.dimension = 2;
  setup.domain.max = {2, 2, 0};
  setup.spacing = 0.1f;
  ProbeSetup gauge, line, level;
  gauge.at = {0.1f, 0.2f, 0};
  line.name = "prof", line.kind = ProbeKind::Line, line.at = {0.5f, 0, 0}, line.to = {0.5f, 1, 0}, line.points[0] = 5;
  level.name = "level", level.kind = ProbeKind::Level, level.at = {1, 0, 0}, level.to = {1, 1, 0};
  const ProbeSetup probes[] = {gauge, line, level};
  const auto places = probe_places_json(probes, setup);
  EXPECT_EQ(places["probe_1"], nlohmann::ordered_json({0.1, 0.2}));
  EXPECT_EQ(places["prof_1"], nlohmann::ordered_json({0.5, 0}));
  EXPECT_EQ(places["prof_4"], nlohmann::ordered_json({0.5, 0.75}));
  EXPECT_EQ(places.size(), 6u) << "a level has no point that a number belongs to";
  for (const ProbeColumn& column : probe_columns(probes, setup))
    EXPECT_EQ(places.contains(column.label), column.label != "level") << column.label;
}

// 150 particles with 0.4 neighbours each: the local kT is that of some thirty pairs.
TEST_F(RunTexts, ScatterIsNoFlow) {
  const double few = temperature_scatter(150, 0.4, 3), many = temperature_scatter(3000, 12, 3);
  EXPECT_NEAR(few, 5 * std::sqrt(2 / 90.0 - 2 / 450.0 + 2 / (450.0 * 1.4)), 1e-9);
  EXPECT_LT(many, 0.05) << "a flow is seen where it was seen before";
  EXPECT_GT(temperature_scatter(150, 0.4, 2), few) << "fewer degrees of freedom";
  EXPECT_EQ(temperature_scatter(150, 0, 3), INFINITY);
  ThermalDiagnostics thermal;
  thermal.temperature = 1.2, thermal.pressure = 3;
  EXPECT_FALSE(has(thermal_text(thermal, 1.0, few), "flow"));
  EXPECT_TRUE(has(thermal_text(thermal, 1.0, many), "both have the motion of the flow in them"));
  SeriesMeans means{0, 100, 0, {column("temperature", 1.2), column("local_temperature", 1.0)}};
  EXPECT_TRUE(has(means_table(means, "tau"), "with the motion of the flow"));
  means.columns[1].mean.error = 0.05;
  EXPECT_FALSE(has(means_table(means, "tau"), "flow")) << "four standard errors";
}

TEST_F(RunTexts, TheFastestParticleIsThatOfTheRun) {
  FastestSoFar fastest;
  EXPECT_EQ(fastest.value().speed, 0);
  for (const auto& [speed, time] : {std::pair{1.0, 0.1}, {3.0, 0.2}, {2.0, 0.3}, {5.0, 0.4}}) fastest.note(speed, time);
  EXPECT_EQ(fastest.value().speed, 5);
  EXPECT_EQ(fastest.value().time, 0.4);
  fastest.forget_after(0.35);
  EXPECT_EQ(fastest.value().speed, 3) << "not the last one, but the fastest before that time";
  EXPECT_EQ(fastest.value().time, 0.2);
  fastest.note(NAN, 0.5);
  fastest.note(7, 0.6);
  EXPECT_TRUE(std::isnan(fastest.value().speed));
}

}  // namespace
}  // namespace riffle
