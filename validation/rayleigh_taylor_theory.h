#pragma once
/// Linear growth of the Rayleigh-Taylor instability at a sharp interface between two viscous, incompressible fluids,
/// after Chandrasekhar, Hydrodynamic and Hydromagnetic Stability (1961), chapter X. A disturbance
/// w ~ exp(n t + i k x) of the interface grows at the rate n.

#include <vector>

namespace riffle {

/// SI units, or any consistent units. Fluid 1 is below, fluid 2 above; a heavy fluid above a light one grows.
struct StratifiedFluids {
  double rho1 = 1, rho2 = 3;  ///< densities, above 0
  double mu1 = 0, mu2 = 0;    ///< dynamic viscosities; for the exact rates both above 0 or both 0
  double gravity = 9.81;      ///< downwards; negative: upwards
  double tension = 0;         ///< of the interface [force per length]

  double atwood() const { return (rho2 - rho1) / (rho1 + rho2); }
  double viscosity() const { return (mu1 + mu2) / (rho1 + rho2); }  ///< kinematic, of the mixture
};

/// Distances of free-slip walls below and above the interface; above 0, infinity for none.
struct WallDistances {
  double below, above;
};

/// All the functions below: @param k wave number, above 0 @return n, or 0 where no disturbance of this wave number
/// grows
/// @throws InputError for an argument outside its range

/// n^2 = A g k - T k^3 / (rho1 + rho2).
double inviscid_growth(const StratifiedFluids& fluids, double k);

/// n^2 (rho1 coth k H1 + rho2 coth k H2) = (rho2 - rho1) g k - T k^3.
double inviscid_growth(const StratifiedFluids& fluids, double k, const WallDistances& walls);

/// The textbooks' approximation n = sqrt(A g k - T k^3 / (rho1 + rho2) + nu^2 k^4) - nu k^2: up to 12 % too fast.
double approximate_growth(const StratifiedFluids& fluids, double k);

/// The exact rate: w, Dw, tangential and normal stress are continuous at the interface.
double exact_growth(const StratifiedFluids& fluids, double k);

/// The same between free-slip walls: w = D^2 w = 0 there.
double exact_growth(const StratifiedFluids& fluids, double k, const WallDistances& walls);

/// a(t) = a0 cosh(n t): growth of an interface that starts from rest.
struct CoshGrowth {
  double a0 = 0;
  double n = 0;         ///< 0: it does not grow
  double residual = 0;  ///< rms deviation of the amplitudes from the fit
  int samples = 0;      ///< number of samples used
};

/// Least squares from t = 0 on until the amplitude first reaches the limit.
/// @param times ascending from 0 or later, as many as amplitudes
/// @throws RuntimeFailure with fewer than 3 samples before the limit, or times that do not ascend
CoshGrowth fit_cosh_growth(const std::vector<double>& times, const std::vector<double>& amplitudes, double limit);

}  // namespace riffle
