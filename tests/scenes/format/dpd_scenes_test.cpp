#include <cmath>

#include "sim/simulation.h"
#include "sim/solver.h"
#include "sim/start/sampling.h"
#include "sim/start/start.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

const char* const kDpdScene =
    "domain: {min: [0, 0, 0], max: [6, 6, 6], axes: periodic}\n"
    "gravity: [0, 0, 0]\n"
    "particles: {number_density: 3}\n"
    "bodies:\n"
    "  - {filling: random, box: {min: [0, 0, 0], max: [6, 6, 6]}}\n"
    "solver:\n"
    "  type: dpd\n";

const std::string kTwoDpdFluids = std::string(kDpdScene) +
                                  "fluids: [{name: oil}, {name: water, mass: 3}]\n"
                                  "start: {interface: {upper: oil, lower: water, height: 3}}\n";

DpdSetup dpd_of(const std::vector<std::string>& overrides, const std::string& text = kDpdScene) {
  return scenes::parse_scene(text, "s.yaml", overrides).simulation.dpd;
}

}  // namespace

TEST(DpdScenes, NumbersAsInSiUnitsGetAWarning) {
  const std::string tank =
      "domain: {min: [0, 0, 0], max: [0.5, 8, 8], axes: walled}\ngravity: [0, 0, 0]\nparticles: {number_density: 3}\n"
      "bodies: [{filling: random, box: {min: [0, 0, 0], max: [0.5, 8, 8]}}]\nsolver: {type: dpd}\n";
  EXPECT_TRUE(contains(warnings_of(tank),
                       "solver.type: dpd is in reduced units, not in SI: lengths in the cut-off radius r_c "
                       "(solver.cutoff, 1), masses in that of a particle, energies in eps, which is kT while "
                       "`temperature` is 1; here the domain is 0.5 r_c "
                       "wide\n"));
  EXPECT_EQ(warnings_of(tank, {"solver.cutoff=0.1", "particles.number_density=3000"}), "");
  EXPECT_TRUE(contains(warnings_of(kDpdScene, {"particles.number_density=1000"}),
                       "here 1e+03 particles lie in r_c^3, where 3 to 10 are usual\n"));
  EXPECT_TRUE(contains(warnings_of(std::string(kDpdScene) + "fluids: [{name: water, mass: 1000}]\n"),
                       "here a particle has the mass 1000, where 1 is usual\n"));
}

TEST(DpdScenes, DefaultsDoNotDriftFromThoseOfTheSetup) {
  const scenes::Scene scene = scenes::parse_scene(kDpdScene, "s.yaml");
  EXPECT_TRUE(scene.warnings.empty());
  EXPECT_EQ(scene.simulation.solver, SolverKind::Dpd);
  const DpdSetup& found = scene.simulation.dpd;
  const DpdSetup expected;
  EXPECT_EQ(found.temperature, expected.temperature);
  EXPECT_EQ(found.cutoff, expected.cutoff);
  EXPECT_EQ(found.repulsion.value[0][0], expected.repulsion.value[0][0]);
  EXPECT_EQ(found.friction.value[0][0], expected.friction.value[0][0]);
  EXPECT_FLOAT_EQ(found.noise.value[0][0], expected.noise.value[0][0]);
  EXPECT_EQ(found.integrator, expected.integrator);
  EXPECT_EQ(found.lambda, expected.lambda);
  EXPECT_EQ(found.random, expected.random);
  const StartSetup& start = scene.simulation.start;
  const StartSetup plain;
  EXPECT_EQ(start.equilibration, plain.equilibration);
  EXPECT_EQ(start.has_interface, plain.has_interface);
  EXPECT_EQ(start.mixed, plain.mixed);
}

