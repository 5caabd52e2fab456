#pragma once
/// What a run is judged by. Summed in double precision in a fixed order.

#include <cstdint>

#include "core/vec.h"

namespace riffle {

struct Diagnostics {
  double kinetic_energy = 0;       ///< [J] (2-D: per metre of depth)
  double potential_energy = 0;     ///< [J] in gravity, zero at the domain's lower corner
  double internal_energy = 0;      ///< [J] elastic, from the equation of state
  double momentum[3] = {0, 0, 0};  ///< [kg m/s]
  double mass = 0;                 ///< [kg] (2-D: per metre of depth)
  double density_error_mean = 0;   ///< mean over particles of |rho/rho0 - 1| where compressed (rho > rho0), else 0
  double density_error_max = 0;    ///< max of rho/rho0 - 1
  double max_speed = 0;            ///< [m/s]
  double max_acceleration = 0;     ///< [m/s^2]
  int non_finite = 0;              ///< particles with a NaN or infinite position, velocity, acceleration or density
  int outside = 0;                 ///< particles beyond a walled face
  std::uint64_t state_hash = 0;    ///< of (id, position, velocity) bits; independent of the particles' order
};

}  // namespace riffle
