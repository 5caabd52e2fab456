#include <algorithm>
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

// Text and JSON have the same counts: those of the method in use.
TEST_F(Bench, StepsSayWhatTheirSearchCounted) {
  const std::string soup = write(
      "soup.yaml",
      "domain: {min: [0, 0, 0], max: [6, 6, 6], axes: periodic}\ngravity: [0, 0, 0]\nparticles: {number_density: 3}\n"
      "bodies: [{filling: random, box: {min: [0, 0, 0], max: [6, 6, 6]}}]\nsolver: {type: dpd}\ntime: {step: 0.02}\n");
  const Outcome bucket = riffle({"bench", "step", soup, "--device", "cpu", "--count", "5", "--neighbors", "bucket",
                                 "--set", "neighbors.insertion=iterative", "--json", "b.json"});
  ASSERT_EQ(bucket.exit_code, 0) << bucket.err;
  const auto report = json("b.json");
  const auto search = report["neighbors"]["search"];
  const double moved = search["particles_re_sorted"], particles = report["particles"];
  EXPECT_GT(moved, 0);
  EXPECT_LT(moved, particles / 4);
  EXPECT_DOUBLE_EQ(search["share_re_sorted"].get<double>(), moved / particles) << search;
  EXPECT_EQ(search["full_builds"].get<int>() + search["re_sorts"].get<int>(), 26) << "20 to warm up, one at the start";
  EXPECT_TRUE(contains(bucket.out, "\nbucket counts: cells " + search["cells"].dump() + ", occupied " +
                                       search["occupied"].dump() + " cells, fullest "))
      << bucket.out;
  for (const char* name : {"insertion rounds ", "share re-sorted ", "full builds "})
    EXPECT_TRUE(contains(bucket.out, std::string(", ") + name)) << name << bucket.out;
  const Outcome fenns =
      riffle({"bench", "step", scene_, "--device", "cpu", "--count", "2", "--neighbors", "fenns", "--json", "f.json"});
  ASSERT_EQ(fenns.exit_code, 0) << fenns.err;
  EXPECT_FALSE(json("f.json")["neighbors"]["search"].contains("share_re_sorted"));
  EXPECT_TRUE(contains(fenns.out, "border fraction ")) << fenns.out;
  EXPECT_TRUE(contains(fenns.out, "particles loaded per tile ")) << fenns.out;
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

TEST_F(Bench, ABoxOfDpdIsScaledToANumberOfParticles) {
  const Outcome outcome = riffle(
      {"bench", "sweep", "dpd_box", "--device", "cpu", "--particles", "1500,5000", "--count", "2", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(outcome.out)["rows"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NEAR(rows[0]["particles"].get<double>(), 1500, 5);
  EXPECT_NEAR(rows[1]["particles"].get<double>(), 5000, 5);
  for (const auto& row : rows)
    EXPECT_NEAR(row["neighbors"]["mean"].get<double>(), 12, 0.7) << "the density stays, whatever the box";
}

/// A drop in a box so wide that no table has room for cells of this width.
constexpr const char* kWideScene =
    "domain: {min: [0, 0, 0], max: [40000, 40000, 40000], axes: open}\n"
    "gravity: [0, 0, 0]\nparticles: {spacing: 0.1}\n"
    "bodies: [{box: {min: [1, 1, 1], max: [1.5, 1.5, 1.5]}}]\n"
    "neighbors: {method: green, cell: 1}\nsolver: {type: wcsph, speed_of_sound: 10}\n";

TEST_F(Bench, EverySearchIsMeasuredFromTheSameStateOfEachSize) {
  const Outcome outcome = riffle({"bench",
                                  "methods",
                                  scene_,
                                  "--device",
                                  "cpu",
                                  "--particles",
                                  "125,700",
                                  "--methods",
                                  "green,hoetzlein,rtnn",
                                  "--skins",
                                  "0,0.1",
                                  "--from-time",
                                  "0.02",
                                  "--count",
                                  "4",
                                  "--motion-seconds",
                                  "900",
                                  "--row-seconds",
                                  "900",
                                  "--json",
                                  "m.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto cases = json("m.json")["cases"];
  ASSERT_EQ(cases.size(), 2u);
  for (const auto& one : cases) {
    EXPECT_EQ(one["solver"], "wcsph");
    EXPECT_EQ(one["note"], "");
    ASSERT_EQ(one["rows"].size(), 6u);
    std::set<std::string> names;
    double least = 1e30, fastest = 0;
    for (const auto& row : one["rows"]) {
      names.insert(row["search"]);
      EXPECT_EQ(row["note"], "");
      EXPECT_EQ(row["steps"], 4);
      EXPECT_EQ(row["particles"], one["particles"]);
      EXPECT_GE(row["from_time"].get<double>(), 0.02);
      EXPECT_NEAR(row["from_time"].get<double>(), one["rows"][0]["from_time"].get<double>(), 1e-6)
          << "each begins where the others do";
      EXPECT_NEAR(row["neighbors"]["mean"].get<double>(), one["rows"][0]["neighbors"]["mean"].get<double>(), 0.01);
      EXPECT_GT(row["gpips"]["fluid"].get<double>(), 0);
      const double ms = row["ms_per_step"];
      least = std::min(least, ms);
      if (row["fastest"]) fastest += ms;
    }
    EXPECT_EQ(names.size(), 6u);
    EXPECT_TRUE(names.contains("rtnn with skin 0.1"));
    EXPECT_EQ(fastest, least) << "one row is marked, and it takes the least time";
  }
  EXPECT_NE(cases[0]["particles"], cases[1]["particles"]);
  EXPECT_TRUE(contains(outcome.out, "fastest search, and the next"));
  EXPECT_TRUE(contains(outcome.out, " times as long")) << outcome.out;
}

TEST_F(Bench, TheUsualScenesHaveASolverEach) {
  const Outcome outcome = riffle({"bench", "methods", "--device", "cpu", "--particles", "2500", "--methods",
                                  "hoetzlein", "--motion-seconds", "1e-6", "--row-seconds", "1e-6", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::vector<std::string> solvers;
  const auto report = nlohmann::json::parse(outcome.out);
  for (const auto& one : report["cases"]) {
    solvers.push_back(one["solver"]);
    ASSERT_EQ(one["rows"].size(), 1u);
    EXPECT_EQ(one["rows"][0]["steps"], 1) << "the time is up after the first";
    EXPECT_TRUE(contains(one["note"], "moved for 1e-06 s, not to ")) << one["note"];
  }
  EXPECT_EQ(solvers, (std::vector<std::string>{"wcsph", "pbf", "wcsph", "dpd"}));
}

TEST_F(Bench, ASearchThatCannotWorkHasARowThatSaysWhy) {
  const std::string wide = write("wide.yaml", kWideScene);
  const Outcome outcome = riffle({"bench", "methods", wide, "--device", "cpu", "--particles", "125", "--methods",
                                  "green,hoetzlein,rtnn", "--count", "2", "--json", "w.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto rows = json("w.json")["cases"][0]["rows"];
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["note"], "");
  EXPECT_FALSE(rows[1].contains("ms_per_step"));
  EXPECT_TRUE(contains(rows[1]["note"], "cells")) << rows[1]["note"];
  EXPECT_EQ(rows[2]["note"], "") << "the refusal left the simulation as it was";
  EXPECT_TRUE(contains(outcome.err, "hoetzlein: left out: ")) << outcome.err;
  EXPECT_EQ(
      riffle({"bench", "methods", wide, "--device", "cpu", "--particles", "125", "--methods", "hoetzlein"}).exit_code,
      1)
      << "nothing was measured";
}

TEST_F(Bench, SwitchesOfTheSearchAreMeasuredThereAndBack) {
  const Outcome outcome = riffle({"bench", "switch", scene_, "--device", "cpu", "--particles", "125,700", "--methods",
                                  "green,hoetzlein,thrust_pairs", "--set", "neighbors.method=hoetzlein", "--count", "2",
                                  "--row-seconds", "900", "--json", "s.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto rows = json("s.json")["rows"];
  ASSERT_EQ(rows.size(), 8u) << "two sizes, two other searches, two directions";
  std::int64_t pairs_after = 0, grid_after = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto& row = rows[k];
    EXPECT_EQ(row[k % 2 == 0 ? "from" : "to"], "hoetzlein");
    EXPECT_EQ(row["switches"], 2);
    EXPECT_EQ(row["note"], "");
    for (const char* time : {"change_ms", "first_step_ms", "usual_step_ms"})
      EXPECT_GT(row[time]["median"].get<double>(), 0) << time;
    EXPECT_NEAR(row["cost_ms"].get<double>(),
                row["change_ms"]["median"].get<double>() + row["first_step_ms"]["median"].get<double>() -
                    row["usual_step_ms"]["median"].get<double>(),
                1e-9);
    EXPECT_FALSE(row["first_ever_ms"].is_null());
    if (row["to"] == "thrust_pairs") pairs_after = row["memory_after_bytes"];
    if (row["from"] == "thrust_pairs") grid_after = row["memory_after_bytes"];
  }
  EXPECT_LT(grid_after, pairs_after) << "a pair list takes more memory, and is freed";
  const Outcome all = riffle({"bench", "switch", scene_, "--device", "cpu", "--methods", "green,fenns,rtnn",
                              "--all-pairs", "--count", "1", "--json", "-"});
  ASSERT_EQ(all.exit_code, 0) << all.err;
  std::set<std::string> ways;
  const auto report = nlohmann::json::parse(all.out);
  for (const auto& row : report["rows"])
    ways.insert(row["from"].get<std::string>() + " " + row["to"].get<std::string>());
  EXPECT_EQ(ways.size(), 6u);
}

TEST_F(Bench, ASwitchThatIsRefusedSaysWhyAndTheOthersAreMeasured) {
  const std::string wide = write("wide.yaml", kWideScene);
  const Outcome outcome = riffle(
      {"bench", "switch", wide, "--device", "cpu", "--methods", "hoetzlein,rtnn", "--count", "1", "--json", "w.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto rows = json("w.json")["rows"];
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0]["switches"], 0);
  EXPECT_TRUE(rows[0]["cost_ms"].is_null());
  EXPECT_TRUE(contains(rows[0]["note"], "cells")) << rows[0]["note"];
  EXPECT_EQ(rows[2]["note"], "");
  EXPECT_EQ(rows[2]["switches"], 1);
}

TEST_F(Bench, ASizeThatFailsLeavesTheSwitchesOfTheOthers) {
  const Outcome outcome = riffle({"bench", "switch", scene_, "--device", "cpu", "--particles", "125,2e9,700",
                                  "--methods", "hoetzlein,rtnn", "--count", "1", "--json", "f.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto rows = json("f.json")["rows"];
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0]["switches"], 1);
  EXPECT_EQ(rows[2]["switches"], 0);
  EXPECT_NE(rows[2]["note"], "");
  EXPECT_TRUE(rows[2]["cost_ms"].is_null());
  EXPECT_EQ(rows[4]["switches"], 1);
  EXPECT_TRUE(contains(outcome.err, "2e+09 particles: left out: ")) << outcome.err;
}

#if !RIFFLE_WITH_CUDA
TEST_F(Bench, AMissingDeviceIsNoRowsFault) {
  for (const char* bench : {"switch", "sweep", "methods"})
    EXPECT_EQ(riffle({"bench", bench, scene_, "--device", "cuda", "--particles", "125"}).exit_code, 2) << bench;
}
#endif

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
  const Outcome wrong = riffle({"bench", "draw", scene_, "--steps-per-picture=-5"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(contains(wrong.err,
                       "--steps-per-picture: found '-5'; allowed: a whole number from 0 to 1000000; `riffle bench draw "
                       "--help` has the options"))
      << wrong.err;
  EXPECT_EQ(riffle({"bench", "sweep", scene_, "--particles", "0"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "sweep", scene_, "--support-ratios", "nan"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "sweep", scene_, "--methods", "grid"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "sweep", "no_such_scene"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "methods", "no_such_scene"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "methods", scene_, "--methods", "grid"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "methods", scene_, "--skins", "2"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "methods", scene_, "--row-seconds", "0"}).exit_code, 2);
  const Outcome wake = riffle({"bench", "methods", "wake_dpd", "--device", "cpu", "--particles", "100"});
  EXPECT_EQ(wake.exit_code, 1);
  EXPECT_TRUE(contains(wake.err, "and it has solids")) << wake.err;
  EXPECT_EQ(riffle({"bench", "switch", "no_such_scene"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "switch", scene_, "--count", "0"}).exit_code, 2);
  const Outcome dpd = riffle({"bench", "sweep", "wake_dpd", "--device", "cpu", "--particles", "8000"});
  EXPECT_TRUE(contains(dpd.err, "solver dpd has its spacing from its number density")) << dpd.err;
  EXPECT_TRUE(contains(dpd.err, "and it has solids")) << dpd.err;
  EXPECT_EQ(riffle({"bench", "sweep", scene_, "--plots", "/proc/plots"}).exit_code, 1);
  EXPECT_EQ(riffle({"bench", "step", scene_, "--from-time", "-1"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "step", scene_, "--json", "/proc/r.json"}).exit_code, 1);
}

}  // namespace riffle
