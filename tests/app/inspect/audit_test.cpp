#include <set>

#include "support/program.h"

namespace riffle {

using Audit = ProgramTest;

TEST_F(Audit, EverySearchIsRightAlongARun) {
  const Outcome outcome =
      riffle({"audit", scene_, "--device", "cpu", "--steps", "25", "--every", "10", "--json", "a.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  const auto r = json("a.json");
  EXPECT_EQ(r["right"], true);
  EXPECT_EQ(r["particles"], 125);
  EXPECT_TRUE(contains(outcome.out, "pairs: over all states, each pair twice")) << outcome.out;
  EXPECT_EQ(r["states"], 4) << "before the first step, after 10 and 20, and the last";
  EXPECT_EQ(r["all_compared"], true);
  EXPECT_GT(r["simulated_time"], 0.0);
  std::vector<std::string> uses;
  std::set<std::string> variants;
  for (const auto& result : r["results"]) {
    if (result["refusals"] == 0) {
      EXPECT_EQ(result["states"], 4);
      EXPECT_EQ(result["particles_compared"], 4 * 125);
      EXPECT_GT(result["pairs"], 4 * 125 * 5);
    } else {
      EXPECT_NE(result["refused"], nullptr);
    }
    for (const char* fault : {"missing", "extra", "duplicate", "asymmetric", "unvisited", "particles_wrong"})
      EXPECT_EQ(result[fault], 0) << result["method"] << " " << fault;
    if (result["method"] == "hoetzlein") uses.push_back(result["use"]);
    variants.insert(result["method"].get<std::string>() + ", " + result["use"].get<std::string>());
    if (result["spared_builds"].is_null()) continue;
    EXPECT_GT(result["spared_builds"], 0) << "lists older than the state: " << result;
    EXPECT_LT(result["spared_builds"], 4) << "the first build is not spared";
  }
  EXPECT_GE(uses.size(), 4u);
  for (const char* variant : {"green, lists, skin 0.1", "fenns, lists, skin 0.1", "bucket, lists, skin 0.5",
                              "thrust_pairs, lists, skin 0.1", "rtnn, lists, skin 0.5", "rtnn, new tree, rebuilt",
                              "bucket, no order", "bucket, no order, iterative", "bucket, iterative, rebuilt"})
    EXPECT_TRUE(variants.contains(variant)) << variant;
  for (const auto& result : r["results"]) {
    const bool rtnn = result["method"] == "rtnn";
    EXPECT_EQ(result["structure"], rtnn ? nlohmann::json("lbvh") : nlohmann::json(nullptr))
        << "there is no OptiX on CPUs";
  }
  EXPECT_TRUE(contains(outcome.out, "asymmetric"));
  EXPECT_TRUE(contains(outcome.out, "brute_force"));
}

TEST_F(Audit, OptixIsLookedAtWhereItIsToBeHad) {
  if (!contains(riffle({"doctor"}).out, "[ok] OptiX")) GTEST_SKIP() << "NOTHING RAN ON OPTIX: there is none";
  const Outcome outcome =
      riffle({"audit", scene_, "--device", "cuda", "--steps", "4", "--every", "2", "--json", "a.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "rtnn by OptiX"));
  int by_optix = 0;
  const auto report = json("a.json");  // [] only refers to it
  for (const auto& result : report["results"]) {
    if (result["structure"] != "optix") continue;
    ++by_optix;
    EXPECT_EQ(result["verdict"], "right") << result;
    EXPECT_EQ(result["states"], 3);
  }
  EXPECT_EQ(by_optix, 7) << "new search, rebuilt, two options, two skins, deterministic";
}

TEST_F(Audit, ShortPeriodicAxesAreRightOrRefusedWithTheReason) {
  // 3.3 h long: a particle's stencil meets itself round the axis, and cells of 2h hardly fit.
  const std::string scene = write("narrow.yaml",
                                  "domain: {min: [0, 0, 0], max: [1, 1, 1], axes: [periodic, walled, walled]}\n"
                                  "particles: {spacing: 0.1, support_ratio: 3}\n"
                                  "bodies:\n  - box: {min: [0, 0, 0], max: [1, 0.4, 1]}\n");
  const Outcome outcome = riffle({"audit", scene, "--device", "cpu", "--steps", "2", "--every", "1", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto r = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(r["states"], 3);
  for (const auto& result : r["results"])
    EXPECT_TRUE(result["verdict"] == "right" || result["refused"].is_string()) << result;
}

// Cells of h in such a box do not fit the memory; fenns, rtnn and the folded table of green follow the particles.
TEST_F(Audit, ASearchThatRefusesEveryStateIsNotRight) {
  const std::string scene = write("huge.yaml",
                                  "domain: {min: [0, 0, 0], max: [40000, 40000, 40000], axes: open}\n"
                                  "particles: {spacing: 0.1}\nneighbors: {method: green, cell: 1}\n"
                                  "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n");
  const Outcome outcome =
      riffle({"audit", scene, "--device", "cpu", "--steps", "1", "--every", "1", "--json", "a.json"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
  const auto r = json("a.json");
  EXPECT_EQ(r["right"], false);
  const std::vector<std::string> not_compared = r["not_compared"];
  EXPECT_NE(std::find(not_compared.begin(), not_compared.end(), "hoetzlein"), not_compared.end());
  EXPECT_EQ(std::find(not_compared.begin(), not_compared.end(), "green"), not_compared.end());
  EXPECT_TRUE(contains(outcome.err, "not compared, since each refused all 2 states: hoetzlein"));
  for (const auto& result : r["results"]) {
    EXPECT_EQ(result["wrong_states"], 0);
    if (result["states"] == 0) {
      EXPECT_EQ(result["verdict"], "refused");
    }
  }
}

TEST_F(Audit, ARunThatFallsApartIsNotCalledRight) {
  const Outcome outcome = riffle({"audit", "dam_break", "--device", "cpu", "--set", "particles.spacing=0.05", "--steps",
                                  "40", "--every", "20", "--set", "time.step=0.5", "--json", "a.json"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
  EXPECT_TRUE(contains(outcome.err, "the simulation is unstable"));
  EXPECT_TRUE(contains(outcome.err, "after step 20"));
  const auto r = json("a.json");
  EXPECT_EQ(r["right"], false);
  EXPECT_EQ(r["states"], 1) << "before the first step; the state that fell apart is not compared";
  EXPECT_TRUE(contains(r["failure"].get<std::string>(), "the simulation is unstable"));
}

TEST_F(Audit, MistakesAreExitCodeTwo) {
  EXPECT_EQ(riffle({"audit"}).exit_code, 2);
  EXPECT_EQ(riffle({"audit", scene_, "--every", "0"}).exit_code, 2);
  EXPECT_TRUE(contains(riffle({"audit", scene_, "--stepz", "5"}).err, "did you mean '--steps'?"));
  EXPECT_TRUE(contains(riffle({"audti", scene_}).err, "did you mean 'audit'?"));
  EXPECT_EQ(riffle({"audit", scene_, "--json", "/proc/r.json"}).exit_code, 1);
}

}  // namespace riffle
