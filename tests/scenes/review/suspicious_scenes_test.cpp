#include "sim/solver_info.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

TEST(SuspiciousScenes, OverlappingBodiesGetAWarningAndTouchingOnesDoNot) {
  const std::string overlapping = good_scene_with("  - box: {min: [0.4, 0, 0], max: [0.9, 0.5, 0.5]}\n");
  EXPECT_TRUE(contains(warnings_of(overlapping), "s.yaml:7:5: bodies[1]: overlaps bodies[0] by 0.1 m"));
  const std::string touching = good_scene_with("  - box: {min: [0.5, 0, 0], max: [0.9, 0.5, 0.5]}\n");
  EXPECT_EQ(warnings_of(touching), "");
  const std::string sphere = good_scene_with("  - sphere: {center: [0.7, 0.2, 0.2], radius: 0.25}\n");
  EXPECT_TRUE(contains(warnings_of(sphere), "overlaps bodies[0]"));
  const std::string far_sphere = good_scene_with("  - sphere: {center: [0.7, 0.7, 0.7], radius: 0.25}\n");
  EXPECT_EQ(warnings_of(far_sphere), "");
}

TEST(SuspiciousScenes, BodyPartlyOutsideGetsAWarning) {
  EXPECT_TRUE(
      contains(warnings_of(spoiled("max: [0.5, 0.5, 0.5]", "max: [0.5, 1.5, 0.5]")),
               "bodies[0]: lies partly outside the domain: y from 0 to 1.5 m, the domain has 0 to 1 m; the part "
               "outside walled faces has no fluid"));
  std::string open = spoiled("max: [0.5, 0.5, 0.5]", "max: [0.5, 1.5, 0.5]");
  open.replace(open.find("max: [1, 1, 1]"), 14, "max: [1, 1, 1], axes: open");
  EXPECT_TRUE(contains(warnings_of(open), "lies partly outside the domain"));
  EXPECT_FALSE(contains(warnings_of(open), "has no fluid")) << "fluid may be outside an open face";
}

// A drop may lie across a periodic face. A body that is longer than the period would be folded over itself.
TEST(SuspiciousScenes, ABodyLongerThanAPeriodicDomainIsRefused) {
  const std::string periodic = spoiled("max: [1, 1, 1]", "max: [1, 1, 1], axes: periodic");
  const auto with = [&](const std::string& box) {
    std::string text = periodic;
    const std::string old = "max: [0.5, 0.5, 0.5]";
    return text.replace(text.find(old), old.size(), box);
  };
  EXPECT_TRUE(
      contains(complaint(with("max: [0.5, 1.5, 0.5]")),
               "bodies[0]: is longer than the periodic domain, where one of its ends would be within the other: "
               "y from 0 to 1.5 m"));
  EXPECT_EQ(complaint(with("max: [0.5, 1, 0.5]")), "");
  const std::string across = periodic + "  - sphere: {center: [1, 0.7, 0.7], radius: 0.1}\n";
  EXPECT_TRUE(contains(warnings_of(across), "bodies[1]: lies partly outside the domain"));
}

TEST(SuspiciousScenes, OddSupportRatioGetsAWarning) {
  EXPECT_TRUE(contains(warnings_of(kGoodScene, {"particles.support_ratio=1.1"}), "particles.support_ratio"));
  EXPECT_TRUE(contains(warnings_of(kGoodScene, {"particles.support_ratio=5"}), "particles.support_ratio"));
}

TEST(SuspiciousScenes, PeriodicAxisBelowThreeSupportRadiiGetsAWarning) {
  EXPECT_TRUE(contains(warnings_of(spoiled("max: [1, 1, 1]", "max: [1, 1, 0.7], axes: periodic")),
                       "domain.axes: the periodic axis z is 0.7 m long"));
}

TEST(SuspiciousScenes, UnusedFluidGetsAWarning) {
  const std::string two = good_scene_with("    fluid: water\nfluids: [{name: oil}, {name: water}]\n");
  EXPECT_TRUE(contains(warnings_of(two), "fluids[0]: no body is made of 'oil'"));
}

