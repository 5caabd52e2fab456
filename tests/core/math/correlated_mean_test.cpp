#include "core/math/correlated_mean.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace riffle {

namespace {

/// x_k = phi x_(k-1) + noise, of variance 1: its autocorrelation is phi to the power of the lag.
struct Autoregression {
  double phi;
  std::size_t count;

  std::vector<double> samples(std::mt19937_64& bits) const {
    std::normal_distribution<double> normal;
    std::vector<double> x(count);
    x[0] = normal(bits);
    for (std::size_t k = 1; k < count; ++k) x[k] = phi * x[k - 1] + std::sqrt(1 - phi * phi) * normal(bits);
    return x;
  }

  double error_of_mean() const {
    double sum = 1;
    for (std::size_t k = 1; k < count; ++k) sum += 2 * (1 - double(k) / double(count)) * std::pow(phi, double(k));
    return std::sqrt(sum / double(count));
  }
};

struct Found {
  double converged = 0, drifts = 0;  ///< shares of the series
  double ratio = 0;                  ///< mean of the error over the true one, without drifts
  double within = 0;                 ///< share of the errors within twice their uncertainty
};

Found errors_of(const Autoregression& series, int times) {
  std::mt19937_64 bits(7);
  const double expected = series.error_of_mean();
  Found found;
  for (int k = 0; k < times; ++k) {
    const CorrelatedMean mean = correlated_mean(series.samples(bits));
    if (mean.drift) {
      found.drifts += 1.0 / times;
      continue;
    }
    const double ratio = mean.error / expected;
    found.ratio += ratio / times;
    found.converged += mean.converged ? 1.0 / times : 0;
    found.within += std::fabs(ratio - 1) < 2 * mean.error_uncertainty ? 1.0 / times : 0;
  }
  found.ratio /= 1 - found.drifts;
  found.within /= 1 - found.drifts;
  return found;
}

}  // namespace

TEST(CorrelatedMean, ErrorsOfLongSeriesAreTrueWithinTheirUncertainty) {
  for (const Autoregression series : {Autoregression{0, 200}, {0.5, 500}, {0.8, 1500}, {0.9, 3000}}) {
    const Found found = errors_of(series, 400);
    EXPECT_NEAR(found.ratio, 1, 0.08) << series.phi;
    EXPECT_GT(found.within, 0.93) << series.phi;
    EXPECT_GT(found.converged, 0.97) << series.phi;
    EXPECT_EQ(found.drifts, 0) << series.phi;
  }
  EXPECT_NEAR(errors_of({0.5, 100}, 400).ratio, 1, 0.04) << "the mean of few samples follows them";
}

TEST(CorrelatedMean, ErrorsOfShortSeriesAreMarked) {
  for (const Autoregression series : {Autoregression{0.5, 26}, {0.85, 26}, {0.95, 100}, {0.99, 1000}, {0.95, 1000}}) {
    const Found found = errors_of(series, 300);
    EXPECT_LT(found.converged, 0.005) << series.phi << ", " << series.count;
    EXPECT_LT(found.drifts, 0.1) << series.phi << ", " << series.count;
  }
  std::mt19937_64 bits(1);
  const CorrelatedMean mean = correlated_mean(Autoregression{0.85, 26}.samples(bits));
  EXPECT_GT(mean.error, 0) << "the estimate stays";
  EXPECT_LT(mean.independent, 15);
}

// x_k = e_k - b e_(k-1): the correlation of neighbours is -b / (1 + b^2), and the mean has the error (1 - b) / sqrt(N).
TEST(CorrelatedMean, SamplesThatGoToTheOtherSideHaveASmallerErrorWhereThatIsSure) {
  std::mt19937_64 bits(13);
  std::normal_distribution<double> normal;
  constexpr double b = 0.7;
  for (const std::size_t count : {100, 4000}) {
    double ratio = 0, least = 10;
    constexpr int kTimes = 100;
    for (int k = 0; k < kTimes; ++k) {
      double before = normal(bits);
      std::vector<double> x(count);
      for (double& value : x) {
        const double now = normal(bits);
        value = now - b * before, before = now;
      }
      const double found = correlated_mean(x).error / ((1 - b) / std::sqrt(double(count)));
      ratio += found / kTimes, least = std::min(least, found);
    }
    EXPECT_GT(least, count == 100 ? 0.8 : 1) << count << ": it is an upper bound";
    EXPECT_LT(ratio, count == 100 ? 4 : 2) << count << ": independent ones would have 4.07";
  }
}