TEST(DpdScenes, EveryKeyReachesItsPlace) {
  const scenes::Scene scene = scenes::parse_scene(
      "domain: {min: [-1, -2, -3], max: [7, 6, 5], axes: [periodic, walled, periodic]}\n"
      "gravity: [0, -0.1, 0]\nparticles: {number_density: 3}\n"
      "fluids: [{name: light, mass: 0.5}, {name: heavy, mass: 4}]\n"
      "bodies:\n  - {filling: random, box: {min: [-1, -2, -3], max: [7, 6, 5]}}\n"
      "start:\n  equilibration: 7.5\n"
      "  interface: {upper: heavy, lower: light, height: 1.25, amplitude: 0.5, wavelength: 4}\n"
      "solver: {type: dpd, temperature: 2, cutoff: 1.5, repulsion: [[20, 30], [30, 25]], friction: [[1, 2], [2, 3]],\n"
      "         noise: [[2, 2.828427], [2.828427, 3.4641016]], integrator: leap_frog, lambda: 0.6,\n"
      "         random: karpinski_stream, stream_start: zero}\n"
      "time: {step: 0.005}\n",
      "s.yaml");
  const SimulationSetup& setup = scene.simulation;
  EXPECT_EQ(setup.solver, SolverKind::Dpd);
  EXPECT_NEAR(setup.particle_volume(), 1.0 / 3, 1e-6);
  EXPECT_EQ(setup.support_radius(), 1.5f);
  EXPECT_EQ(setup.fluids[0].mass, 0.5f);
  EXPECT_EQ(setup.fluids[1].mass, 4);
  EXPECT_EQ(setup.bodies[0].filling, Filling::Random);
  EXPECT_EQ(setup.start.equilibration, 7.5f);
  ASSERT_TRUE(setup.start.has_interface);
  EXPECT_EQ(setup.start.upper, 1);
  EXPECT_EQ(setup.start.lower, 0);
  EXPECT_EQ(setup.start.height, 1.25f);
  EXPECT_EQ(setup.start.amplitude, 0.5f);
  EXPECT_EQ(setup.start.wavelength, 4);
  EXPECT_FALSE(setup.start.mixed);
  const DpdSetup& dpd = setup.dpd;
  EXPECT_EQ(dpd.temperature, 2);
  EXPECT_EQ(dpd.cutoff, 1.5f);
  const float repulsion[2][2] = {{20, 30}, {30, 25}}, friction[2][2] = {{1, 2}, {2, 3}},
              noise[2][2] = {{2, 2.828427f}, {2.828427f, 3.4641016f}};
  for (int k = 0; k < 2; ++k)
    for (int l = 0; l < 2; ++l) {
      EXPECT_EQ(dpd.repulsion.value[k][l], repulsion[k][l]);
      EXPECT_EQ(dpd.friction.value[k][l], friction[k][l]);
      EXPECT_EQ(dpd.noise.value[k][l], noise[k][l]);
    }
  EXPECT_EQ(dpd.integrator, DpdIntegrator::LeapFrog);
  EXPECT_EQ(dpd.lambda, 0.6f);
  EXPECT_EQ(dpd.random, RandomKind::KarpinskiStream);
  EXPECT_EQ(dpd.stream_start, StreamStart::Zero);
  ASSERT_EQ(scene.warnings.size(), 2u);
  EXPECT_TRUE(contains(scene.warnings[0].message(), "solver.lambda: has no effect"));
  EXPECT_TRUE(contains(scene.warnings[1].message(), "solver.random: karpinski_stream is for study only"));
  EXPECT_TRUE(scenes::parse_scene(kTwoDpdFluids, "s.yaml", {"start={mixed: true}"}).simulation.start.mixed);
  EXPECT_EQ(scenes::parse_scene(kTwoDpdFluids, "s.yaml").simulation.start.wavelength, 6) << "the domain's extent";
}

