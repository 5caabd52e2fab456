#include "sim/random/random_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace riffle {

namespace {

constexpr int kBins = 256;
constexpr std::size_t kFewest = 10000;

/// Rounding may put a number just outside the range.
int bin_of(float theta, ThetaRange range) {
  const double unit = (double{theta} - range.low) / (range.high - range.low);
  return std::clamp(static_cast<int>(std::floor(unit * kBins)), 0, kBins - 1);
}

double chi_square_z(const std::vector<std::int64_t>& counts, double total) {
  const double expected = total / static_cast<double>(counts.size());
  double chi2 = 0;
  for (const std::int64_t n : counts) chi2 += (double(n) - expected) * (double(n) - expected) / expected;
  const double freedom = static_cast<double>(counts.size()) - 1;
  return (chi2 - freedom) / std::sqrt(2 * freedom);
}

/// The smallest shift that maps the end of the sequence onto itself. 64 numbers of a 20-bit generator never agree by
/// chance.
void find_cycle(const std::vector<float>& t, RandomStatistics& s) {
  constexpr std::size_t kEnd = 64;
  const std::size_t n = t.size();
  for (std::size_t p = 1; 2 * p <= n - kEnd; ++p) {
    if (!std::equal(t.end() - kEnd, t.end(), t.end() - kEnd - static_cast<std::ptrdiff_t>(p))) continue;
    std::size_t first = n - p;  // the first number that is the same p places on
    while (first > 0 && t[first - 1] == t[first - 1 + p]) --first;
    if (n - first < 2 * p) continue;
    s.cycle = static_cast<std::int64_t>(p);
    s.before = static_cast<std::int64_t>(first);
    return;
  }
}

}  // namespace

RandomStatistics random_statistics(const std::vector<float>& thetas, ThetaRange range) {
  const std::size_t n = thetas.size();
  if (n < kFewest)
    throw RuntimeFailure(fmt::format("statistics of {} random numbers say nothing: {} are needed", n, kFewest));
  RandomStatistics s;
  s.count = static_cast<std::int64_t>(n);
  const double count = double(n);
  double sum = 0;
  for (const float t : thetas) sum += double{t};
  s.mean = sum / count;
  s.mean_z = s.mean * std::sqrt(count);
  double squares = 0;
  for (const float t : thetas) squares += (t - s.mean) * (t - s.mean);
  s.variance = squares / (count - 1);
  // The fourth central moment of a uniform distribution is 9/5 of the variance squared.
  s.variance_z = (s.variance - 1) / std::sqrt(0.8 / count);
  for (std::size_t l = 1; l <= kLags; ++l) {
    double products = 0;
    for (std::size_t k = 0; k + l < n; ++k) products += (thetas[k] - s.mean) * (thetas[k + l] - s.mean);
    s.lag[l - 1] = squares > 0 ? products / squares : 1;  // of a constant
    s.lag_z[l - 1] = s.lag[l - 1] * std::sqrt(count);
  }
  std::vector<std::int64_t> bins(kBins), pairs(kBins * kBins);
  for (const float t : thetas) ++bins[static_cast<std::size_t>(bin_of(t, range))];
  for (std::size_t k = 0; k + 1 < n; k += 2)
    ++pairs[static_cast<std::size_t>(bin_of(thetas[k], range) * kBins + bin_of(thetas[k + 1], range))];
  s.bins_z = chi_square_z(bins, count);
  s.pairs_z = chi_square_z(pairs, double(n / 2));
  find_cycle(thetas, s);
  return s;
}

double RandomStatistics::largest_lag_z() const {
  return *std::max_element(lag_z.begin(), lag_z.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
}

std::string RandomStatistics::fault() const {
  std::string text;
  const auto hold = [&](const std::string& what, double z, double most) {
    if (std::abs(z) < most) return;  // not the other way round: a NaN is a fault
    text += fmt::format("{}{} is {:.1f} standard errors off, allowed {}", text.empty() ? "" : "; ", what, z, most);
  };
  hold("mean", mean_z, 4);
  hold("variance", variance_z, 4);
  for (std::size_t l = 0; l < kLags; ++l) hold(fmt::format("lag {}", l + 1), lag_z[l], 4);
  hold("chi-square of 256 bins", bins_z, 5);
  hold("chi-square of 256 x 256 pairs", pairs_z, 5);
  if (cycle > 0) text += fmt::format("{}cycle of {}", text.empty() ? "" : "; ", cycle);
  return text;
}

}  // namespace riffle
