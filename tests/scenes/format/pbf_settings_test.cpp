#include "sim/solver.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

TEST(PbfScenes, SettingsArriveWhereTheSolverReadsThem) {
  const SimulationSetup setup =
      scenes::parse_scene(
          kGoodScene, "s.yaml",
          {"solver.type=pbf", "solver.kernel=cubic_spline", "solver.iterations=7", "solver.relaxation=0.5",
           "solver.artificial_pressure=0.2", "solver.artificial_pressure_power=3",
           "solver.artificial_pressure_distance=0.3", "solver.xsph=0.05", "solver.vorticity=0.4", "solver.margin=0.3",
           "solver.negative_pressure=true"})
          .simulation;
  EXPECT_EQ(setup.solver, SolverKind::Pbf);
  EXPECT_EQ(setup.pbf.kernel, KernelKind::CubicSpline);
  EXPECT_EQ(setup.pbf.iterations, 7);
  EXPECT_EQ(setup.pbf.relaxation, 0.5f);
  EXPECT_EQ(setup.pbf.artificial_pressure, 0.2f);
  EXPECT_EQ(setup.pbf.artificial_pressure_power, 3);
  EXPECT_EQ(setup.pbf.artificial_pressure_distance, 0.3f);
  EXPECT_EQ(setup.pbf.xsph, 0.05f);
  EXPECT_EQ(setup.pbf.vorticity, 0.4f);
  EXPECT_EQ(setup.pbf.margin, 0.3f);
  EXPECT_TRUE(setup.pbf.negative_pressure);
}

TEST(PbfScenes, PolySixAndSpikyAreForPbfAlone) {
  const auto setup =
      scenes::parse_scene(kGoodScene, "s.yaml", {"solver.type=pbf", "solver.kernel=poly6_spiky"}).simulation;
  EXPECT_EQ(setup.pbf.kernel, KernelKind::Poly6Spiky);
  for (const std::string solver : {"wcsph", "dfsph"})
    EXPECT_TRUE(
        contains(complaint(kGoodScene, {"solver.type=" + solver, "solver.kernel=poly6_spiky"}),
                 "solver.kernel: found poly6_spiky; allowed with solver.type " + solver +
                     ": wendland_c2 or cubic_spline, since its pressure needs gradients that are the derivative"));
}

TEST(PbfScenes, DefaultsOfTheFormatAreThoseOfTheSetup) {
  const PbfSetup read = scenes::parse_scene(kGoodScene, "s.yaml", {"solver.type=pbf"}).simulation.pbf, own;
  EXPECT_EQ(read.iterations, own.iterations);
  EXPECT_EQ(read.relaxation, own.relaxation);
  EXPECT_EQ(read.artificial_pressure, own.artificial_pressure);
  EXPECT_EQ(read.artificial_pressure_power, own.artificial_pressure_power);
  EXPECT_EQ(read.artificial_pressure_distance, own.artificial_pressure_distance);
  EXPECT_EQ(read.xsph, own.xsph);
  EXPECT_EQ(read.vorticity, own.vorticity);
  EXPECT_EQ(read.margin, own.margin);
  EXPECT_EQ(read.negative_pressure, own.negative_pressure);
}

TEST(PbfScenes, NoIterationsAreRefusedWithWhatIsAllowed) {
  const std::string text = complaint(kGoodScene, {"solver.type=pbf", "solver.iterations=0"});
  EXPECT_TRUE(contains(text, "solver.iterations"));
  EXPECT_TRUE(contains(text, "1 to 1000"));
}

TEST(PbfScenes, KeysOfOtherSolversAreRefused) {
  EXPECT_TRUE(contains(complaint(kGoodScene, {"solver.iterations=4"}),
                       "solver.iterations: means nothing with solver.type wcsph; allowed with pbf"));
  EXPECT_TRUE(contains(complaint(kGoodScene, {"solver.type=pbf", "solver.speed_of_sound=20"}),
                       "solver.speed_of_sound: means nothing with solver.type pbf"));
}

TEST(PbfScenes, PeriodicAxisThatIsTooShortForTheMarginIsRefused) {
  std::string narrow = spoiled("max: [1, 1, 1]", "max: [1, 1, 0.45], axes: [walled, walled, periodic]");
  const std::string body = "max: [0.5, 0.5, 0.5]";  // would be longer than the domain
  narrow.replace(narrow.find(body), body.size(), "max: [0.5, 0.5, 0.4]");
  EXPECT_TRUE(contains(complaint(narrow, {"solver.type=pbf"}), "solver.margin: found 0.2"));
  EXPECT_EQ(complaint(narrow, {"solver.type=pbf", "solver.margin=0.1"}), "");
  EXPECT_EQ(complaint(narrow, {"particles.support_ratio=2"}), "") << "twice h fits, and WCSPH needs no more";
}

TEST(PbfScenes, SkinCountsOnTopOfTheMargin) {
  const std::string narrow = spoiled("max: [1, 1, 1]", "max: [1, 1, 0.5], axes: [walled, walled, periodic]");
  EXPECT_TRUE(contains(complaint(narrow, {"solver.type=pbf", "neighbors.skin=0.1"}), "neighbors.skin: found 0.1"));
  EXPECT_EQ(complaint(narrow, {"particles.support_ratio=2", "neighbors.skin=0.1"}), "");
}

TEST(PbfScenes, SuspiciousStepsGetAWarning) {
  const auto said = [](const char* step) {
    return warnings_of(kGoodScene, {"solver.type=pbf", std::string("time.step=") + step});
  };
  EXPECT_EQ(said("0.005"), "");
  EXPECT_TRUE(contains(said("0.05"), "leave the fluid compressed by about 6.7 % on average with 4 iterations"));
  EXPECT_TRUE(contains(said("0.1"), "further than it sees"));
}

TEST(PbfScenes, SettingsWithoutEffectGetAWarning) {
  const std::string sticky = good_scene_with("fluids: [{name: oil, viscosity: 0.01}]\n");
  EXPECT_TRUE(contains(warnings_of(sticky, {"solver.type=pbf"}), "fluids[0].viscosity: has no effect"));
  EXPECT_EQ(warnings_of(sticky), "");
  EXPECT_TRUE(contains(warnings_of(kGoodScene, {"solver.type=pbf", "solver.artificial_pressure=0",
                                                "solver.artificial_pressure_power=2"}),
                       "solver.artificial_pressure_power: has no effect"));
}

}  // namespace riffle
