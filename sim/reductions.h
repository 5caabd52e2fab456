#pragma once
/// Reductions over the particles. Private to sim/.

#include "core/math/domain.h"
#include "neighbors/neighbor_search.h"
#include "sim/measure/diagnostics.h"
#include "sim/particle_set.h"
#include "sim/setup.h"

namespace riffle {

class Boundary;

/// All arrays (count), in one common order, on the device. Foreign particles (sim/halo.h) do not count.
struct MeasureInput {
  int count = 0;
  Domain domain;
  Vec3 gravity;  ///< at that time, along the tank's axes
  int fluid_count = 1;
  float mass[kMaxFluids] = {};  ///< of a particle [kg]
  const Vec4* position = nullptr;
  const Vec4* velocity = nullptr;
  const Vec4* acceleration = nullptr;  ///< nullptr: unknown, reported as 0
  const std::uint32_t* fluid = nullptr;
  const std::uint32_t* id = nullptr;
  const std::uint32_t* foreign = nullptr;  ///< flags; nullptr: none
  const float* compression = nullptr;      ///< that particles carry from step to step; nullptr: none

  /// Densities of particles whose fluids have a rest density; otherwise nullptr.
  const float* density = nullptr;
  float rest_density[kMaxFluids] = {};
  bool compressible = false;  ///< then the Tait equation of state has an elastic energy
  float stiffness[kMaxFluids] = {};
  float exponent = 7;
  bool negative_pressure = false;
};

/// The fields that every solver's particles have. @param time  [s] for gravity
MeasureInput measure_input(const ParticleSet& particles, const SimulationSetup& setup, const float (&mass)[kMaxFluids],
                           double time);

/// Sums over the particles of each fluid.
struct FluidSums {
  std::int64_t count[kMaxFluids] = {};
  double kinetic_energy[kMaxFluids] = {};
};

/// Waits for the device.
Diagnostics measure(const Device& device, const MeasureInput& input);
FluidSums sum_by_fluid(const Device& device, const MeasureInput& input);

struct NeighborCountSummary {
  double mean = 0;
  std::uint32_t min = 0, max = 0;
};

/// positions in the order the search wants. Waits.
NeighborCountSummary count_neighbors(const NeighborSearch& search, const Vec4* positions, float h);
/// Mean number of wall particles within h of one of `count` fluid particles. The walls' search is built. Waits.
double mean_wall_neighbors(const Boundary& boundary, const Vec4* positions, int count, float h);

}  // namespace riffle