TEST(DpdScenes, NoiseFollowsFromFrictionAndTemperature) {
  EXPECT_FLOAT_EQ(dpd_of({"solver.friction=8"}).noise.value[0][0], 4);
  EXPECT_FLOAT_EQ(dpd_of({"solver.friction=8", "solver.temperature=4"}).noise.value[0][0], 8);
  const DpdSetup mixed = dpd_of({"solver.friction=[[2, 8], [8, 4.5]]"}, kTwoDpdFluids);
  EXPECT_FLOAT_EQ(mixed.noise.value[0][0], 2);
  EXPECT_FLOAT_EQ(mixed.noise.value[0][1], 4);
  EXPECT_FLOAT_EQ(mixed.noise.value[1][1], 3);
}

// 1/c is the integral of 1 - r / r_c times the density: pi r_c^3 / 3 of the sphere, pi r_c^2 / 3 of the disc.
TEST(DpdScenes, NormalizedWeightsAreThoseOfTheMeanDensity) {
  for (const int dimension : {2, 3}) {
    const std::string in_plane = "dimension=" + std::to_string(dimension);
    const double c = 1 / (3 * 3.14159265358979 * std::pow(1.2, dimension) / 3);
    const std::vector<std::string> given = {in_plane, "solver.weights=normalized", "solver.cutoff=1.2",
                                            "solver.repulsion=[[100, 150], [150, 100]]", "solver.friction=40"};
    const DpdSetup dpd = dpd_of(given, kTwoDpdFluids);
    EXPECT_NEAR(dpd.repulsion.value[0][0], 100 * c, 1e-5 * 100 * c) << dimension << "-D";
    EXPECT_NEAR(dpd.repulsion.value[0][1], 150 * c, 1e-5 * 150 * c);
    // M of a pair is twice the reduced mass: 1, 3, and 2 * 1 * 3 / (1 + 3).
    const double mass[2][2] = {{1, 1.5}, {1.5, 3}};
    for (int k = 0; k < 2; ++k)
      for (int l = 0; l < 2; ++l) {
        const double gamma = 40 * mass[k][l] * c * c;
        EXPECT_NEAR(dpd.friction.value[k][l], gamma, 1e-5 * gamma) << dimension << "-D";
        EXPECT_NEAR(dpd.noise.value[k][l], std::sqrt(2 * gamma), 1e-5 * std::sqrt(2 * gamma));
      }
    std::vector<std::string> noisy = given;
    noisy.push_back("solver.noise=9");
    EXPECT_NEAR(dpd_of(noisy, kTwoDpdFluids).noise.value[1][0], 9 * c, 1e-5 * 9 * c);
  }
}

TEST(DpdScenes, MatrixOfAnotherSizeThanTheFluidsIsRefusedWithTheFluidThatLacksItsRow) {
  EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {"solver.repulsion=[[25, 30]]"}),
                       "solver.repulsion: found 1 row for 2 fluids: 'water' has no coefficients"));
  EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {"solver.friction=[[1, 1], [1, 1], [1, 1]]"}),
                       "solver.friction: found 3 rows for 2 fluids; allowed: a row for every fluid"));
  EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {"solver.noise=[[1, 1], [1]]"}),
                       "solver.noise: found 1 number in the row of 'water', none against 'water'"));
  EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {"solver.repulsion=[[1, 2, 3], [2, 3]]"}),
                       "found 3 numbers in the row of 'oil'; allowed: one for every fluid, which is 2"));
}

TEST(DpdScenes, AsymmetricMatrixIsRefusedWithBothNumbers) {
  for (const char* key : {"repulsion", "friction", "noise"})
    EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {std::string("solver.") + key + "=[[2, 40], [30, 2]]"}),
                         std::string("solver.") + key + ": found 30 for 'water' against 'oil' and 40 the other way"));
}

