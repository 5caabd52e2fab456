#include "validation/rayleigh_taylor_theory.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.h"

namespace riffle {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void require_growth(bool holds, const char* what) {
  if (!holds) throw InputError(std::string("linear growth: ") + what);
}

void require_sound(const StratifiedFluids& f, double k, const WallDistances& walls) {
  require_growth(f.rho1 > 0 && f.rho2 > 0 && std::isfinite(f.rho1 + f.rho2), "densities must be above 0");
  require_growth(f.mu1 >= 0 && f.mu2 >= 0 && std::isfinite(f.mu1 + f.mu2), "viscosities must not be below 0");
  require_growth(f.tension >= 0 && std::isfinite(f.tension), "the surface tension must not be below 0");
  require_growth(std::isfinite(f.gravity), "gravity must be a number");
  require_growth(k > 0 && std::isfinite(k), "the wave number must be above 0");
  require_growth(walls.below > 0 && walls.above > 0, "walls must lie at a distance above 0");
}

/// The force that drives the interface: (rho2 - rho1) g - T k^2.
double drive(const StratifiedFluids& f, double k) { return (f.rho2 - f.rho1) * f.gravity - f.tension * k * k; }

/// One fluid from the interface (s = 0) to its wall (s = H). With a(s) = sinh k(H-s) / sinh kH and b(s) the same with
/// q = sqrt(k^2 + n/nu), w is (1-B) a + B b and satisfies w(0) = 1 and w = w'' = 0 at the wall. a'(0) = -K, b'(0) = -Q.
struct EigenLayer {
  double K = 0;  ///< k coth kH
  double g = 0;  ///< (q^2 - k^2) / (Q - K)
};

EigenLayer layer_of(double k, double nu, double n, double H) {
  const double q = std::sqrt(k * k + n / nu);
  const double apart = n / nu / (q + k);  // q - k without cancellation at small n
  // coth and differences of coth, from exponentials that only decay: sinh overflows from kH = 710 on.
  const double ek = std::exp(-2 * k * H), eq = std::exp(-2 * q * H);
  const double coth_q = (1 + eq) / (1 - eq);
  const double slack = std::isinf(H) ? 0 : -2 * ek * std::expm1(-2 * apart * H) / ((1 - ek) * (1 - eq));
  EigenLayer layer;
  layer.K = k * (1 + ek) / (1 - ek);
  layer.g = n / nu / (apart * coth_q - k * slack);
  return layer;
}

/// The normal stress missing at the interface, times n. It is below 0 where the disturbance grows faster than n.
double normal_stress(const StratifiedFluids& f, double k, const WallDistances& walls, double n) {
  const double nu1 = f.mu1 / f.rho1, nu2 = f.mu2 / f.rho2;
  const EigenLayer l1 = layer_of(k, nu1, n, walls.below), l2 = layer_of(k, nu2, n, walls.above);
  // Dw at the interface; it follows from the continuity of mu (D^2 + k^2) w.
  const double slope =
      (f.mu1 * l1.K * l1.g - f.mu2 * l2.K * l2.g + 2 * k * k * (f.mu2 - f.mu1)) / (f.mu1 * l1.g + f.mu2 * l2.g);
  const double pressure =
      (f.rho1 * l1.K * (n + nu1 * l1.g * (l1.K - slope)) + f.rho2 * l2.K * (n + nu2 * l2.g * (l2.K + slope))) / (k * k);
  return n * (pressure - 2 * (f.mu2 - f.mu1) * slope) - drive(f, k);
}

}  // namespace

double inviscid_growth(const StratifiedFluids& fluids, double k) {
  return inviscid_growth(fluids, k, {kInfinity, kInfinity});
}

double inviscid_growth(const StratifiedFluids& fluids, double k, const WallDistances& walls) {
  require_sound(fluids, k, walls);
  const double inertia = fluids.rho1 / std::tanh(k * walls.below) + fluids.rho2 / std::tanh(k * walls.above);
  return std::sqrt(std::max(0.0, drive(fluids, k) * k / inertia));
}

