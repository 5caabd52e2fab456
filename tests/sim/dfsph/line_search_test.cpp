// DFSPH: the search of a solve (sim/dfsph/line_search.cuh) on small systems, against conjugate gradients and against relaxation
// until nothing changes.

#include "sim/dfsph/line_search.cuh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace riffle::test {
namespace {

using namespace dfsph;

/// A chain of n masses between two walls, and a load that pushes most of them up and some down.
struct SpringChain {
  int n;
  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y(x.size());
    for (int i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      y[k] = 2 * x[k] - (i > 0 ? x[k - 1] : 0) - (i + 1 < n ? x[k + 1] : 0);
    }
    return y;
  }
  std::vector<double> load() const {
    std::vector<double> b(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) b[static_cast<std::size_t>(i)] = std::sin(0.9 * i * i) + (i % 12 < 4 ? -3 : 0.3);
    return b;
  }
};

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double energy_of(const SpringChain& chain, const std::vector<double>& x) {
  return 0.5 * product(x, chain.times(x)) - product(x, chain.load());
}

/// A solve as DfsphSolver::solve() makes it, with all of its kernels but those that sum over neighbours.
class ChainSolve {
 public:
  ChainSolve(const SpringChain& chain, bool clamped)
      : chain_(chain),
        clamped_(clamped),
        record_(static_cast<std::size_t>(chain.n)),
        residual_(record_.size()),
        inverse_(record_.size(), 0.5f),
        base_(record_.size()) {}

  void iterate() {
    std::vector<double> x(record_.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = record_[i].w;
    const std::vector<double> ax = chain_.times(x), b = chain_.load();
    for (std::size_t i = 0; i < x.size(); ++i) residual_[i] = static_cast<float>(b[i] - ax[i]);
    SearchSums sums;
    const AlongChange along{&state_, nullptr, record_.data(), residual_.data(), base_.data()};
    for (int i = 0; i < chain_.n; ++i) sums = AlongChange::combine(sums, along(i));
    ++state_.iterations;
    const Shares shares = shares_of(sums);
    state_.own = shares.own, state_.last = shares.last;
    const Advance advance{0.5f,           clamped_,    &state_, &fill_, nullptr, residual_.data(), inverse_.data(),
                          record_.data(), base_.data()};
    for (int i = 0; i < chain_.n; ++i) advance(i);
  }
  std::vector<double> base() const {
    std::vector<double> x;
    for (const Base& b : base_) x.push_back(b.impulse);
    return x;
  }

 private:
  SpringChain chain_;
  bool clamped_;
  SolveState state_;
  Fill fill_{{}, 0, 1, true};
  std::vector<Vec4> record_;
  std::vector<float> residual_, inverse_;
  std::vector<Base> base_;
};

TEST(DfsphSearch, WithoutClampingTheBasesAreThoseOfConjugateGradients) {
  const SpringChain chain{24};
  ChainSolve solve(chain, false);
  std::vector<double> x(24), r = chain.load(), p = r;
  solve.iterate();
  for (int k = 1; k <= 12; ++k) {
    solve.iterate();
    const std::vector<double> ap = chain.times(p);
    const double rr = product(r, r), alpha = rr / product(p, ap);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += alpha * p[i], r[i] -= alpha * ap[i];
    const double beta = product(r, r) / rr;
    for (std::size_t i = 0; i < x.size(); ++i) p[i] = r[i] + beta * p[i];
    // Shares are rounded to 1/1024.
    EXPECT_NEAR(energy_of(chain, solve.base()), energy_of(chain, x), 1e-3 * std::fabs(energy_of(chain, x))) << k;
  }
}

TEST(DfsphSearch, WithClampingItEndsWhereNothingPullsAndNothingIsNegative) {
  const SpringChain chain{24};
  const std::vector<double> b = chain.load();
  std::vector<double> exact(24);
  for (int sweep = 0; sweep < 20000; ++sweep)
    for (std::size_t i = 0; i < exact.size(); ++i)
      exact[i] = std::max(0.0, 0.5 * (b[i] + (i > 0 ? exact[i - 1] : 0) + (i + 1 < exact.size() ? exact[i + 1] : 0)));
  ASSERT_GT(std::count(exact.begin(), exact.end(), 0.0), 2);
  ChainSolve solve(chain, true);
  for (int k = 0; k < 60; ++k) solve.iterate();
  const std::vector<double> found = solve.base();
  const double largest = *std::max_element(exact.begin(), exact.end());
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(found[i], exact[i], 2e-3 * largest) << i;
}

TEST(DfsphSearch, GoesToTheTrialWhereSumsAreNotThoseOfAnEnergy) {
  const auto expect = [](const SearchSums& sums, float own, float last) {
    const Shares shares = shares_of(sums);
    EXPECT_FLOAT_EQ(shares.own, own);
    EXPECT_FLOAT_EQ(shares.last, last);
  };
  expect({4, 0, 0, 2, 0}, 0.5f, 0);     // no last change
  expect({4, 0, 2, 2, 1}, 0.5f, 0.5f);  // two directions that do not act on each other
  expect({4, 2, 1, 2, 1}, 0.5f, 0);     // both directions are the same
  expect({0, 0, 0, 0, 0}, 1, 0);        // nothing changed
  expect({-1, 0, 0, 1, 0}, 1, 0);
  expect({1, 0, 0, -1, 0}, 1, 0);
  expect({1e-30, 0, 0, 1, 0}, 1, 0);  // a step of 1e30
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect({nan, nan, nan, nan, nan}, 1, 0);
}

}  // namespace
}  // namespace riffle::test
