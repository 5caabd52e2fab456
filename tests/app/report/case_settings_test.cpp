#include "app/report/case_settings.h"

#include <gtest/gtest.h>

namespace riffle::test {
namespace {

TEST(CaseSettings, SayWhatDiffersFromTheDefaults) {
  SimulationSetup setup;
  setup.fluids.emplace_back();
  EXPECT_EQ(settings_text(setup), "wcsph, `kernel` wendland_c2, `support_ratio` 3; otherwise the defaults");
  setup.wcsph.kernel = KernelKind::CubicSpline;
  setup.support_ratio = 2.5f;
  setup.step.cfl = 0.1f;
  EXPECT_EQ(settings_text(setup), "wcsph, `kernel` cubic_spline, `support_ratio` 2.5; not the defaults: `cfl` 0.1");
  setup.solver = SolverKind::Pbf;
  setup.pbf.kernel = KernelKind::CubicSpline;
  EXPECT_EQ(settings_text(setup), "pbf, `kernel` cubic_spline, `support_ratio` 2.5; not the defaults: `cfl` 0.1");
  setup = {};
  setup.fluids.emplace_back();
  setup.wcsph.density = DensityScheme::Summation;
  setup.solver = SolverKind::Wcsph;
  EXPECT_EQ(settings_text(setup),
            "wcsph, `kernel` wendland_c2, `support_ratio` 3; not the defaults: `density` summation");
  setup.solver = SolverKind::Pbf;
  EXPECT_EQ(settings_text(setup), "pbf, `kernel` wendland_c2, `support_ratio` 2; otherwise the defaults");
  SimulationSetup dpd;
  dpd.fluids.emplace_back();
  dpd.solver = SolverKind::Dpd;
  dpd.step.fixed = 0.04f;
  dpd.dpd.random = RandomKind::Karpinski;
  EXPECT_EQ(settings_text(dpd), "dpd; not the defaults: `random` karpinski, `step` 0.04");
  dpd.dpd.noise.fill(2);
  EXPECT_EQ(settings_text(dpd), "dpd; not the defaults: `noise` 2, `random` karpinski, `step` 0.04");
}

}  // namespace
}  // namespace riffle::test