TEST(SuspiciousScenes, SettingsWithoutEffectGetAWarning) {
  EXPECT_TRUE(contains(warnings_of(kGoodScene, {"time.step=1e-4", "time.max_step=1e-3"}),
                       "--set time.max_step: has no effect"));
}

TEST(SuspiciousScenes, DampingWithOnlyOneOfItsSettingsGetsAWarning) {
  EXPECT_TRUE(contains(warnings_of(kGoodScene, {"solver.damping_rate=5"}), "solver.damping_rate: has no effect"));
  EXPECT_TRUE(contains(warnings_of(kGoodScene, {"solver.damping_time=5"}), "solver.damping_time: has no effect"));
  EXPECT_EQ(warnings_of(kGoodScene, {"solver.damping_rate=5", "solver.damping_time=0.1"}), "");
}

TEST(SuspiciousScenes, GravityAlongAPeriodicAxisGetsAWarning) {
  const std::vector<std::string> endless = {"domain.axes=[periodic, walled, walled]", "gravity=[1, -9.81, 0]"};
  EXPECT_TRUE(contains(warnings_of(kGoodScene, endless), "gravity: 1 m/s^2 act along the periodic axis x"));
  EXPECT_EQ(warnings_of(kGoodScene, {endless[0]}), "");
  // Faces that drag a viscous fluid hold it, as solids do.
  for (const char* solver : {"wcsph", "dfsph"}) {
    const auto held = [&](const char* walls, const char* viscosity, const char* axes = "[periodic, walled, walled]") {
      return !contains(
          warnings_of(kGoodScene,
                      {std::string("domain.axes=") + axes, "gravity=[1, 0, 0]", std::string("solver.type=") + solver,
                       std::string("solver.walls=") + walls, std::string("fluids[0].viscosity=") + viscosity}),
          "nothing holds the fluid");
    };
    EXPECT_TRUE(held("no_slip", "0.001")) << solver;
    EXPECT_FALSE(held("free_slip", "0.001")) << solver;
    EXPECT_FALSE(held("no_slip", "0")) << solver;
    EXPECT_FALSE(held("no_slip", "0.001", "periodic")) << solver;
  }
  EXPECT_EQ(warnings_of(kGoodScene, {endless[0], endless[1], "solver.type=dfsph"}), "");
  EXPECT_TRUE(contains(warnings_of(kGoodScene, endless),
                       "only friction at the walls limits how fast the fluid gets, and the automatic speed of sound"));
  EXPECT_EQ(warnings_of(kGoodScene, {endless[0], endless[1], "solver.speed_of_sound=30"}), "");
}

// Solids hold the fluid by friction, or where they stand in its way.
TEST(SuspiciousScenes, GravityAlongAPeriodicAxisGetsAWarningUnlessSolidsHoldTheFluid) {
  const auto fall = [](const std::string& solver, const std::string& solid) {
    return contains(warnings_of("domain: {min: [0, 0, 0], max: [8, 8, 8], axes: [periodic, walled, walled]}\n"
                                "particles: {spacing: 0.7}\nbodies: [{box: {min: [0, 3, 0], max: [8, 8, 8]}}]\n"
                                "gravity: [1, -1, 0]\ntime: {step: 0.01}\nsolver: " +
                                solver + "\nsolids:\n  - " + solid + "\n"),
                    "act along the periodic axis x");
  };
  const std::string floor = "box: {min: [0, 0, 0], max: [8, 2, 8]}";
  const std::string flat = "polygon: {corners: [[0, 0], [8, 0], [8, 2], [0, 2]]}";
  const std::string dune = "polygon: {corners: [[0, 0], [8, 0], [8, 2], [4, 2.5], [0, 2]]}";
  const std::string pipe = "cylinder: {from: [0, 4, 4], to: [8, 4, 4], radius: 1}";
  const std::string post = "cylinder: {from: [4, 4, 0], to: [4, 4, 8], radius: 1}";
  for (const std::string& solver :
       {std::string("{type: dpd, walls: free_slip}"), std::string("{type: wcsph, walls: free_slip}")}) {
    for (const std::string& along : {floor, flat, pipe}) EXPECT_TRUE(fall(solver, along)) << solver << ": " << along;
    for (const std::string& across : {dune, post, floor + "\n    without: [{sphere: {center: [4, 2, 4], radius: 1}}]",
                                      std::string("sphere: {center: [4, 4, 4], radius: 1.5}")})
      EXPECT_FALSE(fall(solver, across)) << solver << ": " << across;
  }
  for (const char* holds : {"{type: wcsph}", "{type: dpd}"}) EXPECT_FALSE(fall(holds, floor)) << "friction";
}

