#include "validation/rayleigh_taylor_theory.h"

#include <cmath>
#include <complex>
#include <limits>
#include <random>

#include "core/error.h"
#include "support/expect_passes.h"

namespace riffle::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

StratifiedFluids fluids_of(double atwood, double nu, double tension = 0, double gravity = 1) {
  StratifiedFluids f;
  f.rho1 = 1;
  f.rho2 = (1 + atwood) / (1 - atwood);
  f.mu1 = nu * f.rho1;
  f.mu2 = nu * f.rho2;
  f.gravity = gravity;
  f.tension = tension;
  return f;
}

using Matrix = std::vector<std::vector<double>>;

/// Gauss elimination with full row exchange. Rows are scaled, so that the size of the determinant has a meaning.
double determinant(Matrix m) {
  double product = 1;
  for (auto& row : m) {
    double largest = 0;
    for (const double x : row) largest = std::max(largest, std::fabs(x));
    for (double& x : row) x /= largest;
  }
  for (std::size_t c = 0; c < m.size(); ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < m.size(); ++r)
      if (std::fabs(m[r][c]) > std::fabs(m[pivot][c])) pivot = r;
    if (pivot != c) std::swap(m[c], m[pivot]), product = -product;
    product *= m[c][c];
    for (std::size_t r = c + 1; r < m.size(); ++r)
      for (std::size_t k = m.size(); k-- > c;) m[r][k] -= m[r][c] / m[c][c] * m[c][k];
  }
  return product;
}

/// The boundary conditions written out directly, with w = sum of c exp(s z): s = k and q1 below, -k and -q2 above, and
/// all four signs in both fluids where there are walls.
double condition_determinant(const StratifiedFluids& f, double k, const WallDistances& walls, double n) {
  const double q1 = std::sqrt(k * k + n * f.rho1 / f.mu1), q2 = std::sqrt(k * k + n * f.rho2 / f.mu2);
  const bool bounded = !std::isinf(walls.below);
  const std::vector<double> below = bounded ? std::vector<double>{k, q1, -k, -q1} : std::vector<double>{k, q1};
  const std::vector<double> above = bounded ? std::vector<double>{-k, -q2, k, q2} : std::vector<double>{-k, -q2};
  const std::size_t nb = below.size(), all = nb + above.size();
  Matrix m(4, std::vector<double>(all));
  for (std::size_t c = 0; c < all; ++c) {
    const bool upper = c >= nb;
    const double s = upper ? above[c - nb] : below[c], side = upper ? 1 : -1;
    const double rho = upper ? f.rho2 : f.rho1, mu = upper ? f.mu2 : f.mu1;
    m[0][c] = side;
    m[1][c] = side * s;
    m[2][c] = side * mu * (s * s + k * k);
    // Pressure from the horizontal momentum: p k^2 = mu (D^2 - k^2) Dw - rho n Dw.
    const double pressure = (mu * (s * s - k * k) * s - rho * n * s) / (k * k);
    m[3][c] = side * (-pressure + 2 * mu * s);
    if (upper) m[3][c] += ((f.rho2 - f.rho1) * f.gravity - f.tension * k * k) / n;  // w is the same on both sides
  }
  if (bounded)
    for (const bool upper : {false, true})
      for (const bool curvature : {false, true}) {
        std::vector<double> row(all, 0.0);
        for (std::size_t c = 0; c < 4; ++c) {
          const double s = upper ? above[c] : below[c], z = upper ? walls.above : -walls.below;
          row[upper ? nb + c : c] = std::exp(s * z) * (curvature ? s * s : 1);
        }
        m.push_back(row);
      }
  return determinant(m);
}

TEST(RayleighTaylorTheory, EveryColumnOfTheTable) {
  expect_passes("rayleigh_taylor_theory", CaseSize::Reduced, Device{});
}

