#include "support/program.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>

namespace riffle {

namespace {

/// Two DPD fluids; the bodies reach up to `fluid_height` of the 6 that the domain is high.
std::string two_fluids(double fluid_height) {
  return "domain: {min: [0, 0, 0], max: [6, 6, 6], axes: [periodic, walled, periodic]}\n"
         "gravity: [0, -0.1, 0]\n"
         "particles: {number_density: 3}\n"
         "fluids: [{name: light}, {name: 'heavy, \"oil\"', mass: 3}]\n"
         "bodies:\n  - {filling: random, box: {min: [0, 0, 0], max: [6, " +
         std::to_string(fluid_height) +
         ", 6]}}\n"
         "start: {interface: {upper: 'heavy, \"oil\"', lower: light, height: 3, amplitude: 0.5}}\n"
         "solver: {type: dpd}\n"
         "time: {step: 0.02, end: 0.2}\n";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  lines.pop_back();
  return lines;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

}  // namespace

using RunSeriesFile = ProgramTest;

TEST_F(RunSeriesFile, HasARowForEveryTimeAskedForAndTheEnd) {
  write("two.yaml", two_fluids(6));
  const Outcome outcome = riffle(
      {"run", "two.yaml", "--device", "cpu", "--series", "s/a.csv", "--series-every", "0.06", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto lines = lines_of(read("s/a.csv"));
  ASSERT_EQ(lines.size(), 6u) << "names; 0, 0.06, 0.12, 0.18; the end";
  const auto names = fields_of(lines[0]);
  for (const auto& line : lines) EXPECT_EQ(fields_of(line).size(), names.size()) << line;
  EXPECT_EQ(names[0], "time [tau]");
  EXPECT_EQ(names.back(), "centre_difference [r_c]");
  EXPECT_NEAR(std::stod(fields_of(lines[2])[0]), 0.06, 1e-6);
  EXPECT_NEAR(std::stod(fields_of(lines[5])[0]), 0.2, 1e-6);
  const auto report = json("r.json");
  EXPECT_EQ(report["series"], "s/a.csv");
  EXPECT_GT(report["diagnostics_seconds"], 0.0);
  const double stepping = report["wall_seconds"].get<double>() - report["recording_seconds"].get<double>() -
                          report["diagnostics_seconds"].get<double>() - report["particle_file_seconds"].get<double>();
  EXPECT_NEAR(report["steps_per_second"].get<double>() * stepping, report["steps"].get<double>(), 1e-6)
      << "rows of the series are no steps";
  EXPECT_NEAR(report["diagnostics"]["mixing"]["centre_difference"].get<double>(), std::stod(fields_of(lines[5]).back()),
              1e-6);
}

// A step finds the densities. Before the first one they were once taken for those of fluid that is not compressed.
TEST_F(RunSeriesFile, TheRowOfTime0HasWhatTheFirstStepFinds) {
  write("tank.yaml",
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.05}\n"
        "bodies:\n  - {box: {min: [0, 0, 0], max: [1, 0.5, 1]}}\n");
  for (const char* density : {"continuity", "summation"}) {
    SCOPED_TRACE(density);
    ASSERT_EQ(riffle({"run", "tank.yaml", "--device", "cpu", "--set", std::string("solver.density=") + density,
                      "--series", "s.csv", "--series-every", "0.001", "--time", "0.002"})
                  .exit_code,
              0);
    const auto lines = lines_of(read("s.csv"));
    const auto names = fields_of(lines[0]);
    for (const char* name : {"density_error_mean", "density_error_max", "internal_energy [J]"}) {
      const auto at = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
      ASSERT_LT(at, names.size()) << name;
      const double start = std::stod(fields_of(lines[1])[at]), next = std::stod(fields_of(lines[2])[at]);
      EXPECT_GT(start, 0) << name;
      // The balance of the column is in the densities by continuity alone; summed ones start as those of a lattice.
      if (density == std::string("continuity")) {
        EXPECT_NEAR(start, next, 0.2 * next) << name;
      }
    }
  }
}

TEST_F(RunSeriesFile, AFluidThatIsNotThereLeavesItsColumnsWithoutANumber) {
  write("two.yaml", two_fluids(2));
  const Outcome outcome = riffle({"run", "two.yaml", "--device", "cpu", "--series", "a.csv", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto lines = lines_of(read("a.csv"));
  EXPECT_EQ(fields_of(lines.back()).back(), "nan");
  EXPECT_EQ(fields_of(lines.back()).size(), fields_of(lines[0]).size());
  EXPECT_TRUE(contains(lines[0], ",unlike_pairs,unlike_pairs_if_mixed,"));
  EXPECT_TRUE(json("r.json")["diagnostics"]["mixing"]["width"].is_null());
}

TEST_F(RunSeriesFile, NamesUnitsAndOnlyTheDimensionsThatThereAre) {
  for (const int dimension : {2, 3}) {
    SCOPED_TRACE(dimension);
    const Outcome outcome = riffle({"run", "dam_break", "--set", "dimension=" + std::to_string(dimension), "--set",
                                    "particles.spacing=0.08", "--device", "cpu", "--steps", "2", "--series", "a.csv"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto names = fields_of(lines_of(read("a.csv"))[0]);
    const auto has = [&](const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (const std::string name : {"time [s]", "step", "max_speed [m/s]", "density_error_max"})
      EXPECT_TRUE(has(name)) << name;
    EXPECT_TRUE(has(dimension == 2 ? "kinetic_energy [J/m]" : "kinetic_energy [J]"));
    EXPECT_TRUE(has(dimension == 2 ? "momentum_x [kg/s]" : "momentum_x [kg m/s]"));
    EXPECT_EQ(has("momentum_z [kg m/s]"), dimension == 3);
    EXPECT_EQ(lines_of(read("a.csv"))[0].find("_z") != std::string::npos, dimension == 3);
  }
}

TEST_F(RunSeriesFile, GrowsWithTheRunAndOutlivesAKill) {
  write("two.yaml", two_fluids(6));
  write("a.csv", "of an earlier run\n");
  Program program({"run", "two.yaml", "--device", "cpu", "--steps", "1000000000", "--series", "a.csv"}, folder_);
  const auto grown = [&] { return !contains(read("a.csv"), "earlier") && lines_of(read("a.csv")).size() > 4; };
  while (program.running() && !grown()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ASSERT_TRUE(program.running());
  program.send(SIGKILL);
  EXPECT_EQ(program.wait().exit_code, 128 + SIGKILL);
  ASSERT_TRUE(contains(read("a.csv"), "\n")) << read("a.csv");
  EXPECT_EQ(read("a.csv").back(), '\n') << "no half row";
  const auto lines = lines_of(read("a.csv"));
  EXPECT_GT(lines.size(), 4u);
  for (const auto& line : lines) EXPECT_EQ(fields_of(line).size(), fields_of(lines[0]).size()) << line;
}

TEST_F(RunSeriesFile, TheNumbersOfTheReportAreExplainedLikeTheColumns) {
  std::ifstream in(RIFFLE_SOURCE_DIR "/docs/command-line.md");
  std::stringstream page;
  page << in.rdbuf();
  write("two.yaml", two_fluids(6));
  for (const std::vector<std::string>& scene : {std::vector<std::string>{"two.yaml"},
                                                {"dam_break_pbf", "--set", "particles.spacing=0.08"},
                                                {"dam_break_dfsph", "--set", "particles.spacing=0.08"}}) {
    std::vector<std::string> words = {"run", "--device", "cpu", "--steps", "1", "--json", "r.json", "--quiet"};
    words.insert(words.begin() + 1, scene.begin(), scene.end());
    const Outcome outcome = riffle(words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto report = json("r.json");       // items() only refers to it
    const bool two = scene[0] == "two.yaml";  // two fluids, and dpd
    EXPECT_EQ(report["diagnostics"].contains("unlike_pairs"), two);
    EXPECT_EQ(report["diagnostics"].contains("unlike_pairs_if_mixed"), two);
    EXPECT_EQ(report["diagnostics"].contains("internal_energy"), !two);
    for (const auto& [name, value] : report["diagnostics"].items()) {
      const bool column = name == "momentum";  // momentum_x and on
      EXPECT_TRUE(contains(page.str(), "`" + name + (column ? "_x`" : "`"))) << name << " of " << scene[0];
    }
  }
}

TEST_F(RunSeriesFile, OfTwoFluidsInAPeriodicBoxHasTheSizeOfTheirDomains) {
  write("soup.yaml",
        "domain: {min: [0, 0, 0], max: [9, 9, 9], axes: periodic}\ngravity: [0, 0, 0]\nparticles: {number_density: 3}\n"
        "fluids: [{name: A}, {name: B}]\nbodies: [{filling: random, box: {min: [0, 0, 0], max: [9, 9, 9]}}]\n"
        "start: {mixed: true}\nsolver: {type: dpd, repulsion: [[25, 60], [60, 25]]}\ntime: {step: 0.04, end: 6}\n");
  const Outcome outcome = riffle({"run", "soup.yaml", "--device", "cpu", "--series", "a.csv", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto lines = lines_of(read("a.csv"));
  const auto names = fields_of(lines[0]);
  const auto at = static_cast<std::size_t>(std::ranges::find(names, "domain_size [r_c]") - names.begin());
  ASSERT_LT(at, names.size()) << lines[0];
  for (const char* fluid : {"temperature_A [eps]", "temperature_B [eps]"})
    EXPECT_NE(std::ranges::find(names, fluid), names.end()) << lines[0];
  const double first = std::stod(fields_of(lines[1])[at]), last = std::stod(fields_of(lines.back())[at]);
  EXPECT_GT(first, 2.2);
  EXPECT_LT(last, 12);
  EXPECT_GT(last, 1.15 * first) << "the fluids part";
  EXPECT_NEAR(json("r.json")["diagnostics"]["domain_size"].get<double>(), last, 1e-6 * last);

  write("two.yaml", two_fluids(6));
  ASSERT_EQ(riffle({"run", "two.yaml", "--device", "cpu", "--series", "b.csv", "--json", "s.json"}).exit_code, 0);
  EXPECT_FALSE(contains(lines_of(read("b.csv"))[0], "domain_size")) << "an axis has walls";
  EXPECT_FALSE(json("s.json")["diagnostics"].contains("domain_size"));
}

TEST_F(RunSeriesFile, NeverTakesTheNameOfAnotherOutput) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--image-every", "1", "--out", "o", "--series", "o/step_0000001.png"},
        {"--json", "x", "--series", "x"},
        {"--out", "o", "--series", "o/final.png"},
        {"--series", scene_},
        {"--series", "-"},
        {"--series-every", "0.1"}}) {
    std::vector<std::string> all = {"run", scene_, "--steps", "1"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = riffle(all);
    EXPECT_EQ(outcome.exit_code, 2) << words.back() << ": " << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "--series")) << outcome.err;
  }
}

TEST_F(RunSeriesFile, MeansAreThoseOfItsRowsWithTheirErrors) {
  write("soup.yaml",
        "domain: {min: [0, 0, 0], max: [4, 4, 4], axes: periodic}\ngravity: [0, 0, 0]\nparticles: {number_density: 3}\n"
        "bodies: [{filling: random, box: {min: [0, 0, 0], max: [4, 4, 4]}}]\nsolver: {type: dpd}\n"
        "time: {step: 0.02, end: 6}\n");
  const Outcome outcome = riffle({"run", "soup.yaml", "--no-picture", "--series", "s.csv", "--series-every", "0.1",
                                  "--means-from", "2", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<std::string> lines = lines_of(read("s.csv"));
  const std::vector<std::string> names = fields_of(lines[0]);
  const auto at = std::find(names.begin(), names.end(), "temperature [eps]") - names.begin();
  double sum = 0, squares = 0, rows = 0;
  for (std::size_t k = 1; k < lines.size(); ++k) {
    const std::vector<std::string> fields = fields_of(lines[k]);
    if (std::stod(fields[0]) < 2 - 1e-6) continue;
    const double kT = std::stod(fields.at(static_cast<std::size_t>(at)));
    sum += kT, squares += kT * kT, ++rows;
  }
  const auto means = json("r.json")["means"];
  EXPECT_EQ(means["from"], 2);
  EXPECT_EQ(means["rows"], rows);
  EXPECT_EQ(rows, 41);
  const auto kT = means["columns"]["temperature"];
  EXPECT_NEAR(kT["mean"].get<double>(), sum / rows, 1e-6);
  EXPECT_EQ(kT["unit"], "eps");
  const double alone = std::sqrt((squares / rows - sum / rows * sum / rows) / (rows - 1));
  EXPECT_GE(kT["error"].get<double>(), 0.99 * alone) << "not less than that of independent rows";
  EXPECT_LT(kT["error"].get<double>(), 5 * alone);
  EXPECT_EQ(kT["converged"], false) << "41 rows are too few";
  EXPECT_LT(kT["independent_rows"].get<double>(), 41);
  EXPECT_TRUE(contains(outcome.out, " %: 41 rows are about ")) << outcome.out;
  EXPECT_EQ(means["columns"].count("step"), 0u);
  const auto momentum = means["columns"]["momentum_x"];
  EXPECT_LT(std::fabs(momentum["mean"].get<double>()), 1e-3) << "or it is not only rounding";
  EXPECT_EQ(momentum["only_rounding"], true);
  EXPECT_TRUE(momentum["drift"].is_null() && momentum["error"].is_null()) << momentum;
  EXPECT_TRUE(contains(outcome.out, "0 but for rounding"));
  EXPECT_EQ(kT["only_rounding"], false);
  EXPECT_TRUE(contains(outcome.out, "means from t = 2 \u03c4, of 4")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "standard error")) << outcome.out;

  // Without a file of the rows, and of no row.
  const Outcome alone_run =
      riffle({"run", "soup.yaml", "--no-picture", "--time", "1", "--means-from", "0", "--json", "-"});
  EXPECT_GT(nlohmann::json::parse(alone_run.out)["means"]["rows"], 5);
  const Outcome quiet = riffle({"run", "soup.yaml", "--quiet", "--time", "1", "--means-from", "0"});
  EXPECT_TRUE(contains(quiet.out, "standard error")) << quiet.out;
  const Outcome to_file =
      riffle({"run", "soup.yaml", "--quiet", "--time", "1", "--means-from", "0", "--json", "quiet.json"});
  EXPECT_EQ(to_file.out, "") << "the file has them";
  EXPECT_GT(json("quiet.json")["means"]["rows"], 5);
  const Outcome too_late = riffle({"run", "soup.yaml", "--no-picture", "--time", "0.1", "--means-from", "5"});
  EXPECT_EQ(too_late.exit_code, 2);
  EXPECT_TRUE(contains(too_late.err, "--means-from: found 5 \u03c4, the run ends at 0.1")) << too_late.err;
  const Outcome late = riffle({"run", "soup.yaml", "--no-picture", "--steps", "5", "--means-from", "5"});
  EXPECT_EQ(late.exit_code, 0) << late.err;
  EXPECT_TRUE(contains(late.out, "means from t = 5 \u03c4, of 0 rows")) << late.out;
  EXPECT_TRUE(contains(late.err, "--means-from 5: the run ended at 0.1 \u03c4, there is no row")) << late.err;
  const auto local = means["columns"]["local_temperature"];
  EXPECT_NEAR(local["mean"].get<double>(), kT["mean"].get<double>(), 0.05) << "no flow";
}

// Two halves that pass each other: their flow is heat in the temperature, and not in the local one.
TEST_F(RunSeriesFile, TheLocalTemperatureLeavesOutAFlow) {
  write(
      "halves.yaml",
      "domain: {min: [0, 0, 0], max: [5, 20, 5], axes: periodic}\ngravity: [0, 0, 0]\nparticles: {number_density: 3}\n"
      "bodies:\n  - {velocity: [1, 0, 0], box: {min: [0, 0, 0], max: [5, 10, 5]}}\n"
      "  - {velocity: [-1, 0, 0], box: {min: [0, 10, 0], max: [5, 20, 5]}}\n"
      "start: {equilibration: 4}\nsolver: {type: dpd}\ntime: {step: 0.02, end: 0.6}\n");
  const Outcome outcome = riffle({"run", "halves.yaml", "--no-picture", "--means-from", "0.1", "--series", "s.csv",
                                  "--series-every", "0.02", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto columns = nlohmann::json::parse(outcome.out)["means"]["columns"];
  EXPECT_GT(columns["temperature"]["mean"].get<double>(), 1.2) << "1 and a third of the speed's square, and it mixes";
  EXPECT_LT(columns["local_temperature"]["mean"].get<double>(), 1.1);
}

// Of a shear it has what the flow varies by within the support radius: kT of uniform places in a ball.
TEST_F(RunSeriesFile, TheLocalTemperatureHasItsShareOfAShear) {
  write(
      "shear.yaml",
      "domain: {min: [0, 0, 0], max: [4, 40, 4], axes: [periodic, walled, periodic]}\ngravity: [0, 0, 0]\n"
      "particles: {number_density: 3}\nsolver: {type: dpd, temperature: 0.001}\ntime: {step: 0.001}\nbodies:\n"
      "  - {filling: random, box: {min: [0, 0, 0], max: [4, 40, 4]}, flow: {shear: {rate: 2, center: [2, 20, 2]}}}\n");
  const Outcome outcome =
      riffle({"run", "shear.yaml", "--no-picture", "--steps", "1", "--means-from", "0", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto columns = nlohmann::json::parse(outcome.out)["means"]["columns"];
  const double particles = 1 + 3 * 4.19, expected = 4.0 / 15 * (1 - 1 / particles);
  EXPECT_NEAR(columns["local_temperature"]["mean"].get<double>() - 0.001, expected, 0.05 * expected)
      << "less beside the two walls";
}

// A warning of the first steps is out of sight at the end.
TEST_F(RunSeriesFile, ATemperatureFarFromTheThermostatsIsWarnedAboutAtTheEnd) {
  write("hot.yaml",
        "domain: {min: [0, 0, 0], max: [4, 4, 4], axes: periodic}\ngravity: [0, 0, 0]\nparticles: {number_density: 3}\n"
        "bodies: [{filling: random, box: {min: [0, 0, 0], max: [4, 4, 4]}}]\nsolver: {type: dpd}\n"
        "time: {step: 0.2, end: 30}\n");
  const Outcome outcome = riffle({"run", "hot.yaml", "--no-picture", "--json", "r.json"});
  const auto report = json("r.json");
  EXPECT_GT(report["diagnostics"]["local_temperature"].get<double>(), 2) << "or this shows nothing";
  EXPECT_TRUE(contains(outcome.out, "warning: the local kT is ")) << outcome.out;
  bool warned = false;
  for (const auto& warning : report["warnings"]) warned |= contains(warning.get<std::string>(), "the local kT is ");
  EXPECT_TRUE(warned) << report["warnings"];
}

// A probe that is in the air at first.
TEST_F(RunSeriesFile, MeansAreOverTheRowsThatHaveAValue) {
  write("fall.yaml",
        "dimension: 2\ndomain: {min: [0, 0], max: [0.4, 0.6]}\nparticles: {spacing: 0.04}\n"
        "bodies: [{box: {min: [0, 0.2], max: [0.4, 0.4]}}]\nprobes: [{name: low, point: [0.2, 0.08]}]\n"
        "time: {end: 0.18}\n");
  const Outcome outcome = riffle({"run", "fall.yaml", "--no-picture", "--series", "s.csv", "--series-every", "0.01",
                                  "--means-from", "0", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto means = json("r.json")["means"];
  const auto speed = means["columns"]["velocity_y_low"];
  EXPECT_FALSE(speed["mean"].is_null());
  EXPECT_LT(speed["rows"].get<int>(), means["rows"].get<int>());
  EXPECT_GT(speed["rows"].get<int>(), 0);
  EXPECT_TRUE(contains(outcome.out, " rows with a value")) << outcome.out;
  EXPECT_EQ(means["columns"]["kinetic_energy"]["rows"], means["rows"]);
  const auto fallen = means["columns"]["potential_energy"];
  EXPECT_TRUE(fallen["error"].is_null());
  EXPECT_GT(fallen["drift"]["from"].get<double>(), fallen["drift"]["to"].get<double>());
  EXPECT_EQ(fallen["converged"], false);
  EXPECT_TRUE(contains(outcome.out, "drifts from ")) << outcome.out;
}

const char* const kProbedScene =
    "dimension: 2\ndomain: {min: [0, 0], max: [1, 0.6]}\nparticles: {spacing: 0.04}\n"
    "bodies: [{box: {min: [0, 0], max: [0.32, 0.4]}}]\n"
    "probes:\n  - {name: P1, point: [0.1, 0.1], quantities: [pressure, speed]}\n"
    "  - {name: gauge, level: {from: [0.16, 0], to: [0.16, 0.6]}}\n"
    "  - {name: air, point: [0.9, 0.5], quantities: [speed]}\n"
    "time: {end: 0.1}\n";

TEST_F(RunSeriesFile, OfAScenesProbesHasTheirColumns) {
  write("s.yaml", kProbedScene);
  const Outcome outcome = riffle({"run", "s.yaml", "--device", "cpu", "--no-picture", "--series", "s.csv"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<std::string> lines = lines_of(read("s.csv"));
  const std::vector<std::string> names = fields_of(lines[0]), last = fields_of(lines.back());
  const auto at = [&](const std::string& name) {
    const auto found = std::ranges::find(names, name);
    EXPECT_NE(found, names.end()) << name;
    return last.at(static_cast<std::size_t>(found - names.begin()));
  };
  EXPECT_GT(std::stod(at("pressure_P1 [Pa]")), 500);
  EXPECT_GT(std::stod(at("speed_P1 [m/s]")), 0.01);
  EXPECT_NEAR(std::stod(at("level_gauge [m]")), 0.39, 0.03);
  EXPECT_EQ(at("speed_air [m/s]"), "nan");
}

TEST_F(RunSeriesFile, OfProbesAloneHasARateOfItsOwn) {
  write("s.yaml", kProbedScene);
  const Outcome outcome = riffle({"run", "s.yaml", "--device", "cpu", "--no-picture", "--probes", "p/p.csv",
                                  "--probes-every", "0.005", "--json", "r.json", "--set", "time.step=0.0005"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<std::string> lines = lines_of(read("p/p.csv"));
  EXPECT_EQ(lines[0], "time [s],pressure_P1 [Pa],speed_P1 [m/s],level_gauge [m],wetted_gauge [m],speed_air [m/s]");
  ASSERT_EQ(lines.size(), 1u + 21u);
  for (std::size_t k = 1; k < lines.size(); ++k)
    EXPECT_NEAR(std::stod(fields_of(lines[k])[0]), 0.005 * double(k - 1), 1e-6);
  EXPECT_TRUE(contains(json("r.json")["probes"].get<std::string>(), "p.csv"));
}

TEST_F(RunSeriesFile, OfProbesFollowsTheSceneAndNeedsOne) {
  write("s.yaml", kProbedScene);
  ASSERT_EQ(riffle({"run", "s.yaml", "--device", "cpu", "--no-picture", "--probes", "p.csv", "--set",
                    "time.probe_interval=0.02", "--set", "time.step=0.0005"})
                .exit_code,
            0);
  EXPECT_EQ(lines_of(read("p.csv")).size(), 1u + 6u);
  const Outcome none = riffle({"run", scene_, "--device", "cpu", "--no-picture", "--probes", "q.csv"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(contains(none.err, "--probes: the scene has none; allowed: with a list `probes` in it"));
  const Outcome same = riffle({"run", "s.yaml", "--device", "cpu", "--probes", "a.csv", "--series", "a.csv"});
  EXPECT_EQ(same.exit_code, 2);
  EXPECT_TRUE(contains(same.err, "are the same file"));
}

}  // namespace riffle
