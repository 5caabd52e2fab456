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

TEST_F(Bench, MistakesAreExitCodeTwo) {
  EXPECT_EQ(riffle({"bench"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "step", scene_, "--count", "0"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "draw", scene_, "--spheres", "points"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "step", scene_, "--from-time", "-1"}).exit_code, 2);
  EXPECT_EQ(riffle({"bench", "step", scene_, "--json", "/proc/r.json"}).exit_code, 1);
}

}  // namespace riffle