double approximate_growth(const StratifiedFluids& fluids, double k) {
  require_sound(fluids, k, {kInfinity, kInfinity});
  const double square = drive(fluids, k) * k / (fluids.rho1 + fluids.rho2), damping = fluids.viscosity() * k * k;
  if (square <= 0) return 0;
  return square / (std::sqrt(square + damping * damping) + damping);
}

double exact_growth(const StratifiedFluids& fluids, double k) {
  return exact_growth(fluids, k, {kInfinity, kInfinity});
}

double exact_growth(const StratifiedFluids& fluids, double k, const WallDistances& walls) {
  require_sound(fluids, k, walls);
  require_growth((fluids.mu1 > 0) == (fluids.mu2 > 0), "the exact rate needs both fluids viscous, or neither");
  const double inviscid = inviscid_growth(fluids, k, walls);
  if (inviscid <= 0 || fluids.mu1 <= 0) return inviscid;
  // Potential flow has the least kinetic energy and no dissipation, so viscosity only slows the growth. The stress
  // rises with n.
  double least = 0, most = inviscid;
  while (true) {
    const double middle = least + (most - least) / 2;
    if (middle <= least || middle >= most) return middle;
    (normal_stress(fluids, k, walls, middle) < 0 ? least : most) = middle;
  }
}

namespace {

/// The samples are measured, so a fit that is impossible is not the caller's mistake: RuntimeFailure, not InputError.
void require_samples(bool holds, const char* what) {
  if (!holds) throw RuntimeFailure(std::string("fit of a growing mode: ") + what);
}

struct Samples {
  const std::vector<double>& t;
  const std::vector<double>& a;
  std::size_t count;
};

CoshGrowth fit_with(const Samples& s, double n) {
  double ac = 0, cc = 0;
  for (std::size_t i = 0; i < s.count; ++i) {
    const double c = std::cosh(n * s.t[i]);
    ac += s.a[i] * c;
    cc += c * c;
  }
  CoshGrowth fit{ac / cc, n, 0, static_cast<int>(s.count)};
  for (std::size_t i = 0; i < s.count; ++i) {
    const double d = s.a[i] - fit.a0 * std::cosh(n * s.t[i]);
    fit.residual += d * d;
  }
  fit.residual = std::sqrt(fit.residual / double(s.count));
  return fit;
}

}  // namespace

CoshGrowth fit_cosh_growth(const std::vector<double>& times, const std::vector<double>& amplitudes, double limit) {
  require_samples(times.size() == amplitudes.size(), "times and amplitudes must be equally many");
  Samples samples{times, amplitudes, 0};
  while (samples.count < times.size() && amplitudes[samples.count] < limit) ++samples.count;
  require_samples(samples.count >= 3, "a fit needs three amplitudes below the limit");
  require_samples(times[0] >= 0, "times must not be below 0");
  for (std::size_t i = 1; i < samples.count; ++i) require_samples(times[i] > times[i - 1], "times must ascend");

  // With n t = 20 at the end the curve has grown by a factor of 2e8, more than any measured one.
  const double end = times[samples.count - 1], step = 0.05 / end;
  int best = 0;
  for (int i = 1; i <= 400; ++i)
    if (fit_with(samples, i * step).residual < fit_with(samples, best * step).residual) best = i;
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double a = std::max(0, best - 1) * step, b = (best + 1) * step;
  while (b - a > 1e-10 * step) {
    const double left = b - golden * (b - a), right = a + golden * (b - a);
    if (fit_with(samples, left).residual < fit_with(samples, right).residual)
      b = right;
    else
      a = left;
  }
  // Where nothing grows, n = 0 is the best fit.
  const CoshGrowth fit = fit_with(samples, (a + b) / 2), flat = fit_with(samples, 0);
  return flat.residual <= fit.residual ? flat : fit;
}

}  // namespace riffle