TEST(DpdScenes, NoiseAgainstFrictionAndTemperatureGetsAWarningWithTheTemperatureItLeadsTo) {
  EXPECT_EQ(warnings_of(kDpdScene, {"solver.noise=3"}), "");
  const std::string said = warnings_of(kDpdScene, {"solver.noise=6"});
  EXPECT_TRUE(contains(said, "--set solver.noise: between 'water' and 'water'"));
  EXPECT_TRUE(contains(said, "need sigma = 3, found 6: these pairs drive the fluid towards kT = 4"));
  EXPECT_TRUE(contains(warnings_of(kDpdScene, {"solver.noise=3", "solver.friction=0"}),
                       "without friction the fluid heats up without end"));
  EXPECT_TRUE(contains(warnings_of(kDpdScene, {"solver.noise=0"}), "towards kT = 0"));
  EXPECT_TRUE(contains(warnings_of(kTwoDpdFluids, {"solver.noise=[[3, 3], [3, 4.2426407]]"}),
                       "between 'water' and 'water' friction and the temperature kT = 1 need sigma = 3, found 4.243"));
  // In the scene's own weights, not in those that the solver gets.
  EXPECT_TRUE(contains(warnings_of(kDpdScene, {"solver.weights=normalized", "solver.friction=50", "solver.noise=20"}),
                       "need sigma = 10, found 20: these pairs drive the fluid towards kT = 4"));
}

TEST(DpdScenes, KeysOfAnotherSolverAreRefused) {
  EXPECT_TRUE(contains(complaint(kDpdScene, {"solver.tait_exponent=7"}),
                       "solver.tait_exponent: means nothing with solver.type dpd; allowed with wcsph"));
  EXPECT_TRUE(contains(complaint(kDpdScene, {"particles.support_ratio=2"}),
                       "particles.support_ratio: the radius within which DPD particles act on each other is "
                       "solver.cutoff; the key means nothing"));
  EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {"fluids[0].rest_density=900"}),
                       "fluids[0].rest_density: the density of a DPD fluid is particles.number_density times "
                       "fluids[].mass; the key means nothing"));
  EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {"fluids[1].viscosity=1e-6"}),
                       "fluids[1].viscosity: the viscosity of a DPD fluid follows from solver.friction"));
  for (const char* key : {"solver.temperature=1", "solver.cutoff=1", "solver.repulsion=25", "solver.friction=4.5",
                          "solver.noise=auto", "solver.weights=unit", "solver.integrator=leap_frog",
                          "solver.lambda=0.65", "solver.random=philox", "start.equilibration=1"})
    EXPECT_TRUE(contains(complaint(kGoodScene, {key}), "means nothing with solver.type wcsph; allowed with dpd"))
        << key;
  EXPECT_TRUE(contains(complaint(good_scene_with("fluids: [{name: water, mass: 2}]\n")),
                       "fluids[0].mass: the mass of a particle follows from fluids[].rest_density; the key means "
                       "nothing with solver.type wcsph"));
}

TEST(DpdScenes, LengthsAndGravityAreInReducedUnits) {
  EXPECT_TRUE(contains(complaint(kDpdScene, {"domain.max=[1, 9, 9]"}),
                       "periodic axis x is 1 r_c long, below twice the "
                       "support radius (1 r_c)"));
  EXPECT_TRUE(contains(complaint(kDpdScene, {"domain.max=[-1, 9, 9]"}), "x from 0 to -1 r_c"));
  EXPECT_TRUE(
      contains(warnings_of(kDpdScene, {"gravity=[0.5, 0, 0]"}), "0.5 r_c/\u03c4^2 act along the periodic axis x"));
}

TEST(DpdScenes, LengthsHaveNoNameWhereTheCutoffIsNotTheirUnit) {
  EXPECT_TRUE(contains(complaint(kDpdScene, {"solver.cutoff=1.5", "domain.max=[1, 9, 9]"}),
                       "periodic axis x is 1 length units long, below twice the support radius (1.5 length units)"));
}