TEST(RayleighTaylorTheory, RatesAreRootsOfTheConditionsThemselves) {
  for (const double atwood : {0.1, 0.5, 0.9})
    for (const double nu : {1e-3, 1e-2, 0.3})
      for (const double ratio : {0.1, 1.0, 10.0})  // of the viscosities
        for (const WallDistances walls : {WallDistances{kInfinity, kInfinity}, {0.4, 0.4}, {0.2, 0.7}})
          for (const double tension : {0.0, 0.004}) {
            StratifiedFluids f = fluids_of(atwood, nu, tension);
            f.mu2 *= ratio;
            const double k = 3, n = exact_growth(f, k, walls);
            ASSERT_GT(n, 0);
            const double below = condition_determinant(f, k, walls, n * (1 - 1e-6)),
                         above = condition_determinant(f, k, walls, n * (1 + 1e-6));
            EXPECT_LT(below * above, 0) << "A = " << atwood << ", nu = " << nu << " x " << ratio << ", walls at "
                                        << walls.below << ", T = " << tension << ", n = " << n;
          }
}

TEST(RayleighTaylorTheory, WithoutViscosityAllRatesAreTheInviscidOne) {
  const double k = 2 * M_PI;
  for (const WallDistances walls : {WallDistances{kInfinity, kInfinity}, {0.1, 0.3}}) {
    const double inviscid = inviscid_growth(fluids_of(0.5, 0), k, walls);
    EXPECT_EQ(exact_growth(fluids_of(0.5, 0), k, walls), inviscid);
    const auto lag = [&](double nu) { return 1 - exact_growth(fluids_of(0.5, nu), k, walls) / inviscid; };
    EXPECT_GT(lag(1e-8), 0) << "viscosity slows";
    EXPECT_LT(lag(1e-8), 1e-3);
    EXPECT_NEAR(lag(1e-8) / lag(1e-6), 0.1, 0.001) << "boundary layers at the interface go as the square root of nu";
  }
  EXPECT_DOUBLE_EQ(approximate_growth(fluids_of(0.5, 0), k), inviscid_growth(fluids_of(0.5, 0), k));
}

TEST(RayleighTaylorTheory, VeryViscousFluidsCreep) {
  // Inertia is negligible then, and n = drive / (2 k (mu1 + mu2)).
  const StratifiedFluids f = fluids_of(0.5, 1e3);
  const double k = 2, creep = (f.rho2 - f.rho1) * f.gravity / (2 * k * (f.mu1 + f.mu2));
  EXPECT_NEAR(exact_growth(f, k) / creep, 1, 1e-5);
  EXPECT_NEAR(approximate_growth(f, k) / creep, 1, 1e-5);
}

TEST(RayleighTaylorTheory, TensionStopsShortWaves) {
  const StratifiedFluids f = fluids_of(0.5, 1e-3, 0.02);
  const double cut_off = std::sqrt((f.rho2 - f.rho1) * f.gravity / f.tension);
  for (const double k : {0.99 * cut_off, 1.01 * cut_off}) {
    const bool grows = k < cut_off;
    EXPECT_EQ(inviscid_growth(f, k) > 0, grows);
    EXPECT_EQ(approximate_growth(f, k) > 0, grows);
    EXPECT_EQ(exact_growth(f, k) > 0, grows);
    EXPECT_EQ(exact_growth(f, k, {0.1, 0.1}) > 0, grows);
  }
}

TEST(RayleighTaylorTheory, NothingGrowsWithTheLightFluidAbove) {
  StratifiedFluids reversed = fluids_of(0.5, 1e-3);
  reversed.gravity = -1;
  StratifiedFluids turned = fluids_of(0.5, 1e-3);
  std::swap(turned.rho1, turned.rho2);
  for (const StratifiedFluids& f : {reversed, turned})
    for (const double k : {0.1, 1.0, 100.0}) {
      EXPECT_EQ(inviscid_growth(f, k), 0);
      EXPECT_EQ(approximate_growth(f, k), 0);
      EXPECT_EQ(exact_growth(f, k), 0);
      EXPECT_EQ(exact_growth(f, k, {1, 1}), 0);
    }
}

