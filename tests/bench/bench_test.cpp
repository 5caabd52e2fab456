#include <filesystem>
#include <set>

#include "support/program.h"

namespace riffle {

using Bench = ProgramTest;

TEST_F(Bench, StepsAreMeasuredOnAFluidThatHasMoved) {
  const Outcome outcome =
      riffle({"bench", "step", scene_, "--device", "cpu", "--from-time", "0.02", "--count", "10", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto r = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(r["particles"], 125);
  EXPECT_EQ(r["steps"], 10);
  EXPECT_GE(r["from_time"].get<double>(), 0.02);
  EXPECT_GT(r["to_time"].get<double>(), r["from_time"].get<double>());
  EXPECT_NEAR(r["particle_steps_per_second"].get<double>() * r["ms_per_step"].get<double>(), 125e3, 1);
  for (const auto& [name, stage] : r["stages"].items()) EXPECT_EQ(stage["count"], 10) << name << ": warm-up counted";
  const double rate = r["particle_steps_per_second"], mean = r["neighbors"]["mean"], walls = r["neighbors"]["walls"];
  EXPECT_NEAR(r["gpips"]["fluid"].get<double>(), 1e-9 * rate * mean, 1e-12 * rate * mean);
  EXPECT_NEAR(r["gpips"]["with_walls"].get<double>(), 1e-9 * rate * (mean + walls), 1e-12 * rate * mean);
  EXPECT_GT(walls, 0);
  EXPECT_NEAR(r["mean_dt"].get<double>() * 10, r["to_time"].get<double>() - r["from_time"].get<double>(), 1e-12);
  EXPECT_GT(r["simulated_per_second"].get<double>(), 0);
  EXPECT_EQ(r["neighbors"]["lists"]["kind"], "none") << "WCSPH searches in every pass on the CPU";
  const auto& search = r["neighbors"]["search"];
  EXPECT_GT(search["occupied"], 0) << search;
  EXPECT_GE(search["cells"], search["occupied"]) << search;
  EXPECT_NEAR(search["mean_in_occupied"].get<double>() * search["occupied"].get<double>(), r["particles"].get<double>(),
              1)
      << search;
}

TEST_F(Bench, StepsBeforeTheMeasuredOnesAreTold) {
  const std::string soup = write(
      "soup.yaml",
      "domain: {min: [0, 0, 0], max: [4, 4, 4], axes: periodic}\ngravity: [0, 0, 0]\nparticles: {number_density: 3}\n"
      "bodies: [{box: {min: [0, 0, 0], max: [4, 4, 4]}}]\nsolver: {type: dpd}\ntime: {step: 0.01}\n");
  const Outcome dpd = riffle({"bench", "step", soup, "--device", "cpu", "--count", "5"});
  ASSERT_EQ(dpd.exit_code, 0) << dpd.err;
  EXPECT_TRUE(contains(dpd.out, "5 steps from t = 0.2 \u03c4 to 0.25 \u03c4, after 20 steps to warm up:")) << dpd.out;
  EXPECT_FALSE(contains(dpd.out, "compression")) << "particles of DPD have no density";
  EXPECT_TRUE(contains(dpd.out, " simulated per second, kT ")) << dpd.out;
  const Outcome water = riffle({"bench", "step", scene_, "--device", "cpu", "--count", "5"});
  EXPECT_TRUE(contains(water.out, "mean compression ")) << water.out;
  EXPECT_TRUE(contains(riffle({"bench", "step", "--help"}).out, "simulate this long, and 20 more steps, before"));
}

TEST_F(Bench, ASweepHasARowForEachCombination) {
  const Outcome outcome = riffle({"bench", "sweep", scene_, "--device", "cpu", "--count", "3", "--particles", "125,700",
                                  "--support-ratios", "2,2.5", "--solvers", "wcsph,pbf", "--methods", "green,hoetzlein",
                                  "--json", "s.json", "--plots", "plots"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto rows = json("s.json")["rows"];
  ASSERT_EQ(rows.size(), 16u);
  std::set<std::string> seen;
  for (const auto& row : rows) {
    EXPECT_EQ(row["steps"], 3);
    EXPECT_EQ(row["note"], "");
    const int particles = row["particles"];
    EXPECT_TRUE(particles == 125 || particles == 512) << particles;
    seen.insert(row["solver"].get<std::string>() + row["neighbors"]["method"].get<std::string>() +
                row["support_ratio"].dump() + (particles == 125 ? "small" : "large"));
    const double pair_rate = row["gpips"]["fluid"].get<double>() / row["particle_steps_per_second"].get<double>();
    EXPECT_NEAR(pair_rate, 1e-9 * row["neighbors"]["mean"].get<double>(), 1e-15);
  }
  EXPECT_EQ(seen.size(), 16u) << "each combination once";
  EXPECT_TRUE(contains(outcome.out, "GPIPS"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "plots" / "sweep.csv"));
}

TEST_F(Bench, ReSortHasBothWaysForEachStepAndTheShareThatGrowsWithIt) {
  const std::string soup = write(
      "soup.yaml",
      "domain: {min: [0, 0, 0], max: [8, 8, 8], axes: periodic}\ngravity: [0, 0, 0]\nparticles: {number_density: 3}\n"
      "bodies: [{filling: random, box: {min: [0, 0, 0], max: [8, 8, 8]}}]\nsolver: {type: dpd}\ntime: {step: 0.01}\n");
  const Outcome outcome = riffle({"bench", "resort", soup, "--device", "cpu", "--count", "10", "--time-steps",
                                  "0.001,0.02", "--json", "r.json", "--csv", "r.csv", "--plots", "plots"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto rows = json("r.json")["rows"];
  ASSERT_EQ(rows.size(), 2u);
  for (const auto& row : rows) {
    EXPECT_EQ(row["note"], "");
    EXPECT_EQ(row["re_sort"]["steps"], 10);
    EXPECT_EQ(row["always"]["steps"], 10);
    // A particle crosses a face of a cell with a chance of <|v|> dt along each axis: 2.4 dt, before cells are larger.
    const double expected = 2.4 * row["time_step"].get<double>();
    EXPECT_NEAR(row["share_changed"].get<double>(), expected, 0.5 * expected);
  }
  EXPECT_LT(rows[0]["full_builds"], 0.1);
  EXPECT_TRUE(contains(outcome.out, "changed cell"));
  EXPECT_TRUE(contains(read("r.csv"), "time_step,share_changed,full_builds,resort_ms_per_step"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "plots" / "resort.csv"));
  const Outcome wrong = riffle({"bench", "resort", soup, "--device", "cpu", "--count", "10", "--time-steps", "0"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(contains(wrong.err, "allowed: a number from 1e-09")) << wrong.err;
}

TEST_F(Bench, ASweepSaysWhyARowIsMissingAndMeasuresTheOthers) {
  const Outcome outcome =
      riffle({"bench", "sweep", scene_, "--device", "cpu", "--count", "2", "--support-ratios", "20,2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "a row is left out (support of 20 spacings): ")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "support_ratio"));
  EXPECT_EQ(riffle({"bench", "sweep", scene_, "--device", "cpu", "--count", "2", "--support-ratios", "20"}).exit_code,
            1);
}

TEST_F(Bench, StepsOfAFluidThatFellApartAreAFailure) {
  const Outcome outcome = riffle({"bench", "step", "dam_break", "--device", "cpu", "--set", "dimension=2", "--set",
                                  "time.step=0.05", "--count", "10"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(contains(outcome.err, "the figures mean nothing: after step"));
}

TEST_F(Bench, PicturesAreDrawnOrTheReasonIsGiven) {
  const Outcome outcome = riffle({"bench", "draw", scene_, "--device", "cpu", "--count", "2", "--json", "d.json"});
  if (outcome.exit_code == 2) {
    EXPECT_TRUE(contains(outcome.err, "nothing can be drawn here"));
    return;
  }
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GT(json("d.json")["plain"]["ms_per_picture"], 0.0);
  EXPECT_EQ(json("d.json")["plain"]["spheres"], "raster") << "125 particles";
  EXPECT_TRUE(contains(outcome.out, "ms per picture"));
}

TEST_F(Bench, PicturesAreDrawnTheWayAskedFor) {
  for (const std::string method : {"raster", "splat"}) {
    const Outcome outcome =
        riffle({"bench", "draw", scene_, "--device", "cpu", "--count", "2", "--spheres", method, "--json", "-"});
    if (outcome.exit_code == 2 && contains(outcome.err, "nothing can be drawn here")) return;
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto plain = nlohmann::json::parse(outcome.out)["plain"];
    EXPECT_EQ(plain["spheres"], method);
    for (const char* stage : {"splat", "shade", "compose"})
      EXPECT_EQ(plain["stages"].contains(stage), method == "splat");
  }
}

TEST_F(Bench, SurfacesAreMeasuredAndTheirVolumeIsTold) {
  const Outcome outcome = riffle(
      {"bench", "surface", scene_, "--device", "cpu", "--set", "dimension=3", "--count", "2", "--json", "u.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto report = json("u.json");
  EXPECT_EQ(report["runs"], 2);
  EXPECT_GT(report["milliseconds"]["median"], 0.0);
  EXPECT_EQ(report["particles"], 125);
  EXPECT_GT(report["triangles"], 100);
  EXPECT_NEAR(report["volume"].get<double>(), report["volume_of_particles"].get<double>(),
              0.1 * report["volume_of_particles"].get<double>());
  EXPECT_TRUE(contains(outcome.out, "a surface takes"));
  EXPECT_EQ(riffle({"bench", "surface", scene_, "--set", "dimension=2", "--count", "1"}).exit_code, 2);
}

TEST_F(Bench, MistakesAreExitCodeTwo) {
  EXPECT_EQ(riffle({"bench"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "step", scene_, "--count", "0"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "draw", scene_, "--spheres", "points"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "sweep", scene_, "--particles", "0"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "sweep", scene_, "--support-ratios", "nan"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "sweep", scene_, "--methods", "grid"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "sweep", "no_such_scene"}).exit_code, 2);
  const Outcome dpd = riffle({"bench", "sweep", "dpd_box", "--device", "cpu", "--particles", "8000"});
  EXPECT_TRUE(contains(dpd.err, "which solver dpd has from its number density")) << dpd.err;
  EXPECT_EQ(riffle({"bench", "sweep", scene_, "--plots", "/proc/plots"}).exit_code, 1);
  EXPECT_EQ(riffle({"bench", "step", scene_, "--from-time", "-1"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "step", scene_, "--json", "/proc/r.json"}).exit_code, 1);
}

}  // namespace riffle
