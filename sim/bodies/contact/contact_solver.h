#pragma once
/// The impulses that keep bodies apart and joints together, by projected Gauss-Seidel iterations.

#include <vector>

#include "sim/bodies/geometry/vector3.h"

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
  double impulse = 0;  ///< [N s] along the normal; in: where the iterations begin
  D3 side;             ///< [N s] at right angles to it, by friction; likewise
};

/// A line along which a joint acts on the body `a`, and against it on `b`, or on something that does not feel it.
struct SolverLine {
  int a = 0, b = -1;
  D3 along;                    ///< of length 1, or 0 for what only turns
  D3 lever_a, lever_b;         ///< arm x along, or the axis
  double surface = 0;          ///< [m/s or rad/s] along the line, of what does not feel it
  double target = 0;           ///< speed of a against b along the line
  double softness = 0;         ///< [speed per impulse] by which the speed stays behind the target
  double least = 0, most = 0;  ///< impulse
  bool holds = false;          ///< where it is matters, not only how fast
  double error = 0;           ///< [m or rad] how far a is away from where it should be; from a limit, on the right side
  int joint = 0, number = 0;  ///< the joint's, and of the line in it
  double impulse = 0;         ///< in: where the iterations begin; out

  bool one_sided() const { return least == 0; }
};

struct SolverKick {
  D3 velocity, spin;  ///< [m/s, rad/s]
  D3 way, turn;       ///< [m, rad]
};

/// The iterations begin with the impulses that the contacts have, and leave theirs there.
/// @param spacing [m] of the particles, by which penetrations are measured
/// @param kicks  out, (bodies)
/// @return iterations, at most, of bodies that hang together
int solve_contacts(const std::vector<SolverBody>& bodies, std::vector<SolverContact>& contacts,
                   std::vector<SolverLine>& lines, int dimension, double dt, double spacing,
                   std::vector<SolverKick>& kicks);

}  // namespace riffle::bodies