TEST(DpdScenes, StepAboveTheStableOneGetsAWarningWithTheNumber) {
  EXPECT_EQ(warnings_of(kDpdScene, {"time.step=0.06"}), "") << "lambda is 0.65";
  EXPECT_TRUE(contains(warnings_of(kDpdScene, {"time.step=0.07"}),
                       "--set time.step: 0.07 is above the largest advisable step of 0.06"));
  EXPECT_TRUE(contains(warnings_of(kDpdScene, {"time.step=0.05", "solver.repulsion=100"}), "advisable step of 0.0448"));
  EXPECT_EQ(warnings_of(kDpdScene, {"time.step=0.04", "solver.lambda=0.5"}), "");
  const std::string hot = warnings_of(kDpdScene, {"time.step=0.05", "solver.lambda=0.5"});
  EXPECT_TRUE(contains(hot, "0.05 is above the largest advisable step of 0.04")) << hot;
  EXPECT_TRUE(contains(hot, "up to it the temperature is within 3 % of kT, just above it the fluid becomes too hot"));
  const std::string cold = warnings_of(kDpdScene, {"time.step=0.05", "solver.integrator=leap_frog"});
  EXPECT_TRUE(contains(cold, "0.05 is above the largest advisable step of 0.02")) << cold;
  EXPECT_TRUE(contains(cold, "above it the fluid becomes too cold")) << cold;
  const std::string both = warnings_of(kDpdScene, {"time.step=0.025", "solver.friction=40"});
  EXPECT_TRUE(contains(both,
                       "up to it the temperature is within 3 % of kT, above it the drag cools the fluid and collisions "
                       "heat it, by a few percent"))
      << both;
  EXPECT_FLOAT_EQ(step_bounds(scenes::parse_scene(kDpdScene, "s.yaml").simulation).fixed, 0.02f);
}

TEST(DpdScenes, ExactlyOneOfNumberDensityAndSpacingIsAllowed) {
  EXPECT_NE(complaint(kDpdScene, {"particles.spacing=0.7"}), "");
  EXPECT_TRUE(contains(complaint(kDpdScene, {"particles.spacing=0.7"}), "number_density"));
  EXPECT_TRUE(contains(complaint(spoiled("  spacing: 0.1", "  support_ratio: 2")),
                       "particles: is incomplete; it needs spacing or number_density"));
  EXPECT_FLOAT_EQ(scenes::parse_scene(spoiled("spacing: 0.1", "number_density: 1000"), "s.yaml").simulation.spacing,
                  0.1f);
  EXPECT_EQ(count_particles(scenes::parse_scene(kDpdScene, "s.yaml").simulation), 648);
  EXPECT_EQ(count_particles(scenes::parse_scene(kDpdScene, "s.yaml", {"dimension=2"}).simulation), 108);
}

TEST(DpdScenes, InterfaceThatCannotBeIsRefused) {
  EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {"start.interface.upper=oel"}),
                       "start.interface.upper: found 'oel' (did you mean 'oil'?), allowed: oil, water"));
  EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {"start.interface.lower=mud"}), "start.interface.lower: found 'mud'"));
  for (const char* wavelength : {"0.1", "6.1", "1e30", "1e-30"})
    EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {std::string("start.interface.wavelength=") + wavelength}),
                         "start.interface.wavelength: found"))
        << wavelength;
  for (const char* amplitude : {"3", "-3", "1e30"})
    EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {std::string("start.interface.amplitude=") + amplitude}),
                         "which reaches beyond the domain; allowed: below 3 r_c"))
        << amplitude;
  EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {"start.interface.lower=oil"}),
                       "start.interface: has 'oil' above and below; allowed: two fluids"));
  for (const char* height : {"-1", "0", "6", "7"})
    EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {std::string("start.interface.height=") + height}),
                         "outside the domain; allowed: between 0 and 6 r_c"))
        << height;
  EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {"start.mixed=true"}), "start: has both an interface and mixed: true"));
}

