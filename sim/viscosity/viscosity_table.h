#pragma once
/// Constants of implicit viscosity as kernels read them.

#include "core/math/math.h"
#include "sim/setup.h"

namespace riffle::viscosity {

/// Entries of a table of drag at walls.
inline constexpr int kDragEntries = 64;

/// Which way the forces of a pair act.
struct Form {
  float entries_per_sum = 0;      ///< place in `drag` per sum of walls' weights w
  float strength = 0;             ///< A: along r_ij [1/m^(d+4)], along v_ij [1/m^(d+2)]
  float drag[kDragEntries] = {};  ///< factor of the walls' part: implicit_viscosity.h
};

struct Table {
  int count = 1;                   ///< of fluids
  float mass[kMaxFluids] = {};     ///< of a particle [kg]
  float dynamic[kMaxFluids] = {};  ///< rho0 nu [Pa s]
  float inverse_h2 = 0;            ///< [1/m^2]
  float wall_volume = 0;           ///< V_0 [m^d]
  Form forms[2];                   ///< along v_ij, along r_ij

  RIFFLE_HD const Form& form(bool along_pair) const { return forms[along_pair ? 1 : 0]; }

  /// w(r).
  RIFFLE_HD float weight(bool along_pair, float r2) const {
    const float q2 = r2 * inverse_h2, a = 1 - (along_pair ? q2 : quick_sqrt(q2));
    return a > 0 ? a * a * a : 0.0f;
  }
  /// Harmonic mean: shear stress is continuous where two fluids touch (Cleary and Monaghan 1999).
  RIFFLE_HD static float mixed(float a, float b) {
    if (a == b) return a;
    return a + b > 0 ? quick_divide(2 * a * b, a + b) : 0.0f;
  }
  /// sum: of w over the walls.
  RIFFLE_HD static float wall_factor(const Form& form, float sum) {
    const float place = sum * form.entries_per_sum;
    const int below = static_cast<int>(place);
    if (below >= kDragEntries - 1) return form.drag[kDragEntries - 1];
    const float part = place - static_cast<float>(below);
    return (1 - part) * form.drag[below] + part * form.drag[below + 1];
  }
};

Table make_table(const SimulationSetup& setup);

}  // namespace riffle::viscosity