TEST(RayleighTaylorTheory, WallsFarAwayAreNone) {
  const StratifiedFluids f = fluids_of(0.3, 1e-2);
  const double k = 5;
  double last = 0;
  for (const double H : {0.01, 0.1, 0.3, 1.0}) {
    const double n = exact_growth(f, k, {H, H});
    EXPECT_GT(n, last) << "walls slow";
    last = n;
  }
  // sinh(kH) would overflow at the last two.
  for (const double H : {10.0, 1000.0, 1e6})
    EXPECT_NEAR(exact_growth(f, k, {H, H}) / exact_growth(f, k), 1, 1e-13) << "H = " << H;
}

TEST(RayleighTaylorTheory, ArgumentsOutsideTheirRangeAreRefused) {
  EXPECT_THROW(exact_growth(fluids_of(0.5, 1e-3), 0), InputError);
  EXPECT_THROW(exact_growth(fluids_of(0.5, 1e-3), -1), InputError);
  EXPECT_THROW(exact_growth(fluids_of(0.5, 1e-3), 1, {0, 1}), InputError);
  EXPECT_THROW(exact_growth(fluids_of(1, 1e-3), 1), InputError) << "a fluid of infinite density";
  StratifiedFluids one = fluids_of(0.5, 1e-3);
  one.mu1 = 0;
  EXPECT_THROW(exact_growth(one, 1), InputError);
  EXPECT_NO_THROW(approximate_growth(one, 1));
}

TEST(CoshGrowth, IsFoundAgain) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 0.02);
  for (const double n : {0.02, 0.0528, 0.3, 2.0}) {
    std::vector<double> t, clean, noisy;
    for (int i = 0; i <= 60; ++i) {
      t.push_back(i * 2.5 / n / 60);
      clean.push_back(0.9 * std::cosh(n * t.back()));
      noisy.push_back(clean.back() + noise(random));
    }
    const CoshGrowth exact = fit_cosh_growth(t, clean, 100);
    EXPECT_NEAR(exact.n / n, 1, 1e-6);
    EXPECT_NEAR(exact.a0, 0.9, 1e-6);
    EXPECT_LT(exact.residual, 1e-6);
    EXPECT_EQ(exact.samples, 61);
    const CoshGrowth fit = fit_cosh_growth(t, noisy, 100);
    EXPECT_NEAR(fit.n / n, 1, 0.01);
    EXPECT_NEAR(fit.a0, 0.9, 0.02);
    EXPECT_NEAR(fit.residual, 0.02, 0.006);
  }
}

TEST(CoshGrowth, LooksAtNothingFromTheLimitOn) {
  std::vector<double> t, a;
  for (int i = 0; i <= 40; ++i) {
    t.push_back(i * 0.1);
    const double linear = std::cosh(t.back());
    a.push_back(linear < 5 ? linear : 5 + 0.1 * (t.back() - 2.3));  // saturates
  }
  EXPECT_NEAR(fit_cosh_growth(t, a, 5).n, 1, 1e-6);
  EXPECT_LT(fit_cosh_growth(t, a, 100).n, 0.9);
}

TEST(CoshGrowth, OfWhatOscillatesOrDecaysIsNone) {
  std::vector<double> t, falling;
  for (int i = 0; i <= 40; ++i) {
    t.push_back(i * 0.1);
    falling.push_back(std::exp(-t.back()));
  }
  EXPECT_EQ(fit_cosh_growth(t, falling, 10).n, 0);
  EXPECT_THROW(fit_cosh_growth(t, falling, 0.1), RuntimeFailure) << "no sample before the limit";
  EXPECT_THROW(fit_cosh_growth({0, 1, 1, 2}, {1, 2, 3, 4}, 10), RuntimeFailure);
  EXPECT_THROW(fit_cosh_growth({0, 1, 2}, {1, 2}, 10), RuntimeFailure);
}

}  // namespace
}  // namespace riffle::test