TEST(DpdScenes, InterfaceWithAStepAtThePeriodicFaceGetsAWarning) {
  EXPECT_EQ(warnings_of(kTwoDpdFluids, {"start.interface.amplitude=1", "start.interface.wavelength=3"}), "");
  EXPECT_TRUE(contains(warnings_of(kTwoDpdFluids, {"start.interface.amplitude=1", "start.interface.wavelength=4"}),
                       "start.interface.wavelength: 4 r_c fit 1.5 times into the periodic axis x"));
}

TEST(DpdScenes, FrictionOfNothingIsNoThermostat) {
  const std::string said = warnings_of(kDpdScene, {"solver.friction=0"});
  EXPECT_TRUE(contains(said, "--set solver.friction: is 0, and so is the random force: no thermostat holds kT = 1"));
  EXPECT_TRUE(contains(warnings_of(kDpdScene, {"solver.friction=0", "solver.noise=0"}), "no thermostat"));
  EXPECT_FALSE(contains(warnings_of(kDpdScene, {"solver.friction=0", "solver.noise=3"}), "no thermostat"))
      << "it heats up, which another warning says";
  EXPECT_EQ(warnings_of(kTwoDpdFluids, {"solver.friction=[[4.5, 0], [0, 4.5]]"}), "") << "each fluid has its own";
}

constexpr const char* kMixture =
    "domain: {min: [0, 0, 0], max: [6, 6, 6], axes: periodic}\ngravity: [0, 0, 0]\nparticles: {number_density: 3}\n"
    "fluids:\n  - {name: oil}\n  - {name: water}\n  - {name: soap}\n"
    "bodies: [{filling: random, box: {min: [0, 0, 0], max: [6, 6, 6]}}]\nstart: {mixed: true}\nsolver: {type: dpd}\n";

TEST(DpdScenes, MixturesHaveTheSharesOfTheirFluids) {
  const auto shares = [](const std::vector<std::string>& overrides) {
    return mixture_shares(scenes::parse_scene(kMixture, "s.yaml", overrides).simulation);
  };
  for (const double share : shares({})) EXPECT_NEAR(share, 1.0 / 3, 1e-7);
  const auto two_given = shares({"fluids[0].share=0.7", "fluids[2].share=0.1"});
  EXPECT_NEAR(two_given[0], 0.7, 1e-7);
  EXPECT_NEAR(two_given[1], 0.2, 1e-7) << "the rest";
  EXPECT_NEAR(two_given[2], 0.1, 1e-7);
  EXPECT_EQ(warnings_of(kMixture, {"fluids[0].share=0.7", "fluids[2].share=0.1"}), "");
}

TEST(DpdScenes, SharesThatDoNotAddUpAreRefused) {
  EXPECT_TRUE(contains(complaint(kMixture, {"fluids[0].share=1.2"}),
                       "--set fluids[0].share: found '1.2', allowed: auto, or a number from 0 to 1"));
  EXPECT_TRUE(
      contains(complaint(kMixture, {"fluids[0].share=0.7", "fluids[1].share=0.4"}),
               "fluids[0].share: the shares of 'oil', 'water' add up to 1.1; allowed: at most 1, as 'soap' get"));
  EXPECT_TRUE(contains(complaint(kMixture, {"fluids[0].share=0.5", "fluids[1].share=0.3", "fluids[2].share=0.1"}),
                       "the shares of 'oil', 'water', 'soap' add up to 0.9; allowed: 1"));
  EXPECT_EQ(complaint(kMixture, {"fluids[0].share=0.3333", "fluids[1].share=0.3333", "fluids[2].share=0.3334"}), "");
  EXPECT_TRUE(contains(warnings_of(kMixture, {"fluids[0].share=0.6", "fluids[1].share=0.4"}),
                       "fluids[2]: no particle is of 'soap': its share of the mixture is 0"));
  EXPECT_TRUE(contains(warnings_of(kTwoDpdFluids, {"fluids[0].share=0.6"}),
                       "fluids[0].share: has no effect: start.mixed is false"));
}