TEST(CorrelatedMean, SamplesThatAreAlikeCountOnce) {
  std::mt19937_64 bits(3);
  const std::vector<double> independent = Autoregression{0, 400}.samples(bits);
  std::vector<double> repeated;
  for (const double value : independent) repeated.insert(repeated.end(), 8, value);
  const CorrelatedMean once = correlated_mean(independent), eight_times = correlated_mean(repeated);
  EXPECT_NEAR(eight_times.value, once.value, 1e-12);
  EXPECT_NEAR(eight_times.error, once.error, 0.1 * once.error) << "not smaller by the square root of eight";
  EXPECT_NEAR(eight_times.independent, 400, 80);
}

TEST(CorrelatedMean, LongSeriesAreAveragedInPairs) {
  std::mt19937_64 bits(5);
  const Autoregression series{0.9, 40001};
  const std::vector<double> samples = series.samples(bits);
  const CorrelatedMean mean = correlated_mean(samples);
  double sum = 0;
  for (const double sample : samples) sum += sample;
  EXPECT_NEAR(mean.value, sum / 40001, 1e-12) << "of all samples, of the last too";
  EXPECT_NEAR(mean.error / series.error_of_mean(), 1, 0.12);
  EXPECT_NEAR(mean.independent, 40001 / 19.0, 500);
}

TEST(CorrelatedMean, DriftsHaveNoError) {
  std::mt19937_64 bits(9);
  for (const std::size_t count : {26, 1000}) {
    std::vector<double> samples = Autoregression{0.3, count}.samples(bits);
    for (std::size_t k = 0; k < count; ++k) samples[k] = 0.092 - 0.045 * double(k) / double(count) + 0.002 * samples[k];
    const CorrelatedMean mean = correlated_mean(samples);
    ASSERT_TRUE(mean.drift) << count;
    EXPECT_NEAR(mean.drift->from, 0.092, 0.002);
    EXPECT_NEAR(mean.drift->to, 0.047, 0.002);
    EXPECT_TRUE(std::isnan(mean.error));
    EXPECT_FALSE(mean.converged);
  }
  std::vector<double> decay;  // bent, so that samples about the line are alike
  for (int k = 0; k < 26; ++k) decay.push_back(std::exp(-0.15 * k));
  EXPECT_TRUE(correlated_mean(decay).drift);
  std::vector<double> slow = Autoregression{0.3, 4000}.samples(bits);
  EXPECT_FALSE(correlated_mean(slow).drift);
  for (std::size_t k = 0; k < slow.size(); ++k) slow[k] += 0.5 * double(k) / 4000;  // less than a sample scatters
  EXPECT_TRUE(correlated_mean(slow).drift);
}

TEST(CorrelatedMean, ConstantsAndTooFewSamples) {
  const CorrelatedMean constant = correlated_mean(std::vector<double>(100, 0.1));
  EXPECT_EQ(constant.error, 0);
  EXPECT_TRUE(constant.converged);
  EXPECT_FALSE(constant.drift);
  EXPECT_EQ(correlated_mean(std::vector<double>(100, 0.0)).error, 0);
  const CorrelatedMean few = correlated_mean({1, 2, 3});
  EXPECT_EQ(few.value, 2);
  EXPECT_TRUE(std::isnan(few.error));
  EXPECT_FALSE(few.converged);
  EXPECT_TRUE(std::isnan(correlated_mean({}).value));
  std::vector<double> infinite(100, 1.0);
  infinite[5] = INFINITY;
  EXPECT_FALSE(correlated_mean(infinite).converged);
}

}  // namespace riffle
