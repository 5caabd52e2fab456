#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "dpd_setups.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

struct BiasRow {
  double temperature, error, half_step_temperature, pair_energy, pressure;
};

/// The table's rows of one step length, by scheme.
std::map<std::string, BiasRow> bias_rows(double dt) {
  std::ifstream file(RIFFLE_SOURCE_DIR "/tests/reference/dpd_integrator_bias.csv");
  std::map<std::string, BiasRow> rows;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#' || line.rfind("scheme", 0) == 0) continue;
    std::istringstream fields(line);
    std::string scheme, number;
    std::getline(fields, scheme, ',');
    std::vector<double> values;
    while (std::getline(fields, number, ',')) values.push_back(std::stod(number));
    EXPECT_EQ(values.size(), 8u) << line;
    if (values.size() == 8 && values[0] == dt) rows[scheme] = {values[3], values[4], values[5], values[6], values[7]};
  }
  return rows;
}

class LongDpdIntegrator : public OnEachDevice {};

// At this step each scheme has a different error, so drag from wrong velocities would show as another scheme's error.
TEST_P(LongDpdIntegrator, HasTheTemperatureErrorOfItsScheme) {
  const std::map<std::string, BiasRow> rows = bias_rows(0.04);
  const std::map<std::string, std::string> scheme_of = {{"velocity-Verlet, lambda 0.5", "velocity_verlet_0.5"},
                                                        {"velocity-Verlet, lambda 0.65", "velocity_verlet_0.65"},
                                                        {"leap-frog", "leap_frog_extrapolated"}};
  for (const IntegratorCase& integrator : integrator_cases()) {
    const std::string& scheme = scheme_of.at(integrator.name);
    ASSERT_EQ(rows.count(scheme), 1u) << scheme;
    const BiasRow& expected = rows.at(scheme);
    SimulationSetup setup = dpd_box(3, 8);
    use(setup.dpd, integrator);
    setup.step.fixed = 0.04f;
    Simulation simulation(setup, device());
    const ThermalMeans found = thermal_means(simulation, 250, 800, 5);
    RecordProperty(scheme, std::to_string(found.temperature) + " " + std::to_string(found.half_step_temperature) + " " +
                               std::to_string(found.pair_energy) + " " + std::to_string(found.pressure));
    const double within = 4 * std::sqrt(2.0) * expected.error;  // the run here is about as long
    EXPECT_NEAR(found.temperature, expected.temperature, within) << scheme;
    EXPECT_NEAR(found.half_step_temperature, expected.half_step_temperature, within) << scheme;
    EXPECT_NEAR(found.pair_energy, expected.pair_energy, 0.012) << scheme;
    EXPECT_NEAR(found.pressure, expected.pressure, 0.06) << scheme;
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongDpdIntegrator);

}  // namespace
}  // namespace riffle::test