TEST(SuspiciousScenes, GravityThatLiftsTheFluidFromItsFloorGetsAWarning) {
  EXPECT_TRUE(
      contains(warnings_of(kGoodScene, {"gravity=[0, 9.81, 0]"}),
               "gravity: 9.81 m/s^2 act towards y_max: the fluid lies on the face y_min and falls upwards; -9.81 "
               "would hold it there"));
  EXPECT_TRUE(contains(warnings_of(kGoodScene, {"gravity=[0, 0, 9.81]"}), "towards z_max"));
  EXPECT_EQ(warnings_of(kGoodScene, {"gravity=[0, -9.81, 1]"}), "");
  EXPECT_EQ(warnings_of(kGoodScene, {"gravity=[0, 9.81, 0]", "domain.axes=open"}), "") << "it has no floor";
  EXPECT_EQ(warnings_of(kGoodScene, {"gravity=[0, 9.81, 0]", "bodies[0].box.max=[0.5, 1, 0.5]"}), "")
      << "it has no room above";
}

TEST(SuspiciousScenes, FixedStepAboveTheStableOneGetsAWarning) {
  EXPECT_TRUE(contains(warnings_of(kGoodScene, {"time.step=0.1"}), "--set time.step: 0.1 s is above"));
  EXPECT_EQ(warnings_of(kGoodScene, {"time.step=1e-5"}), "");
  EXPECT_TRUE(contains(warnings_of(kGoodScene, {"time.step=1e-30"}),
                       "--set time.step: steps of 1e-30 s make 2e+30 of them in the 2 s of the run (time.end): at a "
                       "thousand steps per second that takes 6.3e+19 years"));
  EXPECT_TRUE(contains(warnings_of(kGoodScene, {"time.max_step=1e-9"}), "--set time.max_step: steps of 1e-09 s"));
  EXPECT_TRUE(contains(warnings_of(kGoodScene, {"time.step=1e-4", "time.end=2e4"}), "2e+08 of them"));
  EXPECT_TRUE(contains(warnings_of(kGoodScene, {"time.step=1e-4", "time.end=2e4"}), "that takes 2.3 days"));
  EXPECT_TRUE(contains(warnings_of(kGoodScene, {"time.end=1e9"}), "--set time.end: steps of "));
}

// If a solver were missing from scenes/solvers, its settings and its step would not be checked.
TEST(SuspiciousScenes, EverySolverHasItsReview) {
  for (const SolverInfo* solver : solvers()) {
    const std::string warnings = warnings_of(
        "domain: {min: [0, 0, 0], max: [8, 8, 8], axes: periodic}\nparticles: {spacing: 0.7}\n"
        "bodies: [{box: {min: [0, 0, 0], max: [4, 4, 4]}}]\ngravity: [1, 0, 0]\ntime: {step: 100, end: 1000}\n",
        {std::string("solver.type=") + solver->name});
    EXPECT_TRUE(contains(warnings, "act along the periodic axis x")) << solver->name;
    EXPECT_TRUE(contains(warnings, ": time.step: ")) << solver->name;
  }
}

TEST(SuspiciousScenes, CoordinatesTooLargeForThePrecisionGetAWarning) {
  EXPECT_TRUE(
      contains(warnings_of(spoiled("0.1", "1e-4"), {"domain.max=[100,1,1]", "bodies[0].box.max=[0.01,0.01,0.01]"}),
               "in single precision"));
}

}  // namespace riffle
