#pragma once
/// The DPD fluids of the reference runs: rho = 3, a = 25, gamma = 4.5, kT = 1.

#include <span>
#include <string>

#include "sim/setup.h"

namespace riffle {

/// How a DPD fluid is integrated, and the random numbers that it draws.
struct DpdVariant {
  RandomKind random;
  DpdIntegrator integrator;
  float lambda;  ///< of VelocityVerlet

  std::string name() const;  ///< "karpinski, lambda 0.65", "philox, leap-frog"
  void apply(SimulationSetup& setup) const;
};

/// Both generators with velocity-Verlet at lambda 0.5 and 0.65 and with leap-frog. The first is that of the reference
/// runs.
std::span<const DpdVariant> dpd_variants();

/// A box with a corner at the origin, full of random particles; periodic, without gravity.
SimulationSetup dpd_box(Vec3 extent, double dt, std::uint64_t seed);

/// Two fluids, light and heavy: a = 40 between them, masses 1 and 3, in a box of 32 x 21.333 x depth that is periodic
/// except for its floor and ceiling. The heavy fluid is above an interface of amplitude 1.
SimulationSetup dpd_rayleigh_taylor(double depth, double gravity, double equilibration, std::uint64_t seed);

/// The combination of the bucket-sort paper (Rozen, Boryczko and Alda 2008): leap-frog with extrapolated drag, its
/// formula of random numbers, normalised weights, and its search with its own insertion. The step is 0.01. The paper does
/// not state its coefficients: these are such that the forces are those that the setup had.
void as_in_bucket_paper(SimulationSetup& setup);

}  // namespace riffle
