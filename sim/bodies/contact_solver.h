#pragma once
/// The impulses that keep bodies apart, by projected Gauss-Seidel iterations.

#include <vector>

#include "sim/bodies/vector3.h"

namespace riffle::bodies {

/// A body as the solver has it. Lengths in metres.
struct SolverBody {
  double inverse_mass = 0;
  double inverse_inertia[9] = {};  ///< along the scene's axes; in 2-D only zz
  D3 velocity, spin;               ///< before the interval
  D3 gain, spin_gain;              ///< what the pushes add to them in the interval
};

/// A place where the body `a` touches the body `b`, or something that does not feel it.
struct SolverContact {
  int a = 0, b = -1;  ///< -1: it has the velocity `surface`
  D3 arm_a, arm_b;    ///< [m] from the centres
  D3 normal;          ///< of length 1, from b to a
  double gap = 0;     ///< [m]
  D3 surface;         ///< [m/s]
  double friction = 0, restitution = 0;
  double impulse = 0;  ///< out: along the normal
};

struct SolverKick {
  D3 velocity, spin;  ///< [m/s, rad/s]
  D3 way, turn;       ///< [m, rad]
};

/// @param spacing [m] of the particles, by which penetrations are measured
/// @param kicks  out, (bodies)
void solve_contacts(const std::vector<SolverBody>& bodies, std::vector<SolverContact>& contacts, int dimension,
                    double dt, double spacing, std::vector<SolverKick>& kicks);

}  // namespace riffle::bodies
