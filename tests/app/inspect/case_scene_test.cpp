/// Validation cases written as scenes.

#include "app/inspect/case_scene.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "scenes/document/written_scene.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/load.h"
#include "sim/simulation.h"
#include "sim/start/sampling.h"
#include "tests/scenes/document/same_scene.h"

namespace riffle::test {
namespace {

/// In 2-D nothing reads the third components, nor the third axis.
void drop_third_components(SimulationSetup& setup) {
  if (setup.domain.dimension == 3) return;
  setup.domain.axis[2] = Domain{}.axis[2];
  setup.domain.min.z = setup.domain.max.z = setup.gravity.z = 0;
  for (BodySetup& body : setup.bodies)
    for (Vec3* v : {&body.min, &body.max, &body.center, &body.velocity}) v->z = 0;
}

class CaseScene : public ::testing::TestWithParam<const char*> {};

TEST_P(CaseScene, ReadFromItsFileIsTheCasesSetup) {
  for (const CaseSize size : {CaseSize::Reduced, CaseSize::Full}) {
    SCOPED_TRACE(to_string(size));
    CaseContext context;
    context.size = size;
    const scenes::Scene scene = case_scene(validation_case(GetParam()), context);
    if (scene.simulation.bodies.size() > 2000) continue;  // vortices of the full size: slow with sanitizers
    SimulationSetup setup = scene.simulation;
    const std::string text = scenes::to_yaml(scenes::document_of(scene), "a test");
    SimulationSetup read = scenes::parse_scene(text, "case.yaml").simulation;
    drop_third_components(setup);
    drop_third_components(read);
    // Solvers share keys, and a scene has none of a solver that it does not use.
    if (setup.solver != SolverKind::Wcsph && setup.solver != SolverKind::Dfsph) setup.wcsph = read.wcsph;
    if (setup.solver != SolverKind::Dfsph) setup.dfsph = read.dfsph;
    if (setup.solver != SolverKind::Pbf) setup.pbf = read.pbf;
    if (setup.solver != SolverKind::Dpd) setup.dpd = read.dpd;
    expect_same_setup(read, setup);
    if (size == CaseSize::Full) continue;
    setup.start.equilibration = 0;  // minutes
    SimulationSetup other = read;
    other.start.equilibration = 0;
    Simulation given(setup, Device{}), again(other, Device{});
    for (int step = 0; step < 3; ++step) given.step(), again.step();
    EXPECT_EQ(given.diagnostics().state_hash, again.diagnostics().state_hash);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, CaseScene,
    ::testing::Values("archimedes", "hydrostatic", "tank_at_rest", "tank_at_rest_dfsph", "dam_break", "dam_break_pbf",
                      "dam_break_dfsph", "poiseuille", "couette", "free_slip_channel", "taylor_green",
                      "taylor_green_dfsph", "two_layer_tank", "two_layer_tank_dfsph", "wavemaker", "sloshing",
                      "elliptical_drop", "elliptical_drop_dfsph", "oscillating_drop", "oscillating_drop_dfsph",
                      "standing_wave", "standing_wave_dfsph", "capillary_drop", "dpd_equilibrium", "dpd_viscosity",
                      "dpd_couette", "dpd_phase_separation", "dpd_phase_separation_variants", "dpd_rayleigh_taylor",
                      "dpd_rayleigh_taylor_variants", "rozen_phase_separation", "rozen_rayleigh_taylor",
                      "rayleigh_taylor_sph", "rayleigh_taylor_pbf", "rayleigh_taylor_dfsph", "wave_obstacle",
                      "neutral_body", "settling_sphere", "turning_blob", "floating_prism"),
    [](const auto& which) { return std::string(which.param); });

TEST(CaseScenes, OfDpdLeaveTheNoiseToFrictionAndTemperature) {
  for (const char* name : {"dpd_viscosity", "dpd_equilibrium", "dpd_couette", "dpd_rayleigh_taylor",
                           "rozen_phase_separation", "rozen_rayleigh_taylor"}) {
    const scenes::Scene scene = case_scene(validation_case(name), {});
    const std::string text = scenes::to_yaml(scenes::document_of(scene), "a test");
    EXPECT_EQ(text.find("noise"), std::string::npos) << text;
    const SimulationSetup changed = scenes::parse_scene(text, "case.yaml", {"solver.friction=9"}).simulation;
    EXPECT_FLOAT_EQ(changed.dpd.noise.value[0][0], std::sqrt(18.0f)) << "kT stays 1";
  }
  scenes::Scene own = case_scene(validation_case("dpd_viscosity"), {});
  own.simulation.dpd.noise.fill(2);
  EXPECT_NE(scenes::to_yaml(scenes::document_of(own), "a test").find("noise: 2\n"), std::string::npos);
}

TEST(CaseScenes, AreThoseOfEveryCaseThatSimulates) {
  EXPECT_EQ(validation_cases().size(), 41u) << "a new case belongs in the list above";
  EXPECT_THROW(case_scene(validation_case("rayleigh_taylor_theory"), {}), InputError);
}

TEST(CaseSettings, ThatAreSetTakeThePlaceOfTheCasesOwn) {
  const ValidationCase& which = validation_case("hydrostatic");
  const SimulationSetup own = case_scene(which, {}).simulation;
  std::vector<std::string> warnings;
  const SimulationSetup changed =
      with_overrides(which, own, {"particles.support_ratio=3", "solver.kernel=wendland_c2", "time.cfl=0.1"}, warnings);
  SimulationSetup expected = own;
  expected.support_ratio = 3;
  expected.wcsph.kernel = KernelKind::WendlandC2;
  expected.step.cfl = 0.1f;
  EXPECT_NE(own.wcsph.kernel, expected.wcsph.kernel);
  SimulationSetup read = changed;
  drop_third_components(expected);
  drop_third_components(read);
  read.pbf = expected.pbf, read.dfsph = expected.dfsph, read.dpd = expected.dpd;
  expect_same_setup(read, expected);
  EXPECT_TRUE(warnings.empty());

  CaseContext context;
  context.change = [&](const SimulationSetup& setup) { return with_overrides(which, setup, {"seed=7"}, warnings); };
  EXPECT_EQ(case_scene(which, context).simulation.seed, 7u) << "what is simulated, and what --scene writes";
}

TEST(CaseSettings, ThatCauseAWarningSayIt) {
  const ValidationCase& which = validation_case("hydrostatic");
  std::vector<std::string> warnings;
  with_overrides(which, case_scene(which, {}).simulation, {"solver.negative_pressure=true"}, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("solver.negative_pressure"), std::string::npos) << warnings[0];
}

TEST(CaseSettings, OfGeometryFluidsDurationAndSolverAreRefused) {
  const ValidationCase& which = validation_case("hydrostatic");
  const SimulationSetup own = case_scene(which, {}).simulation;
  std::vector<std::string> warnings;
  for (const char* assignment : {"particles.spacing=0.1", "bodies[0].fluid=water", "time.end=3", "solver.type=pbf",
                                 "solver=pbf", "gravity=[0, 0]", "fluids[0].viscosity=1"}) {
    const std::string key = std::string(assignment).substr(0, std::string(assignment).find('='));
    try {
      with_overrides(which, own, {assignment}, warnings);
      ADD_FAILURE() << assignment << " was taken";
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("--set " + key + ": ", 0), 0u) << error.what();
    }
  }
  EXPECT_THROW(with_overrides(which, own, {"solver.kernel=square"}, warnings), InputError);
  EXPECT_THROW(with_overrides(which, own, {"solver.kernle=cubic_spline"}, warnings), InputError);
}

}  // namespace
}  // namespace riffle::test
