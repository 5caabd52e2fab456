#pragma once
/// The quantities that follow from a particle alone, for kernels.

#include <cmath>
#include <cstdint>

#include "sim/measure/quantity.h"
#include "sim/pressure.h"
#include "sim/simulation.h"
#include "sim/solver_info.h"

namespace riffle {

struct ParticleValue {
  const Vec4* velocity = nullptr;
  const Vec4* acceleration = nullptr;  ///< nullptr: none
  const float* density = nullptr;      ///< nullptr: none; 0 before the first step
  const std::uint32_t* fluid = nullptr;
  const float* carried_pressure = nullptr;  ///< nullptr: it follows from density
  Pressure pressure{};
  float rest_density[kMaxFluids] = {};

  /// 0 for a quantity that is summed over neighbours.
  RIFFLE_HD float operator()(Quantity quantity, std::int64_t i) const {
    const bool dense = density && density[i] > 0;
    switch (quantity) {
      case Quantity::Speed: return sqrtf(length2(xyz(velocity[i])));
      case Quantity::VelocityX: return velocity[i].x;
      case Quantity::VelocityY: return velocity[i].y;
      case Quantity::VelocityZ: return velocity[i].z;
      case Quantity::Acceleration: return acceleration ? sqrtf(length2(xyz(acceleration[i]))) : 0.0f;
      case Quantity::Density: return density ? density[i] : 0.0f;
      case Quantity::Compression: return dense ? density[i] / rest_density[fluid[i]] - 1 : 0.0f;
      case Quantity::Pressure:
        if (carried_pressure) return carried_pressure[i];
        return dense ? pressure(density[i], fluid[i]) : 0.0f;
      case Quantity::Fluid: return static_cast<float>(fluid[i]);
      case Quantity::Vorticity:
      case Quantity::Temperature:
      case Quantity::Neighbors: break;
    }
    return 0;
  }
};

/// Of the particles as they are now. Valid until the next step.
inline ParticleValue particle_value(const Simulation& simulation) {
  const SimulationSetup& setup = simulation.setup();
  const ParticleSet& particles = simulation.particles();
  ParticleValue value;
  value.velocity = particles.get<Vec4>("velocity").data();
  if (particles.has("acceleration")) value.acceleration = particles.get<Vec4>("acceleration").data();
  if (particles.has("density")) value.density = particles.get<float>("density").data();
  value.fluid = particles.get<std::uint32_t>("fluid").data();
  if (solver_info(setup).carries_pressure) value.carried_pressure = particles.get<float>("pressure").data();
  if (const auto pressure = solver_info(setup).pressure) value.pressure = pressure(setup);
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) value.rest_density[f] = setup.fluids[f].rest_density;
  return value;
}

}  // namespace riffle
