#include "support/program.h"

namespace riffle {

using Report = ProgramTest;

TEST_F(Report, HasEveryKeyWithAPlausibleValue) {
  const Outcome outcome = riffle({"run", scene_, "--steps", "25", "--device", "cpu", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto r = nlohmann::json::parse(outcome.out);  // throws if anything else is on standard output
  EXPECT_EQ(r["scene"], "small");
  EXPECT_EQ(r["solver"], "wcsph");
  EXPECT_EQ(r["device"]["kind"], "cpu");
  EXPECT_FALSE(r["device"]["name"].get<std::string>().empty());
  EXPECT_EQ(r["particles"], 125);
  EXPECT_EQ(r["steps"], 25);
  EXPECT_GT(r["simulated_time"], 0.0);
  EXPECT_GT(r["wall_seconds"], 0.0);
  EXPECT_GT(r["steps_per_second"], 0.0);
  EXPECT_EQ(r["particle_file_seconds"], 0.0);
  EXPECT_NEAR(r["particle_steps_per_second"].get<double>(), 125 * r["steps_per_second"].get<double>(), 1);
  EXPECT_EQ(r["neighbors"]["method"], "hoetzlein");
  EXPECT_GT(r["neighbors"]["build_ms"], 0.0);
  EXPECT_GT(r["neighbors"]["query_ms"], 0.0);
  EXPECT_GT(r["neighbors"]["memory_bytes"], 0);
  EXPECT_GT(r["neighbors"]["mean"], 5.0);  // a lattice of 5^3 at h = 3 spacings: 26 in a corner, 117 inside
  EXPECT_LT(r["neighbors"]["mean"], 60.0);
  EXPECT_LE(r["neighbors"]["min"], r["neighbors"]["max"]);
  ASSERT_FALSE(r["stages"].empty());
  for (const auto& [name, stage] : r["stages"].items()) {
    EXPECT_EQ(stage["count"], 25) << name;
    EXPECT_GT(stage["mean_ms"], 0.0) << name;
    EXPECT_LE(stage["median_ms"], stage["p95_ms"]) << name;
  }
  const auto& d = r["diagnostics"];
  EXPECT_NEAR(d["mass"].get<double>(), 125, 1e-3);  // 0.125 m^3 of water
  EXPECT_GT(d["kinetic_energy"], 0.0);
  EXPECT_LT(d["momentum"][1], 0.0) << "it falls";
  EXPECT_EQ(d["non_finite"], 0);
  EXPECT_EQ(d["state_hash"].get<std::string>().size(), 16u);
  EXPECT_EQ(r["interrupted"], false);
  EXPECT_TRUE(r["failure"].is_null());
}

TEST_F(Report, HasEveryKeyOfTheSceneWithItsValueInThisRun) {
  const Outcome outcome =
      riffle({"run", scene_, "--steps", "1", "--json", "r.json", "--set", "picture.color_by=density", "--set",
              "gravity=[0, -3, 0.5]", "--neighbors", "bucket", "--look", "spheres", "--no-picture"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto keys = json("r.json")["parameters"];
  EXPECT_EQ(keys["picture.color_by"], "density");
  EXPECT_EQ(keys["picture.look"], "spheres");
  EXPECT_EQ(keys["gravity"], nlohmann::json({0, -3, 0.5}));
  EXPECT_EQ(keys["neighbors.method"], "bucket");
  EXPECT_EQ(keys["solver.type"], "wcsph") << "the default";
  EXPECT_EQ(keys["dimension"], 3);
  EXPECT_EQ(keys["picture.legend"], true);
  EXPECT_EQ(keys["particles.spacing"], 0.1);
  EXPECT_EQ(files(), std::vector<std::string>{"r.json"}) << "no picture, and no folder for it";
}

// Two blobs at the same place blow each other apart: the mean number of neighbours alone would look healthy.
TEST_F(Report, OverlappingBodiesThatFlyApartAreNoHealthyTable) {
  const std::string blobs = write("blobs.yaml",
                                  "dimension: 2\ndomain: {min: [0, 0], max: [4, 4], axes: open}\ngravity: [0, 0]\n"
                                  "particles: {spacing: 0.05}\ntime: {end: 0.3}\n"
                                  "solver: {speed_of_sound: 20}\nbodies:\n"
                                  "  - sphere: {center: [2, 2], radius: 0.3}\n"
                                  "  - sphere: {center: [2.02, 2.03], radius: 0.3}\n");
  const Outcome outcome = riffle({"run", blobs, "--json", "r.json", "--out", "o", "--set", "solver.density=summation"});
  const auto r = json("r.json");
  ASSERT_FALSE(r["contact"]["end"].is_null()) << outcome.err;
  EXPECT_EQ(r["contact"]["start"]["apart"], 0);
  EXPECT_GT(r["contact"]["end"]["apart"], 10);
  EXPECT_GT(r["contact"]["end"]["groups"], 5);
  EXPECT_GT(r["contact"]["start"]["most_neighbors"], 45) << "a lattice has 28";
  const std::string lost = std::to_string(r["contact"]["end"]["apart"].get<int>()) + " of ";
  EXPECT_TRUE(contains(outcome.out, lost)) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "have lost contact with the rest, ")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, " times as many as usual: bodies overlap, or lie too close together\n"))
      << outcome.out;
  // A density that is carried knows nothing of the overlap: the blobs stay in each other.
  const Outcome carried = riffle({"run", blobs, "--out", "o"});
  EXPECT_TRUE(contains(carried.out, "bodies overlap, or lie too close together; now they have up to ")) << carried.out;
  EXPECT_FALSE(contains(carried.out, "lost contact")) << carried.out;
}

TEST_F(Report, OfAFluidThatStaysTogetherSaysNothingOfContact) {
  const Outcome outcome = riffle({"run", scene_, "--steps", "5", "--json", "r.json", "--out", "o"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(json("r.json")["contact"]["end"]["apart"], 0);
  EXPECT_FALSE(contains(outcome.out, "contact")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "overlap")) << outcome.out;
}

TEST_F(Report, StepsAreCountedExactly) {
  for (const int steps : {0, 1, 7}) {
    const Outcome outcome = riffle({"run", scene_, "--steps", std::to_string(steps), "--json", "r.json", "--quiet"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "") << "--quiet";
    EXPECT_EQ(json("r.json")["steps"], steps);
  }
}

TEST_F(Report, TimeIsReachedExactly) {
  for (const char* time : {"0.0123", "0.03"}) {
    ASSERT_EQ(riffle({"run", scene_, "--time", time, "--json", "r.json"}).exit_code, 0);
    EXPECT_EQ(json("r.json")["simulated_time"], std::stod(time));
  }
  ASSERT_EQ(riffle({"run", scene_, "--json", "r.json"}).exit_code, 0);
  EXPECT_EQ(json("r.json")["simulated_time"], 0.01) << "time.end of the scene";
}

TEST_F(Report, SeedAndMethodOfTheCommandLineReplaceTheScenes) {
  const auto hash = [&](const char* seed) {
    const Outcome outcome = riffle({"run", scene_, "--device", "cpu", "--steps", "2", "--seed", seed, "--set",
                                    "bodies[0].jitter=0.1", "--set", "deterministic=true", "--json", "-"});
    return nlohmann::json::parse(outcome.out)["diagnostics"]["state_hash"].get<std::string>();
  };
  EXPECT_EQ(hash("1"), hash("1"));
  EXPECT_NE(hash("1"), hash("2"));
  const Outcome outcome = riffle({"run", scene_, "--steps", "1", "--neighbors", "brute_force", "--json", "-"});
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["neighbors"]["method"], "brute_force");
  EXPECT_TRUE(nlohmann::json::parse(outcome.out)["neighbors"]["auto"].is_null());
}

TEST_F(Report, SaysWhatTheBoxesOfRtnnAreSearchedWith) {
  const auto run = [&](const char* method, const char* structure) {
    return riffle({"run", scene_, "--device", "cpu", "--steps", "1", "--neighbors", method, "--set",
                   std::string("neighbors.structure=") + structure, "--json", "-"});
  };
  const auto structure = [](const Outcome& outcome) {
    return nlohmann::json::parse(outcome.out)["neighbors"]["structure"];
  };
  EXPECT_EQ(structure(run("rtnn", "auto")), "lbvh");
  EXPECT_TRUE(structure(run("hoetzlein", "optix")).is_null()) << "it is rtnn's alone";
  const Outcome refused = run("rtnn", "optix");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.err, "allowed there: auto, lbvh")) << refused.err;
}

TEST_F(Report, SaysWhichSearchAutoChoseAndWhy) {
  const Outcome outcome = riffle({"run", scene_, "--steps", "400", "--neighbors", "auto", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto neighbors = json("r.json")["neighbors"];
  const auto& found = neighbors["auto"];
  ASSERT_TRUE(found.is_object());
  EXPECT_EQ(neighbors["method"], found["chosen"]);
  EXPECT_EQ(neighbors["skin"], found["skin"]);
  EXPECT_GE(found["times_measured"], 1);
  EXPECT_GE(found["measured_at_step"], 0);
  const std::string reason = found["reason"];
  EXPECT_EQ(reason.find(found["chosen"].get<std::string>()), 0u) << reason;
  EXPECT_TRUE(contains(reason, " ms per step"));
  EXPECT_TRUE(contains(outcome.err, "neighbours: "));
  EXPECT_TRUE(contains(outcome.out, " by " + found["chosen"].get<std::string>()));
  bool chosen_listed = false;
  for (const auto& candidate : found["candidates"]) {
    EXPECT_NE(candidate.contains("step_ms"), candidate.contains("skipped")) << candidate;
    chosen_listed |= candidate["method"] == found["chosen"] && candidate["skin"] == found["skin"];
  }
  EXPECT_TRUE(chosen_listed);
  EXPECT_EQ(json("r.json")["steps"], 400);
}

TEST_F(Report, AnAutomaticChoiceInADeterministicRunIsRefusedBeforeTheFirstStep) {
  const Outcome option = riffle({"run", scene_, "--neighbors", "auto", "--set", "deterministic=true"});
  EXPECT_EQ(option.exit_code, 2);
  EXPECT_TRUE(contains(option.err, "--set neighbors.method: found 'auto'"));
  const Outcome key = riffle({"run", scene_, "--set", "neighbors.method=auto", "--set", "deterministic=true"});
  EXPECT_EQ(key.exit_code, 2);
  EXPECT_TRUE(contains(key.err, "--set neighbors.method: found 'auto'"));
}

}  // namespace riffle