TEST(DpdScenes, RowsAndFluidsAreCountedInTheirSingularToo) {
  EXPECT_TRUE(contains(complaint(kDpdScene, {"solver.repulsion=[[25, 30], [30, 25]]"}), "found 2 rows for 1 fluid;"));
  EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {"solver.repulsion=[[25, 30]]"}), "found 1 row for 2 fluids"));
  EXPECT_TRUE(contains(complaint(kTwoDpdFluids, {"solver.repulsion=[[25], [25]]"}), "found 1 number in the row of"));
}

TEST(DpdScenes, MixingASingleFluidGetsAWarning) {
  EXPECT_TRUE(contains(warnings_of(kDpdScene, {"start.mixed=true"}), "start.mixed: has no effect on a single fluid"));
}

TEST(DpdScenes, ColoursByWhatParticlesLackAreRefusedWithWhatIsAllowed) {
  for (const std::string lacking : {"density", "pressure", "compression"})
    EXPECT_TRUE(contains(complaint(kDpdScene, {"picture.color_by=" + lacking}),
                         "picture.color_by: found '" + lacking +
                             "', which particles of solver.type dpd do not have; allowed: auto, speed, velocity_x, "
                             "velocity_y, velocity_z, acceleration, vorticity, temperature, neighbors, fluid"));
  for (const std::string there : {"fluid", "temperature", "vorticity", "velocity_z"})
    EXPECT_EQ(complaint(kDpdScene, {"picture.color_by=" + there}), "");
  EXPECT_TRUE(contains(complaint(kGoodScene, {"picture.color_by=temperature"}),
                       "which particles of solver.type wcsph do not have; allowed: auto, speed,"));
  EXPECT_TRUE(contains(complaint(kGoodScene, {"picture.color_by=pressure", "solver.type=pbf", "time.step=0.001"}),
                       "which particles of solver.type pbf do not have"));
  EXPECT_TRUE(contains(complaint(kGoodScene, {"picture.color_by=velocity_z", "dimension=2"}),
                       "which particles of a scene with dimension 2 do not have"));
}

TEST(DpdScenes, ShippedOnesLoadWithoutWarningAndHaveTheirParticles) {
  const std::pair<const char*, std::int64_t> shipped[] = {{"rayleigh_taylor_dpd", 16384},
                                                          {"rayleigh_taylor_dpd_65k", 65536},
                                                          {"phase_separation", 16384},
                                                          {"rozen_rayleigh_taylor", 65536},
                                                          {"phase_separation_65k", 65536}};
  for (const auto& [name, count] : shipped) {
    const scenes::Scene scene = scenes::load_scene(RIFFLE_SOURCE_DIR "/scenes/library/" + std::string(name) + ".yaml");
    EXPECT_TRUE(scene.warnings.empty()) << scene.warnings[0].message();
    EXPECT_EQ(scene.simulation.solver, SolverKind::Dpd);
    EXPECT_EQ(count_particles(scene.simulation), count) << name;
  }
}

