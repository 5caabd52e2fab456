/// `riffle run --radial-distribution` and `--displacements`.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "support/program.h"

namespace riffle {

using Words = std::vector<std::string>;
using Rows = std::vector<std::vector<double>>;

class RunStructure : public ProgramTest {
 protected:
  static std::string fluid(int side, const char* more = "") {
    const std::string box = "min: [0, 0, 0], max: [" + std::to_string(side) + ", " + std::to_string(side) + ", " +
                            std::to_string(side) + "]";
    return "domain: {" + box + ", axes: periodic}\nparticles: {number_density: 3}\ngravity: [0, 0, 0]\n" + more +
           "bodies:\n  - {filling: random, box: {" + box +
           "}}\nsolver: {type: dpd, repulsion: 25, friction: 4.5}\n"
           "time: {step: 0.02, end: 2}\n";
  }

  /// The rows of a table, whose first line must be that header.
  Rows table(const std::string& file, const std::string& header) {
    std::istringstream lines(read(file));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, header);
    return numbers(lines);
  }
  static Rows numbers(std::istream& lines) {
    Rows rows;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream fields(line);
      rows.emplace_back();
      for (std::string field; std::getline(fields, field, ',');)
        rows.back().push_back(std::strtod(field.c_str(), nullptr));
    }
    return rows;
  }
  Outcome ran(const Words& more) {
    Words words = {"run", "--device", "cpu", "--no-picture", "--json", "r.json"};
    words.insert(words.end(), more.begin(), more.end());
    return riffle(words);
  }
};

const char* const kDistribution = "r [r_c],g,g_error";
const char* const kDisplacements = "lag [tau],mean_square_displacement [r_c^2],mean_square_displacement_error [r_c^2]";

