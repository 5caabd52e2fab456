#include "validation/oscillation_fit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace riffle::test {
namespace {

struct Samples {
  std::vector<double> t, y;

  template <class Function>
  explicit Samples(const Function& f) {
    for (int k = 0; k <= 80; ++k) t.push_back(0.1 * k), y.push_back(f(0.1 * k));
  }
};

TEST(OscillationFit, FindsFrequencyAndDecayOfEitherSign) {
  for (const double frequency : {1.6, 2.0, 2.9})
    for (const double decay : {-0.05, 0.0, 0.3}) {
      const Samples s([&](double t) { return 3 + std::exp(-decay * t) * std::sin(frequency * t + 0.4); });
      const OscillationFit fit = fit_decaying_oscillation(s.t, s.y, 2);
      EXPECT_NEAR(fit.frequency, frequency, 1e-3);
      EXPECT_NEAR(fit.decay, decay, 1e-3);
      EXPECT_LT(fit.residual, 1e-2);
      EXPECT_TRUE(fit.found());
    }
}

TEST(OscillationFit, SaysWhenTheFrequencyLiesOutsideOfItsRange) {
  for (const double frequency : {0.5, 0.98, 3.03, 4.0}) {
    const Samples s([&](double t) { return std::sin(frequency * t); });
    EXPECT_FALSE(fit_decaying_oscillation(s.t, s.y, 2).found()) << frequency;
  }
}

TEST(OscillationFit, SaysWhenTheSamplesAreNoOscillation) {
  const Samples line([](double t) { return t * t * t; });
  EXPECT_FALSE(fit_decaying_oscillation(line.t, line.y, 2).found());
  const Samples noise([](double t) { return std::fmod(61.8034 * t * t, 1.0); });
  EXPECT_FALSE(fit_decaying_oscillation(noise.t, noise.y, 2).found());
  const Samples nothing([](double) { return std::nan(""); });
  EXPECT_FALSE(fit_decaying_oscillation(nothing.t, nothing.y, 2).found());
}

}  // namespace
}  // namespace riffle::test