// The paper has normalised weights; their coefficients give the forces of the scenes with plain ones.
TEST(DpdScenes, ThoseOfTheBucketPaperHaveTheForcesOfTheOthers) {
  const auto shipped = [](const char* name) {
    return scenes::load_scene(RIFFLE_SOURCE_DIR "/scenes/library/" + std::string(name) + ".yaml").simulation;
  };
  for (const auto& [paper, plain] : {std::pair("rozen_rayleigh_taylor", "rayleigh_taylor_dpd_65k"),
                                     std::pair("phase_separation_65k", "phase_separation")}) {
    const SimulationSetup own = shipped(paper), other = shipped(plain);
    for (int k = 0; k < 2; ++k)
      for (int l = 0; l < 2; ++l) {
        EXPECT_NEAR(own.dpd.repulsion.value[k][l], other.dpd.repulsion.value[k][l], 1e-4) << paper;
        EXPECT_NEAR(own.dpd.friction.value[k][l], other.dpd.friction.value[k][l], 1e-4) << paper;
        EXPECT_NEAR(own.dpd.noise.value[k][l], other.dpd.noise.value[k][l], 1e-4) << paper;
      }
    EXPECT_EQ(own.dpd.integrator, DpdIntegrator::LeapFrog);
    EXPECT_EQ(own.dpd.random, RandomKind::Karpinski);
    EXPECT_EQ(own.neighbors.method, NeighborMethod::Bucket);
    EXPECT_EQ(own.neighbors.insertion, BucketInsertion::Iterative);
  }
  const SimulationSetup fingers = shipped("rozen_rayleigh_taylor");
  EXPECT_LT(fingers.domain.max.y - fingers.start.height, 0.4f * fingers.domain.max.y) << "the upper part is smaller";
  EXPECT_EQ(fingers.fluids[static_cast<std::size_t>(fingers.start.upper)].name, "heavy");
}

TEST(DpdScenes, AnUnknownKeyIsAnsweredWithTheKeysOfThisSolver) {
  const std::string far = complaint(kDpdScene, {"solver.xyz=1"});
  EXPECT_TRUE(contains(
      far, "unknown key 'xyz'. Allowed here with solver.type dpd: type, walls, wall_velocity, temperature, cutoff"));
  for (const char* stranger : {"speed_of_sound", "xsph", "density_error"})
    EXPECT_EQ(far.find(stranger), std::string::npos) << far;
  EXPECT_TRUE(contains(complaint(kDpdScene, {"solver.frictoin=1"}), "did you mean 'friction'?"));
  EXPECT_TRUE(
      contains(complaint(kDpdScene, {"solver.speed_of_soud=1"}),
               "'speed_of_sound' is a key of other solvers: means nothing with solver.type dpd; allowed with wcsph"));
  EXPECT_TRUE(
      contains(complaint(kDpdScene, {"solver.nu=1"}),
               "'viscosity' is a key of other solvers: the viscosity of a DPD fluid follows from solver.friction"));
  EXPECT_TRUE(contains(complaint(kGoodScene, {"solver.xyz=1"}), "Allowed here with solver.type wcsph: type, kernel"));
}

TEST(DpdScenes, AViscosityInTheWrongSectionIsAnsweredWithTheRightKeyFirst) {
  EXPECT_TRUE(contains(complaint(kDpdScene, {"solver.viscosity=0.1"}),
                       "solver.viscosity: the viscosity of a DPD fluid follows from solver.friction"));
  EXPECT_TRUE(contains(complaint(kGoodScene, {"solver.viscosity=0.1"}),
                       "solver.viscosity: the viscosity of a fluid is fluids[].viscosity; found '0.1', allowed: auto"));
  EXPECT_TRUE(contains(complaint(kGoodScene, {"solver.viscosity=explicti"}), "solver.viscosity: found 'explicti'"));
}

TEST(DpdScenes, AMessageAboutTheResolutionNamesTheKeyThatIsGiven) {
  const std::string box =
      "domain: {min: [0, 0, 0], max: [10, 10, 10], axes: periodic}\nsolver: {type: dpd}\n"
      "bodies: [{box: {min: [0, 0, 0], max: [10, 10, 10]}}]\ngravity: [0, 0, 0]\n";
  const std::string dense = complaint(box + "particles: {number_density: 3e9}\n");
  EXPECT_TRUE(contains(dense, "particles.number_density: found 3e+09, which makes about 3e+12 particles"));
  EXPECT_EQ(dense.find("spacing"), std::string::npos) << dense;
  EXPECT_TRUE(contains(complaint(box + "particles: {spacing: 0.0005}\n"), "particles.spacing: found 0.0005, which"));
}

}  // namespace riffle
