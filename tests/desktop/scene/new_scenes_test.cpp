#include "app/desktop/scene/new_scenes.h"

#include <gtest/gtest.h>

#include <regex>

#include "app/run/stability.h"
#include "core/text/number_text.h"
#include "scenes/load.h"
#include "sim/simulation.h"

namespace riffle {
namespace {

TEST(NewScenes, AreValidAndRunCalmly) {
  for (const desktop::NewScene& fresh : desktop::new_scenes()) {
    SCOPED_TRACE(fresh.name);
    const scenes::Scene scene = scenes::parse_scene(fresh.yaml, std::string(fresh.name) + ".yaml");
    EXPECT_EQ(scene.name, fresh.name);
    for (const auto& warning : scene.warnings) ADD_FAILURE() << warning.message();
    Simulation simulation(scene.simulation, Device{});
    const std::string said = grouped(simulation.particle_count());
    EXPECT_NE(std::string(fresh.description).find("; " + said + " particles"), std::string::npos) << said;
    for (int k = 0; k < 20; ++k) simulation.step();
    const StepReport clock = simulation.finish();
    EXPECT_FALSE(find_blow_up(simulation.diagnostics(), clock, simulation).has_value());
    EXPECT_LT(simulation.diagnostics().density_error_mean, 0.01);
  }
}

}  // namespace
}  // namespace riffle