TEST_F(RunStructure, TablesNameTheirUnitsAndTheReportHasTheDiffusionCoefficient) {
  const std::string small = write("small.yaml", fluid(4));
  const Outcome outcome = ran({small, "--radial-distribution", "o/g.csv", "--displacements", "o/d.csv",
                               "--structure-from", "0.8", "--structure-every", "0.04", "--displacement-lag", "0.2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Rows g = table("o/g.csv", kDistribution), msd = table("o/d.csv", kDisplacements);
  ASSERT_EQ(g.size(), 90u);
  EXPECT_NEAR(g.back()[0] - g.front()[0], 89 * 2.0 / 90, 1e-6) << "up to half of the axis";
  for (const std::size_t bin : {50u, 89u}) {
    EXPECT_NEAR(g[bin][1], 1, 0.2) << bin;
    EXPECT_GT(g[bin][2], 0) << bin;
    EXPECT_LT(g[bin][2], 0.1) << bin;
  }
  ASSERT_EQ(msd.size(), 5u);
  EXPECT_NEAR(msd[4][0], 0.2, 1e-6);
  for (std::size_t k = 1; k < 5; ++k) EXPECT_GT(msd[k][1], msd[k - 1][1]);
  EXPECT_NEAR(msd[0][1], 3 * 0.04 * 0.04, 1e-3) << "at first particles fly";
  const auto report = json("r.json")["structure"];
  EXPECT_EQ(report["radial_distribution"]["states"], 31);
  EXPECT_EQ(report["displacements"]["windows"], 6);
  EXPECT_NEAR(report["from"], 0.8, 1e-6);
  EXPECT_NEAR(report["to"], 2, 1e-6);
  const double slope = report["displacements"]["diffusion"]["mean"];
  EXPECT_GT(slope, (msd[4][1] - msd[0][1]) / 0.16 / 6 * 0.95);
  EXPECT_LT(slope, (msd[4][1] - msd[0][1]) / 0.16 / 6 * 1.05);
  EXPECT_GT(report["displacements"]["diffusion"]["error"], 0);
  // A particle still flies at such a lag.
  EXPECT_EQ(report["displacements"]["diffusion"]["curved"], true);
  EXPECT_GT(report["displacements"]["diffusion"]["exponent"], 1.5);
  EXPECT_TRUE(contains(outcome.out, "\nstill curved there: displacements grow as lag^1."));
  EXPECT_TRUE(contains(outcome.out, "g(r):    o/g.csv (31 states from 0.8 to 2 "));
  EXPECT_TRUE(contains(outcome.out, "r_c^2/\u03c4: slope over lags from 0.04 to 0.2 \u03c4"));

  // Measuring changes nothing.
  const std::string hash = json("r.json")["diagnostics"]["state_hash"];
  ASSERT_EQ(ran({small}).exit_code, 0);
  EXPECT_EQ(json("r.json")["diagnostics"]["state_hash"], hash);
  EXPECT_TRUE(json("r.json")["structure"].is_null());
}

TEST_F(RunStructure, SeveralFluidsHaveColumnsOfTheirOwn) {
  std::string mixed = fluid(4,
                            "fluids: [{name: light, share: 0.5}, {name: heavy, mass: 3, share: 0.5}]\n"
                            "start: {mixed: true}\n");
  mixed.replace(mixed.find("{filling"), 1, "{fluid: light, ");
  const Outcome outcome = ran({write("mixed.yaml", mixed), "--radial-distribution", "g.csv", "--displacements", "d.csv",
                               "--structure-every", "0.04", "--displacement-lag", "0.4"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Rows g = table("g.csv", std::string(kDistribution) +
                                    ",g_light_light,g_light_light_error,g_light_heavy,"
                                    "g_light_heavy_error,g_heavy_heavy,g_heavy_heavy_error");
  const Rows msd = table("d.csv", std::string(kDisplacements) +
                                      ",mean_square_displacement_light [r_c^2],mean_square_displacement_light_error "
                                      "[r_c^2],mean_square_displacement_heavy [r_c^2],"
                                      "mean_square_displacement_heavy_error [r_c^2]");
  EXPECT_NEAR((g[80][3] + 2 * g[80][5] + g[80][7]) / 4, g[80][1], 0.02) << "a half of each";
  EXPECT_NEAR(0.5 * (msd.back()[3] + msd.back()[5]), msd.back()[1], 1e-3);
  EXPECT_GT(msd.back()[3], 1.5 * msd.back()[5]) << "the light one moves more";
  const auto report = json("r.json")["structure"]["displacements"];
  EXPECT_GT(report["diffusion_of_fluids"]["light"]["mean"].get<double>(),
            report["diffusion_of_fluids"]["heavy"]["mean"].get<double>());
  EXPECT_TRUE(contains(outcome.out, "diffusion coefficient of all particles of all fluids "));
  EXPECT_TRUE(contains(outcome.out, "\n  of 'heavy' "));
}

TEST_F(RunStructure, OtherSolversHaveMetresAndSeconds) {
  ASSERT_EQ(ran({scene_, "--radial-distribution", "g.csv", "--displacements", "d.csv", "--structure-every", "0.002"})
                .exit_code,
            0);
  EXPECT_FALSE(table("g.csv", "r [m],g,g_error").empty());
  table("d.csv", "lag [s],mean_square_displacement [m^2],mean_square_displacement_error [m^2]");
}

TEST_F(RunStructure, WhatCannotBeMeasuredIsRefusedOrGivenUp) {
  const std::string small = write("small.yaml", fluid(4));
  const auto refused = [&](const Words& more, const char* why) {
    Words words = {small};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = ran(words);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_TRUE(contains(outcome.err, why));
  };
  refused({"--displacements", "d.csv", "--steps", "5"},
          "--displacements: found with --steps; allowed: with --displacement-lag");
  refused({"--displacements", "d.csv", "--displacement-lag", "3"}, "--displacement-lag: found 3 ");
  refused({"--radial-distribution", "g.csv", "--structure-from", "2"}, "--structure-from: found 2 ");
  refused({"--structure-every", "0.1"}, "--structure-every: found alone");
  refused({"--radial-distribution", "d.csv", "--displacements", "d.csv"}, "are the same file");
  refused({"--radial-distribution", "-"}, "--radial-distribution: found '-'");
  const Outcome far = ran({small, "--displacements", "d.csv", "--structure-every", "1"});
  EXPECT_EQ(far.exit_code, 1);
  EXPECT_TRUE(contains(far.err, "half of a periodic axis is 2: a shorter --structure-every would help"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "d.csv"));
}

TEST_F(RunStructure, TheOrderIsThereWhereDisplacementsAreNot) {
  const std::string small = write("small.yaml", fluid(4));
  // States are a step apart, which is longer than the interval; a window then has two.
  const Outcome rare = ran({small, "--time", "0.3", "--radial-distribution", "g.csv", "--displacements", "d.csv",
                            "--structure-every", "0.001", "--displacement-lag", "0.04"});
  ASSERT_EQ(rare.exit_code, 0) << rare.err;
  EXPECT_EQ(table("g.csv", kDistribution).size(), 90u);
  EXPECT_EQ(table("d.csv", kDisplacements).size(), 2u);
  EXPECT_TRUE(contains(rare.out, "no diffusion coefficient: fewer than 5 states of a window are in its last four"));
  const auto none = json("r.json")["structure"]["displacements"]["diffusion"];
  EXPECT_TRUE(none["mean"].is_null() && none["exponent"].is_null() && none["curved"].is_null()) << none;
  std::filesystem::remove(folder_ / "g.csv");
  std::filesystem::remove(folder_ / "d.csv");
  const Outcome far =
      ran({small, "--displacements", "d.csv", "--radial-distribution", "g.csv", "--structure-every", "1"});
  EXPECT_EQ(far.exit_code, 1);
  EXPECT_TRUE(contains(far.err, "riffle: error: displacements are given up: --displacements: a particle may have"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "d.csv"));
  EXPECT_EQ(table("g.csv", kDistribution).size(), 90u);
  EXPECT_EQ(json("r.json")["structure"]["radial_distribution"]["states"], 3);
  EXPECT_TRUE(json("r.json")["structure"]["displacements"].is_null());
}

TEST_F(RunStructure, TablesOfNothingAreNotWritten) {
  const std::string small = write("small.yaml", fluid(4));
  const Words wishes = {"--radial-distribution", "g.csv", "--displacements", "d.csv",
                        "--displacement-lag",    "0.2",   "--steps",         "3"};
  Words words = {small, "--structure-from", "10"};
  words.insert(words.end(), wishes.begin(), wishes.end());
  const Outcome late = ran(words);
  ASSERT_EQ(late.exit_code, 0) << late.err;
  EXPECT_TRUE(contains(late.err,
                       "g.csv: not written, since the run ended at 0.06 \u03c4 with no state of two particles "
                       "or more from 10 \u03c4 on"));
  EXPECT_TRUE(contains(late.err, "d.csv: not written, since the run ended at 0.06 \u03c4 with fewer than two states"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "g.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "d.csv"));
  EXPECT_TRUE(json("r.json")["structure"].is_null());
  EXPECT_FALSE(contains(late.out, "g(r):"));
  EXPECT_EQ(json("r.json")["warnings"].size(), 2u);
}

class LongRunStructure : public RunStructure {};

// LAMMPS's fluid with the same step and box. Its g has 600 to 1,250 states of 3,000 particles, ours 81: ours scatters more, and its
// errors are of few blocks, whose own spread is a sixth of them.
TEST_F(LongRunStructure, IsThatOfLammps) {
  const std::string box = write("box.yaml", fluid(10));
  const Outcome outcome = ran({box, "--time", "50", "--radial-distribution", "g.csv", "--displacements", "d.csv",
                               "--structure-from", "10", "--structure-every", "0.5", "--displacement-lag", "4"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto reference = [](const char* name, const char* header) {
    std::ifstream lines(std::string(RIFFLE_SOURCE_DIR) + "/tests/reference/" + name);
    std::string line;
    while (std::getline(lines, line) && line != header) {
    }
    return numbers(lines);
  };
  const Rows theirs = reference("dpd_radial_distribution.csv", "r,g_P1,g_P3,g_P2");
  ASSERT_EQ(theirs.size(), 300u);
  const Rows g = table("g.csv", kDistribution);
  const double width = g[1][0] - g[0][0];
  int compared = 0;
  double squares = 0;
  for (const auto& row : g) {
    if (row[0] < 0.35 || row[0] > 2.95) continue;
    double pairs = 0, ideal = 0;
    for (const auto& fine : theirs) {  // its bins within ours
      const double share = std::clamp(
          (std::min(fine[0] + 0.005, row[0] + width / 2) - std::max(fine[0] - 0.005, row[0] - width / 2)) / 0.01, 0.0,
          1.0);
      pairs += share * fine[2] * fine[0] * fine[0], ideal += share * fine[0] * fine[0];
    }
    const double off = row[1] - pairs / ideal;
    EXPECT_NEAR(off, 0, 5 * row[2] + 0.003) << "r = " << row[0];
    squares += off * off / (row[2] * row[2] + 0.001 * 0.001);
    ++compared;
  }
  ASSERT_GT(compared, 60);
  EXPECT_LT(squares / compared, 2.5) << "the errors are about those that there are";
  EXPECT_GT(squares / compared, 0.3) << "and they are no larger";

  const Rows msd = table("d.csv", kDisplacements);
  ASSERT_EQ(msd.size(), 8u);
  std::ifstream all(std::string(RIFFLE_SOURCE_DIR) + "/tests/reference/dpd_displacements.csv");
  std::map<double, double> of_lammps;
  for (std::string line; std::getline(all, line);)
    if (line.starts_with("P3,")) of_lammps[std::stod(line.substr(3))] = std::stod(line.substr(line.rfind(',') + 1));
  for (const auto& row : msd) {
    const double lag = std::round(2 * row[0]) / 2;
    ASSERT_TRUE(of_lammps.contains(lag));
    // Ten windows; and the half per cent that LAMMPS's D is known to.
    EXPECT_NEAR(row[1], of_lammps[lag], 5 * row[2] + 0.01 * row[1]) << "lag " << lag;
    EXPECT_LT(row[2], 0.02 * row[1]) << "or this shows nothing";
  }
  // The slope over 0.8 <= t <= 4 of LAMMPS's curve, by which ours is fitted.
  double n = 0, t = 0, v = 0, tt = 0, tv = 0;
  for (const auto& [time, value] : of_lammps)
    if (time > 0.7 && time < 4.1) n += 1, t += time, v += value, tt += time * time, tv += time * value;
  const auto diffusion = json("r.json")["structure"]["displacements"]["diffusion"];
  const double error = diffusion["error"];
  EXPECT_LT(error, 0.01);
  EXPECT_NEAR(diffusion["mean"], (n * tv - t * v) / (n * tt - t * t) / 6, 5 * error + 0.003);
}

TEST_F(RunStructure, AChangeOfParametersBeginsItAgain) {
  const std::string events =
      "events:\n  - {step: 10, set: {solver.friction: 5}}\n  - {step: 51, set: {solver.repulsion: 50}}\n"
      "  - {step: 60, set: {neighbors.method: green}}\n";
  const std::string scene = write("events.yaml", fluid(4) + events);
  const Outcome outcome = ran({scene, "--radial-distribution", "g.csv", "--displacements", "d.csv", "--structure-every",
                               "0.04", "--structure-from", "0.4", "--displacement-lag", "0.2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto report = json("r.json")["structure"];
  EXPECT_NEAR(report["from"], 1.04, 1e-6) << "the next state that is due";
  EXPECT_EQ(report["radial_distribution"]["states"], 25);
  EXPECT_NEAR(report["begun_again"]["time"], 1.02, 1e-6);
  EXPECT_EQ(report["begun_again"]["change"], "solver.repulsion from 25 to 50");
  EXPECT_TRUE(contains(outcome.out,
                       "g(r) and displacements are of the states after t = 1.02 \u03c4, where an event changed "
                       "solver.repulsion from 25 to 50\n"))
      << outcome.out;
  ASSERT_EQ(ran({scene, "--radial-distribution", "g.csv", "--structure-from", "1.2"}).exit_code, 0);
  EXPECT_TRUE(json("r.json")["structure"]["begun_again"].is_null()) << "nothing was measured before";
}

}  // namespace riffle
