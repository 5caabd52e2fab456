#pragma once
/// A disc of inviscid fluid in empty space (2-D, radius 1, density 1000) that starts with a strain: u = A x, v = -A y. It
/// remains an ellipse (Monaghan 1994), whose semi-axes an ordinary differential equation gives.

#include <string>
#include <vector>

#include "sim/simulation.h"

namespace riffle {

/// Settings that a drop runs with: the defaults unless said otherwise.
struct DropSettings {
  int per_radius = 50;  ///< particles
  DensityScheme density = WcsphSetup{}.density;
  float support_ratio = SimulationSetup{}.chosen_support_ratio();
  float artificial_viscosity = WcsphSetup{}.artificial_viscosity;
  SolverKind solver = SolverKind::Wcsph;

  /// "50 per radius, continuity, support_ratio 2, artificial_viscosity 0.05"; the density scheme is of WCSPH only.
  std::string text() const;
};

/// Papers on delta-SPH (Antuono et al. 2010 and later) have Wendland C2 with a support of 4 spacings, and an artificial
/// viscosity of 0.02.
DropSettings published_drop(int per_radius, DensityScheme density);

/// DFSPH with its defaults.
DropSettings incompressible_drop(int per_radius);

SimulationSetup stretched_drop(const DropSettings& settings, float strain_rate);

/// What one looks at of a drop, in radii at the start.
struct DropShape {
  double x = 1, y = 1;  ///< semi-axes of the ellipse with the same second moments
  double reach_y = 1;   ///< of the farthest particle's rim along y, from the centre of mass
};

/// Follows the shape of one drop. The lattice's disc at the start counts as round.
class DropShapes {
 public:
  explicit DropShapes(const Simulation& at_start);

  DropShape now(const Simulation& simulation) const;

 private:
  double start_x_, start_y_;  ///< rms distances from the centre [m]
};

}  // namespace riffle
